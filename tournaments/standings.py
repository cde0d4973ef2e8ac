"""The ranked table: sums per block in, rows out.  Pure; nothing is read or printed.

Points and shares are of all matches played so far; intervals are of whole blocks only,
since an unfinished block has bots in some seats and not in others.  Every number is
finite or null.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from tournaments.intervals import Part, rate_interval, ratio_interval
from tournaments.meetings import by_pair, head_rows, level_with
from tournaments.ratings import BlockScores, ratings
from tournaments.sums import SIXTHS, BlockSum, PairSum, SeatSum
from tournaments.table import (
    MATCHES,
    PLAYERS,
    BlockId,
    Row,
    Seat,
    Standings,
    ends,
    kept,
    per,
)

__all__ = ["Standings", "make_standings"]

Standing: TypeAlias = tuple[int | Fraction, ...]
"""What two bots share the rank by, or do not; the least is the best."""


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
    def by_wins(self) -> Standing:
        """What the rank goes by, least first: wins, fewer outs, points a deal."""
        points = Fraction(self.points, self.deals or 1)
        return -self.wins_sixths, self.outs, not self.deals, -points

    def by_points(self, deals: int) -> Standing:
        """What it goes by in matches of so many deals: points, fewer outs, wins.

        A deal that a bot did not play itself is one without points: a bot that leaves
        when it is ahead shall not be the better for it.
        """
        points = Fraction(self.points, self.matches * deals or 1)
        return -points, self.outs, not self.matches, -self.wins_sixths


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
    finished: int,
    blocks: Iterable[BlockSum],
    pairs: Iterable[PairSum],
    seats: Iterable[SeatSum] | None = None,
    heads: bool = False,
    ranked_deals: int | None = None,
    house: int = 0,
    void: int = 0,
    benched: int = 0,
) -> Standings:
    """Return the table, best bot first.

    Ranked by wins, then fewer outs, then points a deal; or by points a deal, then fewer
    outs, then wins.  Full ties share the rank and stand by name.  The order of the sums
    does not matter, and those of one block may come in parts.

    Args:
        tournament: the cup's name.
        game: what it plays.
        bots: every bot's name, also of those that have not played yet.
        scheduled: matches in all.
        finished: those of them that are.
        blocks: what was counted, by block and bot.
        pairs: by block and two bots.
        seats: by bot and seat; None leaves them out of the table.
        heads: whether the table is to hold who beats whom.
        ranked_deals: the deals of every match where points a deal rank.
        house: finished matches that hold a house bot; the sums are without them.
        void: matches that could not be counted.
        benched: bots that are not playing any more.
    """
    by_block = _by_block(blocks)
    totals, whole = _by_bot(bots, by_block)

    def standing(bot: str) -> Standing:
        total = totals[bot]
        return total.by_points(ranked_deals) if ranked_deals else total.by_wins

    ranked = sorted(bots, key=lambda bot: (standing(bot), bot))
    neighbours = {frozenset(two) for two in pairwise(ranked)}
    meetings = by_pair(pairs, None if heads else neighbours)
    level = level_with(ranked, meetings)
    rated = ratings(ranked, _scores(by_block))
    rows: list[Row] = []
    for number, bot in enumerate(ranked, 1):
        total = totals[bot]
        is_tied = bool(rows) and standing(bot) == standing(rows[-1].bot)
        rating = rated.get(bot)
        win_low, win_high = ends(rate_interval(whole[bot].wins))
        low, high = ends(ratio_interval(whole[bot].points))
        rating_low, rating_high = ends(rating.interval if rating else None)
        rows.append(
            Row(
                rank=rows[-1].rank if is_tied else number,
                bot=bot,
                level_with=level[bot],
                matches=total.matches,
                wins=per(total.wins_sixths, SIXTHS) or 0.0,
                win_rate=per(total.wins_sixths, SIXTHS * total.matches),
                win_rate_low=win_low,
                win_rate_high=win_high,
                mean_place=per(total.place_sum, total.matches),
                points_per_deal=per(total.points, total.deals),
                points_low=low,
                points_high=high,
                rating=kept(rating.value) if rating else None,
                rating_low=rating_low,
                rating_high=rating_high,
                faults=total.faults,
                outs=total.outs,
                mean_ms=per(total.time_ms, total.moves),
                slowest_ms=total.slowest_ms,
                blocks=len(whole[bot].wins),
            )
        )
    return Standings(
        tournament=tournament,
        game=game,
        scheduled=scheduled,
        finished=finished,
        void=void,
        benched=benched,
        rows=rows,
        heads=head_rows(ranked, meetings) if heads else None,
        seats=None if seats is None else _seats(ranked, seats),
        house=house,
        is_by_points=ranked_deals is not None,
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
            wins=per(tally.wins_sixths, SIXTHS) or 0.0,
            points_per_deal=per(tally.points, tally.deals),
        )
        for (bot, seat), tally in tallies.items()
    ]
