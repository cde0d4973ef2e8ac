"""Steiner triple systems: sets of triples in which every two points meet exactly once.

There is one for v points exactly when v = 1 or 3 mod 6.  For v = 6t+3 they are made as
Bose made them (1939), for v = 6t+1 as Skolem did (1958); see Lindner and Rodger,
"Design Theory", sections 1.2 and 1.3.  Both lay the points out in three levels of n and
put the triple of two points of a level, and of a point half-way between them on the
next level.  Nothing is kept of what was yielded.
"""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final, TypeAlias

Points: TypeAlias = tuple[int, int, int]

MAX_AHEAD: Final = 5
"""Triples that a point may be ahead of another while a system is gone through."""


def system_size(points: int) -> int:
    """Return the least number of points, ``points`` or more, that has a system."""
    return points + (1, 0, 1, 0, 3, 2)[points % 6]


def triple_count(points: int) -> int:
    """Return how many triples the system on so many points has."""
    return points * (points - 1) // 6


def triples(points: int) -> Iterator[Points]:
    """Yield every triple of a system on the points 0 to ``points`` - 1.

    They come in an order in which all points keep step: at any moment no point has been
    in more than ``MAX_AHEAD`` triples more than another.

    Raises:
        ValueError: if there is no system on so many points.
    """
    if points < 3 or system_size(points) != points:
        raise ValueError(f"no Steiner system has {points} points")
    return _bose(points // 3) if points % 6 == 3 else _skolem(points // 3)


def _bose(n: int) -> Iterator[Points]:
    """Yield the system on three levels of ``n`` points, n odd.

    Half-way between i and j is (i + j) / 2, which modulo an odd n is always one point.
    Points of one level are taken by their distance: then each distance has every point
    three times.
    """
    half = (n + 1) // 2  # 1/2 modulo n
    for i in range(n):
        yield i, n + i, 2 * n + i
    for distance in range(1, half):
        for i in range(n):
            j = (i + distance) % n
            middle = (i + j) * half % n
            for level in range(3):
                yield _across(n, level, i, j, middle)


def _skolem(n: int) -> Iterator[Points]:
    """Yield the system on three levels of ``n`` points, n even, and one point more.

    Modulo an even n only even sums have a half; the odd ones take the upper half of the
    points.  That leaves the columns of the lower half, and triples with the odd point.
    Even and odd distances in turn, and the odd point's triples in between, keep step.
    """
    t = n // 2
    odd_one = 3 * n
    for i in range(t):
        yield i, n + i, 2 * n + i
    pairs = (
        (i, (i + distance) % n)
        for distance in range(1, t + 1)
        for i in range(n if distance < t else t)
    )
    spare = chain.from_iterable(
        ((odd_one, level * n + t + i, (level + 1) % 3 * n + i) for level in range(3))
        for i in range(t)
    )
    for number, (i, j) in enumerate(pairs, 1):
        total = (i + j) % n
        middle = total // 2 + (t if total % 2 else 0)
        for level in range(3):
            yield _across(n, level, i, j, middle)
        if number % max(1, (n - 1) // 3) == 0:
            yield from islice(spare, 1)
    yield from spare


def _across(n: int, level: int, i: int, j: int, middle: int) -> Points:
    return level * n + i, level * n + j, (level + 1) % 3 * n + middle
