"""Sums as a store would have them, made from what bots score in one match."""

from tournaments.schedule import ORDERS
from tournaments.standings import make_standings
from tournaments.sums import (
    BLOCK_FIELDS,
    BLOCK_KEY,
    SeatSum,
    block_sum,
    sums_of,
)

TRIPLE = ("a", "b", "c")
DEALS = 10
STYLE = {"contracts": 3, "made": 2, "levels": 15, "undeclared": 1}


class Matches:
    """Results of matches, by name; they add up with ``+``."""

    def __init__(self, players=None):
        self.players = players or {}

    def __add__(self, other):
        return Matches(self.players | other.players)

    def but(self, bot, **changes):
        """Return the same with other values in every row of ``bot``."""
        return Matches(
            {
                match: [row | changes if row["bot"] == bot else row for row in rows]
                for match, rows in self.players.items()
            }
        )

    def sums(self):
        blocks, seats = sums_of(self.players)
        columns = [*BLOCK_KEY, *BLOCK_FIELDS]
        return (
            [block_sum(tuple(row[name] for name in columns)) for row in blocks],
            [SeatSum(**row) for row in seats],
        )


def match_list(results, triple=TRIPLE, block=1, deals=DEALS, outs=(0, 0, 0)):
    """Return the matches of a block, by their points in the order of the triple."""
    players = {}
    for points, order in zip(results, ORDERS, strict=False):
        rows = [
            {
                "seat": order.index(str(i)),
                "bot": bot,
                "place": 1 + sum(other > points[i] for other in points),
                "points": points[i],
                "deals": deals,
                "faults": 2 * outs[i],
                "out": "strikes" if outs[i] else None,
                "moves": 4,
                "time_ms": 10,
                "slowest_ms": 3 + block,
                **STYLE,
            }
            for i, bot in enumerate(triple)
        ]
        players[f"demo/{'+'.join(triple)}/{block}/{order}"] = rows
    return Matches(players)


def whole(points, triple=TRIPLE, block=1, **rest):
    """Return a whole block whose six matches came out alike."""
    return match_list([points] * len(ORDERS), triple, block, **rest)


def joined(parts):
    return sum(parts, start=Matches())


def table(matches, bots=TRIPLE, scheduled=100, **rest):
    blocks, seats = matches.sums()
    return make_standings(
        tournament="demo",
        game=rest.pop("game", "trianon"),
        bots=bots,
        scheduled=scheduled,
        finished=len(matches.players),
        blocks=blocks,
        seats=seats,
        **rest,
    )
