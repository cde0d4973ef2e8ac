"""Bytes to lines, and requests to bytes.  No I/O, no clock, no rules.

Reading is bounded before it is parsed: ``LineBuffer`` never holds more than one
line's worth of bytes.  Requests are built by hand from parts that rarely change; a
test holds their bytes equal to the models' own dump.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from protocol.messages import MAX_ANSWER

FLOOD: Final = 64 * 1024
"""Bytes without a newline that end a bot's match (protocol page, section 6)."""
SHOWN_BYTES: Final = 400
"""Bytes of a raw line that faults and records keep."""

# --- framing ----------------------------------------------------------------------


class Line(NamedTuple):
    """A whole line, without its newline; ``size`` counts it."""

    raw: bytes

    @property
    def size(self) -> int:
        """Bytes, with the newline."""
        return len(self.raw) + 1


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line that passed 4,096 bytes; ``raw`` is its beginning."""

    raw: bytes
    size: int = 0


@dataclass(frozen=True, slots=True)
class Rest:
    """``size`` more bytes of a line that was too long, thrown away."""

    size: int


@dataclass(frozen=True, slots=True)
class Flood:
    """64 KiB came without a newline."""

    raw: bytes


Frame: TypeAlias = Line | TooLong | Rest | Flood


class LineBuffer:
    """Cuts a stream of bytes into lines, holding at most one line's worth."""

    def __init__(self) -> None:
        self._part = bytearray()
        self._dropping = 0  # bytes so far of a line that is too long, else 0

    def takes_whole(self, data: bytes) -> bool:
        """Tell whether ``data``, one line and its newline, is a frame as it stands."""
        return not self._part and not self._dropping and len(data) <= MAX_ANSWER + 1

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yield what ``data`` completes, in order; after a ``Flood`` nothing more."""
        start = 0
        while start < len(data):
            end = data.find(b"\n", start)
            chunk = data[start:] if end < 0 else data[start:end]
            start = len(data) if end < 0 else end + 1
            if self._dropping:
                self._dropping += len(chunk)
                yield Rest(len(chunk))
            elif len(self._part) + len(chunk) > MAX_ANSWER:
                self._dropping = len(self._part) + len(chunk)
                self._part += chunk[: MAX_ANSWER - len(self._part)]
                yield TooLong(bytes(self._part[:SHOWN_BYTES]), self._dropping)
            else:
                self._part += chunk
                if end >= 0:
                    yield Line(bytes(self._part))
                    self._part.clear()
            if self._dropping > FLOOD:
                yield Flood(bytes(self._part[:SHOWN_BYTES]))
                return
            if end >= 0 and self._dropping:
                self._dropping = 0
                self._part.clear()


# --- requests ---------------------------------------------------------------------


def play_text(n: int, seat: int, card: str) -> str:
    """Return the JSON of a ``PlayEvent``."""
    return f'{{"n":{n},"e":"play","seat":{seat},"card":"{card}"}}'


def trick_text(n: int, no: int, winner: int) -> str:
    """Return the JSON of a ``TrickEvent``."""
    return f'{{"n":{n},"e":"trick","no":{no},"winner":{winner}}}'


def act_line(
    number: int,
    ask: str,
    legal: list[str],
    you: int,
    clock: str,
    deal: str,
    events: str,
    faults: str = "",
) -> bytes:
    """Return an ``act`` request, from parts that are JSON already.

    Args:
        number: the request's id.
        ask: what kind of move is asked.
        legal: the legal moves, in the protocol's order.
        you: the bot's seat.
        clock: the seat's time, or ``null`` without a clock.
        deal: the snapshot.
        events: events, joined by commas.
        faults: the last key with its comma, or nothing.
    """
    moves = '","'.join(legal)
    return (
        f'{{"id":{number},"type":"act","ask":"{ask}","legal":["{moves}"],'
        f'"you":{you},"clock":{clock},"deal":{deal},"events":[{events}]{faults}}}\n'
    ).encode("ascii")


def end_line(
    number: int,
    reason: str,
    scores: list[int],
    places: list[int] | None,
    you: int,
    events: str,
    faults: str = "",
) -> bytes:
    """Return an ``end`` request; arguments as for ``act_line``."""
    placed = "null" if places is None else json.dumps(places, separators=(",", ":"))
    points = json.dumps(scores, separators=(",", ":"))
    return (
        f'{{"id":{number},"type":"end","reason":"{reason}","scores":{points},'
        f'"places":{placed},"you":{you},"events":[{events}]{faults}}}\n'
    ).encode("ascii")


def annotate(event: str, ms: int | None, note: str | None) -> str:
    """Return an event's JSON with what only the record holds (section 8)."""
    extra = "" if ms is None else f',"ms":{ms}'
    if note is not None:
        extra += f',"note":{json.dumps(note)}'
    return event[:-1] + extra + "}"
