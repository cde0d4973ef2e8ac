"""The file of a tournament's results: opened, its errors told in words, its notes.

What is asked of the results themselves is the store's, which is one of these.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DatabaseError, OperationalError

from arena.errors import ArenaError, CannotGoOnError
from tournaments import store_tables as tables

FILE: Final = "results.sqlite"


class StoreFile:
    """The open file of one tournament's results, and its notes.

    Args:
        folder: the tournament's.
        is_new: make them if they are not there.
        is_durable: what is kept outlives a failure of power.
        is_read_only: change nothing in it; a run may go on writing.
        is_still: with that, nobody writes: then nothing is made beside it, either.

    Raises:
        CannotGoOnError: from any method, when the file is locked, damaged or full.
    """

    def __init__(
        self,
        folder: Path,
        *,
        is_new: bool = False,
        is_durable: bool = False,
        is_read_only: bool = False,
        is_still: bool = False,
    ) -> None:
        self._path = folder / FILE
        if not is_new and not self._path.is_file():
            raise ArenaError(
                f"{folder}: no results there; name the folder of a tournament"
            )
        self._engine = sa.create_engine(tables.url(self._path, is_read_only, is_still))
        set_up = tables.set_up_durably if is_durable else tables.set_up
        if is_read_only:
            set_up = tables.set_up_to_read
        sa.event.listen(self._engine, "connect", set_up)
        with self._guarded():
            with self._engine.begin() as connection:
                if is_new:
                    tables.meta.create_all(connection)
                    _set_note(connection, "version", tables.VERSION, is_kept=True)
                version = _note(connection, "version")
            self._connection = self._engine.connect()
        if version != tables.VERSION:
            raise ArenaError(
                f"{self._path}: results of another version of the arena ({version}); "
                "read them with that version"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        self._engine.dispose()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except OperationalError as error:
            text = str(error.orig)
            if "no such table" in text:  # it was killed, or the disk was full
                raise ArenaError(
                    f"{self._path}: no results yet; give the command that was to make "
                    "them again"
                ) from error
            remedy = (
                "another program holds it; end that one and run the same command again"
                if "locked" in text
                else "free some room on the disk, or see its permissions, and run the "
                "same command again"
            )
            raise CannotGoOnError(f"{self._path}: {text}; {remedy}") from error
        except (DatabaseError, sqlite3.DatabaseError) as error:
            text = str(getattr(error, "orig", error))
            raise CannotGoOnError(
                f"{self._path}: damaged ({text}); put a copy in its place, or "
                "move the folder away and play again"
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        with self._guarded(), self._connection.begin():
            yield self._connection

    # --- notes ---

    def note(self, key: str) -> str | None:
        """Return what was noted under ``key``."""
        with self._transaction() as connection:
            return _note(connection, key)

    def set_note(self, key: str, value: str) -> None:
        """Note ``value`` under ``key``."""
        with self._transaction() as connection:
            _set_note(connection, key, value)


def _note(connection: sa.Connection, key: str) -> str | None:
    query = sa.select(tables.notes.c.value).where(tables.notes.c.key == key)
    value: str | None = connection.scalar(query)
    return value


def _set_note(
    connection: sa.Connection, key: str, value: str, *, is_kept: bool = False
) -> None:
    statement = insert(tables.notes).values(key=key, value=value)
    connection.execute(
        statement.on_conflict_do_nothing()
        if is_kept
        else statement.on_conflict_do_update(
            index_elements=[tables.notes.c.key], set_={"value": value}
        )
    )
