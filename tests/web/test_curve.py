"""The curve of the ratings ends where the table does, and stays small."""

import random
from itertools import combinations

import pytest

from tournaments.ratings import Scores, ratings
from tournaments.web.curve import MOST_POINTS, Curve

BOTS = ["a", "b", "c", "d", "e"]


def blocks(rounds, seed=1):
    rng = random.Random(seed)
    for _ in range(rounds):
        for three in combinations(BOTS, 3):
            yield (
                three,
                [
                    rng.gauss(10 * BOTS.index(bot), 5) if rng.random() < 0.9 else None
                    for bot in three
                ],
            )


@pytest.mark.parametrize("rounds", [1, 3, 40])
def test_it_ends_in_the_least_squares_of_the_table(rounds):
    curve, scores = Curve(BOTS), Scores(BOTS, 6)
    last = None
    for number, (three, own) in enumerate(blocks(rounds), 1):
        curve.add(three, own, 6 * number)
        scores.add(three, own, 6)
        if curve.points and curve.points[-1].matches == 6 * number:
            last = curve.points[-1], ratings(scores)
    assert last is not None
    point, table = last
    for bot, value in zip(BOTS, point.ratings, strict=True):
        assert value == pytest.approx(table[bot].value, abs=1e-9)


def test_there_are_never_many_points():
    curve = Curve(BOTS)
    for number, (three, own) in enumerate(blocks(200), 1):
        curve.add(three, own, 6 * number)
        assert len(curve.points) <= MOST_POINTS
    assert len(curve.points) > MOST_POINTS // 3
    matches = [point.matches for point in curve.points]
    assert matches == sorted(matches)


def test_bots_that_nothing_links_have_no_points():
    curve = Curve(BOTS)
    curve.add(("a", "b", "c"), [1.0, 2.0, 3.0], 6)
    assert curve.points == []
    curve.add(("c", "d", "e"), [1.0, 2.0, 3.0], 12)
    assert [point.matches for point in curve.points] == [12]


def test_the_mean_of_all_ratings_is_zero():
    curve = Curve(BOTS)
    for number, (three, own) in enumerate(blocks(10), 1):
        curve.add(three, own, 6 * number)
    assert sum(curve.points[-1].ratings) == pytest.approx(0, abs=1e-9)
