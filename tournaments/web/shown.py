"""What may be shown of a match: one decision, for pages, data and records alike.

The six matches of a block have the same cards.  While one of them is still to be
played, every card that is told of another helps whoever sits in it: then of a finished
match nothing is shown but who played, the scores and the faults by their codes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.record import masked, read_record
from tournaments.reading import MatchLine, Reader
from tournaments.table import MATCHES
from tournaments.web.shelf import Tournament


def is_open(reader: Reader, match: MatchLine) -> bool:
    """Tell whether all of a match may be shown: no other on its cards is to come."""
    return reader.done_in_block(match.match) >= MATCHES


@dataclass(frozen=True, slots=True)
class Closed:
    """The record of a match that may not be shown yet."""


@dataclass(frozen=True, slots=True)
class PublicRecord:
    """The public form of a record (protocol page, section 8), line by line."""

    text: str


def public_record(tournament: Tournament, stem: str) -> PublicRecord | Closed | None:
    """Return the record that is called ``stem``; None if there is none.

    Args:
        tournament: where to look.
        stem: the file's name without its ending; it may be any text.
    """
    name = f"{stem}.jsonl"
    with tournament.open() as reader:
        line = reader.match_of(name)
        if line is None:
            return None
        if not is_open(reader, line):
            return Closed()
    return _public(tournament, line.record)


def open_records(tournament: Tournament) -> Iterator[tuple[str, PublicRecord]]:
    """Yield every record that may be shown, with what it is called."""
    with tournament.open() as reader:
        lines = [line.record for line in reader.lines_after(0) if is_open(reader, line)]
    for name in lines:
        yield name.removesuffix(".jsonl"), _public(tournament, name)


def _public(tournament: Tournament, name: str) -> PublicRecord:
    record = read_record(tournament.record(name))
    lines = masked(record, is_seed_open=True)
    return PublicRecord("".join(f"{text}\n" for text in lines))
