"""Do the 95 % intervals hold 95 times in 100, and is the test as good as it says?

    python -m benchmarks.coverage tables [--tournaments N] [--only NAME]
    python -m benchmarks.coverage compare [--trials N]

``tables`` simulates tournaments of bots whose strength is known, makes their tables as
``trianon table`` does, and counts how often each kind of interval has the truth in it.
The truth comes from a tournament of thousands of blocks.  The simulated game has what
makes intervals go wrong in the real one: luck with the deals that the six matches of a
block share, points in lumps, matches to 500 of unequal length (so that points a deal
are a ratio of two sums), bots that meet unequal opponents, and bold ones that give
their points away.

``compare`` simulates the sequential test with rounds of a known mean, in units of
their own spread, normal and skewed ones: how often a bot that is no better passes, how
often one that is better by the gain looked for does not, and the mean number of rounds
beside a test of the same errors with a fixed number.
"""

import argparse
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import NormalDist
from typing import Any, Final

from tournaments.compare import ERROR, GAIN, Trial
from tournaments.schedule import Kind, Pairing, Plan, pairings
from tournaments.standings import make_standings
from tournaments.sums import (
    BLOCK_FIELDS,
    BLOCK_KEY,
    SeatSum,
    block_sum,
    sums_of,
)
from tournaments.table import Standings

STYLE: Final = ("contracts", "made", "levels", "undeclared")
TARGET: Final = 500
MOST_DEALS: Final = 200
UNUSED: Final = ("faults", "moves", "time_ms", "slowest_ms", *STYLE)
KINDS: Final = ("win rate", "points a deal", "rating", "heads")


@dataclass(frozen=True, slots=True)
class Bot:
    """How well a simulated bot plays, and how high it bids."""

    skill: float
    boldness: float


@dataclass(frozen=True, slots=True)
class Field:
    """Tournaments of one kind.  ``deals`` is None for matches to 500."""

    name: str
    bots: Sequence[Bot]
    rounds: int
    kind: Kind = "all"
    deals: int | None = None

    def names(self) -> list[str]:
        """Return the bots' names."""
        return [f"bot {number}" for number in range(len(self.bots))]


CLOSE: Final = [Bot(0.1 * i, 0.1 * (i % 3)) for i in range(9)]
UNEQUAL: Final = [Bot(i / 3, (i * 5 % 9) / 6 - 0.5) for i in range(9)]
FIELDS: Final = (
    Field("three, to 500, 20 blocks", CLOSE[:3], 20),
    Field("three unequal, to 500, 20 blocks", UNEQUAL[::4], 20),
    Field("three, 12 deals, 20 blocks", CLOSE[:3], 20, deals=12),
    Field("four unequal, to 500, 21 blocks", UNEQUAL[::2][:4], 7),
    Field("six unequal, to 500, 20 blocks", UNEQUAL[:6], 2),
    Field("nine, to 500, 28 blocks", CLOSE, 1),
    Field("nine unequal, to 500, 28 blocks", UNEQUAL, 1),
    Field("nine unequal, steiner, to 500, 24 blocks", UNEQUAL, 6, "steiner"),
    Field("three, to 500, 100 blocks", CLOSE[:3], 100),
    Field("nine unequal, 12 deals, 56 blocks", UNEQUAL, 2, deals=12),
    Field("nine unequal, steiner, to 500, 80 blocks", UNEQUAL, 20, "steiner"),
)


def play_deal(
    luck: Sequence[float], bots: Sequence[Bot], rng: random.Random
) -> tuple[int, int, int]:
    """Return the points of a deal whose seats have this luck with their hands."""
    bids = [luck[s] + bots[s].boldness + rng.gauss(0, 0.3) for s in range(3)]
    declarer = max(range(3), key=bids.__getitem__)
    level = min(8, max(0, round(1.5 + 1.5 * bids[declarer])))
    skill = bots[declarer].skill - sum(bot.skill for bot in bots) / 3
    tricks = 2.5 + 1.5 * luck[declarer] + skill + rng.gauss(0, 1)
    points = [0, 0, 0]
    if tricks >= level:
        points[declarer] = 30 * level
    else:
        missing = math.ceil(level - tricks)
        points = [0 if s == declarer else 40 * missing for s in range(3)]
    return points[0], points[1], points[2]


def play(field: Field, pairing: Pairing, seed: int) -> list[dict[str, Any]]:
    """Return the rows of a match; its block shares the luck."""
    rng = random.Random(f"{seed}/{pairing.match}")
    deal_rng = random.Random(f"{seed}/{pairing.deal_seed}")
    bots = [field.bots[int(name.split()[1])] for name in pairing.players]
    scores = [0, 0, 0]
    deals = 0
    while True:
        luck = [deal_rng.gauss(0, 1) for _ in range(3)]
        for s, points in enumerate(play_deal(luck, bots, rng)):
            scores[s] += points
        deals += 1
        if field.deals is None:
            if max(scores) >= TARGET or deals >= MOST_DEALS:
                break
        elif deals >= field.deals:
            break
    nothing = dict.fromkeys(UNUSED, 0)
    return [
        nothing
        | {
            "seat": s,
            "bot": name,
            "place": 1 + sum(other > scores[s] for other in scores),
            "points": scores[s],
            "deals": deals,
            "out": None,
        }
        for s, name in enumerate(pairing.players)
    ]


def tournament(field: Field, rounds: int, seed: int, matches: int | None) -> Standings:
    """Play a tournament, or so many matches of it, and return its table."""
    plan = Plan("cup", str(seed), field.names(), rounds, field.kind)
    rows = {p.match: play(field, p, seed) for p in islice(pairings(plan), matches)}
    blocks, seats = sums_of(rows)
    columns = [*BLOCK_KEY, *BLOCK_FIELDS]
    return make_standings(
        tournament="cup",
        game="trianon",
        bots=field.names(),
        scheduled=len(rows),
        finished=len(rows),
        blocks=[block_sum([row[name] for name in columns]) for row in blocks],
        seats=[SeatSum(**row) for row in seats],
        with_heads=True,
    )


def values(table: Standings) -> Iterator[tuple[tuple[str, ...], float | None]]:
    """Yield every estimate of a table, by kind and bots."""
    for row in table.rows:
        yield ("win rate", row.bot), row.win_rate
        yield ("points a deal", row.bot), row.points_per_deal
        yield ("rating", row.bot), row.rating
    for head in table.heads or ():
        yield ("heads", head.bot, head.against), head.points_per_deal


def intervals(
    table: Standings,
) -> Iterator[tuple[tuple[str, ...], float | None, float | None]]:
    """Yield every interval of a table, by kind and bots."""
    for row in table.rows:
        yield ("win rate", row.bot), row.win_rate_low, row.win_rate_high
        yield ("points a deal", row.bot), row.points_low, row.points_high
        yield ("rating", row.bot), row.rating_low, row.rating_high
    for head in table.heads or ():
        if head.bot < head.against:
            yield ("heads", head.bot, head.against), head.low, head.high


def truth_of(field: Field, blocks: int) -> dict[tuple[str, ...], float | None]:
    """Return what a tournament of so many blocks comes to: the truth, near enough."""
    size = len(field.bots)
    whole = Field(field.name, field.bots, 0, "all", field.deals)
    triples = size * (size - 1) * (size - 2) // 6
    return dict(values(tournament(whole, max(1, blocks // triples), 999, None)))


def tables(given: argparse.Namespace) -> bool:
    """Count how often the intervals of tables hold; tell whether all do as stated."""
    is_good = True
    print(f"{'':<42}" + "".join(f"{kind:>15}" for kind in KINDS))
    for field in FIELDS:
        if given.only not in field.name:
            continue
        truth = truth_of(field, given.truth)
        held: Counter[str] = Counter()
        tried: Counter[str] = Counter()
        for seed in range(given.tournaments):
            table = tournament(field, field.rounds, seed, None)
            for key, low, high in intervals(table):
                true = truth[key]
                assert true is not None
                tried[key[0]] += 1
                held[key[0]] += (
                    low is not None and high is not None and (low <= true <= high)
                )
        shares = [held[kind] / tried[kind] for kind in KINDS]
        is_good &= all(0.93 <= share <= 0.97 for share in shares)
        line = "".join(f"{share:>14.1%} " for share in shares)
        print(f"{field.name:<42}{line}", flush=True)
    return is_good


# -- the sequential test ---------------------------------------------------------------


def _skewed(rng: random.Random) -> float:
    """Return a value of mean 0, spread 1 and skewness 1."""
    return (sum(rng.expovariate(1) for _ in range(4)) - 4) / 2


DRAWS: Final[dict[str, Callable[[random.Random], float]]] = {
    "normal": lambda rng: rng.gauss(0, 1),
    "skewed up": _skewed,
    "skewed down": lambda rng: -_skewed(rng),
}


def fixed_rounds() -> int:
    """Return the rounds of a test with a fixed number, of the same errors and gain."""
    z = NormalDist().inv_cdf(1 - ERROR)
    return math.ceil((2 * z / GAIN) ** 2)


def compare(given: argparse.Namespace) -> bool:
    """Simulate the test; tell whether its errors are as stated."""
    is_good = True
    print(f"A fixed test of the same errors: {fixed_rounds()} rounds.")
    for name, draw in DRAWS.items():
        for gain in (0.0, GAIN / 2, GAIN, 2 * GAIN):
            rng = random.Random(f"{name}/{gain}")
            ends: Counter[str] = Counter()
            rounds = 0
            for _ in range(given.trials):
                trial = Trial()
                while trial.verdict == "undecided" and trial.rounds < given.max_rounds:
                    trial.add(draw(rng) + gain)
                ends[trial.verdict] += 1
                rounds += trial.rounds
            shares = {key: count / given.trials for key, count in ends.items()}
            print(
                f"{name:<12} true gain {gain:.2f} spreads: better "
                f"{shares.get('better', 0):.1%}, not better "
                f"{shares.get('not better', 0):.1%}, undecided "
                f"{shares.get('undecided', 0):.1%}; {rounds / given.trials:.0f} rounds",
                flush=True,
            )
            is_good &= gain > 0 or shares.get("better", 0) <= 0.07
    return is_good


def main() -> None:
    """Simulate and print; exit 1 when a figure is not as stated."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("tables", help=tables.__doc__)
    command.set_defaults(measure=tables)
    command.add_argument("--tournaments", type=int, default=200)
    command.add_argument("--truth", type=int, default=3000, help="blocks")
    command.add_argument("--only", default="", help="fields with this in their name")
    command = commands.add_parser("compare", help=compare.__doc__)
    command.set_defaults(measure=compare)
    command.add_argument("--trials", type=int, default=2000)
    command.add_argument("--max-rounds", type=int, default=2000)
    given = parser.parse_args()
    sys.exit(0 if given.measure(given) else 1)


if __name__ == "__main__":
    main()
