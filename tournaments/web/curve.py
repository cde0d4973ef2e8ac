"""How the ratings went, as the blocks of a tournament came to an end.  Pure.

The same least squares as in ``tournaments.ratings``, kept as sums to which whole blocks
are added one by one; from time to time they are solved, and that is a point.  There are
never many points: when too many, every other one is left out from then on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tournaments.table import MATCHES

MOST_POINTS: Final = 96
WORK: Final = 2_000_000
"""About how many products all points together may cost: of a large field there are
fewer points, since to solve n equations takes n cubed."""


@dataclass(frozen=True, slots=True)
class Point:
    """The ratings of all bots, in their order, after so many matches."""

    matches: int
    ratings: tuple[float, ...]


class Curve:
    """The ratings of a field over the matches.

    Args:
        bots: their names; all that will ever be added.
    """

    def __init__(self, bots: Sequence[str]) -> None:
        self._index = {bot: i for i, bot in enumerate(bots)}
        size = len(bots)
        self._left = [[0.0] * size for _ in range(size)]
        self._right = [0.0] * size
        self._most = max(8, min(MOST_POINTS, WORK // (size**3 + 1)))
        self._stride = 1
        self._blocks = 0
        self._is_linked = False
        self.points: list[Point] = []

    def add(
        self, bots: Sequence[str], scores: Sequence[float | None], matches: int
    ) -> None:
        """Add a whole block.

        Args:
            bots: the three that played it.
            scores: in points a deal; None for a bot that finished no deal itself.
            matches: how many matches are finished by now.
        """
        known = [
            (self._index[bot], score)
            for bot, score in zip(bots, scores, strict=True)
            if score is not None
        ]
        if len(known) < 2:
            return
        mean = sum(score for _, score in known) / len(known)
        share = MATCHES / len(known)
        for i, score in known:
            self._right[i] += MATCHES * (score - mean)
        for (i, _), (j, _) in combinations(known, 2):
            self._left[i][i] += share
            self._left[j][j] += share
            self._left[i][j] -= share
            self._left[j][i] -= share
        self._blocks += 1
        if self._blocks % self._stride == 0:
            self._mark(matches)

    def _mark(self, matches: int) -> None:
        self._is_linked = self._is_linked or _is_linked(self._left)
        if not self._is_linked:
            return
        self.points.append(Point(matches, tuple(_solved(self._left, self._right))))
        if len(self.points) > self._most:
            self.points = self.points[1::2]
            self._stride *= 2


def _is_linked(left: Sequence[Sequence[float]]) -> bool:
    """Tell whether a chain of blocks leads from every bot to every other."""
    seen, todo = {0}, [0]
    while todo:
        row = left[todo.pop()]
        new = {j for j, value in enumerate(row) if value} - seen
        seen |= new
        todo += new
    return len(seen) == len(left)


def _solved(left: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return what the equations come to; the mean is zero.

    By elimination; the matrix is positive definite, so that no pivots are needed.
    """
    # The equations leave the mean open; a one in every place settles it at zero.
    rows = [
        [*(value + 1.0 for value in row), known]
        for row, known in zip(left, right, strict=True)
    ]
    size = len(rows)
    for i in range(size):
        pivot = rows[i][i:]
        for j in range(i + 1, size):
            factor = rows[j][i] / pivot[0]
            if factor:
                rows[j][i:] = [
                    a - factor * b for a, b in zip(rows[j][i:], pivot, strict=True)
                ]
    values = [0.0] * size
    for i in reversed(range(size)):
        row = rows[i]
        known = sum(row[j] * values[j] for j in range(i + 1, size))
        values[i] = (row[size] - known) / row[i]
    return values
