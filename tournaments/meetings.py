"""One bot against another, over the blocks in which they sat at one table.

Luck with the deals is the same for both within a block, so a difference is known
better than the two numbers that it is between.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations

from tournaments.intervals import CONFIDENCE, Interval, Parts, t_interval
from tournaments.sums import PAIRS, BlockSum
from tournaments.table import MATCHES, Head, ends, per


@dataclass(slots=True)
class Meeting:
    """What adds up, of one bot against the next in the order of names."""

    matches: int = 0
    ahead_halves: int = 0
    difference: int = 0
    deals: int = 0
    whole: Parts = field(default_factory=Parts)


class Meetings:
    """The blocks of every two bots, or of those wanted."""

    def __init__(self, wanted: Iterable[tuple[str, str]]) -> None:
        self._found = {_sorted(*two): Meeting() for two in wanted}

    def add(self, block: BlockSum) -> None:
        """Add a block."""
        for place, (i, j) in enumerate(PAIRS):
            meeting = self._found.get((block.triple[i], block.triple[j]))
            if meeting is None:
                continue
            difference, deals = block.differences[place], block.shared_deals[place]
            meeting.matches += block.matches
            meeting.ahead_halves += block.ahead_halves[place]
            meeting.difference += difference
            meeting.deals += deals
            if block.matches == MATCHES and deals:
                meeting.whole.add(difference, deals)

    def between(self, bot: str, against: str) -> tuple[Meeting, int]:
        """Return what adds up, and the sign by which it is of the first of the two."""
        two = _sorted(bot, against)
        return self._found[two], 1 if two[0] == bot else -1


def level_with(ranked: Sequence[str], meetings: Meetings) -> dict[str, list[str]]:
    """Return, for each bot, the neighbours in rank that may be as good as it.

    Their difference in points a deal is taken block by block, in which luck with the
    deals cancels.  As many are tested as there are neighbours, so each interval is
    wider (Bonferroni): all of them hold together in 95 of 100 tables.
    """
    level: dict[str, list[str]] = {bot: [] for bot in ranked}
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(ranked) - 1)
    for better, worse in pairwise(ranked):
        meeting, _ = meetings.between(better, worse)
        interval = t_interval(meeting.whole, confidence)
        if interval is None or interval[0] <= 0 <= interval[1]:
            level[better].append(worse)
            level[worse].append(better)
    return level


def head_rows(ranked: Sequence[str], meetings: Meetings) -> list[Head]:
    """Return every bot against every other, in the order of the table.

    The intervals are Student's: a difference is spread evenly to both sides, and a
    hundred bots have 4,950 of them.
    """
    intervals: dict[tuple[str, str], Interval | None] = {}
    rows = []
    for bot, against in permutations(ranked, 2):
        meeting, sign = meetings.between(bot, against)
        two = _sorted(bot, against)
        if two not in intervals:
            intervals[two] = t_interval(meeting.whole)
        low, high = ends(_times(sign, intervals[two]))
        halves = meeting.ahead_halves
        rows.append(
            Head(
                bot=bot,
                against=against,
                matches=meeting.matches,
                ahead=(halves if sign > 0 else 2 * meeting.matches - halves) / 2,
                points_per_deal=per(sign * meeting.difference, meeting.deals),
                low=low,
                high=high,
            )
        )
    return rows


def _sorted(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _times(sign: int, interval: Interval | None) -> Interval | None:
    if interval is None or sign > 0:
        return interval
    return -interval[1], -interval[0]
