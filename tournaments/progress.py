"""How a running tournament shows itself: a live line, plain lines, or JSON events.

The table goes to stdout; progress goes to stderr, so that either can be kept alone.
"""

import json
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final, Self

import click

from arena.naming import shown
from arena.result import MatchResult
from tournaments.audit import standings_from
from tournaments.config import Cup
from tournaments.store import Store
from tournaments.table import Standings

PLAIN_EVERY_S: Final = 10.0
STANDINGS_EVERY_S: Final = 5.0
LEADERS: Final = 3


class Progress(ABC):
    """What a tournament tells of itself while it runs."""

    _has_leaders = False
    """Whether it shows who leads, for which a table must be made."""

    def __init__(self) -> None:
        self._cup: Cup | None = None
        self._scheduled = 0
        self._done = 0
        self._done_before = 0
        self._began = time.monotonic()
        self._faults = self._outs = 0
        self._leaders = ""
        self._next_table = 0.0
        self.whereabouts: Callable[[], Sequence[str]] = tuple
        """Returns what is to be told of other machines that play."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def begin(self, cup: Cup, scheduled: int, store: Store) -> None:
        """Begin, with what is finished already."""
        self._cup, self._scheduled = cup, scheduled
        self._count(store)
        self._done_before = self._done
        self._look_at_the_table(store)
        self._began = time.monotonic()
        self._show_begin()

    def finished(self, result: MatchResult, store: Store) -> None:
        """Count a finished match."""
        self._done += 1
        self._faults += sum(player.fault_count for player in result.players)
        self._outs += sum(player.out is not None for player in result.players)
        is_last = self._done == self._scheduled
        if self._has_leaders and (is_last or time.monotonic() >= self._next_table):
            self._look_at_the_table(store)
        self._show_finished(result, store)

    def benched(self, store: Store) -> None:
        """Count what is not played, and take back what was played in vain."""
        self._count(store)
        if self._done == self._scheduled:  # the last line has the last table
            self._look_at_the_table(store)

    def _count(self, store: Store) -> None:
        self._done = store.counts()[0] + store.benched_count()
        sums = store.seat_sums()
        self._faults = sum(item.faults for item in sums)
        self._outs = sum(item.outs for item in sums)

    def started(self, match: str) -> None:
        """Tell that a match has begun."""

    def tick(self) -> None:
        """Bring what is shown up to date; called some times a second."""

    def done(self) -> None:
        """Tell that every match is accounted for."""

    def end(self) -> None:
        """Leave the terminal as it was; may be called twice."""

    def _look_at_the_table(self, store: Store) -> None:
        """See who leads; a table of a large field takes its time, so not too often."""
        assert self._cup is not None
        if self._has_leaders:
            began = time.monotonic()
            self._leaders = _leaders(standings_from(store, self._cup))
            self._next_table = next_table_at(began)

    @abstractmethod
    def say(self, text: str) -> None:
        """Show one line for people."""

    def _show_begin(self) -> None:
        """Show the first sight of the tournament."""

    def _show_finished(self, result: MatchResult, store: Store) -> None:
        """Show a finished match."""

    def _line(self) -> str:
        """Return matches done, the rate, the time left and the leaders."""
        took = time.monotonic() - self._began
        played = self._done - self._done_before
        rate = played / took if took > 0 else 0.0
        parts = [f"{self._done}/{self._scheduled} matches"]
        if played:
            left = (self._scheduled - self._done) / rate
            parts += [f"{rate:.1f} a second", f"{_duration(left)} left"]
        if self._leaders:
            parts.append(f"wins: {self._leaders}")
        parts.append(f"faults {self._faults}, outs {self._outs}")
        return "; ".join((*parts, *self.whereabouts()))


class PlainProgress(Progress):
    """A line now and then, for logs and pipes."""

    _has_leaders = True

    def __init__(self) -> None:
        super().__init__()
        self._next = time.monotonic() + PLAIN_EVERY_S

    def say(self, text: str) -> None:
        """Show one line for people."""
        click.echo(text, err=True)

    def _show_begin(self) -> None:
        self.say(self._line())

    def tick(self) -> None:
        """Show where we are, every ten seconds."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PLAIN_EVERY_S
            self.say(self._line())

    def done(self) -> None:
        """Show the last count."""
        self.say(self._line())


class QuietProgress(Progress):
    """Nothing but what must be said: for ``--json``."""

    def say(self, text: str) -> None:
        """Show one line for people."""
        click.echo(text, err=True)


class LiveProgress(Progress):
    """A bar that moves, on a terminal."""

    _has_leaders = True

    def __init__(self) -> None:
        super().__init__()
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(
            BarColumn(bar_width=24),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,  # our own loop ticks: no thread beside a fork
        )
        self._task = self._bar.add_task("")
        self._is_live = False

    def say(self, text: str) -> None:
        """Show one line for people, above the bar."""
        self._bar.console.print(text, markup=False, highlight=False)

    def _show_begin(self) -> None:
        self._bar.start()
        self._is_live = True
        self.tick()

    def tick(self) -> None:
        """Move the bar."""
        if self._is_live:
            self._bar.update(
                self._task,
                total=self._scheduled,
                completed=self._done,
                description=self._line(),
            )
            self._bar.refresh()

    def end(self) -> None:
        """Take the bar away."""
        if self._is_live:
            self._is_live = False
            self._bar.stop()


class EventProgress(Progress):
    """One JSON object a line on stdout, for programs."""

    def __init__(self) -> None:
        super().__init__()
        self._next = time.monotonic() + STANDINGS_EVERY_S
        self._store: Store | None = None

    def say(self, text: str) -> None:
        """Show one line for people."""
        click.echo(text, err=True)

    def started(self, match: str) -> None:
        """Tell that a match has begun."""
        self._emit("match_started", {"match": match})

    def _show_begin(self) -> None:
        sys.stdout.flush()

    def begin(self, cup: Cup, scheduled: int, store: Store) -> None:
        """Begin, with what is finished already."""
        self._store = store
        super().begin(cup, scheduled, store)

    def _show_finished(self, result: MatchResult, store: Store) -> None:
        self._emit("match_finished", result.public())
        if time.monotonic() >= self._next:
            self._standings()

    def _standings(self) -> None:
        assert self._store is not None
        assert self._cup is not None
        began = time.monotonic()
        table = standings_from(self._store, self._cup)
        self._emit("standings", table.model_dump(mode="json"))
        self._next = next_table_at(began)

    def done(self) -> None:
        """Tell the table, and that every match is accounted for."""
        assert self._store is not None
        self._standings()
        finished, void = self._store.counts()
        self._emit(
            "done",
            {"finished": finished, "scheduled": self._scheduled, "void": void},
        )

    def _emit(self, event: str, value: dict[str, Any]) -> None:
        click.echo(json.dumps({"event": event, **value}))
        sys.stdout.flush()


def open_progress(*, json_events: bool, is_quiet: bool) -> Progress:
    """Return how progress is shown: as asked, else as the terminal allows."""
    if json_events:
        return EventProgress()
    if is_quiet:
        return QuietProgress()
    return LiveProgress() if sys.stderr.isatty() else PlainProgress()


def next_table_at(began: float) -> float:
    """Return when to make the next table after one that was begun at ``began``.

    That of a large field takes its time: at most a twentieth of ours.
    """
    return began + max(STANDINGS_EVERY_S, 20 * (time.monotonic() - began))


def _leaders(standings: Standings) -> str:
    """Return the first few, each with its share of wins and the interval."""
    texts = []
    for row in standings.rows[:LEADERS]:
        if row.win_rate is None:
            continue
        text = f"{shown(row.bot, 'simple')} {100 * row.win_rate:.0f} %"
        if row.win_rate_low is not None and row.win_rate_high is not None:
            text += f" ({100 * row.win_rate_low:.0f}-{100 * row.win_rate_high:.0f})"
        texts.append(text)
    return ", ".join(texts)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
