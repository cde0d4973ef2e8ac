"""The record of a match: a file of JSON lines, written as the match goes.

Protocol page, section 8.  A record that is being written is ``*.part`` and readable
by its owner alone: it holds every hand, and the seed of deals still to come.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from pydantic import ValidationError

from arena.effects import Effect, Seated, Write
from arena.errors import ArenaError
from arena.games import GAMES
from arena.setup import MatchSetup
from protocol.events import EVENT, DealEvent, EndEvent, Event, ScoreEvent, as_seen_by
from protocol.records import RecordHeader, RecordLimits, RecordPlayer

MAX_LINE: Final = 64 * 1024  # bytes; our longest record line, a header, is under 12 KiB
MAX_LINES: Final = 20_000_000
PART: Final = ".part"


@dataclass(frozen=True, slots=True)
class Heading:
    """What the header of a record says beside the match itself."""

    attempt: int = 1
    sandbox: str = "none"
    limits: RecordLimits = RecordLimits()  # noqa: RUF009 -- frozen


class RecordWriter:
    """Writes one record; a watcher of the match.

    Raises:
        OSError: when the disk is full or gone.
    """

    def __init__(self, path: Path, setup: MatchSetup, heading: Heading) -> None:
        self._path = path
        self._setup = setup
        self._heading = heading
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._file = os.fdopen(fd, "w", encoding="ascii", newline="\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is still in memory."""
        self._file.close()

    def watch(self, effect: Effect) -> None:
        """Write what belongs into the record."""
        match effect:
            case Write(line=line):
                self._file.write(line + "\n")
            case Seated():
                self._file.write(header_of(self._setup, self._heading, effect).wire())
                self._file.write("\n")
            case _:
                pass


def header_of(setup: MatchSetup, heading: Heading, seated: Seated) -> RecordHeader:
    """Return the first line of a match's record."""
    return RecordHeader(
        game=setup.game,
        rules=GAMES[setup.game].rules,
        options=setup.options,
        match=setup.match,
        attempt=heading.attempt,
        clock=setup.clock,
        strikes=setup.strikes,
        strict=setup.strict or None,
        limits=heading.limits,
        sandbox=heading.sandbox,
        players=[
            RecordPlayer(
                name=seated.names[seat],
                version=seated.versions[seat],
                author=seated.authors[seat],
                seed=setup.bot_seed(seat),
                first_id=1,
            )
            for seat in range(3)
        ],
        deal_seed=setup.deal_seed,
        commit=setup.commit,
        arena=setup.arena,
        started=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )


class RecordError(ArenaError):
    """A record that cannot be read: the line, and what is wrong with it."""

    exit_code = 1

    def __init__(self, path: Path, line: int, text: str) -> None:
        super().__init__(f"{path}:{line}: {text}")
        self.line = line
        self.text = text


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read: ``lines`` are the raw lines, the header's first."""

    path: Path
    header: RecordHeader
    events: tuple[Event, ...]
    lines: tuple[str, ...]

    @property
    def is_finished(self) -> bool:
        """Whether its last line is the end of the match."""
        return bool(self.events) and isinstance(self.events[-1], EndEvent)


def read_record(path: Path) -> Record:
    """Return the record at ``path``, which may end anywhere between two lines.

    Raises:
        RecordError: if a line cannot be read.
        ArenaError: if there is no such file.
    """
    header: RecordHeader | None = None
    events: list[Event] = []
    lines: list[str] = []
    number = 0
    for number, text in enumerate(_read_lines(path), 1):
        try:
            if header is None:
                header = RecordHeader.model_validate_json(text)
                if header.game not in GAMES:
                    raise RecordError(path, number, f"no such game: {header.game}")
            else:
                events.append(EVENT.validate_json(text))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            what = f"'{where}': {first['msg']}" if where else first["msg"]
            raise RecordError(path, number, f"no line of a record: {what}") from None
        lines.append(text)
    if header is None:
        raise RecordError(path, 1, "empty; a record begins with a header")
    return Record(path, header, tuple(events), tuple(lines))


def _read_lines(path: Path) -> Iterator[str]:
    try:
        with path.open("rb") as file:
            for number in range(1, MAX_LINES):
                raw = file.readline(MAX_LINE + 1)
                if not raw:
                    return
                if len(raw) > MAX_LINE:
                    raise RecordError(path, number, "longer than any line of a record")
                if not raw.endswith(b"\n"):
                    raise RecordError(path, number, "cut off in the middle of a line")
                try:
                    yield raw.rstrip(b"\r\n").decode("utf-8")
                except UnicodeDecodeError:
                    raise RecordError(path, number, "not a text file") from None
    except FileNotFoundError:
        raise ArenaError(f"{path}: no such record; check the path") from None
    except IsADirectoryError:
        raise ArenaError(
            f"{path}: a folder, not a record; name one of its files"
        ) from None
    except OSError as error:
        raise ArenaError(f"{path}: {error.strerror}; check its permissions") from None


def masked(record: Record, is_seed_open: bool) -> Iterable[str]:
    """Yield the lines of the public form of a record.

    Args:
        record: the record.
        is_seed_open: whether every match on its deal seed is finished.
    """
    header = record.header
    if not is_seed_open:
        header = header.model_copy(update={"deal_seed": None})
    yield header.wire()
    finished = {event.no for event in record.events if isinstance(event, ScoreEvent)}
    is_public = True
    for event in record.events:
        if isinstance(event, DealEvent):
            is_public = event.no in finished
        # In a deal that is not over, notes and the texts of faults tell of cards too.
        yield (event if is_public else as_seen_by(event, None)).wire()
