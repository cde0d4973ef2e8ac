"""The header of a record, and what its lines may be (protocol page, section 8)."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from protocol.events import Event
from protocol.messages import HelloLimits, MatchClock, Options
from protocol.model import DEFERRED, Int31, Model, optional


class RecordLimits(HelloLimits):
    """What bounded the bots: the limits of ``hello``, and those of the box."""

    memory_mb: Int31 | None = optional()
    processes: Int31 | None = optional()
    tmp_mb: Int31 | None = optional()
    file_mb: Int31 | None = optional()
    open_files: Int31 | None = optional()


class RecordPlayer(Model):
    """Who sat where; ``first_id`` is the id of the bot's ``start``."""

    name: str
    version: str | None
    author: str | None
    seed: Int31
    first_id: Int31


class RecordHeader(Model):
    """The first line of a record."""

    record: Literal[1] = 1
    game: str
    rules: Int31
    options: Options
    match: str
    attempt: Int31 = 1
    clock: MatchClock | None
    strikes: Int31
    strict: bool | None = optional()
    limits: RecordLimits
    sandbox: str
    players: Annotated[list[RecordPlayer], Field(min_length=3, max_length=3)]
    deal_seed: str | None
    commit: str
    arena: str
    started: str


RECORD_LINE: TypeAdapter[RecordHeader | Event] = TypeAdapter(
    RecordHeader | Event, config=DEFERRED
)
