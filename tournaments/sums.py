"""The sums that a table is made of: whole numbers, so that they add up in any order.

A block is six matches of one triple on the same deals, one in each seat order; it is
the unit of every interval, and has one row.  What needs no interval is summed up by bot
and seat.  Wins are kept in sixths and heads in halves, since places are shared by two
or three.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

from tournaments.schedule import Triple, is_house

Row: TypeAlias = dict[str, Any]
"""A row of the store: of a player in a match, or of a sum."""

SIXTHS: Final = 6
"""Parts of a win: a first place shared by n counts 6/n of them."""

PAIRS: Final = ((0, 1), (0, 2), (1, 2))
"""The pairs of a triple, as indices into its names, which are sorted."""

Three: TypeAlias = tuple[int, int, int]


class BlockSum(NamedTuple):
    """What a block came to.

    By bot, in the order of the triple: ``wins_sixths``; ``points`` over ``deals`` are
    those of finished deals that it played itself.  By pair, in the order of ``PAIRS``:
    ``ahead_halves`` has 2 for each match in which the first was placed before the
    second, 1 for a shared place; ``differences`` over ``shared_deals`` are the first's
    points less the second's.
    """

    triple: Triple
    block: int
    matches: int
    wins_sixths: Three
    points: Three
    deals: Three
    ahead_halves: Three
    differences: Three
    shared_deals: Three


BLOCK_KEY: Final = ("triple", "block")
BLOCK_FIELDS: Final = (
    "matches",
    *chain.from_iterable(
        (f"{name}_0", f"{name}_1", f"{name}_2")
        for name in ("wins_sixths", "points", "deals")
    ),
    *chain.from_iterable(
        (f"{name}_01", f"{name}_02", f"{name}_12")
        for name in ("ahead_halves", "differences", "shared_deals")
    ),
)
"""The columns of a block's row: ``BlockSum`` laid flat."""


def block_sum(row: Sequence[Any]) -> BlockSum:
    """Return the sum that a row of ``BLOCK_KEY`` and ``BLOCK_FIELDS`` holds."""
    first, second, third = row[0].split("+")
    return BlockSum(
        (first, second, third),
        row[1],
        row[2],
        row[3:6],  # type: ignore[arg-type]  # slices of three, for all of these
        row[6:9],  # type: ignore[arg-type]
        row[9:12],  # type: ignore[arg-type]
        row[12:15],  # type: ignore[arg-type]
        row[15:18],  # type: ignore[arg-type]
        row[18:21],  # type: ignore[arg-type]
    )


@dataclass(frozen=True, slots=True)
class SeatSum:
    """One bot in one seat, over all blocks.

    ``place_sum`` is the sum of its places; ``contracts`` to ``undeclared`` are as in
    ``arena.result.Style``; times are in milliseconds.
    """

    bot: str
    seat: int
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
    contracts: int
    made: int
    levels: int
    undeclared: int


SEAT_KEY: Final = ("bot", "seat")
SEAT_FIELDS: Final = tuple(
    name for name in SeatSum.__dataclass_fields__ if name not in SEAT_KEY
)
GREATEST: Final = frozenset({"slowest_ms"})
"""Fields of which the greatest is kept, and not the sum."""


def sums_of(players: Mapping[str, Sequence[Row]]) -> tuple[list[Row], list[Row]]:
    """Return what matches come to: the sums of blocks, and of bots and seats.

    Matches with a house bot count for nobody.

    Args:
        players: by match, the three rows of its players: ``seat, bot, place, points,
            deals, faults, out, moves, time_ms, slowest_ms, contracts, made, levels,
            undeclared``.
    """
    blocks: dict[tuple[Any, ...], Row] = {}
    seats: dict[tuple[Any, ...], Row] = {}
    for match, rows in players.items():
        if any(is_house(row["bot"]) for row in rows):
            continue
        triple, block = block_of(match)
        wins = _wins(rows)
        fields = _block_fields(sorted(rows, key=lambda row: str(row["bot"])), wins)
        _sum(blocks, {"triple": triple, "block": block}, fields)
        for row in rows:
            own = {
                "matches": 1,
                "wins_sixths": wins[row["bot"]],
                "place_sum": row["place"],
                "outs": int(row["out"] is not None),
            }
            own |= {name: row[name] for name in SEAT_FIELDS if name not in own}
            _sum(seats, {"bot": row["bot"], "seat": row["seat"]}, own)
    return [blocks[key] for key in sorted(blocks)], [
        seats[key] for key in sorted(seats)
    ]


def block_of(match: str) -> tuple[str, int]:
    """Return the triple, as its names joined by ``+``, and the block of a match."""
    _, triple, block, _ = match.rsplit("/", 3)
    return triple, int(block)


def _wins(rows: Sequence[Row]) -> dict[str, int]:
    """Return the sixths of a win that each bot has of a match."""
    firsts = sum(row["place"] == 1 for row in rows)
    return {row["bot"]: SIXTHS // firsts if row["place"] == 1 else 0 for row in rows}


def _block_fields(rows: Sequence[Row], wins: Mapping[str, int]) -> dict[str, int]:
    """Return what a match adds to its block; the rows are in the order of the names."""
    fields = {"matches": 1}
    for i, row in enumerate(rows):
        fields[f"wins_sixths_{i}"] = wins[row["bot"]]
        fields[f"points_{i}"] = row["points"]
        fields[f"deals_{i}"] = row["deals"]
    for i, j in PAIRS:
        one, other = rows[i], rows[j]
        place, next_place = one["place"], other["place"]
        # Only deals that both played to their end themselves compare the two.
        is_shared = one["deals"] == other["deals"]
        difference = one["points"] - other["points"]
        fields[f"ahead_halves_{i}{j}"] = 1 + (place < next_place) - (place > next_place)
        fields[f"differences_{i}{j}"] = difference if is_shared else 0
        fields[f"shared_deals_{i}{j}"] = one["deals"] if is_shared else 0
    return {name: fields[name] for name in BLOCK_FIELDS}


def _sum(sums: dict[tuple[Any, ...], Row], key: Row, fields: dict[str, int]) -> None:
    row = sums.setdefault(tuple(key.values()), key | dict.fromkeys(fields, 0))
    for name, value in fields.items():
        row[name] = max(row[name], value) if name in GREATEST else row[name] + value
