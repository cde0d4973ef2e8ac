"""Is a record true?  It is played again from its seed and moves, and compared.

The referee itself does it: what it was told is read out of the record, and what it
says must be the record, line for line.  So cards, legality, scores, places, clock and
commitment are all checked by the code that plays live.
"""

from dataclasses import dataclass
from typing import Final, NoReturn, assert_never

from pydantic import ValidationError

from arena.dealing import commitment
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
from arena.games import GAMES
from arena.ledger import Ledger
from arena.record import Record
from arena.referee import Referee
from arena.setup import MatchSetup
from protocol.events import (
    EVENT,
    BidEvent,
    ContractEvent,
    DealEvent,
    Decision,
    EndEvent,
    Event,
    FaultEvent,
    OutCode,
    OutEvent,
    PartnerEvent,
    PlayEvent,
    ScoreEvent,
    ShowEvent,
    TrianonEvent,
    TrickEvent,
)
from protocol.judge import Asked, Bad, Dropped, Good, find_move, judge
from protocol.messages import HelloAnswer, HelloLimits, MoveAnswer, PlainAnswer
from protocol.notation import ALONE, KEEP

_LOST_ON_TURN: Final = ("exited", "closed", "flood", "over_limit")
_LOST_OFF_TURN: Final = _LOST_ON_TURN[1:]  # an exit counts at the bot's own turn
_NEAR: Final = 8  # events that one decision leads to, at most, and an out behind them


@dataclass(frozen=True, slots=True)
class Wrong:
    """Where a record is not true: its line from 1, the rule, what is wrong."""

    line: int
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Sent:
    """A line that was sent to a bot, rebuilt from the record."""

    seat: int
    line: bytes


def verify(record: Record) -> Wrong | None:
    """Return the first place where a record is not true, or None."""
    wrong, _ = _replay(record)
    return wrong


def replayed(record: Record) -> Ledger | None:
    """Return the account of a record's match, or None if the record is not true."""
    return examine(record)[1]


def examine(record: Record) -> tuple[Wrong | None, Ledger | None]:
    """Return what is wrong with a record, or else the account of its match."""
    script = _Script(record)
    wrong, _ = _replay(record, script)
    is_true = wrong is None and script.referee is not None
    return wrong, script.referee.ledger if is_true and script.referee else None


def lines_sent(record: Record) -> list[Sent]:
    """Return every line that was sent to the bots, byte for byte, in order.

    Raises:
        ValueError: if the record is not true.
    """
    wrong, sent = _replay(record)
    if wrong is not None:
        raise ValueError(f"line {wrong.line}: {wrong.text} ({wrong.rule})")
    return sent


def setup_of(record: Record) -> MatchSetup:
    """Return the match that a record is of; its bots' seeds stand in the header."""
    header = record.header
    a, b, c = (player.name for player in header.players)
    limits = header.limits
    return _RecordedSetup(
        game=header.game,
        options=GAMES[header.game].options(
            header.options.model_dump(exclude_none=True)
        ),
        match=header.match,
        names=(a, b, c),
        deal_seed=header.deal_seed or "",
        seed="",
        arena=header.arena,
        clock=header.clock,
        strikes=header.strikes,
        strict=bool(header.strict),
        limits=HelloLimits(**limits.model_dump(include=set(HelloLimits.model_fields))),
        seeds=tuple(player.seed for player in header.players),
    )


@dataclass(frozen=True, slots=True)
class _RecordedSetup(MatchSetup):
    seeds: tuple[int, ...] = ()

    def bot_seed(self, seat: int) -> int:
        return self.seeds[seat]


def _replay(
    record: Record, script: "_Script | None" = None
) -> tuple[Wrong | None, list[Sent]]:
    header = record.header
    sent: list[Sent] = []
    if header.deal_seed is None:
        text = "the public form of a record: its seed is not open yet"
        return Wrong(1, "section 8", text), sent
    if header.commit != commitment(header.match, header.deal_seed):
        return Wrong(1, "section 3", "'commit' does not fit the match and seed"), sent
    game = GAMES[header.game]
    if header.rules != game.rules:
        return Wrong(1, "section 9", f"rules {header.rules} are unknown here"), sent
    given = header.options.model_dump(exclude_none=True)
    try:
        options = game.options(given).model_dump(exclude_none=True)
    except ValidationError:
        options = None
    if options != given:
        return Wrong(1, "section 3", "'options' are not those of a match"), sent
    if not record.is_finished:
        line = len(record.lines)
        return Wrong(line, "section 8", "the record has no end"), sent
    script = script or _Script(record)
    try:
        return script.run(), script.sent
    except _Mismatch as mismatch:
        return mismatch.wrong, sent


class _Mismatch(Exception):  # noqa: N818 -- it carries a finding, and never escapes
    def __init__(self, wrong: Wrong) -> None:
        self.wrong = wrong


class _Script:
    """Reads out of a record what the referee was told, and holds it to its word."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._at = 0  # index of the next event
        self.sent: list[Sent] = []
        self.referee: Referee | None = None

    def run(self) -> Wrong | None:
        referee = self.referee = Referee(setup_of(self._record))
        effects = referee.start()
        while True:
            asks = self._compare(effects)
            if asks is None:
                break
            effects = self._next(referee, asks)
        if self._at < len(self._record.events):
            self._wrong(self._at, "section 4", "more events after the end")
        return None

    def _compare(self, effects: list[Effect]) -> list[Ask] | None:
        """Hold what the referee says to the record; return its requests."""
        asks: list[Ask] = []
        for effect in effects:
            match effect:
                case Write(line=line):
                    self._expect(line)
                case Ask():
                    asks.append(effect)
                    self.sent.append(Sent(effect.seat, effect.line))
                case Finish():
                    return None
                case Seated() | Dismiss():
                    pass
        return asks

    def _expect(self, line: str) -> None:
        if self._at >= len(self._record.events):
            missing = EVENT.validate_json(line).e
            self._wrong(self._at - 1, "section 8", f"a '{missing}' event is missing")
        if self._record.lines[self._at + 1] != line:
            came = self._record.events[self._at]
            self._wrong(
                self._at,
                _rule(came, self._record.header.game),
                f"this cannot be; it should be {line[:300]}",
            )
        self._at += 1

    def _wrong(self, index: int, rule: str, text: str) -> NoReturn:
        raise _Mismatch(Wrong(index + 2, rule, text))

    def _next(self, referee: Referee, asks: list[Ask]) -> list[Effect]:
        """Tell the referee what the record says came of its requests."""
        kinds = {ask.kind for ask in asks}
        # A header was written: hello was over, or all that it led to was lost.
        if self._peek_void() and not referee.is_over and HelloAnswer not in kinds:
            return referee.void()
        if MoveAnswer in kinds:
            decision = self._decision(asks[0], referee)
            return referee.receive([decision, *self._others(referee, decision)])
        happened: list[Happened] = []
        is_hello = HelloAnswer in kinds
        outs = self._failed_starts("no_hello" if is_hello else "no_start")
        for ask in asks:
            if ask.seat in outs and not referee.is_over:
                happened.append(Lost(ask.seat, outs[ask.seat]))
            elif is_hello:
                happened.append(Answered(ask.seat, HelloAnswer(id=ask.id)))
            else:
                happened.append(Answered(ask.seat, PlainAnswer(id=ask.id)))
        return referee.receive(happened)

    def _failed_starts(self, code: OutCode) -> dict[int, OutCode]:
        outs: dict[int, OutCode] = {}
        for event in self._record.events[self._at :]:
            if not isinstance(event, OutEvent) or event.code != code:
                break
            outs[event.seat] = event.code
        return outs

    def _peek_void(self) -> bool:
        events = self._record.events
        if self._at >= len(events):
            return False
        event = events[self._at]
        return isinstance(event, EndEvent) and event.reason == "void"

    def _decision(self, ask: Ask, referee: Referee) -> Happened:
        """Return what came of the decision in hand."""
        events = self._record.events
        at = self._at
        if at >= len(events):
            self._wrong(at - 1, "section 8", "the record has no end")
        first = events[at]
        took = self._time_of(at)
        match first:
            case FaultEvent():
                if first.seat != ask.seat:
                    self._wrong(
                        at, "section 6", "a fault of a seat that is not on turn"
                    )
                return self._fault(first, ask, took, referee)
            case OutEvent():
                if first.seat != ask.seat:
                    self._wrong(at, "section 6", "a seat is out that is not on turn")
                if first.code not in _LOST_ON_TURN:
                    self._wrong(at, "section 6", f"out by '{first.code}' in mid-match")
                return Lost(first.seat, first.code, took_ms=took)
            case (
                BidEvent()
                | ContractEvent()
                | ShowEvent()
                | PartnerEvent()
                | PlayEvent()
            ):
                return self._move(first, ask, took, referee.question[1])
            case (
                TrianonEvent() | TrickEvent() | ScoreEvent() | DealEvent() | EndEvent()
            ):
                text = f"a '{first.e}' event where a move is due"
                return self._wrong(at, "section 4", text)
            case _ as never:
                assert_never(never)

    def _time_of(self, at: int) -> int:
        """Return the time of the decision at ``at``: it stands on its move."""
        for event in self._record.events[at:]:
            match event:
                case (
                    BidEvent(ms=ms)
                    | ContractEvent(ms=ms)
                    | ShowEvent(ms=ms)
                    | PartnerEvent(ms=ms)
                    | PlayEvent(ms=ms)
                ):
                    return ms or 0
                case FaultEvent(ms=int(ms)) | OutEvent(ms=int(ms)):
                    return ms  # the match ends with it
                case FaultEvent() | OutEvent():
                    continue
                case _:
                    break
        return 0

    def _fault(
        self, event: FaultEvent, ask: Ask, took: int, referee: Referee
    ) -> Happened:
        limit = ask.within_ms
        if event.code == "timeout":
            if limit is None or took < limit:
                self._wrong(self._at, "section 5", f"no timeout: {limit} ms allowed")
            return TimedOut(event.seat, took, event.cpu_ms)
        self._recheck(event, ask, referee)
        bad = Bad(event.code, event.text or "", "")
        return Garbled(event.seat, bad, event.line or "", took)

    def _recheck(self, event: FaultEvent, ask: Ask, referee: Referee) -> None:
        """Judge the faulty line once more, where the record has all of it."""
        line = event.line or ""
        if not line.isascii() or "\\" in line or len(line) >= 400:
            return  # escaped or cut: no longer what came
        # Ids below the first of this match belong to a match that is not ours to know.
        first_id = self._record.header.players[ask.seat].first_id
        plain_ids = range(first_id + 1)
        verdict = judge(line.encode("ascii"), Asked(ask.id, ask.kind, plain_ids))
        match verdict:
            case Good(answer=MoveAnswer(move=move)):
                kind, legal = referee.question
                if (
                    event.code != "illegal_move"
                    or find_move(move, kind, legal)[0] is not None
                ):
                    self._wrong(self._at, "section 6", "this line is no such fault")
            case Bad(code=code) if code != event.code:
                self._wrong(self._at, "section 6", f"this line is a '{code}'")
            case Dropped():
                self._wrong(self._at, "section 6", "this line settles nothing")
            case Good() | Bad():
                pass

    def _move(self, event: Decision, ask: Ask, took: int, legal: list[str]) -> Answered:
        seat, move = _said(event, legal)
        if event.ms is None:
            self._wrong(self._at, "section 8", "a bot's decision has its 'ms'")
        if ask.within_ms is not None and took > ask.within_ms:
            text = f"{took} ms are a timeout; {ask.within_ms} ms were allowed"
            self._wrong(self._at, "section 5", text)
        if seat != ask.seat or move not in legal:
            rule = _rule(event, self._record.header.game)
            self._wrong(
                self._at,
                rule,
                f"'{move}' by seat {seat}: seat {ask.seat} is asked for one of "
                f"{' '.join(legal)[:200]}",
            )
        answer = MoveAnswer(id=ask.id, move=move, note=event.note)
        return Answered(seat, answer, took)

    def _others(self, referee: Referee, decision: Happened) -> list[Happened]:
        """Return who else was lost beside the decision in hand.

        Their outs stand behind all that the decision led to: a copy of the referee is
        asked what that is, and the record's next ``out`` is theirs.
        """
        events = self._record.events
        near = events[self._at : self._at + _NEAR]
        lost: list[Happened] = []
        while sum(isinstance(event, OutEvent) for event in near) > len(lost):
            probe = referee.clone().receive([decision, *lost])
            at = self._at
            asked: int | None = None
            for effect in probe:
                if isinstance(effect, Ask):
                    asked = effect.seat
                elif isinstance(effect, Write):
                    if at >= len(events) or self._record.lines[at + 1] != effect.line:
                        asked = None
                        break
                    at += 1
            event = events[at] if at < len(events) else None
            if not isinstance(event, OutEvent):
                break
            if event.seat == asked and self._was_asked(at):
                break  # it was on turn: that is the next decision
            if event.code not in _LOST_OFF_TURN:
                self._wrong(at, "section 6", f"out by '{event.code}' while not on turn")
            lost.append(Lost(event.seat, event.code))
        return lost

    def _was_asked(self, at: int) -> bool:
        """Tell whether the seat that is out at ``at`` had been asked: it took time.

        The time stands on the move that the house makes for it, or on the out itself
        where the match ends with that.
        """
        out, *following = self._record.events[at : at + 2]
        if isinstance(out, OutEvent) and out.ms is not None:
            return True
        return any(isinstance(e, Decision) and e.ms is not None for e in following)


def _said(event: Decision, legal: list[str]) -> tuple[int, str]:
    """Return who decided, and the move that says what the event tells."""
    match event:
        case BidEvent():
            return event.seat, event.bid
        case ContractEvent(contract=contract):
            return event.declarer, contract if contract in legal else KEEP
        case ShowEvent():
            return event.seat, " ".join(event.cards)
        case PartnerEvent(partner=partner):
            return event.seat, ALONE if partner == ALONE else f"with {partner}"
        case PlayEvent():
            return event.seat, event.card
        case _ as never:
            assert_never(never)


_RULES = {
    "trianon": {
        "deal": "T3",
        "bid": "T7",
        "contract": "T10",
        "trianon": "T9",
        "play": "T12",
        "trick": "T13",
        "score": "T15",
        "end": "T17",
    },
    "loyatais": {
        "deal": "L3",
        "show": "L5",
        "partner": "L6",
        "play": "L8",
        "trick": "L9",
        "score": "L10",
        "end": "L12",
    },
}


def _rule(event: Event, game: str) -> str:
    """Return the rule that an event of this kind most likely breaks."""
    return _RULES[game].get(event.e, "section 6")
