"""Ratings in points a deal: how much better than the field's mean a bot scores.

Scores are centred within each block, since what three bots share out depends on who
the three are; least squares then finds the strengths behind them.  The order of
matches does not matter, and triples that have not met yet are no harm.
"""

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from operator import mul
from typing import Final, TypeAlias

from tournaments.intervals import (
    CONFIDENCE,
    LEAST_BLOCKS,
    Interval,
    t_quantile,
)
from tournaments.opponents import Opponents, luck_of

Matrix: TypeAlias = list[list[float]]
_NOBODY: Final = -1


class Scores:
    """What bots scored in every block, in points a deal.

    Kept in columns: the blocks of a million matches take six megabytes, and are gone
    through in a tenth of a second.  A block of two scores has nobody as its third.
    """

    def __init__(self, bots: Sequence[str], whole: int) -> None:
        """Begin without any.

        Args:
            bots: whom to rate.
            whole: the matches of a whole block.
        """
        self.bots = bots
        self.index = {bot: i for i, bot in enumerate(bots)}
        self._whole = whole
        self._members = array("i")  # three a block, as the scores are
        self._scores = array("d")
        self._matches = array("b")

    def add(
        self, bots: Sequence[str], scores: Sequence[float | None], matches: int
    ) -> None:
        """Add a block.

        Args:
            bots: the three that played it.
            scores: in points a deal; None for a bot that finished no deal itself.
            matches: how many were played so far.
        """
        known = [
            (self.index[bot], score)
            for bot, score in zip(bots, scores, strict=True)
            if score is not None
        ]
        if len(known) < 2:
            return  # a score alone says nothing of anybody
        known += [(_NOBODY, 0.0)] * (3 - len(known))
        (i, a), (j, b), (k, c) = known
        self.add_three(i, j, k, a, b, c, matches)

    def add_three(
        self, i: int, j: int, k: int, a: float, b: float, c: float, matches: int
    ) -> None:
        """Add a block of three scores, a, b and c, of the bots i, j and k by index."""
        self._members.extend((i, j, k))
        self._scores.extend((a, b, c))
        self._matches.append(matches)

    @property
    def whole_blocks(self) -> int:
        """How many blocks are whole."""
        return self._matches.count(self._whole)

    @property
    def are_whole(self) -> bool:
        """Whether all blocks are."""
        return self.whole_blocks == len(self._matches)

    def blocks(
        self, *, only_whole: bool
    ) -> Iterator[tuple[int, int, int, float, float, float, int]]:
        """Yield every block, or every whole one: bots, scores, matches."""
        i, j, k = (self._members[place::3] for place in range(3))
        a, b, c = (self._scores[place::3] for place in range(3))
        columns = zip(i, j, k, a, b, c, self._matches, strict=True)
        if not only_whole:
            return columns
        return (block for block in columns if block[6] == self._whole)


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's rating, in points a deal; the mean over all bots is zero."""

    value: float
    interval: Interval | None


def ratings(
    scores: Scores, met: Sequence[Opponents] | None = None
) -> dict[str, Rating]:
    """Return each bot's rating; nothing unless the blocks link all bots.

    The interval is of 95 %, from whole blocks, by the sandwich estimator with blocks
    as clusters: it holds whether or not the spread differs between bots and the scores
    of a block hang together, and costs one more product of matrices where a bootstrap
    would solve a thousand systems.  Its degrees of freedom are the bot's own blocks
    less one, since those carry nearly all of what is known of it.  What a bot makes of
    one opponent rather than another is no luck (see ``opponents``).

    Args:
        scores: of all blocks.
        met: whom each bot met in its whole blocks, where that is known.
    """
    fit = _fit(scores, only_whole=False)
    if fit is None:
        return {}
    whole_fit = fit if scores.are_whole else _fit(scores, only_whole=True)
    intervals = {} if whole_fit is None else _intervals(scores, whole_fit, met)
    return {
        bot: Rating(value, intervals.get(i))
        for i, (bot, value) in enumerate(zip(scores.bots, fit.values, strict=True))
    }


@dataclass(frozen=True, slots=True)
class _Fit:
    """The ratings by index, and what turns sums of centred scores into them."""

    values: list[float]
    inverse: Matrix


def _fit(scores: Scores, *, only_whole: bool) -> _Fit | None:
    """Solve the normal equations; None when some bots are linked to no others."""
    size = len(scores.bots)
    met = [[0] * size for _ in range(size)]  # in how many matches; one half only
    pairs_met = [[0] * size for _ in range(size)]  # in blocks of these two alone
    right = [0.0] * size
    for i, j, k, a, b, c, matches in scores.blocks(only_whole=only_whole):
        if k == _NOBODY:
            mean = (a + b) / 2
            pairs_met[i][j] += matches
        else:
            mean = (a + b + c) / 3
            met[i][j] += matches
            met[i][k] += matches
            met[j][k] += matches
            right[k] += matches * (c - mean)
        right[i] += matches * (a - mean)
        right[j] += matches * (b - mean)
    left = [[0.0] * size for _ in range(size)]
    for counts, share in ((met, 3), (pairs_met, 2)):
        for i, j in permutations(range(size), 2):
            # A match of three counts for two thirds of itself, a third for each other.
            left[i][i] += (counts[i][j] + counts[j][i]) / share
            left[i][j] -= (counts[i][j] + counts[j][i]) / share
    if not _is_linked(left):
        return None
    # The equations leave the mean open; a one in every place settles it at zero.
    inverse = _inverse([[value + 1.0 for value in row] for row in left])
    return _Fit([_dot(row, right) for row in inverse], inverse)


def _intervals(
    scores: Scores, fit: _Fit, met: Sequence[Opponents] | None
) -> dict[int, Interval]:
    size = len(scores.bots)
    own = [array("d") for _ in range(size)]
    meat = _meat(scores, fit.values, own)
    # A block says one thing less than it has scores.
    known = sum(map(len, own)) - scores.whole_blocks
    spare = known - (size - 1)
    if spare <= 0:
        return {}
    shares = [
        _share_of_luck(left_over, None if met is None else met[i])
        for i, left_over in enumerate(own)
    ]
    meat = [
        [share * other * value for other, value in zip(shares, row, strict=True)]
        for share, row in zip(shares, meat, strict=True)
    ]
    intervals = {}
    for i, (value, inverse) in enumerate(zip(fit.values, fit.inverse, strict=True)):
        # Without what settles the mean, on which the meat shall have no hold.
        row = [x - 1 / size**2 for x in inverse]
        blocks = len(own[i])
        if blocks < LEAST_BLOCKS:
            continue
        spread = _dot(row, [_dot(other, row) for other in meat]) * known / spare
        error = math.sqrt(max(spread, 0.0))
        reach = error * t_quantile((1 + CONFIDENCE) / 2, blocks - 1)
        intervals[i] = (value - reach, value + reach)
    return intervals


def _share_of_luck(left_over: Sequence[float], met: Opponents | None) -> float:
    """Return how much of a bot's error is not of whom it met."""
    if met is None or not LEAST_BLOCKS <= len(left_over) == len(met.ones):
        return 1.0
    whole = luck_of(left_over, None).variance
    return math.sqrt(luck_of(left_over, met).variance / whole) if whole else 1.0


def _meat(
    scores: Scores, values: Sequence[float], own: "Sequence[array[float]]"
) -> Matrix:
    """Return the products of what the ratings do not explain, over whole blocks.

    Args:
        scores: of the blocks.
        values: the ratings.
        own: takes what is left over, by bot, times the weight of the blocks.
    """
    meat = [[0.0] * len(values) for _ in values]  # one half only, at first
    for i, j, k, a, b, c, matches in scores.blocks(only_whole=True):
        a -= values[i]
        b -= values[j]
        if k == _NOBODY:
            mean = (a + b) / 2
        else:
            c -= values[k]
            mean = (a + b + c) / 3
            c = matches * (c - mean)
            own[k].append(c)
            meat[k][k] += c * c
        a = matches * (a - mean)
        b = matches * (b - mean)
        own[i].append(a)
        own[j].append(b)
        meat[i][i] += a * a
        meat[j][j] += b * b
        meat[i][j] += a * b
        if k != _NOBODY:
            meat[i][k] += a * c
            meat[j][k] += b * c
    for i, j in combinations(range(len(values)), 2):
        meat[i][j] = meat[j][i] = meat[i][j] + meat[j][i]
    return meat


def _is_linked(left: Matrix) -> bool:
    """Tell whether a chain of blocks leads from every bot to every other."""
    seen, todo = {0}, [0]
    while todo:
        row = left[todo.pop()]
        new = {j for j, value in enumerate(row) if value} - seen
        seen |= new
        todo += new
    return len(seen) == len(left)


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    total: float = sum(map(mul, one, other))
    return total


def _inverse(matrix: Matrix) -> Matrix:
    """Invert a symmetric, positive definite matrix.

    By Gauss and Jordan on the lower half alone, with no pivots (Bauer and Reinsch in
    the "Handbook for Automatic Computation", volume 2, I/3): in each step the first
    row leaves, and comes back as the last of the inverse.
    """
    size = len(matrix)
    rows = [row[: i + 1] for i, row in enumerate(matrix)]
    for left in range(size, 0, -1):
        pivot = rows[0][0]
        firsts = [row[0] for row in rows[1:]]
        shares = [-first / pivot for first in firsts[: left - 1]]
        shares += [first / pivot for first in firsts[left - 1 :]]
        rows = [
            [a + first * share for a, share in zip(row[1:], shares, strict=False)]
            for row, first in zip(rows[1:], firsts, strict=True)
        ]
        rows.append([*shares, 1 / pivot])
    return [
        [*row, *(other[i] for other in rows[i + 1 :])] for i, row in enumerate(rows)
    ]
