"""Sums as a store would have them, made from what bots score in one match."""

from itertools import permutations

from tournaments.schedule import ORDERS
from tournaments.standings import make_standings
from tournaments.sums import SIXTHS, BlockSum, PairSum

TRIPLE = ("a", "b", "c")
DEALS = 10


def match(points, triple=TRIPLE, block=1, deals=DEALS, outs=(0, 0, 0)):
    """Return the sums of one match with these points, in the order of the triple."""
    places = [1 + sum(other > mine for other in points) for mine in points]
    firsts = places.count(1)
    blocks = [
        BlockSum(
            triple=triple,
            block=block,
            bot=bot,
            matches=1,
            wins_sixths=SIXTHS // firsts if place == 1 else 0,
            place_sum=place,
            points=mine,
            deals=deals,
            faults=2 * out,
            outs=out,
            moves=4,
            time_ms=10,
            slowest_ms=3 + block,
        )
        for bot, mine, place, out in zip(triple, points, places, outs, strict=True)
    ]
    pairs = [
        PairSum(
            triple=triple,
            block=block,
            bot=triple[i],
            against=triple[j],
            matches=1,
            ahead_halves=2 * (places[i] < places[j]) + (places[i] == places[j]),
            point_difference=points[i] - points[j],
            deals=deals,
        )
        for i, j in permutations(range(3), 2)
    ]
    return blocks, pairs


def whole(points, triple=TRIPLE, block=1, **rest):
    """Return the sums of a whole block whose six matches came out alike."""
    return match_list([points] * len(ORDERS), triple, block, **rest)


def match_list(results, triple=TRIPLE, block=1, **rest):
    return joined(match(points, triple, block, **rest) for points in results)


def joined(parts):
    blocks, pairs = [], []
    for more_blocks, more_pairs in parts:
        blocks += more_blocks
        pairs += more_pairs
    return blocks, pairs


def table(sums, bots=TRIPLE, scheduled=100, **rest):
    blocks, pairs = sums
    rest.setdefault("finished", sum(block.matches for block in blocks) // 3)
    return make_standings(
        tournament="demo",
        game="trianon",
        bots=bots,
        scheduled=scheduled,
        blocks=blocks,
        pairs=pairs,
        **rest,
    )
