"""The sums that a table is made of: whole numbers, per block, so that they add up.

A block is six matches of one triple on the same deals, one in each seat order; it is
the unit of every interval.  Wins are kept in sixths and heads in halves, since places
are shared by two or three: sums stay exact in any order.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from arena.result import MatchResult

SIXTHS: Final = 6
"""Parts of a win: a first place shared by n counts 6/n of them."""


@dataclass(frozen=True, slots=True)
class BlockSum:
    """One bot in one block.

    ``place_sum`` is the sum of its places; ``points`` over ``deals`` are those of
    finished deals that it played itself; times are in milliseconds.
    """

    triple: tuple[str, str, str]
    block: int
    bot: str
    matches: int
    wins_sixths: int
    place_sum: int
    points: int
    deals: int
    faults: int
    outs: int
    moves: int
    time_ms: int
    slowest_ms: int


@dataclass(frozen=True, slots=True)
class PairSum:
    """One bot against another in one block.

    ``ahead_halves``: 2 for each match in which it was placed before the other, 1 for
    a shared place.  ``point_difference`` over ``deals``: its points less the other's.
    """

    triple: tuple[str, str, str]
    block: int
    bot: str
    against: str
    matches: int
    ahead_halves: int
    point_difference: int
    deals: int


@dataclass(frozen=True, slots=True)
class SeatSum:
    """One bot in one seat, over all blocks."""

    bot: str
    seat: int
    matches: int
    wins_sixths: int
    points: int
    deals: int


def block_sums(
    result: MatchResult, triple: tuple[str, str, str], block: int
) -> Iterator[BlockSum]:
    """Yield what a counted match adds to its block, one sum a bot."""
    places = result.places
    assert places is not None
    firsts = places.count(1)
    for player in result.players:
        place = places[player.seat]
        yield BlockSum(
            triple=triple,
            block=block,
            bot=player.name,
            matches=1,
            wins_sixths=SIXTHS // firsts if place == 1 else 0,
            place_sum=place,
            points=player.own_points,
            deals=player.own_deals,
            faults=player.fault_count,
            outs=int(player.out is not None),
            moves=player.moves,
            time_ms=player.time_ms,
            slowest_ms=player.slowest_ms,
        )


def pair_sums(
    result: MatchResult, triple: tuple[str, str, str], block: int
) -> Iterator[PairSum]:
    """Yield what a counted match adds to its block, one sum an ordered pair."""
    places = result.places
    assert places is not None
    for one, other in permutations(result.players, 2):
        mine, theirs = places[one.seat], places[other.seat]
        # Only deals that both played to the end themselves compare the two.
        deals = min(one.own_deals, other.own_deals)
        is_whole = one.own_deals == other.own_deals
        yield PairSum(
            triple=triple,
            block=block,
            bot=one.name,
            against=other.name,
            matches=1,
            ahead_halves=2 if mine < theirs else int(mine == theirs),
            point_difference=one.own_points - other.own_points if is_whole else 0,
            deals=deals if is_whole else 0,
        )
