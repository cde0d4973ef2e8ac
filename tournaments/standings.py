"""The ranked table: sums per block in, rows out.  Pure; nothing is read or printed.

Points and shares are of all matches played so far; intervals are of whole blocks only,
since an unfinished block has bots in some seats and not in others.  Every number is
finite or null.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from protocol.model import optional
from tournaments.intervals import (
    CONFIDENCE,
    Interval,
    Part,
    rate_interval,
    ratio_interval,
    t_interval,
)
from tournaments.ratings import BlockScores, ratings
from tournaments.schedule import ORDERS, Triple
from tournaments.sums import SIXTHS, BlockSum, PairSum, SeatSum

PLAYERS: Final = 3
MATCHES: Final = len(ORDERS)  # of a whole block
DIGITS: Final = 9
"""Decimals that are kept: enough for all, too few to tell one machine's logarithm from
another's, so that the same results give the same bytes."""

BlockId: TypeAlias = tuple[Triple, int]


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
    """One bot in one seat."""

    bot: str
    seat: int
    matches: int
    wins: float
    points_per_deal: float | None


class Standings(_Part):
    """The table of a tournament; ``heads`` and ``seats`` where they were asked for."""

    tournament: str
    game: str
    scheduled: int
    finished: int
    void: int
    benched: int
    rows: list[Row]
    heads: list[Head] | None = optional()
    seats: list[Seat] | None = optional()


@dataclass(slots=True)
class _Tally:
    """What adds up, of a bot in all or in one block."""

    matches: int = 0
    wins_sixths: int = 0
    place_sum: int = 0
    points: int = 0
    deals: int = 0
    faults: int = 0
    outs: int = 0
    moves: int = 0
    time_ms: int = 0
    slowest_ms: int = 0

    def add(self, more: "BlockSum | _Tally") -> None:
        self.matches += more.matches
        self.wins_sixths += more.wins_sixths
        self.place_sum += more.place_sum
        self.points += more.points
        self.deals += more.deals
        self.faults += more.faults
        self.outs += more.outs
        self.moves += more.moves
        self.time_ms += more.time_ms
        self.slowest_ms = max(self.slowest_ms, more.slowest_ms)

    @property
    def standing(self) -> tuple[int, int, bool, Fraction]:
        """What the rank goes by, least first: wins, fewer outs, points a deal."""
        points = Fraction(self.points, self.deals or 1)
        return -self.wins_sixths, self.outs, not self.deals, -points


@dataclass(slots=True)
class _Meeting:
    """What adds up, of one bot against another in one block."""

    matches: int = 0
    ahead_halves: int = 0
    point_difference: int = 0
    deals: int = 0


@dataclass(slots=True)
class _Whole:
    """What a bot's whole blocks add to its shares."""

    wins: list[Part] = field(default_factory=list)
    points: list[Part] = field(default_factory=list)


def make_standings(
    *,
    tournament: str,
    game: str,
    bots: Sequence[str],
    scheduled: int,
    blocks: Iterable[BlockSum],
    pairs: Iterable[PairSum],
    seats: Iterable[SeatSum] | None = None,
    heads: bool = False,
    void: int = 0,
    benched: int = 0,
) -> Standings:
    """Return the table, best bot first.

    Ranked by wins, then fewer outs, then points a deal; full ties share the rank and
    stand by name.  The order of the sums does not matter, and those of one block may
    come in parts.

    Args:
        tournament: the cup's name.
        game: what it plays.
        bots: every bot's name, also of those that have not played yet.
        scheduled: matches in all.
        blocks: what was counted, by block and bot.
        pairs: by block and two bots.
        seats: by bot and seat; None leaves them out of the table.
        heads: whether the table is to hold who beats whom.
        void: matches that could not be counted.
        benched: bots that are not playing any more.
    """
    by_block = _by_block(blocks)
    totals, whole = _by_bot(bots, by_block)
    ranked = sorted(bots, key=lambda bot: (totals[bot].standing, bot))
    neighbours = {frozenset(two) for two in pairwise(ranked)}
    meetings = _meetings(pairs, None if heads else neighbours)
    level = _level(ranked, meetings)
    rated = ratings(ranked, _scores(by_block))
    rows: list[Row] = []
    for number, bot in enumerate(ranked, 1):
        total = totals[bot]
        is_tied = bool(rows) and total.standing == totals[rows[-1].bot].standing
        rating = rated.get(bot)
        win_low, win_high = _ends(rate_interval(whole[bot].wins))
        low, high = _ends(ratio_interval(whole[bot].points))
        rating_low, rating_high = _ends(rating.interval if rating else None)
        rows.append(
            Row(
                rank=rows[-1].rank if is_tied else number,
                bot=bot,
                level_with=level[bot],
                matches=total.matches,
                wins=_per(total.wins_sixths, SIXTHS) or 0.0,
                win_rate=_per(total.wins_sixths, SIXTHS * total.matches),
                win_rate_low=win_low,
                win_rate_high=win_high,
                mean_place=_per(total.place_sum, total.matches),
                points_per_deal=_per(total.points, total.deals),
                points_low=low,
                points_high=high,
                rating=_kept(rating.value) if rating else None,
                rating_low=rating_low,
                rating_high=rating_high,
                faults=total.faults,
                outs=total.outs,
                mean_ms=_per(total.time_ms, total.moves),
                slowest_ms=total.slowest_ms,
                blocks=len(whole[bot].wins),
            )
        )
    return Standings(
        tournament=tournament,
        game=game,
        scheduled=scheduled,
        finished=sum(total.matches for total in totals.values()) // PLAYERS,
        void=void,
        benched=benched,
        rows=rows,
        heads=_heads(ranked, meetings) if heads else None,
        seats=None if seats is None else _seats(ranked, seats),
    )


def _by_block(blocks: Iterable[BlockSum]) -> dict[BlockId, dict[str, _Tally]]:
    """Put the sums of each block together, in an order that is always the same."""
    found: dict[BlockId, dict[str, _Tally]] = {}
    for block in blocks:
        tallies = found.setdefault((block.triple, block.block), {})
        tallies.setdefault(block.bot, _Tally()).add(block)
    return {key: dict(sorted(found[key].items())) for key in sorted(found)}


def _by_bot(
    bots: Sequence[str], by_block: Mapping[BlockId, Mapping[str, _Tally]]
) -> tuple[dict[str, _Tally], dict[str, _Whole]]:
    totals = {bot: _Tally() for bot in bots}
    whole = {bot: _Whole() for bot in bots}
    for tallies in by_block.values():
        is_whole = _is_whole(tallies)
        for bot, tally in tallies.items():
            totals[bot].add(tally)
            if not is_whole:
                continue
            whole[bot].wins.append((tally.wins_sixths, SIXTHS * tally.matches))
            if tally.deals:
                whole[bot].points.append((tally.points, tally.deals))
    return totals, whole


def _is_whole(tallies: Mapping[str, _Tally]) -> bool:
    return len(tallies) == PLAYERS and all(
        tally.matches == MATCHES for tally in tallies.values()
    )


def _scores(
    by_block: Mapping[BlockId, Mapping[str, _Tally]],
) -> list[BlockScores]:
    return [
        BlockScores(
            {
                bot: tally.points / tally.deals
                for bot, tally in tallies.items()
                if tally.deals
            },
            max(tally.matches for tally in tallies.values()),
            _is_whole(tallies),
        )
        for tallies in by_block.values()
    ]


# -- one bot against another -----------------------------------------------------------


def _meetings(
    pairs: Iterable[PairSum], wanted: Set[frozenset[str]] | None
) -> dict[tuple[str, str], list[_Meeting]]:
    """Return the blocks of every two bots, or of those wanted, always in one order."""
    found: dict[tuple[str, str], dict[BlockId, _Meeting]] = {}
    for pair in pairs:
        if wanted is not None and frozenset((pair.bot, pair.against)) not in wanted:
            continue
        blocks = found.setdefault((pair.bot, pair.against), {})
        meeting = blocks.setdefault((pair.triple, pair.block), _Meeting())
        meeting.matches += pair.matches
        meeting.ahead_halves += pair.ahead_halves
        meeting.point_difference += pair.point_difference
        meeting.deals += pair.deals
    return {
        two: [blocks[key] for key in sorted(blocks)] for two, blocks in found.items()
    }


def _whole_parts(meetings: Sequence[_Meeting]) -> list[Part]:
    return [
        (meeting.point_difference, meeting.deals)
        for meeting in meetings
        if meeting.matches == MATCHES and meeting.deals
    ]


def _level(
    ranked: Sequence[str], meetings: Mapping[tuple[str, str], Sequence[_Meeting]]
) -> dict[str, list[str]]:
    """Return, for each bot, the neighbours in rank that may be as good as it.

    Their difference in points a deal is taken block by block, in which luck with the
    deals cancels.  As many are tested as there are neighbours, so each interval is
    wider (Bonferroni): all of them hold together in 95 of 100 tables.
    """
    level: dict[str, list[str]] = {bot: [] for bot in ranked}
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(ranked) - 1)
    for better, worse in pairwise(ranked):
        parts = _whole_parts(meetings.get((better, worse), ()))
        interval = t_interval(parts, confidence)
        if interval is None or interval[0] <= 0 <= interval[1]:
            level[better].append(worse)
            level[worse].append(better)
    return level


def _heads(
    ranked: Sequence[str], meetings: Mapping[tuple[str, str], Sequence[_Meeting]]
) -> list[Head]:
    heads = []
    for bot, against in permutations(ranked, 2):
        blocks = meetings.get((bot, against), ())
        low, high = _ends(ratio_interval(_whole_parts(blocks)))
        deals = sum(meeting.deals for meeting in blocks)
        points = sum(meeting.point_difference for meeting in blocks)
        heads.append(
            Head(
                bot=bot,
                against=against,
                matches=sum(meeting.matches for meeting in blocks),
                ahead=sum(meeting.ahead_halves for meeting in blocks) / 2,
                points_per_deal=_per(points, deals),
                low=low,
                high=high,
            )
        )
    return heads


def _seats(ranked: Sequence[str], sums: Iterable[SeatSum]) -> list[Seat]:
    tallies = {(bot, seat): _Tally() for bot in ranked for seat in range(PLAYERS)}
    for one in sums:
        tally = tallies[one.bot, one.seat]
        tally.matches += one.matches
        tally.wins_sixths += one.wins_sixths
        tally.points += one.points
        tally.deals += one.deals
    return [
        Seat(
            bot=bot,
            seat=seat,
            matches=tally.matches,
            wins=_per(tally.wins_sixths, SIXTHS) or 0.0,
            points_per_deal=_per(tally.points, tally.deals),
        )
        for (bot, seat), tally in tallies.items()
    ]


# -- numbers that are kept -------------------------------------------------------------


def _per(above: int, below: int) -> float | None:
    return _kept(above / below) if below else None


def _kept(value: float) -> float:
    return round(value, DIGITS) + 0.0  # a zero without a sign


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    if interval is None:
        return None, None
    return _kept(interval[0]), _kept(interval[1])
