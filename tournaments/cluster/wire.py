"""What passes between the front and a task on a worker: bytes, bounded when read."""

import json
from typing import Any, Final

from pydantic import ConfigDict, Field, ValidationError

from arena.engines import Cores
from arena.orders import Order, Report
from protocol.model import Model
from tournaments.cluster.parcels import FarBot

MAX_RECORD: Final = 64 * 1024 * 1024  # bytes; ours of 200 deals have 300 KiB
MAX_HEAD: Final = 64 * 1024 * 1024  # bytes of all reports of a batch
HEAD: Final = 8  # bytes that say how long the reports are


class Batch(Model):
    """Orders that are carried out one after the other, on one of a worker's slots.

    Attributes:
        run: of which run of a tournament; that one may be stopped.
        number: of the batch, for what is told while it is played.
        bots: how each bot is found, by its name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    run: str
    number: int
    cores: Cores
    slots: int
    orders: tuple[Order, ...]
    bots: dict[str, FarBot]


class Head(Model):
    """What came of a batch.

    Attributes:
        reports: the last one of each order that was carried out.
        sizes: of the records that follow, in bytes; by match.
        missing: the hashes of folders that must be brought first.
        unfit: why this machine cannot play them, in words.
        took_s: from the first order to the last report.
    """

    reports: tuple[Report, ...] = ()
    sizes: dict[str, int] = Field(default_factory=dict)
    missing: tuple[str, ...] = ()
    unfit: str | None = None
    took_s: float = 0.0


class Enlisted(Model):
    """What a worker is: its machine's name, our version there, why it has no box."""

    machine: str
    version: str
    fault: str | None
    open: str | None = None
    """What the box of that machine lets through, where that was asked."""


def pack(head: Head, records: list[bytes]) -> bytes:
    """Return a batch's outcome as one piece."""
    raw = head.wire().encode("ascii")
    return b"".join((len(raw).to_bytes(HEAD, "big"), raw, *records))


def unpack(raw: bytes) -> tuple[Head, dict[str, bytes]]:
    """Return a batch's outcome, and its records by match.

    Raises:
        ValueError: if it is none.
    """
    if not isinstance(raw, bytes):
        raise ValueError("no bytes")  # noqa: TRY004 -- whatever came is worth nothing
    size = int.from_bytes(raw[:HEAD], "big")
    if size > min(MAX_HEAD, len(raw)):
        raise ValueError("reports without end")
    try:
        head = Head.model_validate_json(raw[HEAD : HEAD + size])
    except ValidationError as error:
        raise ValueError(f"reports that are none: {error.errors()[0]['msg']}") from None
    at = HEAD + size
    records = {}
    for match, length in head.sizes.items():
        if not 0 <= length <= MAX_RECORD:
            raise ValueError("a record without end")
        records[match] = raw[at : at + length]
        at += length
    if at != len(raw):
        raise ValueError("more or less than it says")
    return head, records


def note(run: str, number: int, match: str) -> str:
    """Return what is told when a match of a batch begins."""
    return json.dumps([run, number, match])


def read_note(text: Any) -> tuple[str, int, str] | None:
    """Return what was told, if it is such a note."""
    try:
        run, number, match = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    if isinstance(run, str) and isinstance(number, int) and isinstance(match, str):
        return run, number, match
    return None
