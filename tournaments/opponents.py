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
from operator import mul
from typing import Final

ENOUGH: Final = 1e-3
"""Squared error of the effects, as a share of what there was, that is left alone: what
it does not explain only makes intervals wider."""
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
    """What is left over of a bot's blocks when the effects of opponents are taken out.

    Attributes:
        variance: of a block's.
        freedom: its degrees of freedom.
        values: what all of it was before.
        met: whom the bot met in each block; None where nothing is taken out.
        effects: of opponents, by their numbers.
        wider: what the rest is multiplied by, to have the variance.
    """

    variance: float
    freedom: int
    values: Sequence[float]
    met: Opponents | None = None
    effects: Sequence[float] = ()
    wider: float = 1.0

    def by_block(self) -> list[float]:
        """Return what is left over of each block."""
        if self.met is None:
            return list(self.values)
        effects, wider = self.effects, self.wider
        return [
            wider * (value - effects[i] - effects[j])
            for value, i, j in zip(
                self.values, self.met.ones, self.met.others, strict=True
            )
        ]


def luck_of(values: Sequence[float], met: Opponents | None) -> Luck:
    """Return what is left over of the values without the effects of opponents.

    All of them where nobody is told or too many were met to know their effects, which
    is more than one for every two blocks.

    Args:
        values: one a block, of mean 0; there are two or more.
        met: whom the bot met in each.
    """
    blocks = len(values)
    square = sum(map(mul, values, values))
    plain = Luck(square / (blocks - 1), blocks - 1, values)
    if met is None:
        return plain
    others = {*met.ones, *met.others}
    # The two of a field of three are always there together: no effects, but a mean.
    if len(others) < 3 or 2 * len(others) > blocks or not square:
        return plain
    effects, explained = _effects(values, met, max(others) + 1)
    freedom = blocks - len(others)
    variance = max(0.0, square - explained) / freedom
    # While some were met more often than others, the bot's mean is off by this much.
    offset = 2 * sum(effects) / len(others)
    total = variance + blocks * offset**2
    if total >= plain.variance:
        return plain
    wider = math.sqrt(total / variance) if variance else 1.0
    return Luck(total, freedom, values, met, effects, wider)


def _effects(
    values: Sequence[float], met: Opponents, size: int
) -> tuple[list[float], float]:
    """Return the effects that leave the least squares, and the square they explain.

    By conjugate gradients: two numbers a block are all there is of the equations, and a
    schedule in which all meet equally often needs one step.
    """
    ones, others = met.ones, met.others
    known = [0.0] * size  # what each opponent's blocks add up to
    for value, i, j in zip(values, ones, others, strict=True):
        known[i] += value
        known[j] += value
    effects = [0.0] * size
    rest = way = known
    square = first = sum(map(mul, rest, rest))
    for _ in range(MAX_STEPS):
        if square <= ENOUGH * first:
            break
        steps = [0.0] * size
        for i, j in zip(ones, others, strict=True):
            both = way[i] + way[j]
            steps[i] += both
            steps[j] += both
        length = square / sum(map(mul, way, steps))
        effects = [x + length * y for x, y in zip(effects, way, strict=True)]
        rest = [x - length * y for x, y in zip(rest, steps, strict=True)]
        before, square = square, sum(map(mul, rest, rest))
        way = [x + square / before * y for x, y in zip(rest, way, strict=True)]
    # What is left over squares to all, less twice this, plus the effects' own square.
    gained = sum(map(mul, effects, known)) + sum(map(mul, effects, rest))
    return effects, gained
