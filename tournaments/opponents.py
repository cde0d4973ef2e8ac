"""What of a bot's results comes from whom it met, taken out of their spread.

A schedule is no lottery: each bot meets each other as often.  That some opponents leave
more points than others is then part of what is measured, and no error of it; counted as
luck it makes intervals of unequal fields too wide (98 to 99 of 100 held, where 95 are
stated).  So each bot's blocks are explained by an effect of each opponent, and what is
left over is its luck.
"""

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

ENOUGH: Final = 1e-6
"""Squared error of the effects, as a share of what there was, that is none any more."""
MAX_STEPS: Final = 50  # a full schedule needs two


def _indices() -> "array[int]":  # no subscripts before Python 3.12
    return array("i")


@dataclass(frozen=True, slots=True)
class Opponents:
    """The two whom a bot met in each block, by their numbers in the field."""

    ones: "array[int]" = field(default_factory=_indices)
    others: "array[int]" = field(default_factory=_indices)

    def add(self, one: int, other: int) -> None:
        """Add a block."""
        self.ones.append(one)
        self.others.append(other)


@dataclass(frozen=True, slots=True)
class Luck:
    """What is left over of a bot's blocks, and the degrees of freedom of its spread."""

    values: Sequence[float]
    freedom: int

    @property
    def variance(self) -> float:
        """The variance of a block's."""
        return math.fsum(value * value for value in self.values) / self.freedom


def luck_of(values: Sequence[float], met: Opponents | None) -> Luck:
    """Return the values without the effects of opponents; their mean stays.

    As they are where nobody is told or too many were met to know their effects, which
    is more than one for every two blocks.

    Args:
        values: one a block, of mean 0; there are two or more.
        met: whom the bot met in each.
    """
    blocks = len(values)
    plain = Luck(values, blocks - 1)
    if met is None:
        return plain
    place = {bot: i for i, bot in enumerate({*met.ones, *met.others})}
    # The two of a field of three are always there together: no effects, but a mean.
    if len(place) < 3 or 2 * len(place) > blocks:
        return plain
    ones = [place[bot] for bot in met.ones]
    others = [place[bot] for bot in met.others]
    effects = _effects(values, ones, others, len(place))
    left = [
        value - effects[i] - effects[j]
        for value, i, j in zip(values, ones, others, strict=True)
    ]
    found = Luck(left, blocks - len(place))
    # While some were met more often than others, the bot's mean is off by this much.
    offset = 2 * math.fsum(effects) / len(effects)
    variance = found.variance
    if variance + blocks * offset**2 >= plain.variance:
        return plain
    if not variance:
        return found
    wider = math.sqrt(1 + blocks * offset**2 / variance)
    return Luck([wider * value for value in left], found.freedom)


def _effects(
    values: Sequence[float], ones: Sequence[int], others: Sequence[int], size: int
) -> list[float]:
    """Return the effects that leave the least squares, by conjugate gradients."""

    def sums(blocks: Sequence[float]) -> list[float]:
        found = [0.0] * size
        for value, i, j in zip(blocks, ones, others, strict=True):
            found[i] += value
            found[j] += value
        return found

    effects = [0.0] * size
    rest = sums(values)
    way = rest
    square = first = sum(x * x for x in rest)
    for _ in range(MAX_STEPS):
        if square <= ENOUGH * first:
            break
        steps = sums([way[i] + way[j] for i, j in zip(ones, others, strict=True)])
        length = square / sum(x * y for x, y in zip(way, steps, strict=True))
        effects = [x + length * y for x, y in zip(effects, way, strict=True)]
        rest = [x - length * y for x, y in zip(rest, steps, strict=True)]
        before, square = square, sum(x * x for x in rest)
        way = [x + square / before * y for x, y in zip(rest, way, strict=True)]
    return effects
