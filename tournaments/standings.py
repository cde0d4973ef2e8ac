"""The ranked table: sums in, rows out.  Pure; nothing is read or printed.

Points and shares are of all matches played so far; intervals are of whole blocks only,
since an unfinished block has bots in some seats and not in others.  Every number is
finite or null.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, compress, pairwise
from operator import itemgetter
from typing import Final, TypeAlias

from tournaments.intervals import Parts, rate_interval, ratio_interval
from tournaments.meetings import Meetings, head_rows, level_with
from tournaments.opponents import Opponents
from tournaments.ratings import Scores, ratings
from tournaments.schedule import WHOLE, Share
from tournaments.sums import GREATEST, SEAT_FIELDS, SIXTHS, BlockSum, SeatSum, Three
from tournaments.table import (
    MATCHES,
    PLAYERS,
    Outs,
    Row,
    Seat,
    Standings,
    Style,
    ends,
    kept,
    per,
)

__all__ = ["Standings", "make_standings"]

WITHOUT_TRIANON_DEALS: Final = frozenset({"loyatais"})
Standing: TypeAlias = tuple[int | Fraction, ...]
"""What two bots share the rank by, or do not; the least is the best."""


@dataclass(frozen=True, slots=True)
class _Whole:
    """What a bot's whole blocks add to its shares, and whom it met in them."""

    wins: Parts
    points: Parts
    met: Opponents

    @property
    def met_for_points(self) -> Opponents | None:
        """Whom it met in the blocks in which it has points; None if not in all."""
        return self.met if len(self.points) == len(self.wins) else None


class _WholeBlocks:
    """The whole blocks: of each bot in each of them one entry, in columns for all.

    Bots find theirs by their places: to add a block takes few steps, and a million
    matches have half a million entries.
    """

    def __init__(self, bots: int) -> None:
        self._places = [array("q") for _ in range(bots)]
        self._wins, self._points, self._deals = array("d"), array("d"), array("d")
        self._ones, self._others = array("i"), array("i")

    def add(self, bots: Three, wins: Three, points: Three, deals: Three) -> None:
        """Add a block of three bots, by their numbers in the table."""
        i, j, k = bots
        place = len(self._wins)
        self._wins.extend(wins)
        self._points.extend(points)
        self._deals.extend(deals)
        self._ones.extend((j, i, i))
        self._others.extend((k, k, j))
        self._places[i].append(place)
        self._places[j].append(place + 1)
        self._places[k].append(place + 2)

    def of(self, bot: int) -> _Whole:
        """Return those of one bot."""
        places = self._places[bot]
        if not places:
            return _Whole(Parts(), Parts(), Opponents())
        # The first place twice, since of one alone it makes no tuple.
        pick = itemgetter(places[0], *places)
        wins, points, deals = (
            array("d", pick(column)[1:])
            for column in (self._wins, self._points, self._deals)
        )
        if 0.0 in deals:
            points = array("d", compress(points, deals))
            deals = array("d", filter(None, deals))
        met = Opponents(
            array("i", pick(self._ones)[1:]), array("i", pick(self._others)[1:])
        )
        all_wins = array("d", [SIXTHS * MATCHES]) * len(places)
        return _Whole(Parts(wins, all_wins), Parts(points, deals), met)


def make_standings(
    *,
    tournament: str,
    game: str,
    bots: Sequence[str],
    scheduled: int,
    finished: int,
    blocks: Iterable[BlockSum],
    seats: Sequence[SeatSum],
    with_heads: bool = False,
    with_seats: bool = False,
    with_deals: bool = False,
    ranked_deals: int | None = None,
    house: int = 0,
    void: int = 0,
    benched: int = 0,
    lost: Mapping[tuple[str, int], int] | None = None,
    share: Share = WHOLE,
    outs: Sequence[Outs] = (),
) -> Standings:
    """Return the table, best bot first.

    Ranked by wins, then fewer outs, then points a deal; or by points a deal, then fewer
    outs, then wins.  Full ties share the rank and stand by name.

    Args:
        tournament: the cup's name.
        game: what it plays.
        bots: every bot's name, also of those that have not played yet.
        scheduled: matches in all.
        finished: those of them that are.
        blocks: what was counted, by block; read once, and not kept.
        seats: by bot and seat.
        with_heads: whether the table is to hold who beats whom.
        with_seats: whether it is to hold results by seat.
        with_deals: whether it is to hold how the bots bid.
        ranked_deals: the deals of every match where points a deal rank.
        house: finished matches that hold a house bot; the sums are without them.
        void: matches that could not be counted.
        benched: matches that are not played.
        lost: how many of them each bot has lost in each seat.
        share: the part of the tournament that the table is of.
        outs: why bots were out.
    """
    seats = _with_lost(seats, lost or {})
    benched_bots = sorted({bot for bot, _ in lost or ()})
    totals = _totals(bots, seats)

    def standing(bot: str) -> Standing:
        return (
            _by_points(totals[bot], ranked_deals)
            if ranked_deals
            else _by_wins(totals[bot])
        )

    ranked = sorted(bots, key=lambda bot: (standing(bot), bot))
    meetings = Meetings(combinations(ranked, 2) if with_heads else pairwise(ranked))
    scores = Scores(ranked, MATCHES)
    whole_blocks = _WholeBlocks(len(ranked))
    for block in blocks:
        _add(block, scores.index, whole_blocks, scores)
        meetings.add(block)
    whole = {bot: whole_blocks.of(i) for i, bot in enumerate(ranked)}
    level = level_with(ranked, meetings)
    rated = ratings(scores, [whole[bot].met for bot in ranked])
    # By their numbers of blocks: what is drawn for one number is kept for it alone.
    by_blocks = sorted(ranked, key=lambda bot: len(whole[bot].wins))
    rates = {
        bot: rate_interval(whole[bot].wins, whole[bot].met)
        for bot in by_blocks
        if bot not in benched_bots  # lost without play, it tells nothing of the bot
    }
    points = {
        bot: ratio_interval(whole[bot].points, whole[bot].met_for_points)
        for bot in by_blocks
    }
    rows: list[Row] = []
    for number, bot in enumerate(ranked, 1):
        total = totals[bot]
        is_tied = bool(rows) and standing(bot) == standing(rows[-1].bot)
        rating = rated.get(bot)
        win_low, win_high = ends(rates.get(bot))
        low, high = ends(points[bot])
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
        heads=head_rows(ranked, meetings) if with_heads else None,
        seats=_seats(ranked, seats) if with_seats else None,
        deals=_styles(game, [totals[bot] for bot in ranked]) if with_deals else None,
        house=house,
        is_by_points=ranked_deals is not None,
        benched_bots=benched_bots,
        shard=None if share.is_whole else str(share),
        outs=sorted(outs, key=lambda item: ranked.index(item.bot)),
    )


def _with_lost(
    seats: Sequence[SeatSum], lost: Mapping[tuple[str, int], int]
) -> list[SeatSum]:
    """Return the sums with the matches that were lost without play, as last places."""
    found = {(one.bot, one.seat): one for one in seats}
    for (bot, seat), number in lost.items():
        one = found.get((bot, seat)) or SeatSum(
            bot, seat, **dict.fromkeys(SEAT_FIELDS, 0)
        )
        found[bot, seat] = replace(
            one,
            matches=one.matches + number,
            place_sum=one.place_sum + PLAYERS * number,
        )
    return list(found.values())


def _add(
    block: BlockSum, index: Mapping[str, int], whole: _WholeBlocks, scores: Scores
) -> None:
    """Add a block: run for every block of a table, so that it counts its steps."""
    (one, two, three), _, matches, wins, points, deals, *_ = block
    i, j, k = index[one], index[two], index[three]
    p, q, r = points
    d, e, f = deals
    if d and e and f:
        scores.add_three(i, j, k, p / d, q / e, r / f, matches)
    else:
        each = p / d if d else None, q / e if e else None, r / f if f else None
        scores.add(block.triple, each, matches)
    if matches == MATCHES:
        whole.add((i, j, k), wins, points, deals)


def _totals(bots: Sequence[str], seats: Iterable[SeatSum]) -> dict[str, SeatSum]:
    """Return what each bot has over all seats."""
    sums = {bot: dict.fromkeys(SEAT_FIELDS, 0) for bot in bots}
    for seat in seats:
        total = sums[seat.bot]
        for name, before in total.items():
            value = getattr(seat, name)
            total[name] = max(before, value) if name in GREATEST else before + value
    return {bot: SeatSum(bot, -1, **total) for bot, total in sums.items()}


def _by_wins(total: SeatSum) -> Standing:
    """Return what the rank goes by: wins, fewer outs, points a deal."""
    points = Fraction(total.points, total.deals or 1)
    return -total.wins_sixths, total.outs, not total.deals, -points


def _by_points(total: SeatSum, deals: int) -> Standing:
    """Return what it goes by in matches of so many deals: points, fewer outs, wins.

    A deal that a bot did not play itself is one without points: a bot that leaves when
    it is ahead shall not be the better for it.
    """
    points = Fraction(total.points, total.matches * deals or 1)
    return -points, total.outs, not total.matches, -total.wins_sixths


def _seats(ranked: Sequence[str], sums: Iterable[SeatSum]) -> list[Seat]:
    found = {(one.bot, one.seat): one for one in sums}
    none = dict.fromkeys(SEAT_FIELDS, 0)
    rows = []
    for bot in ranked:
        for seat in range(PLAYERS):
            one = found.get((bot, seat)) or SeatSum(bot, seat, **none)
            rows.append(
                Seat(
                    bot=bot,
                    seat=seat,
                    matches=one.matches,
                    wins=per(one.wins_sixths, SIXTHS) or 0.0,
                    points_per_deal=per(one.points, one.deals),
                    mean_place=per(one.place_sum, one.matches),
                    mean_ms=per(one.time_ms, one.moves),
                    slowest_ms=one.slowest_ms,
                )
            )
    return rows


def _styles(game: str, totals: Iterable[SeatSum]) -> list[Style]:
    has_trianon_deals = game not in WITHOUT_TRIANON_DEALS
    return [
        Style(
            bot=total.bot,
            deals=total.deals,
            contracts=total.contracts,
            made=total.made,
            failed=total.contracts - total.made,
            mean_level=per(total.levels, total.contracts),
            trianon_deals=total.undeclared if has_trianon_deals else None,
        )
        for total in totals
    ]
