"""A match as a state machine without I/O: what happened in, what to do out.

The referee never waits, reads a clock or touches a process.  It is told what came of
its requests (``Answered``, ``Garbled``, ``TimedOut``, ``Lost``) and says what follows
(``Seated``, ``Write``, ``Ask``, ``Dismiss``, ``Finish``).  The same code plays live,
verifies a record and runs in property tests.  Protocol page, sections 3 to 6.
"""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from enum import Enum
from typing import Self, assert_never

from arena.dealing import deal
from arena.desk import Desk
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
from arena.games import GAMES, Move, Position
from arena.greeting import hello_failure, short, start_failure
from arena.ledger import Ledger, place
from arena.naming import clean_name, numbered
from arena.setup import MatchSetup
from protocol.codec import act_line, annotate, end_line, play_text, trick_text
from protocol.events import (
    DealEvent,
    EndEvent,
    EndReason,
    Event,
    FaultEvent,
    OutCode,
    OutEvent,
    ScoreEvent,
    as_seen_by,
)
from protocol.judge import (
    AnswerKind,
    Bad,
    find_move,
    illegal,
    show_line,
    timeout,
)
from protocol.messages import (
    FaultReport,
    Hello,
    HelloAnswer,
    MoveAnswer,
    PlainAnswer,
    Start,
)
from protocol.notation import spell


class _Phase(Enum):
    NEW = "new"
    HELLO = "hello"
    START = "start"
    PLAY = "play"
    END = "end"
    DONE = "done"


class Referee:
    """One match.  Call ``start`` once, then ``receive`` until ``Finish`` comes out.

    Attributes:
        ledger: scores, faults, times and places, so far.
        names: the players' names, final once ``Seated`` has come out.
    """

    def __init__(self, setup: MatchSetup) -> None:
        self.setup = setup
        self.ledger = Ledger()
        self.names = setup.names
        self._game = GAMES[setup.game]
        self._table = self._game.table()
        self._phase = _Phase.NEW
        self._effects: list[Effect] = []
        self._desks = [Desk(setup.clock) for _ in range(3)]
        self._n = 0
        self._position: Position | None = None
        self._moves: Sequence[Move] = ()
        self._legal: list[str] = []
        self._reason: EndReason | None = None

    @property
    def reason(self) -> EndReason:
        """Why the match has ended; it must be over."""
        assert self._reason is not None
        return self._reason

    @property
    def is_over(self) -> bool:
        """Whether the result stands, though ``end`` may still be told."""
        return self._reason is not None

    @property
    def question(self) -> tuple[str, list[str]]:
        """What the seat on turn was last asked for, and its legal moves."""
        assert self._position is not None
        return self._position.ask, self._legal

    def clone(self) -> Self:
        """Return a copy that shares nothing that either may change."""
        memo: dict[int, object] = {id(self._game): self._game}
        if self._position is not None:
            memo[id(self._position)] = self._position.clone()
        return deepcopy(self, memo)

    def start(self) -> list[Effect]:
        """Return the first requests: ``hello`` to all three."""
        assert self._phase is _Phase.NEW
        self._phase = _Phase.HELLO
        limits = self.setup.limits
        for seat in range(3):
            number = self._desks[seat].next_id()
            line = Hello(id=number, arena=self.setup.arena, limits=limits).wire()
            self._ask(seat, number, HelloAnswer, line, limits.hello_ms)
        return self._hand_out()

    def receive(self, happened: Sequence[Happened]) -> list[Effect]:
        """Take in what came of every request that was out, and return what follows.

        Args:
            happened: one value for each ``Ask`` that was out, and a ``Lost`` for any
                other bot that was lost meanwhile.
        """
        match self._phase:  # the commonest first
            case _Phase.PLAY:
                self._after_act(happened)
            case _Phase.HELLO:
                self._after_hello(happened)
            case _Phase.START:
                self._after_start(happened)
            case _Phase.END:
                self._after_end(happened)
            case _Phase.NEW | _Phase.DONE:
                raise ValueError("nothing was asked")
            case _ as never:
                assert_never(never)
        return self._hand_out()

    def void(self) -> list[Effect]:
        """End the match without a result: a failure was ours, nobody is blamed."""
        if self._phase is _Phase.HELLO:  # a record has a header all the same
            self._seat([None] * 3, [None] * 3, [None] * 3)
        if self._reason is None:
            self._end("void")
        else:
            self._finish()
        return self._hand_out()

    def _hand_out(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects

    # --- hello and start ---

    def _after_hello(self, happened: Iterable[Happened]) -> None:
        names: list[str | None] = [None, None, None]
        versions: list[str | None] = [None, None, None]
        authors: list[str | None] = [None, None, None]
        lost: list[Lost] = []
        for item in happened:
            seat = item.seat
            failure = hello_failure(item, self.setup.game)
            if failure is not None:
                lost.append(Lost(seat, "no_hello", failure))
            elif isinstance(item, Answered) and isinstance(item.answer, HelloAnswer):
                hello = item.answer
                names[seat] = hello.name
                versions[seat] = short(hello.version)
                authors[seat] = short(hello.author)
        self._seat(names, versions, authors)
        self._lose_together(lost)
        if not self.is_over:
            self._ask_start()

    def _seat(
        self,
        names: Sequence[str | None],
        versions: Sequence[str | None],
        authors: Sequence[str | None],
    ) -> None:
        if not self.setup.is_named:
            fallback = self.setup.names
            a, b, c = numbered(
                [clean_name(n or f) for n, f in zip(names, fallback, strict=True)]
            )
            self.names = (a, b, c)
        self._effects.append(Seated(self.names, tuple(versions), tuple(authors)))

    def _ask_start(self) -> None:
        self._phase = _Phase.START
        setup = self.setup
        for seat in self.ledger.seated():
            number = self._desks[seat].next_id()
            line = Start(
                id=number,
                game=setup.game,
                rules=self._game.rules,
                options=setup.options,
                match=setup.match,
                players=list(self.names),
                you=seat,
                clock=setup.clock,
                strikes=setup.strikes,
                seed=setup.bot_seed(seat),
                commit=setup.commit,
            ).wire()
            self._ask(seat, number, PlainAnswer, line, setup.limits.start_ms)

    def _after_start(self, happened: Iterable[Happened]) -> None:
        failures = (
            (item.seat, start_failure(item, self.ledger.wrong_id(item.seat)))
            for item in happened
        )
        self._lose_together(
            [Lost(seat, "no_start", why) for seat, why in failures if why is not None]
        )
        if not self.is_over:
            self._phase = _Phase.PLAY
            self._new_deal()
            self._turn()

    def _lose_together(self, lost: Iterable[Lost]) -> None:
        """Put out the bots whose start has failed; only then count who is left."""
        for item in sorted(lost, key=lambda item: item.seat):
            self._out(item.seat, item.code, item.text)
        self._end_if_deserted()

    # --- the deal ---

    def _new_deal(self) -> None:
        setup, game = self.setup, self._game
        no = self.ledger.deals + 1
        if no > 1:
            for desk in self._desks:
                if desk.clock is not None:
                    desk.clock.refill()
        dealer = game.dealer(no)
        position = self._position = deal(game, setup.deal_seed, no)
        scores = list(self.ledger.scores)
        self._happen(game.deal_event(self._n, no, dealer, scores, position))

    def _turn(self) -> None:
        """Go on to the next decision that a bot must be asked for."""
        while not self.is_over:
            position = self._position
            assert position is not None
            seat = position.seat
            if self.ledger.outs[seat] is None:
                self._ask_act(seat, position)
                return
            self._move(position.legal()[0], None, None)  # the house holds the seat

    def _ask_act(self, seat: int, position: Position) -> None:
        self._moves = moves = position.legal()
        self._legal = legal = self._game.spell(moves)
        desk = self._desks[seat]
        clock = desk.clock
        number = desk.next_id()
        line = act_line(
            number,
            position.ask,
            legal,
            seat,
            "null" if clock is None else clock.text,
            self._table.text(seat),
            desk.take_events(),
            desk.take_reports(),
        )
        limit = None if clock is None else clock.limit_ms
        self._effects.append(Ask(seat, number, MoveAnswer, line, limit))

    def _after_act(self, happened: Sequence[Happened]) -> None:
        position = self._position
        assert position is not None
        if len(happened) == 1:  # almost always
            self._decide(happened[0], position)
        else:
            self._decide_and_lose(happened, position)
        self._turn()

    def _decide_and_lose(
        self, happened: Sequence[Happened], position: Position
    ) -> None:
        """Take in a decision, and then the bots that were lost beside it."""
        on_turn = position.seat
        decision = next(item for item in happened if item.seat == on_turn)
        self._decide(decision, position)
        for item in sorted(happened, key=lambda item: item.seat):
            if item is decision or self.is_over:
                continue
            assert isinstance(item, Lost), "nothing was asked of this seat"
            if self.ledger.outs[item.seat] is None:
                self._out(item.seat, item.code, item.text)
                self._end_if_deserted()

    def _decide(self, item: Happened, position: Position) -> None:
        """Take in the answer of the seat on turn, or what came in its place."""
        seat, clock, limit = item.seat, self._desks[item.seat].clock, None
        self.ledger.count_time(seat, item.took_ms)
        if clock is not None:
            limit = clock.limit_ms
            clock.spend(item.took_ms)
        if isinstance(item, Lost):
            is_last = self._is_last(is_out=True)
            self._out(seat, item.code, item.text, item.took_ms if is_last else None)
            if not self._end_if_deserted():
                self._move(position.legal()[0], item.took_ms, None)
            return
        if limit is not None and item.took_ms > limit:
            cpu_ms = item.cpu_ms if isinstance(item, TimedOut) else None
            item = TimedOut(seat, item.took_ms, cpu_ms)
        match item:
            case Answered(answer=MoveAnswer(move=move, note=note), raw=raw):
                index, as_spelt = find_move(move, position.ask, self._legal)
                if index is None:
                    self._fault(item, illegal(move, self._legal), show_line(raw))
                    return
                if not as_spelt:
                    self.ledger.warn(seat, "move_form")
                self.ledger.moves[seat] += 1
                self._move(self._moves[index], item.took_ms, note)
            case Answered():
                raise ValueError("an answer to act holds a move")
            case Garbled(bad=bad, line=line):
                self._fault(item, bad, line)
            case TimedOut(cpu_ms=cpu_ms):
                if clock is not None:
                    clock.run_out()
                cause = self.ledger.wrong_id(seat)
                self._fault(item, timeout(limit or 0, cpu_ms, cause=cause), None)
            case _ as never:
                assert_never(never)

    def _fault(
        self, item: Answered | Garbled | TimedOut, bad: Bad, line: str | None
    ) -> None:
        """A strike: the house plays for the bot, which may be out by it."""
        position = self._position
        assert position is not None
        seat = item.seat
        played = self._legal[0]
        number = self._desks[seat].last_id
        deal_no = self.ledger.deals + 1
        self.ledger.fault(seat, number, deal_no, bad, line, played)
        left = self.setup.strikes - self.ledger.fault_counts[seat]
        event = FaultEvent(
            n=self._n,
            seat=seat,
            code=bad.code,
            played=played,
            id=number,
            text=bad.text,
            line=line,
            cpu_ms=item.cpu_ms if isinstance(item, TimedOut) else None,
        )
        self._happen(event, item.took_ms if self._is_last(left <= 0) else None)
        self._desks[seat].report(
            FaultReport(
                id=number,
                code=bad.code,
                text=bad.text,
                played=played,
                strikes_left=max(0, left),
            )
        )
        if left <= 0:
            self._out(seat, "strikes", f"{self.setup.strikes} faults: {bad.text}")
        if self.setup.strict:
            self._end("strict")
        elif not self._end_if_deserted():
            self._move(position.legal()[0], item.took_ms, None)

    def _is_last(self, is_out: bool) -> bool:
        """Tell whether the match ends with a fault or out of the seat on turn.

        No move is left then to carry the time of the decision.
        """
        return self.setup.strict or (is_out and len(self.ledger.seated()) <= 2)

    def _move(self, move: int, ms: int | None, note: str | None) -> None:
        """Make a move, and tell all that it leads to."""
        position = self._position
        assert position is not None
        seat, ask = position.seat, position.ask
        position.apply(move)
        if ask == "play":
            self._tell_card(seat, self._game.names[move], position, ms, note)
            if position.is_over:
                self._score(position)
            return
        for event in self._game.told(self._n, seat, ask, move, position):
            self._happen(event, ms, note)
            ms = note = None  # they belong to the event that the decision led to

    def _tell_card(
        self, seat: int, card: str, after: Position, ms: int | None, note: str | None
    ) -> None:
        """Tell of a card played, and of the trick that it completed."""
        self._table.play(seat, card)
        self._tell_all(play_text(self._n, seat, card), None, ms, note)
        if not after.trick:
            winner = after.lead
            self._table.end_trick(winner)
            self._tell_all(trick_text(self._n, sum(after.won), winner), None)

    def _score(self, position: Position) -> None:
        points = position.points()
        self.ledger.score(points, position.promise())
        aside = self._game.aside(position)
        self._happen(
            ScoreEvent(
                n=self._n,
                no=self.ledger.deals,
                tricks=list(position.won),
                points=points,
                scores=list(self.ledger.scores),
                aside=None if aside is None else spell(aside),
            )
        )
        reason = self._game.end_reason(
            self.setup.options, self.ledger.deals, self.ledger.scores
        )
        if reason is None:
            self._new_deal()
        else:
            self._end(reason)

    # --- outs and the end ---

    def _out(self, seat: int, code: OutCode, text: str, ms: int | None = None) -> None:
        self.ledger.outs[seat] = code
        self._happen(OutEvent(n=self._n, seat=seat, code=code), ms)
        self._effects.append(Dismiss(seat, code, text))

    def _end_if_deserted(self) -> bool:
        """End the match when fewer than two bots are left, or at once if strict."""
        left = len(self.ledger.seated())
        if self.is_over:
            return True
        if left < 3 and self.setup.strict:
            self._end("strict")
        elif left == 0:
            self._end("all_out")
        elif left == 1:
            self._end("walkover")
        return self.is_over

    def _end(self, reason: EndReason) -> None:
        self._reason = reason
        ledger = self.ledger
        if reason not in ("void", "strict"):
            ledger.places = place(ledger.scores, ledger.outs)
        scores, places = list(ledger.scores), ledger.places
        self._happen(EndEvent(n=self._n, reason=reason, scores=scores, places=places))
        was_started = self._phase is _Phase.PLAY
        self._phase = _Phase.END
        seated = ledger.seated() if was_started else []
        for seat in seated:
            number = self._desks[seat].next_id()
            line = end_line(
                number,
                reason,
                scores,
                places,
                seat,
                self._desks[seat].take_events(),
                self._desks[seat].take_reports(),
            )
            self._effects.append(
                Ask(seat, number, PlainAnswer, line, self.setup.limits.end_ms)
            )
        if not seated:
            self._finish()

    def _after_end(self, happened: Iterable[Happened]) -> None:
        for item in happened:
            match item:
                case Answered():
                    pass
                case Garbled():
                    self.ledger.warn(item.seat, "end_faulty")
                case TimedOut() | Lost():
                    pass  # it may be skipped
                case _ as never:
                    assert_never(never)
        self._finish()

    def _finish(self) -> None:
        assert self._reason is not None
        self._phase = _Phase.DONE
        self._effects.append(Finish(self._reason))

    # --- small change ---

    def _ask(
        self, seat: int, number: int, kind: AnswerKind, line: str, within_ms: int
    ) -> None:
        wire = (line + "\n").encode("ascii")
        self._effects.append(Ask(seat, number, kind, wire, within_ms))

    def _happen(
        self, event: Event, ms: int | None = None, note: str | None = None
    ) -> None:
        """Tell and record one event."""
        self._table.tell(event)
        match event:
            case DealEvent() | FaultEvent():  # those that not everybody sees whole
                self._n += 1
                for seat, desk in enumerate(self._desks):
                    desk.untold.append(as_seen_by(event, seat).wire())
                text = event.wire()
                if ms is not None:
                    text = annotate(text, ms, note)
                self._effects.append(Write(text, event))
            case _:
                self._tell_all(event.wire(), event, ms, note)

    def _tell_all(
        self,
        text: str,
        event: Event | None,
        ms: int | None = None,
        note: str | None = None,
    ) -> None:
        """Tell everybody the same, and record it with what only the record holds."""
        self._n += 1
        for desk in self._desks:
            desk.untold.append(text)
        if ms is not None or note is not None:
            text = annotate(text, ms, note)
        self._effects.append(Write(text, event))
