"""The sums that a table is made of: whole numbers, per block, so that they add up.

A block is six matches of one triple on the same deals, one in each seat order; it is
the unit of every interval.  Wins are kept in sixths and heads in halves, since places
are shared by two or three: sums stay exact in any order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final, TypeAlias

from tournaments.schedule import is_house

Row: TypeAlias = dict[str, Any]
"""A row of the store: of a player in a match, or of a sum."""

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


def sums_of(players: Mapping[str, Sequence[Row]]) -> tuple[list[Row], ...]:
    """Return what matches come to: the sums of blocks, of pairs, of seats.

    Matches with a house bot count for nobody.

    Args:
        players: by match, the three rows of its players: ``seat, bot, place, points,
            deals, faults, out, moves, time_ms, slowest_ms``.
    """
    blocks: dict[tuple[Any, ...], Row] = {}
    pairs: dict[tuple[Any, ...], Row] = {}
    seats: dict[tuple[Any, ...], Row] = {}
    for match, rows in players.items():
        if any(is_house(row["bot"]) for row in rows):
            continue
        triple, block = block_of(match)
        firsts = sum(row["place"] == 1 for row in rows)
        for row in rows:
            bot, seat = row["bot"], row["seat"]
            own = {
                "matches": 1,
                "wins_sixths": SIXTHS // firsts if row["place"] == 1 else 0,
                "points": row["points"],
                "deals": row["deals"],
            }
            _sum(seats, {"bot": bot, "seat": seat}, own)
            rest = {
                "place_sum": row["place"],
                "faults": row["faults"],
                "outs": int(row["out"] is not None),
                "moves": row["moves"],
                "time_ms": row["time_ms"],
                "slowest_ms": row["slowest_ms"],
            }
            _sum(blocks, {"triple": triple, "block": block, "bot": bot}, own | rest)
        for one, other in permutations(rows, 2):
            key = {"triple": triple, "block": block, "bot": one["bot"]}
            _sum(pairs, key | {"against": other["bot"]}, _pair(one, other))
    return tuple([sums[key] for key in sorted(sums)] for sums in (blocks, pairs, seats))


def block_of(match: str) -> tuple[str, int]:
    """Return the triple, as its names joined by ``+``, and the block of a match."""
    _, triple, block, _ = match.rsplit("/", 3)
    return triple, int(block)


def _pair(one: Row, other: Row) -> dict[str, int]:
    # Only deals that both played to their end themselves compare the two.
    is_whole = one["deals"] == other["deals"]
    ahead = 2 if one["place"] < other["place"] else int(one["place"] == other["place"])
    return {
        "matches": 1,
        "ahead_halves": ahead,
        "point_difference": one["points"] - other["points"] if is_whole else 0,
        "deals": one["deals"] if is_whole else 0,
    }


def _sum(sums: dict[tuple[Any, ...], Row], key: Row, fields: dict[str, int]) -> None:
    row = sums.setdefault(tuple(key.values()), key | dict.fromkeys(fields, 0))
    for name, value in fields.items():
        row[name] = max(row[name], value) if name == "slowest_ms" else row[name] + value
