"""Shards put together: the tournament as one run would have left it.

The records of all shards are held against the whole schedule, in its order: so comes
out who is benched, and what one run would not have played is left out.  Whatever ends a
merge, the same command again goes on with it; the shards stay as they are.
"""

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Final

import click

from arena.errors import ArenaError, CannotGoOnError
from arena.record import PART
from tournaments.audit import CUP, standings_from
from tournaments.docket import Docket, Settled
from tournaments.durable import Disk, link_or_copy
from tournaments.field import PROGRAMS
from tournaments.folder import (
    BEGUN,
    RECORDS,
    RUNNING,
    VOID,
    bind,
    keep_cup,
    keep_seed,
    locked,
    make_folders,
    reveal,
    undisturbed,
)
from tournaments.parts import (
    Part,
    hold_together,
    is_begun,
    kept_of,
    read_part,
    repeated,
)
from tournaments.proof import Proof, dealt_from
from tournaments.reports import render
from tournaments.schedule import Plan, count, pairings
from tournaments.shards import keep_share
from tournaments.store import Store, number_of
from tournaments.tidy import FinishedMatches, settle, tidy_up

MATCHES_AT_A_TIME: Final = 600  # in one transaction


def merge(folders: Sequence[Path], out: Path, *, as_json: bool) -> int:
    """Put shards together in the folder ``out``; return the exit code.

    Raises:
        ArenaError: if they do not fit, or one is being played.
        CannotGoOnError: if the disk does not take them; what is there is kept.
    """
    _check_folders(folders, out)
    disk = Disk()
    with ExitStack() as stack:
        for folder in folders:
            stack.enter_context(undisturbed(folder))
        parts = [read_part(folder) for folder in folders]
        hold_together(parts)
        again = repeated(parts)  # before anything is made
        make_folders(out)
        stack.enter_context(locked(out))
        store = stack.enter_context(Store(out, is_new=True))
        if is_begun(store):
            parts.insert(0, read_part(out))
            hold_together(parts)
            again = repeated(parts)
        proof = _found(out, parts, store, disk)
        verdict = _judge(parts, store)
        tidy_up(store, out / RECORDS, out / RUNNING)
        for part, known in zip(parts, again, strict=True):
            if part.folder != out:
                _say(_told(part))
                _bring(_Wanted(part, known, verdict.in_vain), out, store, disk)
        settle(store, out / RECORDS, verdict.settled)
        if verdict.missing:
            _say(_what_is_missing(verdict, parts))
        else:
            reveal(out, proof, disk)
        standings = standings_from(store, parts[0].cup)
    os.sync()  # the shards may be deleted now
    click.echo(render(standings, "json" if as_json else "simple"))
    return 0


def _say(line: str) -> None:
    click.echo(line, err=True)


def _check_folders(folders: Sequence[Path], out: Path) -> None:
    named: dict[Path, Path] = {}
    for folder in folders:
        if folder.resolve() == out.resolve():
            raise ArenaError(f"{folder}: --out is to be another folder than the shards")
        other = named.setdefault(folder.resolve(), folder)
        if other is not folder:
            raise ArenaError(f"{folder} is the same folder as {other}; name it once")


def _found(out: Path, parts: Sequence[Part], store: Store, disk: Disk) -> Proof:
    """Make the folder that of the tournament; return its proof, seed and all."""
    first = parts[0]
    keep_share(out, None, store)
    cup = first.cup.model_copy(update={"seed": first.seed})
    path = first.folder / CUP
    proof = keep_seed(cup, path, out, store, disk)
    keep_cup(out, path, first.cup, store, disk)
    programs: dict[str, str] = {}
    for part in parts:
        programs = part.programs | programs
    store.set_note(PROGRAMS, json.dumps(programs))
    store.set_note(BEGUN, "yes")
    return bind(out, proof, first.cup, disk)


# --- what counts --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What the whole schedule says of the matches that are there.

    ``missing`` is how many are to be played yet, of ``scheduled``; ``in_vain`` are
    those that one run would not have played.
    """

    settled: list[Settled]
    in_vain: FinishedMatches
    missing: int
    scheduled: int


def _judge(parts: Sequence[Part], store: Store) -> _Verdict:
    cup = parts[0].cup
    names = [bot.name or "" for bot in cup.bots]
    seed = dealt_from(parts[0].seed, cup.public)
    plan = Plan(cup.name, seed, names, cup.rounds, cup.schedule)
    finished = FinishedMatches(chain.from_iterable(part.finished for part in parts))
    outs: dict[str, frozenset[str]] = {}
    for part in parts:
        outs |= part.outs
    benched = FinishedMatches(number_of(match) for match in store.benched_matches())
    docket = Docket(
        pairings(plan),
        lambda match: outs.get(match, frozenset()) if match in finished else None,
        names,
        cup.bench_after,
        was_benched=benched.__contains__,
    )
    missing = len(docket.draw_all())
    settled = docket.settled()
    in_vain = FinishedMatches(
        number_of(item.pairing.match)
        for item in settled
        if item.losers and item.was_played
    )
    scheduled = count(len(names), cup.rounds, cup.schedule)
    return _Verdict(settled, in_vain, missing, scheduled)


# --- what is brought ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be brought of a part: all but what is there and what is in vain."""

    part: Part
    there: FinishedMatches
    in_vain: FinishedMatches

    def has(self, match: str) -> bool:
        return (
            match in self.part.finished
            and match not in self.there
            and match not in self.in_vain
        )


def _bring(wanted: _Wanted, out: Path, store: Store, disk: Disk) -> None:
    """Bring the matches that are wanted of a part: records first, then rows."""
    part = wanted.part
    kept = kept_of(part, wanted.has)
    while some := list(islice(kept, MATCHES_AT_A_TIME)):
        for one in some:
            _bring_file(part.folder, out, RECORDS, one.match["record"], disk)
        store.take_over(some)
    for match, attempt in part.voids:
        store.save_void(match, attempt)
    for path in sorted((part.folder / VOID).glob("*.jsonl")):
        if not (out / VOID / path.name).exists():
            _bring_file(part.folder, out, VOID, path.name, disk)


def _bring_file(source: Path, out: Path, folder: str, name: str, disk: Disk) -> None:
    try:
        link_or_copy(
            source / folder / name,
            out / folder / name,
            out / RUNNING / (name + PART),
            disk,
        )
    except OSError as error:
        raise CannotGoOnError(
            f"{error.filename2 or error.filename}: {error.strerror}; see to the disk, "
            "and give the same command again"
        ) from error


# --- what is told -------------------------------------------------------------------


def _told(part: Part) -> str:
    share = "" if part.share.is_whole else f"shard {part.share}, "
    torn = f", {part.torn} without a whole record left out" if part.torn else ""
    return f"{part.folder}: {share}{len(part.finished)} matches{torn}"


def _what_is_missing(verdict: _Verdict, parts: Sequence[Part]) -> str:
    shares = {part.share for part in parts if not part.share.is_whole}
    text = f"{verdict.missing} of {verdict.scheduled} matches are missing"
    absent: list[str] = []
    if len({share.of for share in shares}) == 1:
        of = next(iter(shares)).of
        there = {share.number for share in shares}
        absent = [f"{k}/{of}" for k in range(1, of + 1) if k not in there]
    if absent:
        text += f", with shard {', '.join(absent[:20])}"
    return f"{text}; merge again when they are there, or go on with  trianon run"
