"""The field of a tournament: who plays, found, built, and kept apart.

The bots of the cup file, the entrants of its folder of submissions, and the house bots
that fill a schedule up.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.botspec import BotSpec, command_bot, find_bot, keep_apart
from arena.builds import fingerprint, make_ready
from arena.diagnosis import last_lines
from arena.errors import ArenaError
from arena.host import is_shared
from arena.link import Link
from arena.naming import shown
from arena.sandbox import Level, Limits
from protocol.messages import HelloLimits
from tournaments.audit import bots_of
from tournaments.config import PLAYERS, Cup, check_names
from tournaments.probing import probe
from tournaments.store import Store
from tournaments.submissions import Entrants, LeftOut, Say, gather

PROGRAMS: Final = "programs"  # the note of what each bot was at first
HOUSE_BOT: Final = "careful"  # a sample: where a place is filled up, it is played for


def find_field(
    path: Path, cup: Cup, level: Level, say: Say, *, is_built: bool = True
) -> "Field":
    """Return who is to play, each built that is to be.

    Args:
        path: the cup file.
        cup: what it says.
        level: how far builds are kept apart.
        say: is told what is being built, and who is left out.
        is_built: whether that is done here; else each is left as its author made it.

    Raises:
        ArenaError: if a bot of the cup file is not there or cannot be built, or if two
            have one name.
    """
    specs = _find_bots(cup, path)
    check_names(path, [spec.name for spec in specs])
    if is_built:
        specs = make_ready(specs, level, say)
    entrants = Entrants((), ())
    if cup.submissions is not None:
        folder = path.absolute().parent / _at_home(cup.submissions)
        entrants = gather(folder, level, say, is_built=is_built)
        runtimes = _runtimes(cup, path)
        specs_of = [replace(spec, runtimes=runtimes) for spec in entrants.bots]
        entrants = replace(entrants, bots=tuple(specs_of))
    return Field(path, cup, level, say, tuple(specs), entrants)


@dataclass(frozen=True, slots=True)
class Field:
    """Who is to play, before newcomers have shown that they can start."""

    path: Path
    cup: Cup
    level: Level
    say: Say
    bots: tuple[BotSpec, ...]
    entrants: Entrants

    def seated(self, link: Link, store: Store) -> tuple[list[BotSpec], Cup]:
        """Return all who play, house bots included, and the cup with their names.

        Of the entrants those are left out that cannot start; who has played already
        stays, and forfeits.

        Args:
            link: an engine to try newcomers with.
            store: the results that are there.

        Raises:
            ArenaError: if fewer than three are left, or two have one name.
        """
        entrants = self._who_start(link, set(bots_of(store)))
        specs = [*self.bots, *entrants]
        names = [spec.name for spec in specs]
        self._check(names)
        cup = self.cup.with_entrants([spec.name for spec in entrants]).named(names)
        house = [replace(find_bot(HOUSE_BOT), name=name) for name in cup.house]
        self._warn_of_changes(specs, store)
        results = [cup.folder.resolve()]  # shards, too, lie in it
        return keep_apart([*specs, *house], results, [self.path.resolve()]), cup

    def _warn_of_changes(self, specs: Sequence[BotSpec], store: Store) -> None:
        """Say which bots are others than those whose matches are there."""
        known: dict[str, str] = json.loads(store.note(PROGRAMS) or "{}")
        now = {spec.name: fingerprint(spec) for spec in specs}
        for name, program in now.items():
            if known.get(name, program) != program:
                self.say(
                    f"warning: bot {name!r} has changed since its first matches here, "
                    "and old and new count together; for a clean table give the cup "
                    "another name"
                )
        store.set_note(PROGRAMS, json.dumps(now | known))

    def _who_start(self, link: Link, known: set[str]) -> list[BotSpec]:
        newcomers = [bot for bot in self.entrants.bots if bot.name not in known]
        clock = self.cup.clock
        hello = HelloLimits(
            hello_ms=clock.hello_ms, start_ms=clock.start_ms, end_ms=clock.end_ms
        )
        limits = Limits(**self.cup.limits.model_dump())
        failed = {
            probed.name: LeftOut(
                probed.name,
                probed.failure or "",
                tuple(shown(line, "simple") for line in last_lines(probed.stderr)),
            )
            for probed in probe(
                link, newcomers, self.cup.game, self.level, limits, hello
            )
        }
        for out in (*self.entrants.left_out, *failed.values()):
            for line in out.told():
                self.say(line)
        return [bot for bot in self.entrants.bots if bot.name not in failed]

    def _check(self, names: Sequence[str]) -> None:
        own = {bot.name for bot in self.bots}
        for name in names[len(self.bots) :]:
            if name in own:
                raise ArenaError(
                    f"{self.path}: an entrant is called {shown(name)!r}, as a bot of "
                    "the cup file; rename one of them"
                )
        if len(names) < PLAYERS:
            raise ArenaError(
                f"{self.path}: {len(names)} bots can play, a table needs {PLAYERS}; "
                "mend those that are left out, or add some"
            )


def _find_bots(cup: Cup, path: Path) -> list[BotSpec]:
    base = path.absolute().parent
    runtimes = _runtimes(cup, path)
    specs = []
    for number, entry in enumerate(cup.bots, 1):
        try:
            if entry.command is not None:
                words = list(entry.command)
                spec = command_bot(words, (base / (entry.dir or ".")).resolve())
            else:
                spec = find_bot(entry.bot or entry.sample or "", base)
        except ArenaError as error:
            raise ArenaError(f"{path}: [[bots]] number {number}: {error}") from None
        specs.append(replace(spec, name=entry.name or spec.name, runtimes=runtimes))
    return specs


def _runtimes(cup: Cup, path: Path) -> tuple[Path, ...]:
    base = path.absolute().parent
    folders = [(base / _at_home(text)).resolve() for text in cup.runtimes]
    for text, folder in zip(cup.runtimes, folders, strict=True):
        if not folder.is_dir():
            raise ArenaError(f"{path}: runtimes: no folder {text!r}; correct its path")
        if is_shared(folder):
            raise ArenaError(
                f"{path}: runtimes: {text!r} holds more than one program's files; "
                "list the folder of the runtime alone"
            )
    return tuple(folders)


def _at_home(text: str) -> str:
    """Return a path whose ``~`` stands for a home; one of nobody's stays as it is."""
    return os.path.expanduser(text)  # noqa: PTH111 - Path's raises where nobody is
