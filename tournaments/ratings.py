"""Ratings in points a deal: how much better than the field's mean a bot scores.

Scores are centred within each block, since what three bots share out depends on who
the three are; least squares then finds the strengths behind them.  The order of
matches does not matter, and triples that have not met yet are no harm.
"""

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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

    def __len__(self) -> int:
        """Return how many blocks there are."""
        return len(self._matches)

    @property
    def are_whole(self) -> bool:
        """Whether all blocks are."""
        return all(matches == self._whole for matches in self._matches)

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


def ratings(scores: Scores) -> dict[str, Rating]:
    """Return each bot's rating; nothing unless the blocks link all bots.

    The interval is of 95 %, from whole blocks, by the sandwich estimator with blocks
    as clusters: it holds whether or not the spread differs between bots and the scores
    of a block hang together, and costs one more product of matrices where a bootstrap
    would solve a thousand systems.  Its degrees of freedom are the bot's own blocks
    less one, since those carry nearly all of what is known of it.  What a bot makes of
    one opponent rather than another is no luck (see ``opponents``).
    """
    fit = _fit(scores, only_whole=False)
    if fit is None:
        return {}
    whole_fit = fit if scores.are_whole else _fit(scores, only_whole=True)
    intervals = {} if whole_fit is None else _intervals(scores, whole_fit)
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


@dataclass(slots=True)
class _Own:
    """What the ratings do not explain of one bot's blocks, and where it stands."""

    left_over: "array[float]" = field(default_factory=lambda: array("d"))
    met: Opponents = field(default_factory=Opponents)
    places: "array[int]" = field(default_factory=lambda: array("i"))

    def add(self, left_over: float, one: int, other: int, place: int) -> None:
        """Add a block, with the two that the bot met in it."""
        self.left_over.append(left_over)
        self.met.add(one, other)
        self.places.append(place)


def _intervals(scores: Scores, fit: _Fit) -> dict[int, Interval]:
    size = len(scores.bots)
    own = _left_over(scores, fit.values)
    known = sum(len(one.places) for one in own)
    # Each bot's, by the places of blocks: three a block, nothing for nobody.
    flat = array("d", bytes(8 * 3 * len(scores)))
    for one in own:
        values: Sequence[float] = one.left_over
        if len(values) >= LEAST_BLOCKS:
            luck = luck_of(values, one.met)
            wider = math.sqrt((len(values) - 1) / luck.freedom)
            values = [wider * value for value in luck.values]
        for place, value in zip(one.places, values, strict=True):
            flat[place] = value
    meat = [[0.0] * size for _ in range(size)]  # one half only
    blocks = 0
    columns = zip(flat[::3], flat[1::3], flat[2::3], strict=True)
    for (i, j, k, *_), (a, b, c) in zip(
        scores.blocks(only_whole=True), columns, strict=False
    ):
        blocks += 1
        meat[i][i] += a * a
        meat[j][j] += b * b
        meat[i][j] += a * b
        if k != _NOBODY:
            meat[k][k] += c * c
            meat[i][k] += a * c
            meat[j][k] += b * c
    for i, j in combinations(range(size), 2):
        meat[i][j] = meat[j][i] = meat[i][j] + meat[j][i]
    known -= blocks  # a block says one thing less than it has scores
    spare = known - (size - 1)
    if spare <= 0:
        return {}
    intervals = {}
    for i, (value, row) in enumerate(zip(fit.values, fit.inverse, strict=True)):
        met = len(own[i].places)
        if met < LEAST_BLOCKS:
            continue
        spread = _dot(row, [_dot(other, row) for other in meat]) * known / spare
        error = math.sqrt(max(spread, 0.0))
        reach = error * t_quantile((1 + CONFIDENCE) / 2, met - 1)
        intervals[i] = (value - reach, value + reach)
    return intervals


def _left_over(scores: Scores, values: Sequence[float]) -> list[_Own]:
    """Return what the ratings do not explain, by bot, times the weight of blocks."""
    own = [_Own() for _ in values]
    place = 0
    for i, j, k, a, b, c, matches in scores.blocks(only_whole=True):
        a -= values[i]
        b -= values[j]
        if k == _NOBODY:
            mean = (a + b) / 2
        else:
            c -= values[k]
            mean = (a + b + c) / 3
            own[k].add(matches * (c - mean), i, j, place + 2)
        own[i].add(matches * (a - mean), j, k, place)
        own[j].add(matches * (b - mean), i, k, place + 1)
        place += 3
    return own


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
    """Invert a positive definite matrix (Gauss and Jordan; no pivots are needed)."""
    size = len(matrix)
    rows = [
        [*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)
    ]
    for i in range(size):
        pivot = rows[i][i]
        pivot_row = rows[i] = [value / pivot for value in rows[i]]
        for j, row in enumerate(rows):
            factor = row[i]
            if j != i and factor:
                rows[j] = [a - factor * b for a, b in zip(row, pivot_row, strict=True)]
    return [row[size:] for row in rows]
