"""95 % intervals of ratios, from whole blocks.  Standard library only, no chance.

A block is the unit: its six matches share their deals, and taking them for independent
gives intervals that hold 78 to 86 times in a hundred.  Which method is used depends on
the number of blocks alone:

- under 3: none;
- 3 to 19: Student's t on what the blocks leave over;
- 20 to 500: bootstrap of whole blocks, percentiles widened for few blocks
  (Hesterberg 2015, "What Teachers Should Know About the Bootstrap", section 4.3.4);
- above: Student's t again, which no longer differs.

Resampling is seeded with the number of blocks: the same table from the same results, on
any machine.
"""

import math
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter, truediv
from random import Random
from statistics import NormalDist
from typing import Final, TypeAlias

from tournaments.opponents import Opponents, luck_of

CONFIDENCE: Final = 0.95
LEAST_BLOCKS: Final = 3
BOOTSTRAP_BLOCKS: Final = range(20, 501)
RESAMPLES: Final = 1000

Interval: TypeAlias = tuple[float, float]
_Pick: TypeAlias = Callable[[Sequence[float]], tuple[float, ...]]

_kept: dict[int, Sequence[_Pick]] = {}
"""The last resamples, by the number of blocks: one table asks for few numbers."""


def _column() -> "array[float]":  # no subscripts before Python 3.12
    return array("d")


@dataclass(frozen=True, slots=True)
class Parts:
    """What blocks add to a ratio: in columns of eight bytes, since they may be many.

    Attributes:
        above: what each block adds to the sum above the line.
        below: to the one below it.
    """

    above: "array[float]" = field(default_factory=_column)
    below: "array[float]" = field(default_factory=_column)

    def __len__(self) -> int:
        """Return how many blocks there are."""
        return len(self.above)

    def add(self, above: float, below: float) -> None:
        """Add a block."""
        self.above.append(above)
        self.below.append(below)

    @property
    def ratio(self) -> float | None:
        """The sum above the line over the sum below; None when that is zero."""
        below = math.fsum(self.below)
        return math.fsum(self.above) / below if below else None


def ratio_interval(parts: Parts, met: Opponents | None = None) -> Interval | None:
    """Return the 95 % interval of the ratio of two sums over blocks.

    None for fewer than three blocks, and where there is nothing below the line.

    Args:
        parts: one for each block.
        met: whom the bot met in each, where opponents differ.
    """
    if len(parts) in BOOTSTRAP_BLOCKS:
        return _bootstrap(parts, met)
    return t_interval(parts, met=met)


def rate_interval(parts: Parts, met: Opponents | None = None) -> Interval | None:
    """Return the 95 % interval of a share, within 0 to 1.

    Blocks that all have the same share, such as every match won, leave no spread to go
    by.  No share of that mean can spread more than if each block were won or lost as a
    whole: then the interval is that of as many coin tosses (Wilson's).
    """
    interval = ratio_interval(parts, met)
    if interval is None:
        return None
    shares = set(map(truediv, parts.above, parts.below))
    low, high = _wilson(shares.pop(), len(parts)) if len(shares) == 1 else interval
    return max(0.0, low), min(1.0, high)


def t_interval(
    parts: Parts, confidence: float = CONFIDENCE, met: Opponents | None = None
) -> Interval | None:
    """Return Student's interval of a ratio, from what each block leaves over.

    A block leaves over what it has above the line less the ratio's share of what it
    has below; with equal blocks this is the t interval of block means.

    Args:
        parts: one for each block.
        confidence: how often the interval is to hold, as a share.
        met: whom the bot met in each block, where opponents differ.
    """
    blocks = len(parts)
    estimate = parts.ratio
    if blocks < LEAST_BLOCKS or estimate is None:
        return None
    luck = luck_of(_left_over(parts, estimate), met)
    error = math.sqrt(blocks * luck.variance) / abs(math.fsum(parts.below))
    reach = t_quantile((1 + confidence) / 2, luck.freedom) * error
    return estimate - reach, estimate + reach


def _left_over(parts: Parts, ratio: float) -> list[float]:
    return [a - ratio * b for a, b in zip(parts.above, parts.below, strict=True)]


def _wilson(share: float, tosses: int) -> Interval:
    z2 = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) ** 2
    middle = (share + z2 / (2 * tosses)) / (1 + z2 / tosses)
    spread = share * (1 - share) * z2 / tosses + (z2 / (2 * tosses)) ** 2
    reach = math.sqrt(spread) / (1 + z2 / tosses)
    return middle - reach, middle + reach


@lru_cache(maxsize=1024)
def t_quantile(p: float, freedom: int) -> float:
    """Return the quantile of Student's t, to six digits and better.

    Args:
        p: from 0.5 to below 1.
        freedom: degrees of freedom, 1 or more.
    """
    assert 0.5 <= p < 1
    assert freedom >= 1
    if freedom > 200:
        return _t_from_normal(p, freedom)
    wanted = 2 * p - 1
    low, high = 0.0, 1.0
    while _t_within(high, freedom) < wanted:
        low, high = high, 2 * high
    for _ in range(60):  # each halves the error
        middle = (low + high) / 2
        if _t_within(middle, freedom) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _t_within(t: float, freedom: int) -> float:
    """Return how often |T| is below ``t`` (Abramowitz, Stegun 26.7.3-4)."""
    angle = math.atan(t / math.sqrt(freedom))
    cos2 = math.cos(angle) ** 2
    term = total = 1.0 if freedom > 1 else 0.0
    for k in range(2 + freedom % 2, freedom - 1, 2):
        term *= cos2 * (k - 1) / k
        total += term
    if freedom % 2:
        half_turns = angle + math.sin(angle) * math.cos(angle) * total
        return 2 / math.pi * half_turns
    return math.sin(angle) * total


def _t_from_normal(p: float, freedom: int) -> float:
    """Expand the quantile about the normal one (Cornish and Fisher)."""
    z = NormalDist().inv_cdf(p)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def _bootstrap(parts: Parts, met: Opponents | None) -> Interval | None:
    blocks = len(parts)
    estimate = parts.ratio
    if estimate is None:
        return None
    below = list(parts.below)
    luck = luck_of(_left_over(parts, estimate), met)
    above = [
        estimate * b + left for b, left in zip(below, luck.by_block(), strict=True)
    ]
    resamples = _resamples(blocks)
    if min(below) == max(below):
        scale = blocks * below[0]
        ratios = [sum(chosen(above)) / scale for chosen in resamples]
    else:
        sums = ((sum(chosen(above)), sum(chosen(below))) for chosen in resamples)
        ratios = [over / under for over, under in sums if under]
    ratios.sort()
    # A resample spreads less than its blocks do: by (n-1)/n, and as if that spread were
    # known.  Percentiles further out make up for both.
    reach = t_quantile((1 + CONFIDENCE) / 2, luck.freedom)
    tail = NormalDist().cdf(-reach * math.sqrt(blocks / luck.freedom))
    return _percentile(ratios, tail), _percentile(ratios, 1 - tail)


def _resamples(blocks: int) -> Sequence[_Pick]:
    """Return what picks ``blocks`` of as many blocks, some twice; a thousand times."""
    found = _kept.get(blocks)
    if found is None:
        _kept.clear()  # before others are made: of 500 blocks they are four megabytes
        found = _kept[blocks] = _new_resamples(blocks)
    return found


def _new_resamples(blocks: int) -> Sequence[_Pick]:
    chance = Random(blocks)  # noqa: S311 - no secret: a table must come out the same
    numbers = array("I", chance.randbytes(4 * blocks * RESAMPLES))
    if sys.byteorder == "big":
        numbers.byteswap()
    # The lower numbers come too often by one in eight million: three times as fast as
    # numbers without a bias.
    own = list(range(blocks))  # one object a number, however often it is picked
    return [
        itemgetter(*[own[n % blocks] for n in numbers[start : start + blocks]])
        for start in range(0, len(numbers), blocks)
    ]


def _percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` of the ordered values lie."""
    place = min(max(share * (len(ordered) + 1) - 1, 0), len(ordered) - 1)
    index = math.floor(place)
    low, high = ordered[index], ordered[min(index + 1, len(ordered) - 1)]
    return low + (high - low) * (place - index)
