"""The ranked table as a value: what ``table --json`` prints (docs/commands.md).

Every number is finite or null.
"""

from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from protocol.model import optional
from tournaments.intervals import Interval
from tournaments.schedule import ORDERS

PLAYERS: Final = 3
MATCHES: Final = len(ORDERS)  # of a whole block

DIGITS: Final = 9
"""Decimals that are kept: enough for all, too few to tell one machine's logarithm from
another's, so that the same results give the same bytes."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Row(_Part):
    """One bot in the table (docs/commands.md, "table").

    ``level_with`` names the neighbours in rank from whom it cannot be told apart;
    ``blocks`` is how many whole blocks its intervals come from.
    """

    rank: int
    bot: str
    level_with: list[str]
    matches: int
    wins: float
    win_rate: float | None
    win_rate_low: float | None
    win_rate_high: float | None
    mean_place: float | None
    points_per_deal: float | None
    points_low: float | None
    points_high: float | None
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    faults: int
    outs: int
    mean_ms: float | None
    slowest_ms: int
    blocks: int = Field(default=0, exclude=True)


class Head(_Part):
    """One bot against another; ``points_per_deal`` is its points less the other's."""

    bot: str
    against: str
    matches: int
    ahead: float
    points_per_deal: float | None
    low: float | None
    high: float | None


class Seat(_Part):
    """One bot in one seat; its place and times are for people, and in no JSON."""

    bot: str
    seat: int
    matches: int
    wins: float
    points_per_deal: float | None
    mean_place: float | None = Field(None, exclude=True)
    mean_ms: float | None = Field(None, exclude=True)
    slowest_ms: int = Field(0, exclude=True)


class Style(_Part):
    """How a bot bids, over the finished deals that it played itself.

    ``contracts`` are those that it declared (in Loyatais: took); ``mean_level`` is how
    many tricks they promised; ``trianon_deals``, in which nobody declared, is null in
    Loyatais.
    """

    bot: str
    deals: int
    contracts: int
    made: int
    failed: int
    mean_level: float | None
    trianon_deals: int | None


class Outs(_Part):
    """Why a bot was out: codes of outs, and of the faults behind strikes.

    Each with how often, the commonest first; it is for people, and in no JSON.
    """

    bot: str
    codes: list[tuple[str, int]]
    faults: list[tuple[str, int]]


class Standings(_Part):
    """The table of a tournament; heads, seats and deals where they were asked for.

    ``house`` is how many finished matches hold a house bot; ``is_by_points`` whether
    points a deal rank, and not wins; ``shard`` names the share, as ``2/4``, where it is
    not the whole; ``outs`` tells why bots were out.
    """

    tournament: str
    game: str
    scheduled: int
    finished: int
    void: int
    benched: int
    rows: list[Row]
    heads: list[Head] | None = optional()
    seats: list[Seat] | None = optional()
    deals: list[Style] | None = optional()
    house: int = Field(default=0, exclude=True)
    is_by_points: bool = Field(default=False, exclude=True)
    benched_bots: list[str] = Field(default=[], exclude=True)
    shard: str | None = Field(default=None, exclude=True)
    outs: list[Outs] = Field(default=[], exclude=True)


def per(above: int, below: int) -> float | None:
    """Return one sum over another; None where that is no number."""
    return kept(above / below) if below else None


def kept(value: float) -> float:
    """Return the digits that are shown."""
    return round(value, DIGITS) + 0.0  # a zero without a sign


def ends(interval: Interval | None) -> tuple[float | None, float | None]:
    """Return both ends; None twice where there is no interval."""
    if interval is None:
        return None, None
    return kept(interval[0]), kept(interval[1])
