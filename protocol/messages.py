"""The requests of the arena and the answers of a bot (protocol page, section 3)."""

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter

from protocol import VERSION
from protocol.events import EndReason, Event, FaultCode
from protocol.model import (
    DEFERRED,
    MAX_NOTE,
    FaultText,
    Int31,
    Model,
    Ms,
    NoteText,
    SeatNo,
    Three,
    optional,
)
from protocol.snapshots import DealSnapshot

MAX_REQUEST = 16_384
"""Bytes of the longest line that the arena sends."""
MAX_ANSWER = 4_096
"""Bytes of the longest line that a bot may send."""

Ask: TypeAlias = Literal["bid", "raise", "play", "show", "partner"]


class HelloLimits(Model):
    """What the arena will put up with, in milliseconds, bytes and characters."""

    hello_ms: Ms = 10_000
    start_ms: Ms = 10_000
    end_ms: Ms = 2_000
    line_bytes: Int31 = MAX_REQUEST
    answer_bytes: Int31 = MAX_ANSWER
    note_chars: Int31 = MAX_NOTE


class Hello(Model):
    """The first request of a process."""

    id: Int31
    type: Literal["hello"] = "hello"
    protocol: Literal["trianon-arena"] = "trianon-arena"
    version: Int31 = VERSION
    arena: str
    limits: HelloLimits


class TrianonOptions(Model):
    """How long a match of Trianon lasts (rules T17 to T19)."""

    target: Annotated[int, Field(ge=1, lt=2**31)] | None = optional()
    max_deals: Annotated[int, Field(ge=1, le=100_000)] | None = optional()
    deals: Annotated[int, Field(ge=1, le=100_000)] | None = optional()


class LoyataisOptions(Model):
    """How long a match of Loyatais lasts (rule L12)."""

    deals: Annotated[int, Field(ge=3, le=100_000, multiple_of=3)] = 12


Options: TypeAlias = TrianonOptions | LoyataisOptions


class MatchClock(Model):
    """The time control of a match, in milliseconds (protocol page, section 5)."""

    move_ms: Ms
    bank_ms: Ms
    deal_add_ms: Ms = 0


class TurnClock(Model):
    """What a seat has for this decision: free time, and the bank behind it."""

    move_ms: Ms
    bank_ms: Ms


class Start(Model):
    """The first request of a match."""

    id: Int31
    type: Literal["start"] = "start"
    game: str
    rules: Int31
    options: Options
    match: str
    players: Annotated[list[str], Field(min_length=3, max_length=3)]
    you: SeatNo
    clock: MatchClock | None
    strikes: Int31
    seed: Int31
    commit: str


class FaultReport(Model):
    """One fault of the bot since the last request."""

    id: Int31
    code: FaultCode
    text: FaultText
    played: str
    strikes_left: Int31


class Act(Model):
    """The bot is to move."""

    id: Int31
    type: Literal["act"] = "act"
    ask: Ask
    legal: Annotated[list[str], Field(min_length=1)]
    you: SeatNo
    clock: TurnClock | None
    deal: DealSnapshot
    events: list[Event]
    faults: list[FaultReport] | None = optional()


class End(Model):
    """The match is over."""

    id: Int31
    type: Literal["end"] = "end"
    reason: EndReason
    scores: Three
    places: Three | None
    you: SeatNo
    events: list[Event]
    faults: list[FaultReport] | None = optional()


Request: TypeAlias = Annotated[Hello | Start | Act | End, Field(discriminator="type")]
REQUEST: TypeAdapter[Request] = TypeAdapter(Request, config=DEFERRED)


class Answer(Model):
    """A bot's line: what every answer may hold."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: int


class HelloAnswer(Answer):
    """Who the bot is; only ``id`` is required."""

    protocol: Annotated[int, Field(ge=1)] = VERSION
    name: str | None = None
    version: str | None = None
    author: str | None = None
    games: list[str] | None = None
    reuse: bool = True


class PlainAnswer(Answer):
    """The answer to ``start``, ``end`` and requests that a bot does not know."""


class MoveAnswer(Answer):
    """The answer to ``act``."""

    move: str
    note: NoteText | None = None
