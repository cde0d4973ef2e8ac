"""How a running tournament shows itself: a live line, plain lines, or JSON events.

The table goes to stdout; progress goes to stderr, so that either can be kept alone.
"""

import json
import sys
import time
from abc import ABC, abstractmethod
from collections import Counter
from types import TracebackType
from typing import Any, Final, Self

import click

from arena.naming import shown
from arena.result import MatchResult
from tournaments.audit import standings_from
from tournaments.config import Cup
from tournaments.schedule import is_house
from tournaments.store import Store
from tournaments.sums import SIXTHS

PLAIN_EVERY_S: Final = 10.0
STANDINGS_EVERY_S: Final = 5.0
LEADERS: Final = 3


class Progress(ABC):
    """What a tournament tells of itself while it runs."""

    def __init__(self) -> None:
        self._cup: Cup | None = None
        self._scheduled = 0
        self._done = 0
        self._done_before = 0
        self._began = time.monotonic()
        self._wins: Counter[str] = Counter()

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
        self._done = self._done_before = store.counts()[0] + store.benched_count()
        self._wins.clear()
        for item in store.seat_sums():
            self._wins[item.bot] += item.wins_sixths
        self._began = time.monotonic()
        self._show_begin()

    def finished(self, result: MatchResult, store: Store) -> None:
        """Count a finished match."""
        self._done += 1
        places = result.places or []
        is_counted = not any(is_house(player.name) for player in result.players)
        for player in result.players if is_counted else ():
            if places[player.seat] == 1:
                self._wins[player.name] += SIXTHS // places.count(1)
        self._show_finished(result, store)

    def benched(self, store: Store) -> None:
        """Count what is not played, and what was played in vain."""
        self._done = store.counts()[0] + store.benched_count()

    def started(self, match: str) -> None:
        """Tell that a match has begun."""

    def tick(self) -> None:
        """Bring what is shown up to date; called some times a second."""

    def done(self) -> None:
        """Tell that every match is accounted for."""

    def end(self) -> None:
        """Leave the terminal as it was; may be called twice."""

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
        leaders = ", ".join(
            f"{shown(bot, 'simple')} {sixths / SIXTHS:.1f}"
            for bot, sixths in self._wins.most_common(LEADERS)
        )
        return "; ".join(parts) + (f"; wins: {leaders}" if leaders else "")


class PlainProgress(Progress):
    """A line now and then, for logs and pipes."""

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
        # A table of a large field takes its time: at most a twentieth of ours.
        took = time.monotonic() - began
        self._next = began + max(STANDINGS_EVERY_S, 20 * took)

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


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
