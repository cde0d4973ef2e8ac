"""A match of one bot against two seats that the check plays: its requests are real.

The referee makes them from seeded deals, exactly as in a match; all that is changed is
the id, since one process answers several talks.  No I/O: a generator of requests.
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from arena.check_talk import Came, Control, Script
from arena.diagnosis import Finding
from arena.effects import (
    Answered,
    Ask,
    Effect,
    Finish,
    Garbled,
    Happened,
    Lost,
    TimedOut,
)
from arena.ledger import Ledger
from arena.referee import Referee
from arena.setup import MatchSetup
from protocol.events import WarningCode
from protocol.judge import AnswerKind
from protocol.messages import HelloAnswer, MoveAnswer, PlainAnswer

FIELD: Final = b'"faults":['
BOLD: Final = (1, 2, 6, 15)
"""Bids from the top: after the first of them nothing is left but to pass."""
Dress: TypeAlias = Callable[[bytes], bytes]
"""Changes a request's line, but for its id."""


def as_it_is(line: bytes) -> bytes:
    """Return the line as the referee made it."""
    return line


@dataclass(slots=True)
class Trouble:
    """What is wrong with an answer: words, or a silence yet to be looked into."""

    finding: Finding
    came: Came

    @property
    def is_silence(self) -> bool:
        """Whether nothing came by the deadline."""
        return isinstance(self.came.happened, TimedOut)

    @property
    def is_loss(self) -> bool:
        """Whether the process has gone, or is no longer to be heard."""
        return isinstance(self.came.happened, Lost) or self.came.lost is not None


@dataclass(slots=True)
class Sitting:
    """One process's talk: the running id, and what was warned of.

    Attributes:
        ledger: where the match counts its warnings.
        control: what is to be done with the next request.
        next_id: the id of the next request.
        hello: what the bot said of itself.
        answered: how many requests it has answered.
        longest: bytes of the longest request that it has answered.
        size: bytes of the last request.
        matches: how many matches it has been asked to begin.
        is_gone: whether it has exited at the end of a match, which it may.
        stray: the hint for a line that came during the last request and was no answer.
        is_late: whether the last answer was held back.
        ids: what the referee's ids became on the wire.
    """

    ledger: Ledger = field(default_factory=Ledger)
    control: Control = field(default_factory=Control)
    next_id: int = 0
    hello: HelloAnswer = field(default_factory=lambda: HelloAnswer(id=0))
    answered: int = 0
    longest: int = 0
    size: int = 0
    matches: int = 0
    is_gone: bool = False
    stray: str = ""
    is_late: bool = False
    ids: dict[int, int] = field(default_factory=dict)

    def ask(
        self,
        kind: AnswerKind,
        line: bytes,
        within_ms: int | None,
        dress: Dress = as_it_is,
    ) -> Script[Came]:
        """Send a request under the next id, and return what came of it."""
        number = self.next_id
        self.next_id += 1
        wire = dress(self._renumbered(line, number))
        self.size = len(wire)
        before = Counter(self.ledger.warnings[0])
        before["late_answer"] += self.is_late  # it is ours: we have held it back
        self.is_late = self.control.is_held
        came = yield Ask(0, number, kind, wire, within_ms)
        self.stray = self._stray(self.ledger.warnings[0] - before)
        if isinstance(came.happened, Answered):
            self.answered += 1
            self.longest = max(self.longest, len(wire))
        return came

    def _stray(self, warned: Counter[WarningCode]) -> str:
        if warned["stray_line"]:
            return self.ledger.hints[0].get("stray_line", "")
        return "an answer with the id of an earlier one" * bool(warned["late_answer"])

    def _renumbered(self, line: bytes, number: int) -> bytes:
        rest = line[line.index(b",") :]
        if FIELD in rest:
            request = json.loads(line)
            for report in request.get("faults", ()):
                report["id"] = self.ids.get(report["id"], report["id"])
            rest = json_line(request)
            rest = rest[rest.index(b",") :]
        return b'{"id":%d%s' % (number, rest)


def json_line(request: dict[str, Any]) -> bytes:
    """Return a request as the arena writes it."""
    return json.dumps(request, separators=(",", ":")).encode("ascii") + b"\n"


class Opponents:
    """Plays the other two seats: legally, at random, and now and then boldly.

    A bold bid leaves the bot few calls or one, which a quiet auction never does.
    """

    def __init__(self, seed: str, is_bold: bool) -> None:
        self._random = random.Random(seed)  # noqa: S311 -- no secret: seeded on purpose
        self._is_bold = is_bold

    def choose(self, ask: str, legal: list[str]) -> str:
        """Return a move."""
        dice = self._random
        if ask != "bid":
            return dice.choice(legal)
        roll = dice.random()
        if roll < (0.5 if self._is_bold else 0.7) or len(legal) == 1:
            return legal[0]
        if self._is_bold and roll > 0.85:
            highest = min(BOLD[dice.randrange(len(BOLD))], len(legal) - 1)
            return legal[-highest]
        return legal[1 + dice.randrange(min(6, len(legal) - 1))]


@dataclass(slots=True)
class Turn:
    """A decision of the bot, about to be asked for.

    Attributes:
        ask: what kind of move.
        legal: how many moves are legal.
        number: counts the bot's decisions in this match, from 0.
        dress: what is done to the line; may be set.
        within_ms: how long it may take; may be set.
        pause_ms: how long is waited before it is asked; may be set.
    """

    ask: str
    legal: int
    number: int
    dress: Dress
    within_ms: int | None
    pause_ms: int = 0


class Listener:
    """What a step wants to know of a match; does nothing by itself."""

    def before(self, turn: Turn) -> None:
        """Look at a decision, and change how it is asked for."""

    def after(self, turn: Turn, trouble: Trouble | None, size: int) -> bool:
        """Take in what came of it, and tell whether the match is to go on.

        Args:
            turn: the decision.
            trouble: what was wrong with the answer.
            size: bytes of the request.
        """
        return trouble is None

    def extra(self) -> bytes | None:
        """Return a line to ask besides, which wants no move; None for none."""
        return None


@dataclass(slots=True)
class Bout:
    """One match.

    Attributes:
        moves: what the bot has answered.
        trouble: what was wrong with the answer to ``start``, ``end`` or an extra line.
        ended: whether the match was played to its end.
    """

    sitting: Sitting
    setup: MatchSetup
    seat: int
    opponents: Opponents
    listener: Listener
    dress: Dress = as_it_is
    moves: list[str] = field(default_factory=list)
    trouble: Trouble | None = None
    started: bool = False
    ended: bool = False
    _turns: int = 0
    _pending: tuple[Turn, Came, int] | None = None

    def talk(self) -> Script[None]:
        """Play it; it ends early where a listener says so or the bot is out."""
        referee = Referee(self.setup)
        effects = referee.start()
        while True:
            happened: list[Happened] = []
            for ask in effects:
                if not isinstance(ask, Ask):
                    continue
                if ask.seat != self.seat:
                    happened.append(self._opponent(ask, referee))
                elif ask.kind is HelloAnswer:
                    happened.append(Answered(ask.seat, self.sitting.hello))
                else:
                    came = yield from self._bot(ask, referee)
                    if came is None:
                        return
                    happened.append(came)
            if any(isinstance(effect, Finish) for effect in effects):
                self.ended = referee.ledger.outs[self.seat] is None
                return
            following = self._receive(referee, happened)
            if following is None:
                return
            effects = following

    def _receive(
        self, referee: Referee, happened: list[Happened]
    ) -> list[Effect] | None:
        """Tell the referee; hear of a move that was not legal."""
        faults = referee.ledger.fault_counts[self.seat]
        effects = referee.receive(happened)
        warned = referee.ledger.warnings[self.seat]
        self.sitting.ledger.warnings[0].update(warned)
        warned.clear()
        pending, self._pending = self._pending, None
        if pending is None:
            return effects
        turn, came, size = pending
        trouble = trouble_of(came)
        if trouble is None and referee.ledger.fault_counts[self.seat] > faults:
            fault = referee.ledger.faults[self.seat][-1]
            trouble = Trouble(Finding(f"{fault.code}: {fault.text}", fault.hint), came)
        goes_on = self.listener.after(turn, trouble, size)
        return effects if goes_on else None

    def _opponent(self, ask: Ask, referee: Referee) -> Answered:
        if ask.kind is MoveAnswer:
            kind, legal = referee.question
            move = self.opponents.choose(kind, legal)
            return Answered(ask.seat, MoveAnswer(id=ask.id, move=move))
        plain = HelloAnswer if ask.kind is HelloAnswer else PlainAnswer
        return Answered(ask.seat, plain(id=ask.id))

    def _bot(self, ask: Ask, referee: Referee) -> Script[Happened | None]:
        """Ask the bot; None ends the match."""
        sitting = self.sitting
        line = self.listener.extra()
        if line is not None and ask.kind is MoveAnswer:
            came = yield from sitting.ask(PlainAnswer, line, ask.within_ms)
            if not self._is_good(came):
                return None
        sitting.ids[ask.id] = sitting.next_id
        if ask.kind is not MoveAnswer:
            came = yield from sitting.ask(ask.kind, ask.line, ask.within_ms, self.dress)
            if self.started and isinstance(came.happened, TimedOut | Lost):
                # The answer to ``end`` may be skipped (protocol page, section 3).
                sitting.is_gone = isinstance(came.happened, Lost)
                return reseated(came.happened, self.seat)
            is_good = self._is_good(came)
            if not self.started:
                sitting.matches += 1
            self.started = self.started or is_good
            return reseated(came.happened, self.seat) if is_good else None
        kind, legal = referee.question
        turn = Turn(kind, len(legal), self._turns, self.dress, ask.within_ms)
        self._turns += 1
        self.listener.before(turn)
        within = turn.within_ms
        if turn.pause_ms:
            sitting.control.pause_s = turn.pause_ms / 1000
            within = None if within is None else within + turn.pause_ms
        came = yield from sitting.ask(ask.kind, ask.line, within, turn.dress)
        if turn.pause_ms:
            came = came._replace(happened=sooner(came.happened, turn.pause_ms))
        if isinstance(came.happened, Answered):
            answer = came.happened.answer
            assert isinstance(answer, MoveAnswer)
            self.moves.append(answer.move)
        self._pending = turn, came, sitting.size
        return reseated(came.happened, self.seat)

    def _is_good(self, came: Came) -> bool:
        self.trouble = trouble_of(came)
        return self.trouble is None


def sooner(happened: Happened, by_ms: int) -> Happened:
    """Return what came of a request that was sent so much later than asked."""
    took = max(0, happened.took_ms - by_ms)
    match happened:
        case Answered():
            return happened._replace(took_ms=took)
        case Garbled() | TimedOut() | Lost():
            return replace(happened, took_ms=took)


def reseated(happened: Happened, seat: int) -> Happened:
    """Return what came of the bot's request as of its seat in the match."""
    match happened:
        case Answered():
            return happened._replace(seat=seat)
        case Garbled() | TimedOut() | Lost():
            return replace(happened, seat=seat)


def trouble_of(came: Came) -> Trouble | None:
    """Return what is wrong with an answer by itself, whatever the rules say to it."""
    match came.happened:
        case Answered() if came.lost is None:
            return None
        case Answered():
            assert came.lost is not None
            return Trouble(Finding(f"{came.lost.code}: {came.lost.text}"), came)
        case Garbled(bad=bad):
            return Trouble(Finding(f"{bad.code}: {bad.text}", bad.hint), came)
        case TimedOut(took_ms=took):
            return Trouble(Finding(f"no answer within {took} ms"), came)
        case Lost(code=code, text=text):
            return Trouble(Finding(f"{code}: {text}"), came)
