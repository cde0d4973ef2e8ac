"""One bot against another, over the blocks in which they sat at one table.

Luck with the deals is the same for both within a block, so a difference is known
better than the two numbers that it is between.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import TypeAlias

from tournaments.intervals import (
    CONFIDENCE,
    Interval,
    Part,
    ratio_interval,
    t_interval,
)
from tournaments.sums import PairSum
from tournaments.table import MATCHES, BlockId, Head, ends, per


@dataclass(slots=True)
class Meeting:
    """What adds up, of one bot against another in one block."""

    matches: int = 0
    ahead_halves: int = 0
    point_difference: int = 0
    deals: int = 0


Meetings: TypeAlias = Mapping[tuple[str, str], Sequence[Meeting]]
"""The blocks of two bots, by both in either order."""


def by_pair(pairs: Iterable[PairSum], wanted: Set[frozenset[str]] | None) -> Meetings:
    """Return the blocks of every two bots, or of those wanted, always in one order."""
    found: dict[tuple[str, str], dict[BlockId, Meeting]] = {}
    for pair in pairs:
        if wanted is not None and frozenset((pair.bot, pair.against)) not in wanted:
            continue
        blocks = found.setdefault((pair.bot, pair.against), {})
        meeting = blocks.setdefault((pair.triple, pair.block), Meeting())
        meeting.matches += pair.matches
        meeting.ahead_halves += pair.ahead_halves
        meeting.point_difference += pair.point_difference
        meeting.deals += pair.deals
    return {
        two: [blocks[key] for key in sorted(blocks)] for two, blocks in found.items()
    }


def level_with(ranked: Sequence[str], meetings: Meetings) -> dict[str, list[str]]:
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


def head_rows(ranked: Sequence[str], meetings: Meetings) -> list[Head]:
    """Return every bot against every other, in the order of the table."""
    heads: dict[tuple[str, str], Head] = {}
    for bot, against in permutations(ranked, 2):
        blocks = meetings.get((bot, against), ())
        low, high = ends(_difference(blocks, heads.get((against, bot))))
        deals = sum(meeting.deals for meeting in blocks)
        points = sum(meeting.point_difference for meeting in blocks)
        heads[bot, against] = Head(
            bot=bot,
            against=against,
            matches=sum(meeting.matches for meeting in blocks),
            ahead=sum(meeting.ahead_halves for meeting in blocks) / 2,
            points_per_deal=per(points, deals),
            low=low,
            high=high,
        )
    return list(heads.values())


def _difference(meetings: Sequence[Meeting], mirrored: Head | None) -> Interval | None:
    """Return the interval of a difference, from the other side's if it is known."""
    if mirrored is None:
        return ratio_interval(_whole_parts(meetings))
    if mirrored.low is None or mirrored.high is None:
        return None
    return -mirrored.high, -mirrored.low


def _whole_parts(meetings: Sequence[Meeting]) -> list[Part]:
    return [
        (meeting.point_difference, meeting.deals)
        for meeting in meetings
        if meeting.matches == MATCHES and meeting.deals
    ]
