"""The results of a tournament: one SQLite file, the only state there is.

One transaction a finished match: its row, a row a player, and the sums that tables are
made of.  A reader may look at any time.  Nothing else opens the database.
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from arena.result import MatchResult
from tournaments import store_tables as tables
from tournaments.rows import Kept, match_row, player_rows
from tournaments.schedule import Pairing
from tournaments.store_file import FILE, StoreFile
from tournaments.sums import BlockSum, Row, SeatSum, block_sum, sums_of

__all__ = ["FILE", "Store", "file_of", "id_of", "number_of"]

READ_ROWS: Final = 1000  # at a time: a large store is not read into memory
IN_PARTS: Final = {"yield_per": READ_ROWS}
"""For one statement: given to the connection it would stay, and hold rows back from who
reads the driver's own."""


class Store(StoreFile):
    """The open results of one tournament; opened as ``StoreFile`` says."""

    # --- matches ---

    def save(
        self, result: MatchResult, pairing: Pairing, record: Path, attempt: int = 1
    ) -> None:
        """Count a finished match; its record must stand at its final place."""
        row = match_row(result, pairing, record, attempt)
        self.take_over([Kept(row, player_rows(result), result.machine)])

    def take_over(self, finished: Sequence[Kept]) -> None:
        """Count finished matches, all or none; their records are in their places."""
        players = [row for kept in finished for row in kept.players]
        sums = sums_of({kept.match["match"]: kept.players for kept in finished})
        with self._transaction() as connection:
            connection.execute(
                sa.insert(tables.matches), [kept.match for kept in finished]
            )
            connection.execute(sa.insert(tables.players), players)
            elsewhere = [
                {"match": kept.match["match"], "machine": kept.machine}
                for kept in finished
                if kept.machine is not None
            ]
            if elsewhere:
                connection.execute(sa.insert(tables.machines), elsewhere)
            for (table, _), rows in zip(tables.SUM_TABLES, sums, strict=True):
                tables.add(connection, table, rows)

    def save_void(self, match: str, attempt: int) -> None:
        """Count a match that was void."""
        with self._transaction() as connection:
            connection.execute(
                insert(tables.voids)
                .values(match=match, attempt=attempt)
                .on_conflict_do_nothing()
            )

    def saved(self) -> Iterator[tuple[str, str, int, str]]:
        """Yield every finished match: its name, its record's, that one's size and hash.

        They come in the order of the records' names.

        It is to be read to its end before anything else is asked of the store.
        """
        kept = tables.matches.c
        query = sa.select(kept.match, kept.record, kept.size, kept.sha256)
        query = query.order_by(kept.record)
        with self._transaction() as connection:
            rows = connection.execute(query, execution_options=IN_PARTS)
            for row in rows:
                yield row[0], row[1], row[2], row[3]

    def voids(self) -> list[tuple[str, int]]:
        """Return every attempt that was void: its match, and which it was."""
        query = sa.select(tables.voids.c.match, tables.voids.c.attempt)
        with self._transaction() as connection:
            return [(match, number) for match, number in connection.execute(query)]

    def counts(self) -> tuple[int, int]:
        """Return how many matches are finished, and how many attempts were void."""
        with self._transaction() as connection:
            finished = connection.scalar(
                sa.select(sa.func.count()).select_from(tables.matches)
            )
            void = connection.scalar(
                sa.select(sa.func.count()).select_from(tables.voids)
            )
        return finished or 0, void or 0

    def house_count(self) -> int:
        """Return how many finished matches hold a house bot, and count for nobody."""
        query = sa.select(sa.func.count()).where(tables.matches.c.has_house)
        with self._transaction() as connection:
            return connection.scalar(query) or 0

    def machines(self) -> dict[str, str]:
        """Return where each match was played that was not played here."""
        with self._transaction() as connection:
            return _machines(connection)

    def forget(self, match: str) -> None:
        """Take a match back, so that it is played again: its record is not whole."""
        of_match = tables.players.c.match == match
        with self._transaction() as connection:
            found = connection.execute(
                sa.select(tables.players).where(of_match)
            ).mappings()
            players = [dict(row) for row in found]
            if not players:
                return
            connection.execute(
                sa.delete(tables.matches).where(tables.matches.c.match == match)
            )
            connection.execute(sa.delete(tables.players).where(of_match))
            connection.execute(
                sa.delete(tables.machines).where(tables.machines.c.match == match)
            )
            for (table, fields), rows in zip(
                tables.SUM_TABLES, sums_of({match: players}), strict=True
            ):
                for row in rows:
                    tables.take_away(connection, table, row, fields)

    def why_out(self) -> list[tuple[str, str, int]]:
        """Return how often each bot was out with each code, the commonest first."""
        player, number = tables.players.c, sa.func.count()
        query = sa.select(player.bot, player.out, number).where(player.out != "")
        query = query.group_by(player.bot, player.out).order_by(number.desc())
        with self._transaction() as connection:
            return [(bot, code, n) for bot, code, n in connection.execute(query)]

    def faults_behind_strikes(self) -> list[tuple[str, str, int]]:
        """Return how often each bot that was out by strikes had each kind of fault."""
        query = sa.text(_FAULTS_BEHIND_STRIKES)
        with self._transaction() as connection:
            return [(bot, code, n) for bot, code, n in connection.execute(query)]

    # --- matches that are not played ---

    def outs(self) -> dict[str, frozenset[str]]:
        """Return which bots were out of each match that any bot was out of."""
        query = sa.select(tables.players.c.match, tables.players.c.bot).where(
            tables.players.c.out != ""
        )
        return self._bots_by_match(query)

    def benched(self) -> dict[str, frozenset[str]]:
        """Return, for every match that is not played, for whom it is lost."""
        return self._bots_by_match(
            sa.select(tables.benched.c.match, tables.benched.c.bot)
        )

    def _bots_by_match(self, query: sa.Select[Any]) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        with self._transaction() as connection:
            for match, bot in connection.execute(query):
                found[match] = found.get(match, frozenset()) | {bot}
        return found

    def benched_matches(self) -> Iterator[str]:
        """Yield every match that is not played; read it to its end before all else."""
        query = sa.select(tables.benched.c.match).distinct()
        with self._transaction() as connection:
            yield from connection.scalars(query, execution_options=IN_PARTS)

    def lost(self) -> dict[tuple[str, int], int]:
        """Return how many matches each bot has lost in each seat without playing."""
        keys = tables.benched.c.bot, tables.benched.c.seat
        query = sa.select(*keys, sa.func.count()).where(~tables.benched.c.has_house)
        query = query.group_by(*keys)
        with self._transaction() as connection:
            rows = connection.execute(query).all()
        return {(bot, seat): number for bot, seat, number in rows}

    def benched_count(self) -> int:
        """Return how many matches are not played."""
        query = sa.select(sa.func.count(sa.distinct(tables.benched.c.match)))
        with self._transaction() as connection:
            return connection.scalar(query) or 0

    def bench(self, items: Sequence[tuple[Pairing, Collection[str]]]) -> None:
        """Note matches that are not played, and for whom they are lost."""
        rows = [
            {
                "match": pairing.match,
                "seat": seat,
                "bot": bot,
                "has_house": pairing.has_house,
            }
            for pairing, losers in items
            for seat, bot in enumerate(pairing.players)
            if bot in losers
        ]
        before = sa.delete(tables.benched).where(
            tables.benched.c.match == sa.bindparam("which")
        )
        with self._transaction() as connection:
            connection.execute(
                before, [{"which": pairing.match} for pairing, _ in items]
            )
            connection.execute(sa.insert(tables.benched), rows)

    def unbench(self, match: str) -> None:
        """Take back that a match is not played."""
        with self._transaction() as connection:
            connection.execute(
                sa.delete(tables.benched).where(tables.benched.c.match == match)
            )

    # --- rows ---

    def pages(self) -> Iterator[list[Kept]]:
        """Yield all finished matches, some at a time, in the order of their names."""
        match, player = tables.matches.c.match, tables.players.c
        last = ""
        while True:
            page = sa.select(tables.matches).where(match > last).order_by(match)
            with self._transaction() as connection:
                found = connection.execute(page.limit(READ_ROWS)).mappings()
                rows = [dict(row) for row in found]
                if not rows:
                    return
                first, last = rows[0]["match"], rows[-1]["match"]
                query = sa.select(tables.players).order_by(player.match, player.seat)
                query = query.where(player.match.between(first, last))
                players = _by_match(connection.execute(query))
                of_page = tables.machines.c.match.between(first, last)
                machines = _machines(connection, of_page)
            yield [
                Kept(row, players[row["match"]], machines.get(row["match"]))
                for row in rows
            ]

    def player_rows(self) -> dict[str, list[Row]]:
        """Return the rows of every match's players, by match and seat."""
        with self._transaction() as connection:
            query = sa.select(tables.players).order_by(
                tables.players.c.match, tables.players.c.seat
            )
            return _by_match(connection.execute(query))

    # --- sums ---

    def block_sums(self) -> Iterator[BlockSum]:
        """Yield one sum a block, in the order of triples and blocks.

        It is to be read to its end before anything else is asked of the store.
        """
        query = sa.select(tables.block_sums).order_by(
            *tables.block_sums.primary_key.columns
        )
        with self._transaction() as connection:
            # The driver's own rows: to wrap them costs more than all that follows.
            rows: Any = connection.execute(query).cursor
            yield from map(block_sum, rows)

    def seat_sums(self) -> list[SeatSum]:
        """Return one sum a bot and seat."""
        return [SeatSum(**row) for row in self._rows(tables.seat_sums)]

    def _rows(self, table: sa.Table) -> list[Row]:
        with self._transaction() as connection:
            query = sa.select(table).order_by(*table.primary_key.columns)
            return [dict(row) for row in connection.execute(query).mappings()]

    def sums(self) -> tuple[list[Row], list[Row]]:
        """Return the sums as they stand: of blocks, and of bots and seats."""
        return self._rows(tables.block_sums), self._rows(tables.seat_sums)


def file_of(match: str) -> str:
    """Return the name of a match's record."""
    return f"{number_of(match):016x}.jsonl"


def number_of(match: str) -> int:
    """Return the number that a match's record is named after, below 2**64."""
    return int.from_bytes(hashlib.sha256(match.encode("utf-8")).digest()[:8], "big")


def id_of(record: str) -> int:
    """Return the number that a record is named after, below 2**64.

    Raises:
        ValueError: if it is named after none.
    """
    return int(record[:16], 16)


_FAULTS_BEHIND_STRIKES: Final = """
SELECT json_extract(player.value, '$.name') AS bot,
       json_extract(fault.value, '$.code') AS code, COUNT(*) AS number
FROM matches, json_each(matches.result, '$.players') AS player,
     json_each(player.value, '$.faults') AS fault
WHERE json_extract(player.value, '$.out') = 'strikes'
GROUP BY bot, code ORDER BY number DESC, code
"""


def _machines(
    connection: sa.Connection, *conditions: sa.ColumnElement[bool]
) -> dict[str, str]:
    place = tables.machines.c
    query = sa.select(place.match, place.machine).where(*conditions)
    return {row.match: row.machine for row in connection.execute(query)}


def _by_match(rows: sa.Result[Any]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows.mappings():
        found.setdefault(row["match"], []).append(dict(row))
    return found
