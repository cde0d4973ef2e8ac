"""Folder and store made to agree after any end, and what is finished, in little room.

A run may go on after a million matches: then even their names are too much to hold.
"""

import os
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tournaments.docket import Settled
from tournaments.store import Store, file_of, id_of, number_of


class FinishedMatches:
    """The finished matches, by the numbers that their records are named after."""

    def __init__(self, ids: Iterable[int] = ()) -> None:
        self._ids = array("Q", sorted(ids))  # eight bytes each, where a set takes 70

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._ids)

    def __iter__(self) -> Iterator[int]:
        """Yield their numbers, the least first."""
        return iter(self._ids)

    def __contains__(self, match: object) -> bool:
        """Tell whether a match is finished."""
        return isinstance(match, str) and self._has(number_of(match))

    def has_record(self, name: str) -> bool:
        """Tell whether a record of this name is one of theirs."""
        try:
            wanted = id_of(name)
        except ValueError:
            return False
        return self._has(wanted) and name == f"{wanted:016x}.jsonl"

    def _has(self, number: int) -> bool:
        place = bisect_left(self._ids, number)
        return place < len(self._ids) and self._ids[place] == number


def tidy_up(store: Store, records: Path, running: Path) -> FinishedMatches:
    """Make them agree: a match without its whole record is played again.

    Args:
        store: the results.
        records: the folder of finished records; what belongs to no match is deleted.
        running: the folder of records being written; nobody writes there now.
    """
    for part in running.iterdir():
        part.unlink()
    ids, torn = array("Q"), []
    for match, record, size, _ in store.saved():
        if size_of(f"{records}/{record}") == size:
            ids.append(id_of(record))
        else:
            torn.append(match)
    for match in torn:
        store.forget(match)
    finished = FinishedMatches(ids)
    # All of theirs are there: other files are, when there are more.
    with os.scandir(records) as entries:
        there = sum(1 for _ in entries)
    if there > len(finished):
        with os.scandir(records) as entries:
            strangers = [e.path for e in entries if not finished.has_record(e.name)]
        for path in strangers:
            Path(path).unlink()
    return finished


def settle(store: Store, records: Path, settled: Sequence[Settled]) -> bool:
    """Note who is benched for which matches, and take back what was played of them.

    Return whether there is one that was not benched before.
    """
    new = []
    for item in settled:
        match = item.pairing.match
        if item.losers:
            new.append((item.pairing, item.losers))
            if item.was_played:
                store.forget(match)
                (records / file_of(match)).unlink(missing_ok=True)
        else:
            store.unbench(match)  # more rounds or bots: another order
    if new:
        store.bench(new)
    return bool(new)


def size_of(path: str) -> int | None:
    """Return the size of a file, in bytes; None where there is none."""
    try:
        return os.stat(path).st_size  # noqa: PTH116 - a Path costs more than the call
    except OSError:
        return None
