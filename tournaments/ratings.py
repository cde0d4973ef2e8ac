"""Ratings in points a deal: how much better than the field's mean a bot scores.

Scores are centred within each block, since what three bots share out depends on who
the three are; least squares then finds the strengths behind them.  The order of
matches does not matter, and triples that have not met yet are no harm.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

from tournaments.intervals import (
    CONFIDENCE,
    LEAST_BLOCKS,
    Interval,
    t_quantile,
)

LEAST_SCORES: Final = 2  # of one block: a score alone says nothing of anybody


@dataclass(frozen=True, slots=True)
class BlockScores:
    """What bots scored in one block, in points a deal.

    Attributes:
        scores: by bot; a bot that finished no deal itself is not in it.
        matches: how many were played so far.
        is_whole: whether that is all of them.
    """

    scores: Mapping[str, float]
    matches: int
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's rating, in points a deal; the mean over all bots is zero."""

    value: float
    interval: Interval | None


def ratings(bots: Sequence[str], blocks: Sequence[BlockScores]) -> dict[str, Rating]:
    """Return each bot's rating; nothing unless the blocks link all bots.

    The interval is of 95 %, from whole blocks, by the sandwich estimator with blocks
    as clusters: it holds whether or not the spread differs between bots and the scores
    of a block hang together, and costs one more product of matrices where a bootstrap
    would solve a thousand systems.  Its degrees of freedom are the bot's own blocks
    less one, since those carry nearly all of what is known of it.
    """
    useful = [block for block in blocks if len(block.scores) >= LEAST_SCORES]
    fit = _fit(bots, useful)
    if fit is None:
        return {}
    whole = [block for block in useful if block.is_whole]
    whole_fit = fit if len(whole) == len(useful) else _fit(bots, whole)
    intervals = {} if whole_fit is None else _intervals(bots, whole, whole_fit)
    return {
        bot: Rating(value, intervals.get(bot))
        for bot, value in zip(bots, fit.values, strict=True)
    }


@dataclass(frozen=True, slots=True)
class _Fit:
    """The ratings by index, and what turns sums of centred scores into them."""

    values: list[float]
    inverse: list[list[float]]


def _fit(bots: Sequence[str], blocks: Sequence[BlockScores]) -> _Fit | None:
    """Solve the normal equations; None when some bots are linked to no others."""
    if not _is_linked(bots, blocks):
        return None
    index = {bot: i for i, bot in enumerate(bots)}
    # The equations leave the mean open; a one in every place settles it at zero.
    left = [[1.0] * len(bots) for _ in bots]
    right = [0.0] * len(bots)
    for block in blocks:
        mean = math.fsum(block.scores.values()) / len(block.scores)
        share = block.matches / len(block.scores)
        members = [index[bot] for bot in block.scores]
        for i, score in zip(members, block.scores.values(), strict=True):
            right[i] += block.matches * (score - mean)
            left[i][i] += block.matches
            for j in members:
                left[i][j] -= share
    inverse = _inverse(left)
    return _Fit([_dot(row, right) for row in inverse], inverse)


def _intervals(
    bots: Sequence[str], blocks: Sequence[BlockScores], fit: _Fit
) -> dict[str, Interval]:
    known = sum(len(block.scores) - 1 for block in blocks)
    spare = known - (len(bots) - 1)
    if spare <= 0:
        return {}
    index = {bot: i for i, bot in enumerate(bots)}
    met = dict.fromkeys(bots, 0)
    meat = [[0.0] * len(bots) for _ in bots]
    for block in blocks:
        left_over = _left_over(block, [fit.values[index[bot]] for bot in block.scores])
        for bot, one in zip(block.scores, left_over, strict=True):
            met[bot] += 1
            row = meat[index[bot]]
            for other, two in zip(block.scores, left_over, strict=True):
                row[index[other]] += one * two
    intervals = {}
    for bot, value, row in zip(bots, fit.values, fit.inverse, strict=True):
        if met[bot] < LEAST_BLOCKS:
            continue
        spread = _dot(row, [_dot(other, row) for other in meat]) * known / spare
        error = math.sqrt(max(spread, 0.0))
        reach = error * t_quantile((1 + CONFIDENCE) / 2, met[bot] - 1)
        intervals[bot] = (value - reach, value + reach)
    return intervals


def _left_over(block: BlockScores, values: Sequence[float]) -> list[float]:
    """Return what the ratings do not explain of a block, times its weight."""
    differences = [
        score - value
        for score, value in zip(block.scores.values(), values, strict=True)
    ]
    mean = math.fsum(differences) / len(differences)
    return [block.matches * (difference - mean) for difference in differences]


def _is_linked(bots: Sequence[str], blocks: Sequence[BlockScores]) -> bool:
    """Tell whether a chain of blocks leads from every bot to every other."""
    leader = {bot: bot for bot in bots}

    def find(bot: str) -> str:
        while leader[bot] != bot:
            leader[bot] = bot = leader[leader[bot]]
        return bot

    for block in blocks:
        first, *others = block.scores
        for other in others:
            leader[find(other)] = find(first)
    return len({find(bot) for bot in bots}) == 1


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    total: float = sum(map(mul, one, other))
    return total


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
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
