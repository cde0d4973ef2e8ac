"""The tournaments that are shown: where each is, and whether it has changed.

A folder is opened for each look at it and closed again: so a tournament may be moved
away and played anew, and no reader ever holds up who writes.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from arena.errors import ArenaError
from tournaments.audit import CUP
from tournaments.config import Cup, load_cup
from tournaments.folder import RECORDS
from tournaments.reading import Reader
from tournaments.store import FILE
from tournaments.web.places import slug

_PARTS: Final = (FILE, f"{FILE}-wal", CUP)


Version: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Tournament:
    """A folder of results, and what it is called in addresses."""

    slug: str
    folder: Path

    @property
    def cup(self) -> Cup:
        """The cup as it is run."""
        return load_cup(self.folder / CUP)

    @contextmanager
    def open(self) -> Iterator[Reader]:
        """Look at the results."""
        with Reader(self.folder) as reader:
            yield reader

    def record(self, name: str) -> Path:
        """Return where the record of that name stands."""
        return self.folder / RECORDS / name

    def version(self) -> Version:
        """Return what is another whenever the results are; cheap, nothing is opened."""
        found: list[tuple[int, ...]] = []
        for part in _PARTS:
            try:
                stat = (self.folder / part).stat()
            except FileNotFoundError:
                found.append(())
            else:
                found.append((stat.st_ino, stat.st_size, stat.st_mtime_ns))
        return tuple(found)


class Shelf:
    """All tournaments that are shown, in the order given.

    Raises:
        ArenaError: if a folder is none of a tournament.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.tournaments: dict[str, Tournament] = {}
        for folder in folders:
            with Reader(folder):
                name = load_cup(folder / CUP).name
            place = slug(name)
            if place in self.tournaments:
                raise ArenaError(
                    f"{folder}: the second tournament called {name!r}; show one of them"
                )
            self.tournaments[place] = Tournament(place, folder)

    def __iter__(self) -> Iterator[Tournament]:
        return iter(self.tournaments.values())
