"""Which matches a tournament has, and in which order: a pure function.

Every three bots meet in ``rounds`` blocks; a block is six matches on the same deals,
one in each seat order.  What a match is called and which cards it has depend on the
cup, its three bots and the block alone: more rounds or more bots add matches and change
none.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final, TypeAlias

from arena.dealing import block_seed

ORDERS: Final = ("012", "120", "201", "021", "210", "102")
"""The seat orders of a block: digit s is who sits in seat s, as an index into the
sorted names.  After three of them each bot has sat in each seat, after six each has sat
once more with its neighbours changed over."""

MAX_AHEAD: Final = 3
"""Blocks that one bot may be ahead of another, at any moment."""

Triple: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to be played.

    Attributes:
        match: its name, ``CUP/NAME+NAME+NAME/K/ORDER``.
        triple: the names of the three, sorted.
        block: which of the triple's blocks it belongs to, from 1.
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


def count(bots: int, rounds: int) -> int:
    """Return how many matches ``bots`` bots play in ``rounds`` rounds."""
    return comb(bots, 3) * rounds * len(ORDERS)


def pairings(
    cup: str, seed: str, names: Sequence[str], rounds: int
) -> Iterator[Pairing]:
    """Yield every match, round by round and block by block, so that all bots keep step.

    At any moment no two bots differ by more than ``MAX_AHEAD`` whole blocks, which is
    18 matches.  The order follows from the seed and the names; nothing is kept of what
    was yielded, and little of what is to come (a number for each bot and each two).

    Args:
        cup: the cup's name.
        seed: the cup's seed.
        names: the bots, in any order.
        rounds: blocks for each triple.

    Raises:
        ValueError: if there are fewer than three names, or two of one.
    """
    if len(names) < 3 or len(set(names)) < len(names):
        raise ValueError("a schedule needs three bots or more, of different names")
    for block in range(1, rounds + 1):
        for triple in _triples(names, f"{seed}/{block}"):
            yield from _block(cup, seed, triple, block)


def _block(cup: str, seed: str, triple: Triple, block: int) -> Iterator[Pairing]:
    deal_seed = block_seed(seed, triple, block)
    stem = f"{cup}/{'+'.join(triple)}/{block}"
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


def _triples(names: Sequence[str], salt: str) -> Iterator[Triple]:
    """Yield all triples of the names, orbit by orbit.

    With the bots on a circle of n, turning a triple step by step makes an orbit, in
    which every bot has three of the n triples, or one of n/3 when the triple's gaps
    are equal.  So after each whole orbit all bots are level, and within one no bot is
    ahead by more than three.
    """

    def chance(what: object) -> str:
        return hashlib.sha256(f"{salt}/{what}".encode()).hexdigest()

    circle = sorted(names, key=chance)
    bots = len(circle)
    for first, second in sorted(_orbits(bots), key=chance):
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
