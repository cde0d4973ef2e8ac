"""Looking into a silence: what a bot does when more is asked, and when nothing is left.

A buffer gives itself away.  Before the input is closed, requests are sent until 64 KiB
of answers would be due: what then comes all at once has waited in a buffer of output;
what comes only at the end of input has waited for that.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

import trio

from arena.bots import Closed, Data, Exited, News, OverLimit, ProcessPipes
from arena.check_bout import Bout, Listener, Opponents, Sitting, Trouble, Turn
from arena.check_talk import Came
from arena.check_terms import Terms
from arena.diagnosis import Silence
from arena.effects import Answered, Ask, Happened, TimedOut
from arena.vitals import look_at
from protocol.messages import MoveAnswer, PlainAnswer

DUE: Final = 64 * 1024  # bytes of answers: as much as a pipe holds, and most buffers
LATE_S: Final = 2.0  # for an answer that is only late
BACKLOG: Final = 32 * 1024  # bytes unread beyond the pipe's own, until we wait
QUIET_S: Final = 0.5  # without any progress, until we believe that nothing comes
PATIENCE_S: Final = 10.0  # for all of it, while there is progress
GLANCE_S: Final = 0.05


async def look_into_silence(
    came: Came,
    pipes: ProcessPipes,
    sitting: Sitting,
    terms: Terms,
    is_thorough: bool,
) -> Silence:
    """Observe why an answer has not come; the process is of no use after it.

    Args:
        came: the timeout, with what the bot did meanwhile.
        pipes: the bot's pipes.
        sitting: the talk so far.
        terms: what the check is held under.
        is_thorough: whether more may be asked and its input closed: once a check.
    """
    waited = came.happened.took_ms
    vitals = came.vitals
    seen = Silence(
        waited_ms=waited,
        cpu_ms=came.cpu_ms,
        is_running=vitals is not None and vitals.is_running,
        is_stopped=vitals is not None and vitals.is_stopped,
        unread=None if vitals is None else vitals.unread,
        programs=() if vitals is None else vitals.programs,
        stray=sitting.stray,
        is_first=sitting.answered == 0,
    )
    if not is_thorough or seen.is_clear:
        return seen
    return await _Probe(pipes).run(seen, sitting, terms)


class _Probe:
    def __init__(self, pipes: ProcessPipes) -> None:
        self._pipes = pipes
        self._bot = pipes.bots[0]
        self._data = bytearray()
        self._is_gone = False

    async def run(self, seen: Silence, sitting: Sitting, terms: Terms) -> Silence:
        """Wait, ask more, close the input; return all that was observed."""
        began = trio.current_time()
        await self._listen(LATE_S)
        if self._data:
            late_ms = int((trio.current_time() - began) * 1000)
            return replace(seen, late_ms=late_ms)
        sent = await self._ask_more(due_requests(sitting, terms))
        if self._data:
            await self._gather()
            return replace(
                seen,
                burst=len(self._data),
                burst_after=sent,
                is_cut=not self._data.endswith(b"\n"),
                is_owed=_has_id(bytes(self._data), sitting.next_id - 1),
            )
        self._pipes.close_input(0)
        await self._await_progress()
        if self._data:
            await self._gather()
        ended = None
        if self._bot.reap():
            ended = self._bot.exit_text()
        return replace(seen, at_end=len(self._data), ended=ended)

    async def _listen(self, within_s: float) -> None:
        """Wait for anything at all."""
        with trio.move_on_after(within_s):
            while not self._data and not self._is_gone:
                self._take(await self._pipes.wait_news())

    async def _gather(self) -> None:
        """Take in what comes together with what has come."""
        size = -1
        while len(self._data) > size and len(self._data) < DUE:
            size = len(self._data)
            with trio.move_on_after(2 * GLANCE_S):
                while True:
                    self._take(await self._pipes.wait_news())

    def _take(self, news: Iterable[News]) -> None:
        for item in news:
            match item:
                case Data(data=data):
                    self._data += data
                case Closed():
                    pass
                case Exited() | OverLimit():
                    self._is_gone = True

    async def _ask_more(self, lines: Iterator[bytes]) -> int:
        """Send requests until something comes; return how many were sent."""
        sent = 0
        for line in lines:
            if len(self._bot.backlog) > BACKLOG:
                await self._await_progress(is_for_room=True)
            if self._data or self._is_gone or len(self._bot.backlog) > BACKLOG:
                return sent
            self._pipes.send(0, line)
            sent += 1
            self._take(self._pipes.poll())
        await self._await_progress()
        return sent

    async def _await_progress(self, *, is_for_room: bool = False) -> None:
        """Wait for something to come, as long as the bot reads or computes."""
        until = trio.current_time() + PATIENCE_S
        last = self._state()
        quiet_since = trio.current_time()
        while not self._data and not self._is_gone and trio.current_time() < until:
            with trio.move_on_after(GLANCE_S):
                self._take(await self._pipes.wait_news())
            if is_for_room and len(self._bot.backlog) <= BACKLOG:
                return
            state = self._state()
            if state != last:
                last, quiet_since = state, trio.current_time()
            elif trio.current_time() - quiet_since > QUIET_S:
                return

    def _state(self) -> tuple[int, int] | None:
        vitals = look_at(self._bot)
        return None if vitals is None else (vitals.cpu_ms, vitals.unread)


def _has_id(data: bytes, number: int) -> bool:
    """Tell whether one of the first lines answers the request ``number``."""
    return re.search(rb'"id"\s*:\s*"?%d\b' % number, data[:4096]) is not None


class _Deaf(Listener):
    """Goes on whatever comes, which is nothing."""

    def after(self, turn: Turn, trouble: Trouble | None, size: int) -> bool:
        return True


def due_requests(sitting: Sitting, terms: Terms) -> Iterator[bytes]:
    """Yield requests, match after match, until 64 KiB of answers are due to them."""
    due = 0
    game = terms.games[0]
    talk = Sitting(next_id=sitting.next_id, hello=sitting.hello)
    while True:
        setup = terms.setup(game, f"more/{talk.next_id}", 0, 21)
        bout = Bout(talk, setup, 0, Opponents(setup.deal_seed, False), _Deaf())
        script = bout.talk()
        ask = next(script)
        while True:
            yield ask.line
            answer, happened = _due_to(ask)
            due += len(answer)
            if due > DUE:
                return
            try:
                ask = script.send(Came(happened, None, None, None))
            except StopIteration:
                break


def _due_to(ask: Ask) -> tuple[str, Happened]:
    """Return what a bot would have answered, and what we say it came to."""
    if ask.kind is MoveAnswer:
        move = json.loads(ask.line)["legal"][0]
        limit = ask.within_ms or 0
        return f'{{"id":{ask.id},"move":"{move}"}}\n', TimedOut(0, limit + 1)
    return f'{{"id":{ask.id}}}\n', Answered(0, PlainAnswer(id=ask.id))
