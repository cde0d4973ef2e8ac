"""The results of a tournament for who only looks: more questions, nothing changed.

The store's tables stay the store's: what is asked here is asked in SQL, of a connection
on which nothing can be written.  A run may go on writing meanwhile.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from tournaments.store import Store
from tournaments.sums import Row


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One bot in a match: its seat is its place in the match's list."""

    bot: str
    place: int
    score: int
    faults: int
    out: str | None
    slowest_ms: int


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A finished match as lists have it; ``record`` is the name of its record."""

    number: int
    match: str
    triple: str
    block: int
    reason: str
    deals: int
    record: str
    players: tuple[PlayerLine, ...]


class Reader(Store):
    """The results of a folder, opened to be read alone.

    Raises:
        ArenaError: if there are none.
        CannotGoOnError: as the store does.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, is_read_only=True)

    def _ask(self, query: str, **values: Any) -> list[Row]:
        with self._transaction() as connection:
            rows = connection.execute(sa.text(query), values).mappings()
            return [dict(row) for row in rows]

    def match_of(self, record: str) -> MatchLine | None:
        """Return the match that a record is of; ``record`` is the file's name."""
        found = self._ask(f"{_LINES} WHERE m.record = :record", record=record)
        lines = _match_lines(found)
        return lines[0] if lines else None

    def done_in_block(self, triple: str, block: int) -> int:
        """Return how many matches of a block are finished or will never be played."""
        rows = self._ask(
            "SELECT (SELECT COUNT(*) FROM matches WHERE triple = :triple AND "
            "block = :block) + (SELECT COUNT(DISTINCT match) FROM benched WHERE "
            "match LIKE :stem ESCAPE '\\') AS done",
            triple=triple,
            block=block,
            stem=f"%/{_literal(triple)}/{block}/___",
        )
        return int(rows[0]["done"])


_LINES = (
    "SELECT m.rowid AS number, m.match, m.triple, m.block, m.reason, m.deals, "
    "m.record, p.bot, p.place, p.score, p.faults, p.out, p.slowest_ms "
    "FROM matches m JOIN players p ON p.match = m.match"
)


def _match_lines(rows: Sequence[Row]) -> list[MatchLine]:
    """Put the rows of players, which stand match by match, together."""
    found: dict[str, tuple[Row, list[PlayerLine]]] = {}
    for row in rows:
        _, players = found.setdefault(row["match"], (row, []))
        names = PlayerLine.__dataclass_fields__
        players.append(PlayerLine(**{name: row[name] for name in names}))
    keys = [name for name in MatchLine.__dataclass_fields__ if name != "players"]
    return [
        MatchLine(**{key: row[key] for key in keys}, players=tuple(players))
        for row, players in found.values()
    ]


def _literal(text: str) -> str:
    """Return a text that LIKE takes for itself."""
    return text.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
