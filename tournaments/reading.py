"""The results of a tournament for who only looks: more questions, nothing changed.

The store's tables stay the store's: what is asked here is asked in SQL, of a connection
on which nothing can be written.  A run may go on writing meanwhile.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from tournaments.schedule import ORDERS
from tournaments.store import Store
from tournaments.table import PLAYERS

CHUNK: Final = 2000
"""Matches read at a time: no reader holds the store for long."""


class PlayerLine(NamedTuple):
    """One bot in a match: its seat is its place in the match's list."""

    bot: str
    place: int
    score: int
    points: int
    deals: int
    faults: int
    out: str | None
    slowest_ms: int


class MatchLine(NamedTuple):
    """A finished match as lists have it.

    ``number`` is greater than that of every match finished before; ``triple`` the three
    names, sorted, joined by ``+``; ``has_house`` says that it counts for nobody.
    ``record`` is what its record is called, and ``result`` what ``play --json`` says of
    it, where a bot had a fault, an out or a warning.  ``players`` stand by seat.
    """

    number: int
    match: str
    triple: str
    block: int
    has_house: bool
    reason: str
    deals: int
    record: str
    result: str | None
    players: tuple[PlayerLine, ...]


class Wanted(Enum):
    """Which matches of a bot a list is of; of all bots only the first and the last."""

    ALL = "-"
    WON = "won"
    LOST = "lost"
    FAULTS = "faults"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which matches a list has: those of ``bot``, if named, against ``against``.

    ``WON`` and ``LOST`` (a last place) are the bot's; ``FAULTS`` are its own, or with
    no bot named anybody's; an out counts as one.
    """

    bot: str | None = None
    against: str | None = None
    wanted: Wanted = Wanted.ALL


class Reader(Store):
    """The results of a folder at one moment, opened to be read alone.

    What is finished after it was opened is not seen: all answers hold together.

    Raises:
        ArenaError: if there are none.
        CannotGoOnError: as the store does.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, is_read_only=True)
        with self._guarded():
            self._connection.exec_driver_sql("BEGIN")

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        """Ask within the one transaction that there is; it is never committed."""
        with self._guarded():
            yield self._connection

    def last_number(self) -> int:
        """Return the number of the match that was finished last; 0 if none was."""
        return self._scalar("SELECT COALESCE(MAX(rowid), 0) FROM matches")

    def lines_after(self, number: int) -> Iterator[MatchLine]:
        """Yield the matches finished after that of ``number``, in that order."""
        while True:
            chunk = self._lines(
                "SELECT rowid FROM matches WHERE rowid > :number "
                "ORDER BY rowid LIMIT :size",
                number=number,
                size=CHUNK,
            )
            yield from chunk
            if not chunk:
                return
            number = chunk[-1].number

    def match_of(self, record: str) -> MatchLine | None:
        """Return the match that a record is of; ``record`` is the file's name."""
        found = self._lines("SELECT rowid FROM matches WHERE record = :r", r=record)
        return found[0] if found else None

    def newest(self, number: int) -> list[MatchLine]:
        """Return so many matches, those finished last, the oldest of them first."""
        return self._lines(
            "SELECT rowid FROM matches ORDER BY rowid DESC LIMIT :size", size=number
        )

    def match_list(self, choice: Choice, first: int, number: int) -> list[MatchLine]:
        """Return so many matches of a list, the newest first, beginning with the
        ``first``, which counts from 0.
        """  # noqa: D205 -- one sentence
        where, values = _where(choice)
        return self._lines(
            f"SELECT m.rowid FROM matches m {where} "  # noqa: S608 -- ours
            "ORDER BY m.rowid DESC LIMIT :size OFFSET :first",
            size=number,
            first=first,
            **values,
        )[::-1]

    def list_length(self, choice: Choice) -> int:
        """Return how many matches a list has."""
        where, values = _where(choice)
        return self._scalar(
            f"SELECT COUNT(*) FROM matches m {where}",  # noqa: S608 -- ours
            **values,
        )

    def done_in_block(self, match: str) -> int:
        """Return how many matches of a match's block are finished, or never played."""
        stem = match.rpartition("/")[0]
        names = {f"m{order}": f"{stem}/{order}" for order in ORDERS}
        marks = ", ".join(f":{key}" for key in names)
        return self._scalar(
            "SELECT COUNT(*) FROM ("  # noqa: S608 -- marks alone
            f"SELECT match FROM matches WHERE match IN ({marks}) UNION "
            f"SELECT match FROM benched WHERE match IN ({marks}))",
            **names,
        )

    def _scalar(self, query: str, **values: Any) -> int:
        with self._transaction() as connection:
            return connection.scalar(sa.text(query), values) or 0

    def _lines(self, numbers: str, **values: Any) -> list[MatchLine]:
        """Return the matches whose numbers a query gives, in their order."""
        # CROSS JOIN: in this order; a plan that begins with the players reads all.
        query = (
            "SELECT m.rowid, m.match, m.triple, m.block, m.has_house, m.reason, "  # noqa: S608 -- ours
            "m.deals, m.record, m.result, p.bot, p.place, p.score, p.points, p.deals, "
            f"p.faults, p.out, p.slowest_ms FROM ({numbers}) n "
            "CROSS JOIN matches m ON m.rowid = n.rowid "
            "CROSS JOIN players p ON p.match = m.match "
            "ORDER BY m.rowid, p.seat"
        )
        with self._transaction() as connection:
            # The driver's own rows: to wrap them costs more than to read them.
            rows: Any = connection.execute(sa.text(query), values).cursor
            return _match_lines(rows.fetchall())


def _match_lines(rows: Sequence[tuple[Any, ...]]) -> list[MatchLine]:
    """Put the three rows of each match together."""
    lines = []
    for at in range(0, len(rows), PLAYERS):
        players = [PlayerLine._make(row[9:]) for row in rows[at : at + PLAYERS]]
        lines.append(MatchLine._make((*rows[at][:9], tuple(players))))
    return lines


def _where(choice: Choice) -> tuple[str, dict[str, str]]:
    """Return the condition of a choice, and its values; names are never in the text.

    Without a condition there is no WHERE: then all are counted by the index alone.
    """
    parts: list[str] = []
    values: dict[str, str] = {}
    for key, bot in (("bot", choice.bot), ("against", choice.against)):
        if bot is not None:
            # No name has a plus: between two of them it stands for itself.
            parts.append(f"instr('+' || m.triple || '+', :{key}_marked) > 0")
            values[f"{key}_marked"] = f"+{bot}+"
    own = ""
    if choice.bot is not None and choice.wanted is not Wanted.ALL:
        own = "p.bot = :bot AND "
        values["bot"] = choice.bot
    player = "EXISTS (SELECT 1 FROM players p WHERE p.match = m.match AND "
    match choice.wanted:
        case Wanted.ALL:
            pass
        case Wanted.WON:
            parts.append(f"{player}{own}p.place = 1)")
        case Wanted.LOST:
            parts.append(f"{player}{own}p.place = 3)")
        case Wanted.FAULTS:
            # Only such matches keep their result.
            parts.append("m.result IS NOT NULL")
            parts.append(f"{player}{own}(p.faults > 0 OR p.out IS NOT NULL))")
    return f"WHERE {' AND '.join(parts)}" if parts else "", values
