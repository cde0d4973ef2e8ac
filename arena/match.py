"""One match with real time: carries out what the referee says, and reports back.

The only place that reads the clock.  One deadline a decision, absolute, around write
and read together; nothing that a bot sends moves it (protocol page, section 5).
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, assert_never

import trio

from arena.bots import Closed, Data, Exited, News, Pipes
from arena.effects import (
    Answered,
    Ask,
    Dismiss,
    Effect,
    Finish,
    Garbled,
    Happened,
    Lost,
    Seated,
    TimedOut,
    Write,
)
from arena.ledger import Ledger
from protocol.codec import Flood, Frame, Line, LineBuffer, Rest, TooLong
from protocol.judge import (
    Asked,
    Bad,
    Dropped,
    Good,
    judge,
    judge_unasked,
    show_line,
    too_long,
)
from protocol.messages import MoveAnswer

MAX_DROPPED: Final = 1024 * 1024
"""Bytes of dropped and blank lines in a match; more is a flood (section 6)."""
EXIT_LAG_S: Final = 0.05
"""How long an exit may lag behind the end of stdout before it counts as closed."""
EARLY_READS: Final = 16
"""How often we look for what came before a request: as much as a pipe holds."""
_BLANK_LINES: Final = re.compile(rb"\n[ \t\r\v\f\n]*\n")
CLOSED_TEXT: Final = "it has closed its stdout, and no answer can come"

Watcher = Callable[[Effect], None]
"""Told of each effect as it is carried out: the record and the progress line."""


@dataclass(slots=True)
class _Seat:
    """What the match knows of one bot's stream."""

    buffer: LineBuffer = field(default_factory=LineBuffer)
    plain_ids: set[int] = field(default_factory=set)
    next_id: int = 0
    dropped: int = 0
    asked: Ask | None = None
    asked_at: float = 0.0
    deadline: float = float("inf")
    came_of_it: Happened | None = None  # of the request that was open
    lost: Lost | None = None  # takes effect after the decision in hand
    exit_text: str | None = None
    closed_at: float | None = None
    is_out: bool = False


class Umpire(Protocol):
    """What a match needs of its referee."""

    @property
    def ledger(self) -> Ledger:
        """The account in which warnings are counted."""

    def start(self) -> list[Effect]:
        """Return the first effects."""

    def receive(self, happened: Sequence[Happened]) -> list[Effect]:
        """Take in what came of the requests, and return what follows."""


async def play_match(
    referee: Umpire, pipes: Pipes, watch: Watcher = lambda _effect: None
) -> int:
    """Play one match to its end, and return its wall time in ms from the first request.

    What it came to stands in ``referee.ledger``.

    Args:
        referee: a new referee.
        pipes: the three bots, started.
        watch: called with every effect, before it is carried out.
    """
    return await _Shell(referee, pipes, watch).run()


class _Shell:
    def __init__(self, referee: Umpire, pipes: Pipes, watch: Watcher) -> None:
        self._referee = referee
        self._pipes = pipes
        self._watch = watch
        self._seats = [_Seat(), _Seat(), _Seat()]

    async def run(self) -> int:
        began = trio.current_time()
        effects = self._referee.start()
        while True:
            asks: list[Ask] = []
            for effect in effects:
                self._watch(effect)
                match effect:
                    case Ask():
                        asks.append(effect)
                    case Dismiss(seat=seat):
                        self._seats[seat].is_out = True
                        self._pipes.dismiss(seat)
                    case Finish():
                        return _ms(trio.current_time() - began)
                    case Seated() | Write():
                        pass
                    case _ as never:
                        assert_never(never)
            effects = self._referee.receive(await self._answers(asks))

    async def _answers(self, asks: Sequence[Ask]) -> list[Happened]:
        """Send the requests, and return what came of them, and who else was lost."""
        await self._take_early({ask.seat for ask in asks})
        for ask in asks:
            self._send(ask)
        open_seats = [self._seats[ask.seat] for ask in asks]
        while True:
            deadline = min(
                (s.deadline for s in open_seats if s.came_of_it is None),
                default=None,
            )
            if deadline is None:
                break
            with trio.move_on_at(deadline):
                self._take(await self._pipes.wait_news())
            # The clock is asked, not the scope: where there is always something to
            # read, from whomever, no wait is ever cut short.
            if trio.current_time() >= deadline:
                self._take(self._pipes.poll())  # once more before any verdict
                self._give_up(open_seats)
        happened = [s.came_of_it for s in open_seats if s.came_of_it is not None]
        for seat in open_seats:
            if isinstance(seat.came_of_it, Lost) or _has_failed_to_start(seat):
                seat.is_out, seat.lost = True, None
            seat.asked = seat.came_of_it = None
            seat.deadline = float("inf")
        return happened + self._lost_meanwhile()

    async def _take_early(self, seats: Collection[int]) -> None:
        """Take in what came before we ask: it is no answer."""
        for _ in range(EARLY_READS):
            news = self._pipes.poll()
            self._take(news)
            if not any(isinstance(n, Data) and n.seat in seats for n in news):
                return
            await trio.lowlevel.checkpoint()  # the other matches go on meanwhile

    def _send(self, ask: Ask) -> None:
        seat = self._seats[ask.seat]
        seat.asked, seat.asked_at = ask, trio.current_time()
        seat.next_id = ask.id + 1
        if ask.kind is not MoveAnswer:
            seat.plain_ids.add(ask.id)
        if seat.lost is not None:
            seat.came_of_it = seat.lost
        elif seat.exit_text is not None:
            seat.came_of_it = Lost(ask.seat, "exited", seat.exit_text)
        else:
            if ask.within_ms is not None:
                # Equal to the limit is in time, and times are rounded down.
                seat.deadline = seat.asked_at + (ask.within_ms + 1) / 1000
            if seat.closed_at is not None:
                seat.deadline = min(seat.deadline, seat.closed_at + EXIT_LAG_S)
            self._pipes.send(ask.seat, ask.line)

    # --- what came ---

    def _take(self, news: Iterable[News]) -> None:
        for item in news:
            seat = self._seats[item.seat]
            if seat.is_out:
                continue
            match item:
                case Data(data=data):
                    self._take_data(item.seat, seat, data)
                case Exited(text=text):
                    seat.exit_text = text
                    if seat.asked is not None:
                        self._settle(seat, Lost(item.seat, "exited", text, _took(seat)))
                case Closed():
                    seat.closed_at = trio.current_time()
                    seat.deadline = min(seat.deadline, seat.closed_at + EXIT_LAG_S)
                case _ as never:
                    assert_never(never)

    def _take_data(self, number: int, seat: _Seat, data: bytes) -> None:
        if data.count(b"\n") > 1:
            # Blank lines mean nothing, but a flood of them is dear line by line.
            size = len(data)
            data = _BLANK_LINES.sub(b"\n", data)
            if len(data) < size:
                self._drop(number, seat, size - len(data))
        for frame in seat.buffer.feed(data):
            if seat.is_out:  # by an earlier line of the same data
                return
            self._take_frame(number, seat, frame)

    def _take_frame(self, number: int, seat: _Seat, frame: Frame) -> None:
        ask = seat.asked if seat.came_of_it is None else None
        match frame:
            case Flood():
                text = "64 KiB came without a newline"
                self._lose(number, seat, Lost(number, "flood", text, _took(seat)))
            case Rest(size=size):
                self._drop(number, seat, size)
            case TooLong(raw=raw, size=size):
                if ask is None:
                    self._drop(number, seat, size, Dropped("stray_line"))
                else:
                    bad = too_long(raw)
                    self._settle(
                        seat, Garbled(number, bad, show_line(raw), _took(seat))
                    )
            case Line(raw=raw):
                if ask is None:
                    verdict = judge_unasked(raw, seat.next_id)
                    self._drop(number, seat, frame.size, verdict)
                else:
                    self._judge(number, seat, ask, raw)
            case _ as never:
                assert_never(never)

    def _judge(self, number: int, seat: _Seat, ask: Ask, raw: bytes) -> None:
        verdict = judge(raw, Asked(ask.id, ask.kind, seat.plain_ids))
        ledger = self._referee.ledger
        match verdict:
            case Good(answer=answer, warnings=warnings):
                for warning in warnings:
                    ledger.warn(number, warning)
                self._settle(seat, Answered(number, answer, _took(seat), raw))
            case Dropped():
                self._drop(number, seat, len(raw) + 1, verdict)
            case Bad(warnings=warnings):
                for warning in warnings:
                    ledger.warn(number, warning)
                self._settle(
                    seat, Garbled(number, verdict, show_line(raw), _took(seat))
                )
            case _ as never:
                assert_never(never)

    def _drop(
        self, number: int, seat: _Seat, size: int, verdict: Dropped | None = None
    ) -> None:
        if verdict is not None and verdict.warning is not None:
            self._referee.ledger.warn(number, verdict.warning)
        seat.dropped += size
        if seat.dropped > MAX_DROPPED:
            text = "more than 1 MiB of lines that are no answers"
            self._lose(number, seat, Lost(number, "flood", text, _took(seat)))

    # --- what it came to ---

    def _settle(self, seat: _Seat, happened: Happened) -> None:
        if seat.came_of_it is None:
            seat.came_of_it = happened

    def _lose(self, number: int, seat: _Seat, lost: Lost) -> None:
        """Lose a bot: now where it is on turn, else after the decision in hand.

        It is silenced at once: nothing that it sends is looked at again.
        """
        seat.lost = lost
        seat.is_out = True
        self._pipes.dismiss(number)
        if seat.asked is not None:
            self._settle(seat, lost)

    def _give_up(self, seats: Iterable[_Seat]) -> None:
        """Settle what is still open after its deadline."""
        now = trio.current_time()
        for seat in seats:
            ask = seat.asked
            if seat.came_of_it is not None or now < seat.deadline or ask is None:
                continue
            if seat.closed_at is not None and now >= seat.closed_at + EXIT_LAG_S:
                seat.came_of_it = Lost(ask.seat, "closed", CLOSED_TEXT, _took(seat))
            else:
                seat.came_of_it = TimedOut(ask.seat, _ms(now - seat.asked_at))

    def _lost_meanwhile(self) -> list[Happened]:
        """Return who was lost beside the decision in hand, in seat order."""
        now = trio.current_time()
        lost: list[Happened] = []
        for number, seat in enumerate(self._seats):
            if seat.lost is not None:
                lost.append(Lost(number, seat.lost.code, seat.lost.text))
                seat.lost = None
            elif (
                seat.closed_at is not None
                and seat.exit_text is None
                and not seat.is_out
                and now >= seat.closed_at + EXIT_LAG_S
            ):
                lost.append(Lost(number, "closed", CLOSED_TEXT))
        return lost


def _has_failed_to_start(seat: _Seat) -> bool:
    """Tell whether a bot is out by its answer, whatever else happened to it."""
    return (
        seat.asked is not None
        and seat.asked.kind is not MoveAnswer
        and not isinstance(seat.came_of_it, Answered)
    )


def _took(seat: _Seat) -> int:
    """Return the time since the open request began to be written, in whole ms."""
    if seat.asked is None:
        return 0
    took = _ms(trio.current_time() - seat.asked_at)
    limit = seat.asked.within_ms
    # What was in the pipe when we came to look, just after the deadline, is in time.
    return took if limit is None or seat.deadline == float("inf") else min(took, limit)


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
