"""The bots' processes: fed, watched, buried.  ``arena.process`` starts them.

One look sees the pipes and exits of a whole table, so that a match is one
task: it is told what came from whom, in order, whoever is on turn.  stderr is always
drained: at 64 KiB unread an honest bot blocks and looks slow.
"""

import os
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeAlias

import trio

from arena import burial
from arena.botspec import BotSpec
from arena.memory import SLOW_LOOK_S
from arena.process import BotProcess
from arena.readiness import new_readiness
from arena.sandbox import Level, Limits, Pondering

READ: Final = 64 * 1024  # bytes: what a pipe holds
READ_STDOUT: Final = 4096  # bytes at a time: other matches wait while lines are judged
LAST_READS: Final = READ // READ_STDOUT  # of what a bot wrote before it exited
ALONE_S: Final = 0.001  # how long the thread itself waits for a table that is alone
ALONE_TURNS: Final = 32  # waits in a row; then other tasks (orders, burials) have one
MAX_BACKLOG: Final = 1024 * 1024  # bytes a bot has not read; more is not sent at all
EXIT_GRACE_MS: Final = 2000  # from the end of its input to SIGTERM (section 3)
TERM_GRACE_MS: Final = 1000  # from SIGTERM to SIGKILL
SWEEPS: Final = 100  # looks for what is dying, after a match; a later sweep finds more


class Data(NamedTuple):
    """Bytes from a bot's stdout."""

    seat: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Closed:
    """A bot's stdout has ended; the process may live."""

    seat: int


@dataclass(frozen=True, slots=True)
class Exited:
    """A bot's process has ended, or never began; all it wrote came before."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class OverLimit:
    """A bot has used more memory than it may, and was killed for it."""

    seat: int
    text: str


News: TypeAlias = Data | Closed | Exited | OverLimit


class Pipes(Protocol):
    """Three bots as a match sees them; in tests they live in memory."""

    def send(self, seat: int, line: bytes) -> None:
        """Begin to send a line; never blocks."""

    async def wait_news(self) -> Sequence[News]:
        """Wait until something has come from any of the three."""

    def poll(self) -> Sequence[News]:
        """Return what has come, without waiting."""

    def rest(self, seat: int) -> None:
        """Take in that a bot is not on turn until something is sent to it."""

    def dismiss(self, seat: int) -> None:
        """Kill a bot at once; nothing more comes from it."""


class ProcessPipes:
    """The pipes of three processes, looked at together.

    Args:
        bots: by seat.
        pondering: what a bot may do while it is not on turn.
        is_alone: tells whether no other match is being played in this process.  Then
            the thread may wait for these bots itself, for a moment: that takes a third
            of the time of a wait that other tasks can share.
    """

    def __init__(
        self,
        bots: Sequence[BotProcess],
        pondering: Pondering = Pondering.ALLOWED,
        is_alone: Callable[[], bool] = lambda: False,
    ) -> None:
        self.bots = bots
        self._is_alone = is_alone
        self._turns = 0
        self._freezes = pondering is Pondering.FROZEN
        self._ready = new_readiness()
        self._news: list[News] = []
        self._gone: set[int] = set()  # seats whose exit has been told
        self._last_reads = [LAST_READS for _ in bots]
        for seat, bot in enumerate(bots):
            if bot.failure is not None:
                self._news.append(Exited(seat, bot.failure))
                self._gone.add(seat)
                continue
            watch = self._ready.watch
            watch(bot.stdout.fileno(), partial(self._read_stdout, seat))
            watch(bot.stderr_pipe.fileno(), partial(self._read_stderr, seat))
            if bot.pidfd >= 0:
                watch(bot.pidfd, partial(self._see_exit, seat))

    def send(self, seat: int, line: bytes) -> None:
        """Begin to send a line; what the pipe does not take goes when it can."""
        bot = self.bots[seat]
        if not bot.is_open or bot.stdin.closed:
            return
        if self._freezes:
            bot.thaw()
        if bot.backlog:
            if len(bot.backlog) + len(line) <= MAX_BACKLOG:
                bot.backlog += line
            return
        sent = self._write(bot, line)
        if sent < len(line):
            bot.backlog += line[sent:]
            act = partial(self._write_backlog, seat)
            self._ready.watch(bot.stdin.fileno(), act, for_room=True)

    def _write(self, bot: BotProcess, data: bytes | bytearray) -> int:
        try:
            return os.write(bot.stdin.fileno(), data)
        except BlockingIOError:
            return 0
        except OSError:  # it has closed its input: it will never know what was asked
            return len(data)

    async def wait_news(self) -> Sequence[News]:
        """Wait until something has come from any of the three."""
        while True:
            if not self._news:
                if self._turns < ALONE_TURNS and self._is_alone():
                    self._turns += 1
                    news = self._look(ALONE_S)
                    if news:
                        return news
                self._turns = 0
                await trio.lowlevel.wait_readable(self._ready.fileno())
            news = self._look(0)
            if news:
                return news

    def poll(self) -> Sequence[News]:
        """Return what has come, without waiting."""
        return self._look(0)

    def _look(self, within_s: float) -> Sequence[News]:
        self._ready.look(within_s)
        if not self._news:
            return ()
        news, self._news = self._news, []
        return news

    def _read_stdout(self, seat: int) -> bool:
        """Read once, and tell whether there may be more."""
        fd = self.bots[seat].stdout.fileno()
        try:
            data = os.read(fd, READ_STDOUT)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if data:
            self._news.append(Data(seat, data))
            return True
        self._ready.unwatch(fd)
        self._news.append(Closed(seat))
        if self.bots[seat].pidfd < 0:  # a system that does not tell of exits
            self._see_exit(seat)
        return False

    def _read_stderr(self, seat: int) -> bool:
        bot = self.bots[seat]
        fd = bot.stderr_pipe.fileno()
        try:
            data = os.read(fd, READ)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        bot.stderr.add(data)
        if not data:
            self._ready.unwatch(fd)
        return bool(data)

    def _write_backlog(self, seat: int) -> None:
        bot = self.bots[seat]
        del bot.backlog[: self._write(bot, bot.backlog[:READ])]
        if not bot.backlog:
            self._ready.unwatch(bot.stdin.fileno())

    def _see_exit(self, seat: int) -> None:
        """Tell of an exit, after all that the bot has written before it."""
        bot = self.bots[seat]
        if seat in self._gone or not bot.reap():
            return
        # A child may hold the pipe and write on: no more is read than one pipeful.
        self._last_reads[seat] -= 1
        is_open = self._ready.is_watched(bot.stdout.fileno())
        if is_open and self._last_reads[seat] >= 0 and self._read_stdout(seat):
            return  # the exit is seen again
        self._gone.add(seat)
        self._ready.unwatch(bot.pidfd)
        self._read_stderr(seat)
        if bot.over_limit is not None:
            self._news.append(OverLimit(seat, bot.over_limit))
        else:
            self._news.append(Exited(seat, bot.exit_text()))

    def rest(self, seat: int) -> None:
        """Take in that a bot is not on turn until something is sent to it."""
        if self._freezes and self.bots[seat].is_open:
            self.bots[seat].freeze()

    def dismiss(self, seat: int) -> None:
        """Kill a bot at once; nothing more comes from it."""
        bot = self.bots[seat]
        if not bot.is_open:
            return
        self._read_stderr(seat)  # its last words
        bot.kill()
        burial.kill_marked(bot.mark)
        self.release(seat)
        self._news = [item for item in self._news if item.seat != seat]

    def close_input(self, seat: int) -> None:
        """Close a bot's input, which means: exit."""
        bot = self.bots[seat]
        if bot.is_open and not bot.stdin.closed:
            self._ready.unwatch(bot.stdin.fileno())
            bot.backlog.clear()
            bot.stdin.close()

    def mute(self, seat: int) -> None:
        """Read nothing more of what a bot says; its exit is told all the same."""
        bot = self.bots[seat]
        if bot.is_open and bot.pidfd >= 0:
            self._ready.unwatch(bot.stdout.fileno())

    def release(self, seat: int) -> None:
        """Stop watching a bot, and close our ends of its pipes."""
        bot = self.bots[seat]
        if not bot.is_open:
            return
        self.close_input(seat)
        self._ready.unwatch(bot.pidfd)
        for pipe in (bot.stdout, bot.stderr_pipe):
            self._ready.unwatch(pipe.fileno())
        bot.close_pipes()

    def close(self) -> None:
        """Watch nothing more; the bots are buried by whoever owns them."""
        for seat in range(len(self.bots)):
            self.release(seat)
        self._ready.close()


class Yard:
    """The bots that this process has started and not yet buried."""

    def __init__(self) -> None:
        self._bots: set[BotProcess] = set()

    def add(self, bot: BotProcess) -> None:
        """Take in a bot that has been started."""
        if bot.failure is None:
            self._bots.add(bot)

    async def bury(self, pipes: ProcessPipes, is_polite: bool) -> None:
        """Let three bots go: ask, wait, insist.  Nothing of theirs is left after it.

        Args:
            pipes: the bots.
            is_polite: whether they may take their time to exit; false after Ctrl-C.
        """
        try:
            if is_polite:
                await self._see_off(pipes)
        finally:
            with trio.CancelScope(shield=True):  # cancelled or not, they go
                pipes.close()
                await self.kill(pipes.bots)

    async def kill(self, bots: Sequence[BotProcess]) -> None:
        """Kill bots at once; nothing of theirs is left after it."""
        for bot in bots:
            if bot in self._bots:
                bot.kill()
        for bot in bots:
            while not bot.reap():  # killed, but it needs a moment to die
                await trio.sleep(0.001)
        for bot in bots:
            self._bots.discard(bot)
            bot.close()
        for _ in range(SWEEPS):
            if self.sweep() == 0:
                break
            await trio.sleep(0.001)

    async def _see_off(self, pipes: ProcessPipes) -> None:
        """Close the bots' input and give them time; then tell them to go."""
        for seat, bot in enumerate(pipes.bots):
            bot.thaw()
            pipes.close_input(seat)
            pipes.mute(seat)  # a flood after the match is not worth our time
        await self._wait_gone(pipes, EXIT_GRACE_MS)
        for bot in pipes.bots:
            if bot in self._bots and bot.status is None:
                burial.kill_group(bot.leader, signal.SIGTERM)
        await self._wait_gone(pipes, TERM_GRACE_MS)

    async def _wait_gone(self, pipes: ProcessPipes, within_ms: int) -> None:
        """Drain the pipes until every bot has exited, or the time is over."""
        with trio.move_on_after(within_ms / 1000):
            while not all(bot.reap() for bot in pipes.bots):
                await pipes.wait_news()

    def watch_memory(self) -> float:
        """Kill whoever is over its limit; return in how many seconds to look again."""
        return min((bot.watch_memory() for bot in self._bots), default=SLOW_LOOK_S)

    def sweep(self) -> int:
        """Kill and reap orphans that no bot in play can be the cause of.

        Returns:
            how many of them are still dying.
        """
        living = {pid for bot in self._bots for pid in (bot.pid, bot.leader)}
        playing = {bot.mark for bot in self._bots if bot.is_open and bot.status is None}
        return burial.kill_strays(living, playing)


@asynccontextmanager
async def open_pipes(
    specs: Sequence[BotSpec],
    level: Level,
    limits: Limits,
    yard: Yard,
    pondering: Pondering = Pondering.ALLOWED,
    is_alone: Callable[[], bool] = lambda: False,
) -> AsyncIterator[ProcessPipes]:
    """Start three bots; when the block fails or is cancelled, kill them at once.

    A block that ends well leaves them to ``Yard.bury``.  Arguments as for
    ``ProcessPipes``.
    """
    bots: list[BotProcess] = []
    try:
        for spec in specs:
            bot = BotProcess(spec, level, limits, is_held=True)
            bots.append(bot)
            yard.add(bot)
        for bot in bots:
            bot.let_go()
        pipes = ProcessPipes(bots, pondering, is_alone)
    except BaseException:  # one could not be started: the others go
        with trio.CancelScope(shield=True):
            await yard.kill(bots)
        raise
    try:
        yield pipes
    except BaseException:
        await yard.bury(pipes, is_polite=False)
        raise
