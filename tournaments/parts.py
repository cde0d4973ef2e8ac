"""Shards before they are put together: what each holds, and whether they fit.

Nothing is written.  Of a match no more is kept in memory than two numbers: which it is,
and the hash of its record.
"""

import heapq
import json
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from arena.errors import ArenaError
from tournaments.audit import bots_of
from tournaments.changes import unlike
from tournaments.config import PLAYERS, Cup
from tournaments.field import PROGRAMS
from tournaments.folder import RECORDS, cup_of
from tournaments.rows import Kept
from tournaments.schedule import Share
from tournaments.shards import share_of
from tournaments.store import Store, id_of
from tournaments.tidy import FinishedMatches, size_of

TIMES: Final = frozenset({"time_ms", "slowest_ms", "cpu_ms"})
"""Columns of a player in which two plays of one match may differ."""


@dataclass(frozen=True, slots=True)
class Part:
    """A folder of results that is to be put together with others.

    Attributes:
        folder: where it is.
        cup: as it was run, with the names of all bots.
        seed: the cup's.
        share: which part of the tournament was to be played there.
        programs: by what each bot is known, by name.
        finished: the matches whose whole records are there.
        hashes: the first eight bytes of their records' hashes, in the same order.
        torn: how many matches have no whole record; they count as not played.
        outs: who was out of a match, of those that anybody was out of.
        voids: attempts that were void: the match, and which it was.
    """

    folder: Path
    cup: Cup
    seed: str
    share: Share
    programs: dict[str, str]
    finished: FinishedMatches
    hashes: Sequence[int]
    torn: int
    outs: dict[str, frozenset[str]]
    voids: list[tuple[str, int]]


def read_part(folder: Path) -> Part:
    """Return what a folder holds.

    Raises:
        ArenaError: if no tournament has begun there.
    """
    with Store(folder, is_read_only=True, is_still=True) as store:
        if not is_begun(store):
            raise ArenaError(f"{folder}: nothing was begun there; run it, or leave it")
        ids, hashes, torn = array("Q"), array("Q"), 0
        records = folder / RECORDS
        for _, record, size, sha256 in store.saved():
            if size_of(f"{records}/{record}") == size:
                ids.append(id_of(record))
                hashes.append(int(sha256[:16], 16))
            else:
                torn += 1
        return Part(
            folder=folder,
            cup=cup_of(folder, store),
            seed=store.note("seed") or "",
            share=share_of(store),
            programs=json.loads(store.note(PROGRAMS) or "{}"),
            finished=FinishedMatches(ids),
            hashes=hashes,
            torn=torn,
            outs=store.outs(),
            voids=store.voids(),
        )


def is_begun(store: Store) -> bool:
    """Tell whether seed and bots of a tournament are fixed there."""
    return store.note("seed") is not None and len(bots_of(store)) >= PLAYERS


def hold_together(parts: Sequence[Part]) -> None:
    """Check that all parts are of one tournament.

    Raises:
        ArenaError: if two are of other cups, seeds or bots; it names both.
    """
    first, *others = parts
    for part in others:
        what = f"{part.folder} does not go with {first.folder}"
        if part.seed != first.seed:
            raise ArenaError(f"{what}: it was dealt from another seed; leave one out")
        difference = unlike(part.cup, first.cup)
        if difference is not None:
            raise ArenaError(f"{what}: {difference}; leave one out")
        for bot, program in part.programs.items():
            known = first.programs.get(bot, program)
            if known != program and known and program:
                raise ArenaError(
                    f"{what}: bot {bot!r} is another program there; play one of them "
                    "again, with the program of the other"
                )


def repeated(parts: Sequence[Part]) -> list[FinishedMatches]:
    """Return, for each part, its matches that an earlier part has, too.

    Raises:
        ArenaError: if a match came to something else there, but for times.
    """
    again = [array("Q") for _ in parts]
    disputed: dict[tuple[int, int], array[int]] = {}
    for match, copies in groupby(_all_matches(parts), key=itemgetter(0)):
        (_, number, sha256), *others = copies
        for _, other, other_sha256 in others:
            again[other].append(match)
            if other_sha256 != sha256:
                disputed.setdefault((number, other), array("Q")).append(match)
    for (number, other), matches in disputed.items():
        _compare(parts[number], parts[other], FinishedMatches(matches))
    return [FinishedMatches(matches) for matches in again]


def _all_matches(parts: Sequence[Part]) -> Iterator[tuple[int, int, int]]:
    """Yield each part's matches, in order: which, the part's number, the hash."""
    return heapq.merge(
        *(
            zip(part.finished, repeat(number), part.hashes, strict=False)
            for number, part in enumerate(parts)
        )
    )


def _compare(one: Part, other: Part, matches: FinishedMatches) -> None:
    """Compare the results of matches that two parts have.

    Raises:
        ArenaError: if one came to something else there.
    """
    is_meant = matches.__contains__
    pairs = zip(kept_of(one, is_meant), kept_of(other, is_meant), strict=True)
    for kept, again in pairs:
        if _came_to(kept) != _came_to(again):
            raise ArenaError(
                f"{kept.match['match']} came out otherwise in {other.folder} than in "
                f"{one.folder}; leave one of them out"
            )


def kept_of(part: Part, is_wanted: Callable[[str], bool]) -> Iterator[Kept]:
    """Yield what is kept of some of a part's matches, in the order of their names."""
    with Store(part.folder, is_read_only=True, is_still=True) as store:
        for page in store.pages():
            yield from (kept for kept in page if is_wanted(kept.match["match"]))


def _came_to(kept: Kept) -> list[Any]:
    players = [
        {key: value for key, value in row.items() if key not in TIMES}
        for row in kept.players
    ]
    return [kept.match["reason"], kept.match["deals"], *players]
