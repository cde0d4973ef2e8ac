"""One match with real time: carries out what the referee says, and reports back.

The only place that reads the clock.  One deadline a decision, absolute, around write
and read together; nothing that a bot sends moves it (protocol page, section 5).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, assert_never

import trio

from arena.bots import Closed, Data, Exited, News, OverLimit, Pipes
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
    Write,
)
from arena.lateness import BEAT_S, STALL_S, Pulse
from arena.ledger import Ledger
from arena.stopwatch import NEVER, Blind, Stopwatch
from arena.witness import Own, Witness
from protocol.codec import Flood, Frame, Line, LineBuffer, Rest, TooLong
from protocol.hints import FORGIVEN
from protocol.judge import (
    Asked,
    Bad,
    Dropped,
    Good,
    judge,
    judge_unasked,
    plain_answer,
    show_line,
    too_long,
)
from protocol.messages import MoveAnswer

MAX_DROPPED: Final = 1024 * 1024
"""Bytes of dropped and blank lines in a match; more is a flood (section 6)."""
EXIT_LAG_S: Final = 0.25
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

    watch: Stopwatch
    buffer: LineBuffer = field(default_factory=LineBuffer)
    plain_ids: set[int] = field(default_factory=set)
    next_id: int = 0
    dropped: int = 0
    asked: Ask | None = None
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

    def void(self) -> list[Effect]:
        """End the match without a result."""


async def play_match(
    referee: Umpire,
    pipes: Pipes,
    watch: Watcher = lambda _effect: None,
    *,
    may_void: bool = False,
    witness: Witness | None = None,
    free_ms: int | None = None,
) -> int:
    """Play one match to its end, and return its wall time in ms from the first request.

    What it came to stands in ``referee.ledger``.

    Args:
        referee: a new referee.
        pipes: the three bots, started.
        watch: called with every effect, before it is carried out.
        may_void: whether the match ends as void when a bot is late while the arena was
            stalled; otherwise the stall is added to its time and the verdict stands.
        witness: who can tell whether the arena was healthy.
        free_ms: the time of a decision that is not charged; None without a clock.
    """
    shell = _Shell(referee, pipes, watch, may_void, witness or Blind(), free_ms)
    return await shell.run()


async def keep_pulse(pulse: Pulse, own: Own) -> None:
    """Have the engine's pulse beat until it is cancelled."""
    while True:
        await trio.sleep(BEAT_S)
        pulse.beat(trio.current_time(), own.waited_s())


def new_pulse(own: Own) -> Pulse:
    """Return a pulse that begins now."""
    return Pulse(trio.current_time(), own.waited_s())


class _Shell:
    def __init__(
        self,
        referee: Umpire,
        pipes: Pipes,
        watch: Watcher,
        may_void: bool,
        witness: Witness,
        free_ms: int | None,
    ) -> None:
        self._referee = referee
        self._pipes = pipes
        self._watch = watch
        self._seats = [_Seat(Stopwatch(seat, witness)) for seat in range(3)]
        self._open: list[_Seat] = []  # who was asked, until all have come to something
        self._unsettled = 0  # how many of them have not
        self._may_be_gone = False  # whether a bot was lost, or has closed its stdout
        self._is_over = False
        self._may_void = may_void
        self._free_ms = free_ms
        self._is_void = False  # we were stalled, and a bot seems late
        self._patience = trio.CancelScope()
        self._until = NEVER  # the scope's own deadline; to ask it takes a microsecond
        # Whoever asks trio goes through three functions, some times a decision.
        self._now = trio.lowlevel.current_clock().current_time

    async def run(self) -> int:
        began = self._now()
        asks = self._carry_out(self._referee.start())
        for ask in asks:
            self._send(ask)
        while not self._is_over:
            # One scope for many decisions, its deadline moved from one to the next:
            # a new one for each would cost as much as the referee.
            with trio.CancelScope() as self._patience:
                self._until = NEVER
                await self._play_on()
            if self._patience.cancelled_caught:
                self._look_at_the_clock()
        return _ms(self._now() - began)

    async def _play_on(self) -> None:
        """Wait and ask, until the match is over; cut short by a deadline."""
        while not self._is_over:
            while self._unsettled:
                deadline = self._deadline()
                # An earlier deadline than this one's may stay: it only has us look.
                if deadline < self._until:
                    self._until = self._patience.deadline = deadline
                self._take(await self._pipes.wait_news())
                # The clock is asked, not the scope: where there is always something
                # to read, from whomever, no wait is ever cut short.
                if self._unsettled and self._now() >= deadline:
                    self._look_at_the_clock()
            asks = self._carry_out(self._next_effects())
            early = self._pipes.poll()
            if early:
                await self._take_early(early, asks)
            for ask in asks:
                self._send(ask)

    def _next_effects(self) -> list[Effect]:
        happened = self._happened()
        if self._is_void:
            self._is_void = self._may_void = False
            return self._referee.void()
        return self._referee.receive(happened)

    def _carry_out(self, effects: Iterable[Effect]) -> list[Ask]:
        """Do what the referee says, and return what is to be asked."""
        asks: list[Ask] = []
        for effect in effects:
            self._watch(effect)
            match effect:
                case Write():
                    pass
                case Ask():
                    asks.append(effect)
                case Dismiss(seat=seat):
                    self._seats[seat].is_out = True
                    self._pipes.dismiss(seat)
                case Finish():
                    self._is_over = True
                case Seated():
                    pass
                case _ as never:
                    assert_never(never)
        return asks

    def _deadline(self) -> float:
        """Return when an open request is next looked at."""
        earliest = NEVER
        for seat in self._open:
            if seat.came_of_it is None and seat.watch.wake_at < earliest:
                earliest = seat.watch.wake_at
        return earliest

    def _look_at_the_clock(self) -> None:
        """Settle what is due; the pipes are read once more before any verdict."""
        self._take(self._pipes.poll())
        self._give_up()

    def _happened(self) -> list[Happened]:
        """Return what came of the requests, and who else was lost."""
        happened: list[Happened] = []
        for seat in self._open:
            came, asked = seat.came_of_it, seat.asked
            assert came is not None
            assert asked is not None
            happened.append(came)
            self._pipes.rest(asked.seat)
            if isinstance(came, Lost) or (
                asked.kind is not MoveAnswer and not isinstance(came, Answered)
            ):
                seat.is_out, seat.lost = True, None
            seat.asked = seat.came_of_it = None
        self._open.clear()
        if self._may_be_gone:
            happened += self._lost_meanwhile()
        return happened

    async def _take_early(self, news: Sequence[News], asks: Sequence[Ask]) -> None:
        """Take in what came before we ask: it is no answer."""
        seats = {ask.seat for ask in asks}
        for _ in range(EARLY_READS):
            self._take(news)
            if not any(isinstance(n, Data) and n.seat in seats for n in news):
                return
            # The other matches go on meanwhile; no deadline of ours is running.
            with trio.CancelScope(shield=True):
                await trio.lowlevel.checkpoint()
            news = self._pipes.poll()

    def _send(self, ask: Ask) -> None:
        seat = self._seats[ask.seat]
        seat.asked = ask
        seat.next_id = ask.id + 1
        if ask.kind is not MoveAnswer:
            seat.plain_ids.add(ask.id)
        self._open.append(seat)
        self._unsettled += 1
        if seat.lost is not None:
            self._settle(seat, seat.lost)
        elif seat.is_out:  # lost beside the decision that ended the match
            self._settle(seat, Lost(ask.seat, "flood"))
        elif seat.exit_text is not None:
            self._settle(seat, Lost(ask.seat, "exited", seat.exit_text))
        else:
            seat.watch.start(self._now(), ask.within_ms)
            if seat.closed_at is not None:
                seat.watch.hurry(seat.closed_at + EXIT_LAG_S)
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
                        self._settle(
                            seat, Lost(item.seat, "exited", text, self._took(seat))
                        )
                case OverLimit(text=text):
                    lost = Lost(item.seat, "over_limit", text, self._took(seat))
                    self._lose(item.seat, seat, lost)
                case Closed():
                    self._may_be_gone = True
                    seat.closed_at = self._now()
                    seat.watch.hurry(seat.closed_at + EXIT_LAG_S)
                case _ as never:
                    assert_never(never)

    def _take_data(self, number: int, seat: _Seat, data: bytes) -> None:
        if data.find(b"\n") == len(data) - 1 and seat.buffer.takes_whole(data):
            self._take_line(number, seat, data[:-1])  # almost always
            return
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
                self._lose(number, seat, Lost(number, "flood", text, self._took(seat)))
            case Rest(size=size):
                self._drop(number, seat, size)
            case TooLong(raw=raw, size=size):
                if ask is None:
                    self._drop(number, seat, size, Dropped("stray_line"), raw)
                else:
                    bad = too_long(raw)
                    self._settle(
                        seat, Garbled(number, bad, show_line(raw), self._took(seat))
                    )
            case Line(raw=raw):
                self._take_line(number, seat, raw)
            case _ as never:
                assert_never(never)

    def _take_line(self, number: int, seat: _Seat, raw: bytes) -> None:
        ask = seat.asked
        if ask is None or seat.came_of_it is not None:
            verdict = judge_unasked(raw, seat.next_id)
            self._drop(number, seat, len(raw) + 1, verdict, raw)
            return
        answer = plain_answer(raw, ask.id, ask.kind)
        if answer is None:
            self._judge(number, seat, ask, raw)
        else:
            took = self._charged(seat, ask)
            self._settle(seat, Answered(number, answer, took, raw))

    def _judge(self, number: int, seat: _Seat, ask: Ask, raw: bytes) -> None:
        verdict = judge(raw, Asked(ask.id, ask.kind, seat.plain_ids))
        ledger = self._referee.ledger
        match verdict:
            case Good(answer=answer, warnings=warnings):
                for warning in warnings:
                    ledger.warn(number, warning, raw, FORGIVEN[warning])
                took = self._charged(seat, ask)
                self._settle(seat, Answered(number, answer, took, raw))
            case Dropped():
                self._drop(number, seat, len(raw) + 1, verdict, raw)
            case Bad(warnings=warnings):
                for warning in warnings:
                    ledger.warn(number, warning, raw, FORGIVEN[warning])
                took = self._charged(seat, ask)
                self._settle(seat, Garbled(number, verdict, show_line(raw), took))
            case _ as never:
                assert_never(never)

    def _drop(
        self,
        number: int,
        seat: _Seat,
        size: int,
        verdict: Dropped | None = None,
        raw: bytes = b"",
    ) -> None:
        if verdict is not None and verdict.warning is not None:
            self._referee.ledger.warn(number, verdict.warning, raw, verdict.hint)
        seat.dropped += size
        if seat.dropped > MAX_DROPPED:
            text = "more than 1 MiB of lines that are no answers"
            self._lose(number, seat, Lost(number, "flood", text, self._took(seat)))

    # --- what it came to ---

    def _settle(self, seat: _Seat, happened: Happened) -> None:
        if seat.came_of_it is None:
            seat.came_of_it = happened
            self._unsettled -= 1

    def _lose(self, number: int, seat: _Seat, lost: Lost) -> None:
        """Lose a bot: now where it is on turn, else after the decision in hand.

        It is silenced at once: nothing that it sends is looked at again.
        """
        seat.lost = lost
        seat.is_out = self._may_be_gone = True
        self._pipes.dismiss(number)
        if seat.asked is not None:
            self._settle(seat, lost)

    def _give_up(self) -> None:
        """Settle what is still open after its deadline."""
        now = self._now()
        for seat in self._open:
            ask, watch = seat.asked, seat.watch
            if seat.came_of_it is not None or now < watch.wake_at or ask is None:
                continue
            if now < watch.deadline:
                watch.look(now)
            elif seat.closed_at is not None and now >= seat.closed_at + EXIT_LAG_S:
                took = self._took(seat)
                self._settle(seat, Lost(ask.seat, "closed", CLOSED_TEXT, took))
            else:
                late, is_ours = watch.time_out(now, may_add=not self._may_void)
                self._is_void |= is_ours and self._may_void
                if late is not None:
                    self._settle(seat, late)

    def _charged(self, seat: _Seat, ask: Ask) -> int:
        """Return what a decision is charged: not for what was the arena's fault."""
        now, free = self._now(), self._free_ms
        watch = seat.watch
        since = now - watch.asked_at
        # A shorter stall is none, so almost every answer is charged as it came.  One
        # that cost nothing of the bank, and was in time for certain, hurts nobody.
        if since <= STALL_S or free is None or _ms(since) <= free:
            return watch.took_ms(now)
        if ask.kind is not MoveAnswer:
            return watch.took_ms(now)
        excuse = watch.excuse_s(now)
        if excuse > 0 and self._may_void:
            self._is_void = True
        return watch.less_ms(now, excuse)

    def _took(self, seat: _Seat) -> int:
        """Return the time since the open request began to be written, in whole ms."""
        return 0 if seat.asked is None else seat.watch.took_ms(self._now())

    def _lost_meanwhile(self) -> list[Happened]:
        """Return who was lost beside the decision in hand, in seat order."""
        lost: list[Happened] = []
        for number, seat in enumerate(self._seats):
            if seat.lost is not None:
                lost.append(Lost(number, seat.lost.code, seat.lost.text))
                seat.lost = None
            elif (
                seat.closed_at is not None
                and seat.exit_text is None
                and not seat.is_out
                and self._now() >= seat.closed_at + EXIT_LAG_S
            ):
                lost.append(Lost(number, "closed", CLOSED_TEXT))
        return lost


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
