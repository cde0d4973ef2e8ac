"""One look at a tournament: all that its pages are made of, at one moment.

A look is a value that nothing changes; the next one is made from what is new.  How long
it takes goes with the number of blocks, so a page never waits for one: it shows the
last.
"""

import fcntl
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from tournaments.audit import bots_of, standings_from
from tournaments.config import Cup
from tournaments.folder import LOCK
from tournaments.reading import MatchLine, Reader
from tournaments.table import Standings
from tournaments.web.curve import Point
from tournaments.web.history import History, Memory
from tournaments.web.shelf import Tournament, Version
from tournaments.web.shown import is_open

RATE_OVER: Final = 60
"""Matches over which the rate is taken: enough to be steady, few enough to be new."""


class State(Enum):
    """What a tournament is doing; the values are words' keys."""

    WAITING = "waiting"  # nothing is finished, nobody plays
    PLAYING = "playing"
    STOPPED = "stopped"
    DONE = "finished"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is.

    Attributes:
        state: what it is doing.
        done: matches that are finished or, ``benched``, will not be played.
        scheduled: matches in all.
        per_minute: how many are finished a minute; None while nobody plays.
        left_s: about how many seconds are left; None where that is not known.
    """

    state: State
    done: int
    scheduled: int
    benched: int
    void: int
    faults: int
    outs: int
    per_minute: float | None
    left_s: float | None

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1."""
        return self.done / self.scheduled if self.scheduled else 0.0


@dataclass(frozen=True, slots=True)
class Look:
    """A tournament at one moment.

    Attributes:
        tournament: which.
        version: of its files, when it was looked at.
        cup: the cup as it is run.
        standings: the table, with heads, seats and deals.
        progress: how far it is.
        points: the curve of the ratings, in the order of ``names``.
        names: the entrants, as the curve has them.
        memories: what is shown of single matches, by bot.
        open_records: those of the records in ``memories`` that may be shown.
    """

    tournament: Tournament
    version: Version
    cup: Cup
    standings: Standings
    progress: Progress
    names: tuple[str, ...]
    points: tuple[Point, ...]
    memories: Mapping[str, Memory]
    open_records: frozenset[str]


@dataclass(slots=True)
class Watch:
    """Looks at one tournament again and again, and reads only what is new."""

    tournament: Tournament
    _history: History = field(default_factory=lambda: History(()))

    def look(self) -> Look:
        """Look at the tournament as it is now.

        Raises:
            ArenaError: if it is not there, or cannot be read.
        """
        version = self.tournament.version()
        cup = self.tournament.cup
        with self.tournament.open() as reader:
            standings = standings_from(reader, cup, heads=True, seats=True, deals=True)
            self._read_on(reader)
            memories = self._history.memories()
            lines = {line.record: line for line in _lines_in(memories)}
            return Look(
                tournament=self.tournament,
                version=version,
                cup=cup,
                standings=standings,
                progress=_progress(self.tournament, standings, reader),
                names=self._history.names,
                points=self._history.points,
                memories=memories,
                open_records=frozenset(
                    record for record, line in lines.items() if is_open(reader, line)
                ),
            )

    def _read_on(self, reader: Reader) -> None:
        """Take in what was finished since the last look; begin anew where it must be.

        A match may have been taken back, and the whole folder may be another one.
        """
        names = tuple(bots_of(reader))
        finished, _ = reader.counts()
        if names == self._history.names:
            for line in reader.lines_after(self._history.last_number):
                self._history.add(line)
        if (
            names != self._history.names
            or self._history.matches < finished
            or (self._history.last_number != reader.last_number())
        ):
            self._history = History(names)
            for line in reader.lines_after(0):
                self._history.add(line)


def _lines_in(memories: Mapping[str, Memory]) -> list[MatchLine]:
    lines = []
    for memory in memories.values():
        lines += [line for _, line in memory.slowest]
        lines += [item[1] for item in (memory.best, memory.worst) if item is not None]
        lines += memory.faulty
    return lines


def _progress(tournament: Tournament, standings: Standings, reader: Reader) -> Progress:
    done = standings.finished + standings.benched
    left = standings.scheduled - done
    if left <= 0:
        state = State.DONE
    elif is_played(tournament):
        state = State.PLAYING
    else:
        state = State.STOPPED if done else State.WAITING
    rate = _rate(tournament, reader) if state is State.PLAYING else None
    return Progress(
        state=state,
        done=done,
        scheduled=standings.scheduled,
        benched=standings.benched,
        void=standings.void,
        faults=sum(row.faults for row in standings.rows),
        outs=sum(row.outs for row in standings.rows),
        per_minute=None if rate is None else 60 * rate,
        left_s=left / rate if rate else None,
    )


def _rate(tournament: Tournament, reader: Reader) -> float | None:
    """Return how many matches a second were finished lately.

    By the times of their records, so that it is known as soon as a server is there.
    """
    lines = reader.newest(RATE_OVER)
    if not lines:
        return None
    try:
        oldest = tournament.record(lines[0].record).stat().st_mtime
    except OSError:
        return None
    return len(lines) / max(1.0, time.time() - oldest)


def is_played(tournament: Tournament) -> bool:
    """Tell whether a run holds the folder.

    Its lock is tried for less than a moment; a run that begins just then tries again.
    """
    try:
        descriptor = os.open(tournament.folder / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(descriptor)
