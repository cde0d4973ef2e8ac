"""Matches with one peculiarity each: unknown things, names, a late answer, a stall."""

import json
from typing import Any, Final

from typing_extensions import override

from arena.check_bout import Sitting, Trouble, Turn, json_line
from arena.check_notes import Notes
from arena.check_talk import Script
from arena.check_terms import Section, Strict, Terms, simple
from arena.diagnosis import Finding

STALL_MS: Final = 3000
LATE_MS: Final = 100  # after which an answer counts as late, in the step that tries it
FOREIGN: Final = ("Zoë Ångström", "Łódź 四人 \U0001d4b5")  # the last: beyond 16 bits


IGNORES: Final = (
    "ignore fields, events and requests that you do not know: the protocol grows by "
    'them; answer any line with its "id"'
)
FIELD, EVENT, REQUEST = "field", "kind of event", "type of request"


class Unknown(Section):
    """Fields, kinds of events and requests that the protocol may yet get."""

    def __init__(self, terms: Terms, game: str) -> None:
        super().__init__([("unknown", None)])
        self._terms = terms
        self._game = game

    @override
    def talk(self, sitting: Sitting, notes: Notes) -> Script[Trouble | None]:
        notes.begin("unknown")
        listener = UnknownListener(notes)
        trouble = yield from simple(
            *(self._terms, self._game, "unknown", sitting, notes),
            listener=listener,
            dress=listener.dress,
        )
        if trouble is not None and trouble is not listener.trouble:
            listener.explain(trouble)  # it came of start, end or a new type
        return trouble


class UnknownListener(Strict):
    """Adds fields first, then events, then requests of a kind that no bot knows."""

    def __init__(self, notes: Notes) -> None:
        super().__init__(notes)
        self._asked = 0
        self._n = 0  # of the next event
        self._kind = FIELD

    @override
    def before(self, turn: Turn) -> None:
        if self._kind == FIELD and turn.number >= 4:
            self._kind = EVENT

    @override
    def extra(self) -> bytes | None:
        self._asked += 1
        if self._asked < 9:
            return None
        self._kind = REQUEST
        return json_line({"id": 0, "type": "weather", "forecast": {"rain": [1, 2]}})

    def dress(self, line: bytes) -> bytes:
        """Put into a request what no bot knows."""
        request: dict[str, Any] = json.loads(line)
        events = request.get("events", [])
        if self._kind == FIELD:
            for part in (request, request.get("deal"), request.get("clock")):
                if isinstance(part, dict):
                    part["weather"] = {"sky": ["blue", None], "wind": 3}
            for event in events:
                event["witness"] = "nobody"
        elif self._kind == EVENT and events:
            events.insert(0, {"n": 0, "e": "weather", "sky": "blue"})
        for event in events:
            event["n"] = self._n
            self._n += 1
        return json_line(request)

    @override
    def after(self, turn: Turn, trouble: Trouble | None, size: int) -> bool:
        if trouble is not None:
            self.explain(trouble)
        return super().after(turn, trouble, size)

    def explain(self, trouble: Trouble) -> None:
        """Say what came before the trouble, unless it is one of every day."""
        cause = trouble.finding.cause
        if not self._notes.is_known(cause):
            trouble.finding = Finding(f"an unknown {self._kind}: {cause}", IGNORES)


class Names(Section):
    """Players whose names are not ASCII."""

    def __init__(self, terms: Terms, game: str) -> None:
        super().__init__([("names", None)])
        self._terms = terms
        self._game = game

    @override
    def talk(self, sitting: Sitting, notes: Notes) -> Script[Trouble | None]:
        notes.begin("names")
        trouble = yield from simple(
            self._terms, self._game, "names", sitting, notes, names=FOREIGN
        )
        return trouble


class Late(Section):
    """An answer that comes after its deadline, and the request after it."""

    def __init__(self, terms: Terms, game: str) -> None:
        super().__init__([("late_answer", None)])
        self._terms = terms
        self._game = game

    @override
    def talk(self, sitting: Sitting, notes: Notes) -> Script[Trouble | None]:
        notes.begin("late_answer")
        ours = sitting.ledger.warnings[0]["late_answer"]
        listener = LateListener(notes, sitting)
        trouble = yield from simple(
            *(self._terms, self._game, "late", sitting, notes), listener=listener
        )
        counted = sitting.ledger.warnings[0]
        if counted["late_answer"] > ours:  # we have made it late ourselves
            counted["late_answer"] -= 1
        if not counted["late_answer"]:
            del counted["late_answer"]
            sitting.ledger.hints[0].pop("late_answer", None)
        return trouble


class LateListener(Strict):
    """Holds the second answer back until its time is over."""

    def __init__(self, notes: Notes, sitting: Sitting) -> None:
        super().__init__(notes, "after an answer that was late")
        self._sitting = sitting

    @override
    def before(self, turn: Turn) -> None:
        if turn.number == 1:
            self._sitting.control.is_held = True
            turn.within_ms = LATE_MS

    @override
    def after(self, turn: Turn, trouble: Trouble | None, size: int) -> bool:
        if turn.number == 1 and trouble is not None and not trouble.is_loss:
            return True
        return super().after(turn, trouble, size)


class Stall(Section):
    """Three seconds in which nothing is asked."""

    def __init__(self, terms: Terms, game: str) -> None:
        super().__init__([("stall", None)])
        self._terms = terms
        self._game = game

    @override
    def talk(self, sitting: Sitting, notes: Notes) -> Script[Trouble | None]:
        notes.begin("stall")
        trouble = yield from simple(
            *(self._terms, self._game, "stall", sitting, notes),
            listener=StallListener(notes),
        )
        return trouble


class StallListener(Strict):
    """Waits before the third request."""

    def __init__(self, notes: Notes) -> None:
        super().__init__(notes, f"after {STALL_MS // 1000} s in which nothing is asked")

    @override
    def before(self, turn: Turn) -> None:
        if turn.number == 2:
            turn.pause_ms = STALL_MS
