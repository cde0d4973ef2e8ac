"""What passes between the referee and whoever carries out what it says.

What happened goes in, what to do comes out; all are values, and nothing here acts.
Those of every decision are named tuples: made in a third of a frozen dataclass's time.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from protocol.events import EndReason, Event, OutCode
from protocol.judge import AnswerKind, Bad
from protocol.messages import Answer

# --- what happened -------------------------------------------------------------------


class Answered(NamedTuple):
    """An answer that could be read, to the request that is open."""

    seat: int
    answer: Answer
    took_ms: int = 0
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class Garbled:
    """An answer that is a fault before any rule is asked; ``line`` as it is shown."""

    seat: int
    bad: Bad
    line: str
    took_ms: int = 0


@dataclass(frozen=True, slots=True)
class TimedOut:
    """No answer by the deadline; ``cpu_ms`` is what the bot's processes used of it.

    None where that is not known.
    """

    seat: int
    took_ms: int
    cpu_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """A bot that can no longer play, on turn or not; ``text`` is for its author."""

    seat: int
    code: OutCode
    text: str = ""
    took_ms: int = 0


Happened: TypeAlias = Answered | Garbled | TimedOut | Lost

# --- what to do ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seated:
    """The bots have said who they are; the record's header can be written."""

    names: tuple[str, str, str]
    versions: tuple[str | None, ...]
    authors: tuple[str | None, ...]


class Write(NamedTuple):
    """A line of the record, and the event that it tells.

    None stands for a card played or a trick won: most of a match, and nobody acts on
    them, so that no model is made of them.
    """

    line: str
    event: Event | None = None


class Ask(NamedTuple):
    """Send ``line`` and await its answer, without end where ``within_ms`` is None."""

    seat: int
    id: int
    kind: AnswerKind
    line: bytes
    within_ms: int | None


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Kill the bot's processes at once: it is out; ``text`` is for its author."""

    seat: int
    code: OutCode
    text: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The match is over; the ledger holds what the result is made of."""

    reason: EndReason


Effect: TypeAlias = Seated | Write | Ask | Dismiss | Finish
