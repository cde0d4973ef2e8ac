"""Ratings in points a deal: how much better than the field's mean a bot scores.

Scores are centred within each block, since what three bots share out depends on who
the three are; least squares then finds the strengths behind them.  The order of
matches does not matter, and triples that have not met yet are no harm.
"""

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final, NamedTuple, TypeAlias

from tournaments.intervals import (
    CONFIDENCE,
    LEAST_BLOCKS,
    Interval,
    t_quantile,
)

LEAST_SCORES: Final = 2  # of one block: a score alone says nothing of anybody
Matrix: TypeAlias = list[list[float]]


class _Block(NamedTuple):
    """What some bots, by index, scored in one block of so many matches."""

    members: Sequence[int]
    scores: Sequence[float]
    matches: int
    is_whole: bool


class Scores:
    """What bots scored in every block, in points a deal.

    Kept in columns: the blocks of a million matches take six megabytes.
    """

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = bots
        self._index = {bot: i for i, bot in enumerate(bots)}
        self._members = array("i")
        self._scores = array("d")
        self._sizes = array("b")
        self._matches = array("b")
        self._is_whole = array("b")

    def add(
        self,
        bots: Sequence[str],
        scores: Sequence[float | None],
        matches: int,
        is_whole: bool,
    ) -> None:
        """Add a block.

        Args:
            bots: who played it.
            scores: in points a deal; None for a bot that finished no deal itself.
            matches: how many were played so far.
            is_whole: whether that is all of them.
        """
        known = [
            (self._index[bot], score)
            for bot, score in zip(bots, scores, strict=True)
            if score is not None
        ]
        if len(known) < LEAST_SCORES:
            return
        for member, score in known:
            self._members.append(member)
            self._scores.append(score)
        self._sizes.append(len(known))
        self._matches.append(matches)
        self._is_whole.append(is_whole)

    @property
    def are_whole(self) -> bool:
        """Whether all blocks are."""
        return all(self._is_whole)

    def blocks(self, only_whole: bool) -> Iterator[_Block]:
        """Yield every block, or every whole one."""
        start = 0
        for size, matches, is_whole in zip(
            self._sizes, self._matches, self._is_whole, strict=True
        ):
            end = start + size
            if is_whole or not only_whole:
                yield _Block(
                    self._members[start:end],
                    self._scores[start:end],
                    matches,
                    bool(is_whole),
                )
            start = end


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
    less one, since those carry nearly all of what is known of it.
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
    left = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    for block in scores.blocks(only_whole):
        mean = sum(block.scores) / len(block.scores)
        share = block.matches / len(block.scores)
        for i, score in zip(block.members, block.scores, strict=True):
            right[i] += block.matches * (score - mean)
            row = left[i]
            row[i] += block.matches
            for j in block.members:
                row[j] -= share
    if not _is_linked(left):
        return None
    # The equations leave the mean open; a one in every place settles it at zero.
    inverse = _inverse([[value + 1.0 for value in row] for row in left])
    return _Fit([_dot(row, right) for row in inverse], inverse)


def _intervals(scores: Scores, fit: _Fit) -> dict[int, Interval]:
    size = len(scores.bots)
    known = 0
    met = [0] * size
    meat = [[0.0] * size for _ in range(size)]
    for block in scores.blocks(only_whole=True):
        known += len(block.scores) - 1
        left_over = _left_over(block, fit.values)
        for i, one in zip(block.members, left_over, strict=True):
            met[i] += 1
            row = meat[i]
            for j, two in zip(block.members, left_over, strict=True):
                row[j] += one * two
    spare = known - (size - 1)
    if spare <= 0:
        return {}
    intervals = {}
    for i, (value, row) in enumerate(zip(fit.values, fit.inverse, strict=True)):
        if met[i] < LEAST_BLOCKS:
            continue
        spread = _dot(row, [_dot(other, row) for other in meat]) * known / spare
        error = math.sqrt(max(spread, 0.0))
        reach = error * t_quantile((1 + CONFIDENCE) / 2, met[i] - 1)
        intervals[i] = (value - reach, value + reach)
    return intervals


def _left_over(block: _Block, values: Sequence[float]) -> list[float]:
    """Return what the ratings do not explain of a block, times its weight."""
    differences = [
        score - values[i] for i, score in zip(block.members, block.scores, strict=True)
    ]
    mean = sum(differences) / len(differences)
    return [block.matches * (difference - mean) for difference in differences]


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
