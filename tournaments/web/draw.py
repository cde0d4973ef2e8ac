"""Where the lines of small pictures lie: numbers in, places in per cent out.  Pure.

The pictures themselves are SVG in the templates.  A place is a text such as ``42.5``,
so that it is written the same everywhere.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

FULL: Final = 100.0
TICKS: Final = 5


@dataclass(frozen=True, slots=True)
class Scale:
    """A stretch of numbers laid out from 0 to 100; ``low`` is below ``high``."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """Return where a value lies; one beyond the ends lies at the end."""
        share = FULL * (value - self.low) / (self.high - self.low)
        return place(min(FULL, max(0.0, share)))

    def from_top(self, value: float) -> str:
        """Return where it lies when the greatest is on top."""
        share = FULL * (self.high - value) / (self.high - self.low)
        return place(min(FULL, max(0.0, share)))

    @property
    def has_zero(self) -> bool:
        """Whether zero is on it, and not at an end."""
        return self.low < 0 < self.high

    def ticks(self) -> list[float]:
        """Return some round numbers on it."""
        step = _round_step((self.high - self.low) / TICKS)
        first = math.ceil(self.low / step)
        last = math.floor(self.high / step)
        return [number * step for number in range(first, last + 1)]


def scale_of(values: Iterable[float | None]) -> Scale:
    """Return a scale that holds all values, with a little room at both ends."""
    known = [value for value in values if value is not None] or [0.0]
    low, high = min(known), max(known)
    room = (high - low) * 0.04 or 1.0
    return Scale(low - room, high + room)


SHARES: Final = Scale(0.0, 1.0)


def place(value: float) -> str:
    """Return a place in per cent as it is written."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval, drawn: where each end, the value and zero lie."""

    at: str
    low: str | None
    width: str | None
    zero: str | None


def bar(
    scale: Scale, value: float | None, low: float | None, high: float | None
) -> Bar | None:
    """Return how a value is drawn; None where there is none."""
    if value is None:
        return None
    zero = scale.at(0.0) if scale.has_zero else None
    if low is None or high is None:
        return Bar(scale.at(value), None, None, zero)
    width = float(scale.at(high)) - float(scale.at(low))
    return Bar(scale.at(value), scale.at(low), place(width), zero)


def line(points: Sequence[tuple[float, float]], across: Scale, up: Scale) -> str:
    """Return the points of a polyline; the greatest values are on top."""
    return " ".join(f"{across.at(x)},{up.from_top(y)}" for x, y in points)


def shade(share: float | None, steps: int = 4) -> int:
    """Return how far a share is above (positive) or below one half, in steps."""
    if share is None:
        return 0
    return max(-steps, min(steps, round((share - 0.5) * 2 * steps)))


def _round_step(least: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, ... that is not below ``least``."""
    power: float = 10.0 ** math.floor(math.log10(least))
    for factor in (1, 2, 5):
        if factor * power >= least * 0.999:
            return factor * power
    return 10 * power
