"""``trianon compare``: rounds of real matches, until the test has its verdict.

A round is one bot against two of another, in the three seats on the same deals; with a
third bot, the one against two of that and the other against two of that.  Rounds are
weighed in their order, whichever ends first: the verdict is the same however many
matches are played at a time.
"""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

import click

from arena import __version__
from arena.botspec import BotSpec, find_bot, keep_apart
from arena.builds import make_ready
from arena.dealing import block_seed, new_seed
from arena.engines import open_engines
from arena.errors import ArenaError, CannotGoOnError
from arena.games import GAMES
from arena.host import Choice, choose_level, describe
from arena.interrupts import held
from arena.link import Link
from arena.naming import numbered, shown
from arena.orders import (
    Broken,
    Checked,
    Finished,
    PlayOrder,
    Probed,
    Report,
    ResentReport,
    Started,
    Stepped,
    Told,
)
from arena.result import MatchResult
from arena.sandbox import Limits
from arena.setup import DEFAULT_LIMITS, MatchSetup
from tournaments.compare import BOUND, GAIN, Trial, Verdict
from tournaments.intervals import Interval
from tournaments.probing import complaint, last_words, probe

DEALS: Final = 12
"""Deals of a match: in a fixed number, points a deal tell bots apart soonest."""
MAX_ATTEMPTS: Final = 5  # of one match whose failures are ours
TICK_S: Final = 0.2
PLAIN_EVERY_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class _Due:
    """A match that is to be played: seat by seat, and which seat is looked at."""

    match: str
    round: int
    side: int
    seat: int
    attempt: int = 1


@dataclass(slots=True)
class _Side:
    """What one bot has against the two others of its table, over a round."""

    matches: int = 0
    deals: int = 0
    points: int = 0
    others: int = 0

    def add(self, result: MatchResult, seat: int) -> None:
        """Add a match.  A deal that a bot was out of has no points for it."""
        self.matches += 1
        self.deals += result.deals
        for player in result.players:
            if player.seat == seat:
                self.points += player.own_points
            else:
                self.others += player.own_points

    @property
    def lead(self) -> float:
        """Its points a deal less the mean of the two others'."""
        return (self.points - self.others / 2) / self.deals if self.deals else 0.0


@dataclass(slots=True)
class _Table:
    """Who plays whom: one bot at one seat, and another at both others."""

    bot: BotSpec
    against: BotSpec

    def seated(self, seat: int) -> tuple[BotSpec, BotSpec, BotSpec]:
        """Return the bots by seat; equal names are told apart."""
        specs = [self.against] * 3
        specs[seat] = self.bot
        names = numbered([spec.name for spec in specs])
        one, two, three = (
            replace(spec, name=name) for spec, name in zip(specs, names, strict=True)
        )
        return one, two, three


@dataclass(slots=True)
class _Rounds:
    """Rounds that are not all played yet, and the next to be weighed."""

    sides: int
    next: int = 1
    found: dict[int, list[_Side]] = field(default_factory=dict)

    def add(self, due: _Due, result: MatchResult) -> Iterator[float]:
        """Take in a match; yield the values of rounds that are whole and in turn."""
        sides = self.found.setdefault(due.round, [_Side() for _ in range(self.sides)])
        sides[due.side].add(result, due.seat)
        while (ready := self.found.get(self.next)) and all(
            side.matches == len(SEATS) for side in ready
        ):
            del self.found[self.next]
            self.next += 1
            yield ready[0].lead - (ready[1].lead if self.sides > 1 else 0.0)


SEATS: Final = range(3)


def compare_bots(
    bots: Sequence[str],
    against: str | None,
    game: str,
    max_rounds: int,
    jobs: int,
    seed: str | None,
    sandbox: str,
    untrusted: bool,
    as_json: bool,
) -> int:
    """Play until the test has its verdict, and print it; return the exit code."""
    choice = choose_level(sandbox)
    texts = [*bots, *([] if against is None else [against])]
    specs = _find_bots(texts, game, choice)
    if untrusted:
        from arena.doctor import require_box

        require_box(choice.level)
    seed = seed or new_seed()
    if choice.warning is not None or not as_json:
        _say(describe(choice, specs))
    if not as_json:
        _say(f"seed {shown(seed)}")
    duel = _Duel(specs, game, seed, choice, max_rounds, _Live(is_quiet=as_json))
    with open_engines(jobs) as link:
        trial = duel.play(link)
    _print(trial, specs, game, as_json=as_json)
    return 0 if trial.verdict == "better" else 1


def _find_bots(texts: Sequence[str], game: str, choice: Choice) -> list[BotSpec]:
    named = [find_bot(text) for text in texts]
    found = keep_apart(make_ready(named, choice.level, _say))
    for spec in found:
        if spec.is_human:
            raise ArenaError("thousands of matches are no game; `human` is for  play")
        if spec.games is not None and game not in spec.games:
            raise ArenaError(
                f"{spec.name} does not play {game}; name its game with  --game"
            )
    names = numbered([spec.name for spec in found])
    return [replace(s, name=name) for s, name in zip(found, names, strict=True)]


def _say(line: str) -> None:
    click.echo(line, err=True)


class _Duel:
    def __init__(
        self,
        specs: Sequence[BotSpec],
        game: str,
        seed: str,
        choice: Choice,
        max_rounds: int,
        live: "_Live",
    ) -> None:
        self._specs = specs
        self._game = game
        self._seed = seed
        self._level = choice.level
        self._max_rounds = max_rounds
        self._live = live
        others = specs[2:]
        self._tables = (
            [_Table(spec, others[0]) for spec in specs[:2]]
            if others
            else [_Table(specs[0], specs[1])]
        )
        self._in_flight: dict[str, _Due] = {}
        self._again: list[_Due] = []

    @held()
    def play(self, link: Link) -> Trial:
        """Play rounds until there is a verdict, or no round is left."""
        failed = probe(
            link, self._specs, self._game, self._level, Limits(), DEFAULT_LIMITS
        )
        if failed:
            for probed in failed:
                for line in last_words(probed):
                    click.echo(line, err=True)
            raise ArenaError(f"{complaint(failed)}; mend it first")
        trial = Trial()
        rounds = _Rounds(len(self._tables))
        due = self._due()
        window = 4 * link.jobs + 4  # some wait for a place, some are being buried
        with self._live:
            while True:
                while len(self._in_flight) < window:
                    item = self._again.pop() if self._again else next(due, None)
                    if item is None:
                        break
                    self._in_flight[item.match] = item
                    link.order(self._order(item))
                if not self._in_flight:
                    return trial
                for report in link.reports(TICK_S):
                    for value in self._take(report, rounds):
                        trial.add(value)
                        if trial.verdict != "undecided":
                            return trial
                self._live.show(trial)

    def _due(self) -> Iterator[_Due]:
        for number in range(1, self._max_rounds + 1):
            for side in range(len(self._tables)):
                for seat in SEATS:
                    yield _Due(f"compare/{number}/{side}{seat}", number, side, seat)

    def _order(self, due: _Due) -> PlayOrder:
        bots = self._tables[due.side].seated(due.seat)
        names = [spec.name for spec in self._specs]
        setup = MatchSetup(
            game=self._game,
            options=GAMES[self._game].options({"deals": DEALS}),
            match=due.match,
            names=(bots[0].name, bots[1].name, bots[2].name),
            deal_seed=block_seed(self._seed, names, due.round),
            seed=self._seed,
            arena=__version__,
        )
        return PlayOrder(
            setup=setup,
            bots=bots,
            level=self._level,
            limits=Limits(),
            attempt=due.attempt,
        )

    def _take(self, report: Report, rounds: _Rounds) -> Iterator[float]:
        match report:
            case Finished(match=match, result=result):
                due = self._in_flight.pop(match)
                if result.reason != "void":
                    yield from rounds.add(due, result)
                elif due.attempt < MAX_ATTEMPTS:
                    self._again.append(replace(due, attempt=due.attempt + 1))
                else:
                    raise CannotGoOnError(
                        f"match {match} was void {due.attempt} times; this machine "
                        "cannot play it"
                    )
            case Broken(text=text):
                raise CannotGoOnError(text)
            case Started() | Told() | Probed():
                pass
            case Stepped() | Checked() | ResentReport():
                pass


class _Live:
    """How the test stands: a line that moves on a terminal, a line now and then else.

    Nothing at all where the answer is for a program.
    """

    def __init__(self, *, is_quiet: bool) -> None:
        self._is_quiet = is_quiet
        self._moves = sys.stderr.isatty()
        self._shown = -1  # rounds
        self._next = time.monotonic() + PLAIN_EVERY_S

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        if self._shown >= 0 and self._moves:
            click.echo(err=True)

    def show(self, trial: Trial) -> None:
        """Show where the test stands."""
        if self._is_quiet or trial.rounds == self._shown:
            return
        if not self._moves and time.monotonic() < self._next:
            return
        self._next = time.monotonic() + PLAIN_EVERY_S
        self._shown = trial.rounds
        line = (
            f"{trial.rounds} rounds; {_points(trial.mean, trial.interval)}; "
            f"log likelihood ratio {trial.log_ratio:+.2f} of {BOUND:.2f}"
        )
        if self._moves:
            click.echo(f"\r\x1b[K{line}", err=True, nl=False)
        else:
            click.echo(line, err=True)


def _print(trial: Trial, specs: Sequence[BotSpec], game: str, *, as_json: bool) -> None:
    one, other = specs[0].name, specs[1].name
    mean, interval = trial.mean, trial.interval
    if as_json:
        value = {
            "a": one,
            "b": other,
            "game": game,
            "verdict": trial.verdict,
            "rounds": trial.rounds,
            "difference": mean,
            "low": interval and interval[0],
            "high": interval and interval[1],
        }
        click.echo(json.dumps(value))
        return
    text = _in_words(trial.verdict, shown(one, "simple"), shown(other, "simple"))
    matches = len(SEATS) * (2 if len(specs) > 2 else 1)
    click.echo(f"{text}: {_points(mean, interval)}, {trial.rounds} rounds")
    spread = trial.spread
    if spread is not None:
        click.echo(
            f"(A round: {matches} matches of {DEALS} deals, the same ones. Tested: no "
            f"gain, against one of {GAIN * spread:.1f} points a deal, which is "
            f"{GAIN:g} of the rounds' own spread.)"
        )


def _in_words(verdict: Verdict, one: str, other: str) -> str:
    match verdict:
        case "better":
            return f"{one} is better than {other}"
        case "not better":
            return f"{one} is not better than {other}"
        case "undecided":
            return (
                f"undecided whether {one} is better than {other}; more rounds may tell"
            )
        case _ as never:
            assert_never(never)


def _points(mean: float | None, interval: Interval | None) -> str:
    if mean is None:
        return "no points yet"
    if interval is None:
        return f"{mean:+.1f} points a deal"
    return f"{mean:+.1f} points a deal ({interval[0]:+.1f} to {interval[1]:+.1f})"
