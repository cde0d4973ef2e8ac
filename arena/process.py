"""One bot's process: started as its level says, bounded, killed, collected.

The only place that starts bots, and always on the engine's main thread: the signal
that follows a parent's death follows the thread.  In the box three processes stand for
a bot: bubblewrap outside, which ends as the bot ends; bubblewrap inside, the first in
its box, whose death clears it; and the bot.
"""

import contextlib
import errno
import os
import resource
import secrets
import signal
import subprocess
from collections.abc import Collection
from functools import cache
from typing import IO, Final

from arena import burial, cgroups, memory
from arena.botspec import BotSpec
from arena.box import NONE, OURS_INSIDE, Guard, box_argv, box_limits
from arena.boxed import Box, BoxError
from arena.host import find_runtime, this_host
from arena.result import Exit
from arena.sandbox import Level, Limits, plan
from arena.seccomp import build_filter
from arena.spawn import Spawned

KEPT: Final = 4096  # bytes of stderr kept from its beginning, and from its end
SIGNALLED: Final = 128  # bubblewrap passes a signal on as this and its number
SIGNALS: Final = frozenset(map(int, signal.valid_signals()))

OUR_FAILURES: Final = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
"""What keeps a process from starting though nothing is wrong with it."""


class Scrap:
    """The beginning and the end of a stream that may be endless."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self.dropped = 0

    def add(self, data: bytes) -> None:
        """Keep what there is room for."""
        room = KEPT - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data[-KEPT:]
        extra = len(data) + len(self._tail) - min(len(data), KEPT) - KEPT
        if len(self._tail) > KEPT:
            del self._tail[:-KEPT]
        self.dropped += max(0, extra)

    def text(self) -> str:
        """Return it as text, with a line that says how much is missing."""
        if not self.dropped:
            return (self._head + self._tail).decode("utf-8", "backslashreplace")
        head = self._head.decode("utf-8", "backslashreplace")
        tail = self._tail.decode("utf-8", "backslashreplace")
        return f"{head}\n[... {self.dropped} bytes left out ...]\n{tail}"


class BotProcess:
    """One bot's process and its pipes.

    Args:
        spec: the bot.
        level: how far it is kept apart.
        limits: what it may use.
        without: guards of the box that are left out.
        is_held: whether a box waits, half set up, for ``let_go``.

    Attributes:
        mark: the random text by which its strays are known.
        failure: why it could not be started; None when it could.
        pid: our child: the bot, or bubblewrap, which ends as the bot does.
        leader: who leads the bot's group: the bot, or the first in its box.
        cpu_ms: processor time, known when it has been reaped.
        over_limit: how much memory it had when it was killed for that.
    """

    def __init__(
        self,
        spec: BotSpec,
        level: Level,
        limits: Limits,
        without: Collection[Guard] = NONE,
        *,
        is_held: bool = False,
    ) -> None:
        self.spec = spec
        self.mark = secrets.token_hex(8)
        self.stderr = Scrap()
        self.failure: str | None = None
        self.over_limit: str | None = None
        self.cpu_ms = 0
        self.status: int | None = None  # as waitpid has it; None while it lives
        self.backlog = bytearray()
        self.is_open = False  # whether our ends of its pipes are
        self._limits = limits
        self._without = without
        self._process: subprocess.Popen[bytes] | None = None
        self._box: Box | None = None
        self._held: Spawned | None = None
        self._group: cgroups.Group | None = None
        self._is_killed = False
        self._stopped: list[int] | None = None  # by us, while it is not on turn
        self._is_watched = level is not Level.NONE and Guard.MEMORY not in without
        if spec.is_human and level is Level.BWRAP:
            level = Level.LIMITS  # the person at this terminal, which no box has
        try:
            if level is Level.BWRAP:
                self._start_boxed()
                if not is_held:
                    self.let_go()
            else:
                self._start_plain(level)
        except BoxError:
            raise
        except OSError as error:
            if error.errno in OUR_FAILURES or level is Level.BWRAP:
                raise
            self.failure = f"cannot be started: {error.strerror or error}"

    def _start_plain(self, level: Level) -> None:
        launch = plan(self.spec, level, self._limits, self.mark)
        process = subprocess.Popen(
            launch.argv,
            cwd=launch.cwd,
            env=dict(launch.env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._adopt(process.pid, process.stdin, process.stdout, process.stderr)
        for name, value in launch.rlimits.items():
            _limit(self.pid, name, value)

    def _start_boxed(self) -> None:
        """Start the box, which waits."""
        host = this_host()
        if host is None:
            raise BoxError("bubblewrap is gone")
        without = self._without
        argv = box_argv(
            self.spec, self._limits, self.mark, host, find_runtime(self.spec), without
        )
        env = dict(os.environ) if Guard.ENVIRONMENT in without else {}
        is_leaking = Guard.DESCRIPTORS in without
        started = Spawned(argv, env, _filter(), is_leaking=is_leaking)
        self._held = started
        self._adopt(
            started.pid,
            open(started.take(started.stdin), "wb", 0),  # noqa: PTH123, SIM115
            open(started.take(started.stdout), "rb", 0),  # noqa: PTH123, SIM115
            open(started.take(started.stderr), "rb", 0),  # noqa: PTH123, SIM115
        )
        self._box = Box(started.take(started.status))

    def let_go(self) -> None:
        """Bound the box while it waits, and let it begin.

        Boxes are set up side by side when all of a table are started before the first
        is let go: each takes some ms, in processes of its own.

        Raises:
            BoxError: if it does not start.
            OSError: if it cannot be bounded.
        """
        if self._held is None:
            return
        assert self._box is not None
        try:
            self.leader = self._box.wait_first()
            self._box.hold(self.leader)
            self._bound_box()
            self._held.let_go()
        except OSError as error:
            self._abandon()
            if isinstance(error, BoxError):
                said = self.stderr.text().strip()
                raise BoxError(f"{error.text} {said}".strip()) from None
            raise
        self._held.close()
        self._held = None

    def _bound_box(self) -> None:
        for name, value in box_limits(self._limits, self._without).items():
            _limit(self.leader, name, value)
        places = cgroups.places()
        if not places:
            return
        forks = self._limits.processes + OURS_INSIDE
        self._group = cgroups.Group(
            places, f"{cgroups.PREFIX}{os.getpid()}-{self.mark}"
        )
        self._group.bound(
            self._limits.memory_mb if self._is_watched else None,
            None if Guard.FORKS in self._without else forks,
        )
        self._group.add(self.leader)

    def _adopt(
        self, pid: int, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]
    ) -> None:
        """Take the new process in: its pipes, and how we learn of its end."""
        self.pid = self.leader = pid
        self.pidfd = -1
        self.stdin, self.stdout, self.stderr_pipe = stdin, stdout, stderr
        for pipe in (stdin, stdout, stderr):
            os.set_blocking(pipe.fileno(), False)
        self.is_open = True
        self.pidfd = self._open_pidfd()

    def _open_pidfd(self) -> int:
        if not hasattr(os, "pidfd_open"):
            return -1
        try:
            return os.pidfd_open(self.pid)
        except OSError:  # no descriptor left: nobody else knows of the process yet
            self._abandon()
            raise

    def _abandon(self) -> None:
        """Undo a start that has gone wrong halfway, or was not gone on with."""
        burial.kill_tree(self.pid)
        os.waitpid(self.pid, 0)
        with contextlib.suppress(OSError):
            self.stderr.add(os.read(self.stderr_pipe.fileno(), KEPT))
        self.status = 0
        if self._process is not None:
            self._process.returncode = 0
        if self._held is not None:
            self._held.close()
            self._held = None
        self.close()

    def close_pipes(self) -> None:
        """Close our ends of its pipes."""
        for pipe in (self.stdin, self.stdout, self.stderr_pipe):
            pipe.close()
        self.is_open = False

    def freeze(self) -> None:
        """Stop the bot and all that is below it until it is thawed."""
        if self._stopped is not None or self.status is not None or self.spec.is_human:
            return
        if self._group is not None and self._group.has_freezer:
            self._stopped = []
            self._group.freeze()
        else:
            self._stopped = burial.stop_tree(self.leader, self.mark)

    def thaw(self) -> None:
        """Let it go on, if it was frozen."""
        if self._stopped is None:
            return
        if self._group is not None and self._group.has_freezer:
            self._group.thaw()
        burial.go_on(self._stopped)
        self._stopped = None

    def kill(self) -> None:
        """Kill the bot and all that is below it, if it lives."""
        if self.status is not None or self.failure is not None:
            return
        self._is_killed = True
        if self._held is not None:
            self._abandon()
            return
        self._kill_all()
        self.thaw()  # who is frozen dies of it then, and does nothing else

    def _kill_all(self) -> None:
        if self._box is None:
            burial.kill_tree(self.pid)
        elif Guard.KILL not in self._without:
            self._box.kill()
            if Guard.PROCESSES in self._without:
                burial.kill_tree(self.pid)

    def watch_memory(self) -> float:
        """Kill it if it is over its limit; return in how many seconds to look again."""
        if not self._is_watched or self.status is not None or self._is_killed:
            return memory.SLOW_LOOK_S
        allowed = self._limits.memory_mb * memory.MEGABYTE
        if self._group is not None and self._group.has_memory:
            if self._has_run_out():
                self._put_out(allowed)
            return memory.SLOW_LOOK_S
        pids = [self.pid, *burial.descendants(self.pid)]
        used = memory.resident(pids)
        if used > allowed and len(pids) > 1:
            used = memory.proportional(pids)
        if used > allowed:
            self._put_out(used)
        return memory.next_look_s(used, allowed)

    def _has_run_out(self) -> bool:
        return self._group is not None and self._group.is_over_limit()

    def _put_out(self, used: int) -> None:
        self.over_limit = memory.over_text(used, self._limits.memory_mb)
        self.kill()

    def reap(self) -> bool:
        """Collect the process if it is dead, and tell whether it is.

        Its group goes first: once it is collected, its number may be another's.

        Raises:
            BoxError: if bubblewrap has failed where the bot should have begun.
        """
        if self.failure is not None or self.status is not None:
            return True
        try:
            if hasattr(os, "waitid"):
                how = os.WEXITED | os.WNOHANG | os.WNOWAIT
                if os.waitid(os.P_PID, self.pid, how) is None:
                    return False
                burial.kill_group(self.pid)
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        except ChildProcessError:
            pid, status, usage = self.pid, 0, None
        if pid == 0:
            return False
        if self._process is not None:  # it would warn that nobody has waited for it
            self._process.returncode = os.waitstatus_to_exitcode(status)
        if not hasattr(os, "waitid"):
            burial.kill_group(self.pid)
        if usage is not None:
            self.cpu_ms = int((usage.ru_utime + usage.ru_stime) * 1000)
        self.status = status
        if self._is_watched and self.over_limit is None and self._has_run_out():
            allowed = self._limits.memory_mb
            self.over_limit = memory.over_text(allowed * memory.MEGABYTE, allowed)
        if self._box is not None:
            self._leave_box(self._box)
        return True

    def _leave_box(self, box: Box) -> None:
        """Clear the box, and see what it says of its end."""
        if Guard.KILL not in self._without:
            box.kill()
            self.cpu_ms += box.wait_gone(self.leader)
        if not box.has_begun() and not self._is_killed and self.over_limit is None:
            with contextlib.suppress(OSError, ValueError):
                self.stderr.add(os.read(self.stderr_pipe.fileno(), KEPT))
            raise BoxError(self.stderr.text().strip() or "it said nothing")

    @property
    def exit(self) -> Exit | None:
        """How it ended; None while it lives or when it never began."""
        if self.status is None:
            return None
        code = os.waitstatus_to_exitcode(self.status)
        if self._box is not None and code - SIGNALLED in SIGNALS:
            code = SIGNALLED - code
        return Exit(signal=_signal_name(-code)) if code < 0 else Exit(status=code)

    def exit_text(self) -> str:
        """Say for its author how it ended."""
        if self.failure is not None:
            return self.failure
        ended = self.exit
        if ended is None:
            return "still running"
        if ended.signal is not None:
            return f"killed by signal {ended.signal}"
        return f"exited with status {ended.status}"

    def close(self) -> None:
        """Let go of it; it must have been reaped."""
        if self.failure is not None:
            return
        if self.is_open:
            self.close_pipes()
        if self.pidfd >= 0:
            os.close(self.pidfd)
            self.pidfd = -1
        if self._box is not None:
            self._box.close()
        if self._group is not None and not self._group.remove():
            cgroups.LEFT.append(self._group)
        cgroups.tidy()


@cache
def _filter() -> bytes:
    host = this_host()
    assert host is not None
    return build_filter(host.machine)


def _limit(pid: int, name: str, value: int) -> None:
    """Bound the process from outside: a hook before its start would be slow."""
    if not hasattr(resource, "prlimit"):
        return
    which = getattr(resource, name)
    with contextlib.suppress(OSError, ValueError):
        hard = resource.prlimit(pid, which)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.prlimit(pid, which, (value, value))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"
