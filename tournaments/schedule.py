"""Which matches a tournament has, and in which order: a pure function.

A block is six matches of three bots on the same deals, one in each seat order.  In a
round of the schedule ``all`` every three bots meet in one block; in one of ``steiner``
every two bots do, with a third that changes from round to round.  What a match is
called and which cards it has depend on the cup, its three bots and the round alone: in
``all``, more rounds or more bots add matches and change none; in ``steiner``, more
rounds do.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Final, Literal, TypeAlias, TypeVar, assert_never

from arena.dealing import block_seed
from tournaments import steiner

ORDERS: Final = ("012", "120", "201", "021", "210", "102")
"""The seat orders of a block: digit s is who sits in seat s, as an index into the
sorted names.  After three of them each bot has sat in each seat, after six each has sat
once more with its neighbours changed over."""

MAX_AHEAD: Final = 3
"""Blocks that one bot may be ahead of another, at any moment, in ``all``."""

HOUSE: Final = "house#"
"""What the names of house bots begin with; no entrant's name has a ``#``."""

Kind: TypeAlias = Literal["all", "steiner"]
Triple: TypeAlias = tuple[str, str, str]
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to be played.

    Attributes:
        match: its name, ``CUP/NAME+NAME+NAME/K/ORDER``.
        triple: the names of the three, sorted.
        block: which of the triple's blocks it belongs to: the round, from 1.
        order: one of ``ORDERS``.
        players: the names by seat.
        deal_seed: what its cards come from; the same in the whole block.
    """

    match: str
    triple: Triple
    block: int
    order: str
    players: Triple
    deal_seed: str

    @property
    def has_house(self) -> bool:
        """Whether a house bot fills a place, so that the match counts for nobody."""
        return any(map(is_house, self.triple))


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a tournament: of its blocks every ``of``-th, from ``number`` on.

    Attributes:
        number: which part, from 1.
        of: how many parts there are.
    """

    number: int = 1
    of: int = 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def is_whole(self) -> bool:
        """Whether it is all there is."""
        return self.of == 1

    def part_of(self, blocks: int) -> int:
        """Return how many of so many blocks it has."""
        return len(range(self.number - 1, blocks, self.of))


WHOLE: Final = Share()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a schedule follows from.

    Attributes:
        cup: the cup's name.
        seed: the cup's seed.
        names: the entrants, in any order.
        rounds: how often every three bots meet, or in ``steiner`` every two.
        kind: ``all`` or ``steiner``.
        share: the part of it that is meant.
    """

    cup: str
    seed: str
    names: Sequence[str]
    rounds: int
    kind: Kind = "all"
    share: Share = WHOLE


def is_house(name: str) -> bool:
    """Tell whether a bot of this name only fills a place."""
    return name.startswith(HOUSE)


def house_names(bots: int, kind: Kind) -> list[str]:
    """Return the names of the house bots that a field of ``bots`` entrants needs."""
    match kind:
        case "all":
            return []
        case "steiner":
            missing = steiner.system_size(bots) - bots
            return [f"{HOUSE}{number}" for number in range(1, missing + 1)]
        case _ as never:
            assert_never(never)


def count(bots: int, rounds: int, kind: Kind = "all", share: Share = WHOLE) -> int:
    """Return how many matches ``bots`` entrants have in ``rounds`` rounds."""
    return share.part_of(_triple_count(bots, kind) * rounds) * len(ORDERS)


def _triple_count(bots: int, kind: Kind) -> int:
    match kind:
        case "all":
            return comb(bots, 3)
        case "steiner":
            return steiner.triple_count(steiner.system_size(bots))
        case _ as never:
            assert_never(never)


def blocks(plan: Plan) -> Iterator[tuple[Triple, int]]:
    """Yield every block of the plan's share as its triple and round.

    In the whole all bots keep step: at any moment no two differ by more than
    ``MAX_AHEAD`` whole blocks (``steiner.MAX_AHEAD`` there); after a round all have
    played the same.  The order follows from the seed and the names; nothing is kept of
    what was yielded, and little of what is to come (a number for each bot, and in
    ``all`` for each two).

    Raises:
        ValueError: if there are fewer than three names, or two of one.
    """
    names = plan.names
    if len(names) < 3 or len(set(names)) < len(names):
        raise ValueError("a schedule needs three bots or more, of different names")
    share = plan.share
    return islice(_all_blocks(plan), share.number - 1, None, share.of)


def _all_blocks(plan: Plan) -> Iterator[tuple[Triple, int]]:
    for number in range(1, plan.rounds + 1):
        for triple in _triples(plan.names, f"{plan.seed}/{number}", plan.kind):
            yield triple, number


def _triples(names: Sequence[str], salt: str, kind: Kind) -> Iterator[Triple]:
    match kind:
        case "all":
            return _all_triples(names, salt)
        case "steiner":
            return _steiner_triples(names, salt)
        case _ as never:
            assert_never(never)


def matches(plan: Plan, triple: Triple, block: int) -> Iterator[Pairing]:
    """Yield the six matches of a block."""
    deal_seed = block_seed(plan.seed, triple, block)
    stem = f"{plan.cup}/{'+'.join(triple)}/{block}"
    for order in ORDERS:
        first, second, third = (triple[int(digit)] for digit in order)
        yield Pairing(
            match=f"{stem}/{order}",
            triple=triple,
            block=block,
            order=order,
            players=(first, second, third),
            deal_seed=deal_seed,
        )


def pairings(plan: Plan) -> Iterator[Pairing]:
    """Yield every match, block by block (see ``blocks``)."""
    for triple, block in blocks(plan):
        yield from matches(plan, triple, block)


def _all_triples(names: Sequence[str], salt: str) -> Iterator[Triple]:
    """Yield all triples of the names, orbit by orbit.

    With the bots on a circle of n, turning a triple step by step makes an orbit, in
    which every bot has three of the n triples, or one of n/3 when the triple's gaps
    are equal.  So after each whole orbit all bots are level, and within one no bot is
    ahead by more than three.
    """
    circle = _shuffled(names, salt)
    bots = len(circle)
    for first, second in _shuffled(_orbits(bots), salt):
        turns = bots // 3 if first == second == bots - first - second else bots
        for turn in range(turns):
            seats = (turn, turn + first, turn + first + second)
            one, two, three = sorted(circle[seat % bots] for seat in seats)
            yield one, two, three


def _orbits(bots: int) -> Iterator[tuple[int, int]]:
    """Yield the first two gaps of one triple of every orbit.

    The third gap is what is left of the circle.  Of the three ways to begin, the one
    that counts begins with the smallest gap, and does not end with another such.
    """
    for first, second in combinations(range(1, bots), 2):
        # As a combination, first < second; gaps are first and second - first.
        gap = second - first
        last = bots - second
        if (first <= gap and first < last) or first == gap == last:
            yield first, gap


def _steiner_triples(names: Sequence[str], salt: str) -> Iterator[Triple]:
    """Yield the triples of a system whose points the bots have drawn by lot.

    House bots fill it up.  Where they are three they do not sit on one triple: that
    would be a block for nobody, and of four entrants no three would ever meet.
    """
    house = house_names(len(names), "steiner")
    bots = _shuffled(names, salt)
    size = len(names) + len(house)
    column = next(steiner.triples(size))  # two of its points, and one that is none
    for point, name in zip(sorted((*column[:2], 1)), house, strict=False):
        bots.insert(point, name)
    for points in steiner.triples(size):
        one, two, three = sorted(bots[point] for point in points)
        yield one, two, three


def _shuffled(items: Iterable[_Item], salt: str) -> list[_Item]:
    """Return the items in an order that follows from the salt and from themselves."""

    def chance(item: _Item) -> str:
        return hashlib.sha256(f"{salt}/{item}".encode()).hexdigest()

    return sorted(items, key=chance)
