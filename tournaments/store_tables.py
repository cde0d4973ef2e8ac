"""The tables of the results: their columns, and how rows become sums.

Only the store uses them; what they are called and hold is nobody else's business.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from tournaments.sums import BLOCK_FIELDS, GREATEST, SEAT_FIELDS, Row

VERSION: Final = "2"
BUSY_MS: Final = 2000  # how long a writer waits for a reader that holds the file

meta = sa.MetaData()
notes = sa.Table(
    "notes",
    meta,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
matches = sa.Table(
    "matches",
    meta,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("triple", sa.Text, nullable=False),
    sa.Column("block", sa.Integer, nullable=False),
    sa.Column("has_house", sa.Boolean, nullable=False),  # then it counts for nobody
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("deals", sa.Integer, nullable=False),
    sa.Column("sandbox", sa.Text, nullable=False),
    sa.Column("wall_ms", sa.Integer, nullable=False),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("result", sa.Text),  # of matches with a fault, an out or a warning
)
players = sa.Table(
    "players",
    meta,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("bot", sa.Text, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("score", sa.Integer, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("deals", sa.Integer, nullable=False),
    sa.Column("faults", sa.Integer, nullable=False),
    sa.Column("out", sa.Text),
    sa.Column("moves", sa.Integer, nullable=False),
    sa.Column("time_ms", sa.Integer, nullable=False),
    sa.Column("slowest_ms", sa.Integer, nullable=False),
    sa.Column("cpu_ms", sa.Integer, nullable=False),
    sa.Column("contracts", sa.Integer, nullable=False),
    sa.Column("made", sa.Integer, nullable=False),
    sa.Column("levels", sa.Integer, nullable=False),
    sa.Column("undeclared", sa.Integer, nullable=False),
)
machines = sa.Table(
    "machines",  # where matches were played that were not played here
    meta,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("machine", sa.Text, nullable=False),
)
voids = sa.Table(
    "voids",
    meta,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
)

benched = sa.Table(
    "benched",  # matches that are not played, and for whom they are lost
    meta,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("bot", sa.Text, nullable=False),
    sa.Column("has_house", sa.Boolean, nullable=False),  # then it counts for nobody
)


def _sums(name: str, keys: Mapping[str, Any], fields: Sequence[str]) -> sa.Table:
    return sa.Table(
        name,
        meta,
        *(sa.Column(key, kind, primary_key=True) for key, kind in keys.items()),
        *(sa.Column(field, sa.Integer, nullable=False) for field in fields),
        sqlite_with_rowid=False,  # read in the order of the key
    )


block_sums = _sums("block_sums", {"triple": sa.Text, "block": sa.Integer}, BLOCK_FIELDS)
seat_sums = _sums("seat_sums", {"bot": sa.Text, "seat": sa.Integer}, SEAT_FIELDS)
SUM_TABLES: Final = ((block_sums, BLOCK_FIELDS), (seat_sums, SEAT_FIELDS))


def _adding(table: sa.Table, fields: Sequence[str]) -> sa.Executable:
    statement = insert(table)
    new = statement.excluded
    changes = {
        name: sa.func.max(table.c[name], new[name])
        if name in GREATEST
        else table.c[name] + new[name]
        for name in fields
    }
    return statement.on_conflict_do_update(
        index_elements=list(table.primary_key.columns), set_=changes
    )


# Made once: to make one takes as long as to execute it ten times.
_ADDING: Final = {table: _adding(table, fields) for table, fields in SUM_TABLES}


def add(connection: sa.Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    """Add each row's fields to the sum that has its key."""
    if rows:  # none of a match that counts for nobody
        connection.execute(_ADDING[table], rows)


def take_away(
    connection: sa.Connection,
    table: sa.Table,
    row: Row,
    fields: Sequence[str],
) -> None:
    """Take a row's fields from the sum that has its key."""
    where = sa.and_(*(column == row[column.name] for column in table.primary_key))
    changes: Row = {
        name: table.c[name] - row[name] for name in fields if name not in GREATEST
    }
    if table is seat_sums:
        changes["slowest_ms"] = _slowest(row)
    connection.execute(sa.update(table).where(where).values(changes))
    connection.execute(sa.delete(table).where(where, table.c.matches == 0))


def _slowest(row: Row) -> Any:
    """Return the query for the slowest move that is left of a bot in a seat."""
    counted = matches.c.match == players.c.match, ~matches.c.has_house
    of_seat = players.c.bot == row["bot"], players.c.seat == row["seat"]
    slowest = sa.func.coalesce(sa.func.max(players.c.slowest_ms), 0)
    return sa.select(slowest).where(*counted, *of_seat).scalar_subquery()


def url(path: Path, is_read_only: bool, is_still: bool) -> str:
    """Return what opens the file; ``is_still``: nobody writes to it meanwhile."""
    if not is_read_only:
        return f"sqlite:///{path}"
    # Where nothing may be written beside the file, and nothing waits to be taken into
    # it, it is read as it stands.
    log = path.with_name(path.name + "-wal")
    has_log = log.exists() and (not is_still or log.stat().st_size > 0)
    is_as_it_stands = is_still or not os.access(path.parent, os.W_OK)
    mode = "mode=ro&immutable=1" if is_as_it_stands and not has_log else "mode=ro"
    return f"sqlite:///file:{quote(str(path))}?{mode}&uri=true"


def set_up_to_read(connection: Any, _record: object) -> None:
    """Have no statement change anything, whatever it says."""
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA query_only = ON")


def set_up(connection: Any, _record: object) -> None:
    """Let readers read while we write; a commit outlives the death of any process."""
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")


def set_up_durably(connection: Any, record: object) -> None:
    """The same, and a commit outlives a failure of power."""
    set_up(connection, record)
    connection.execute("PRAGMA synchronous = FULL")
