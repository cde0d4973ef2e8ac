import random
from itertools import combinations
from statistics import mean

import pytest

from tournaments.opponents import Opponents, luck_of

EFFECTS = [5.0, -3.0, 1.0, 0.5, -2.0, 7.0]


def met_by(pairs):
    met = Opponents()
    for one, other in pairs:
        met.add(one, other)
    return met


def centred(values):
    middle = mean(values)
    return [value - middle for value in values]


def blocks(rounds, rng, spread, effects=EFFECTS):
    """Return values and opponents of a bot that meets every two others each round."""
    pairs = list(combinations(range(len(effects)), 2)) * rounds
    values = [effects[i] + effects[j] + rng.gauss(0, spread) for i, j in pairs]
    return centred(values), met_by(pairs)


def test_what_opponents_explain_is_no_luck():
    values, met = blocks(2, random.Random(1), 0)
    assert luck_of(values, met).by_block() == pytest.approx([0] * len(values), abs=0.05)
    assert luck_of(values, met).variance < 0.001
    assert luck_of(values, None).variance > 10


def test_the_spread_that_is_left_is_that_of_luck():
    values, met = blocks(20, random.Random(1), 3)
    luck = luck_of(values, met)
    assert luck.freedom == len(values) - len(EFFECTS)
    assert luck.variance**0.5 == pytest.approx(3, rel=0.1)
    squares = sum(value * value for value in luck.by_block())
    assert luck.variance == pytest.approx(squares / luck.freedom)
    assert sum(luck.by_block()) == pytest.approx(0, abs=0.01 * len(values))


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([(4, 9)] * 12, "a field of three"),
        (list(combinations(range(5), 2))[:9], "too few blocks to know effects"),
    ],
)
def test_where_there_is_nothing_to_explain_all_is_luck(pairs, why):
    rng = random.Random(1)
    values = centred([rng.gauss(0, 1) for _ in pairs])
    luck = luck_of(values, met_by(pairs))
    assert luck.by_block() == values, why
    assert luck.freedom == len(values) - 1


def test_who_was_met_too_often_leaves_the_mean_unsure():
    rng = random.Random(1)
    values, met = blocks(4, rng, 1)
    level = luck_of(values, met).variance
    more = [(0, 5)] * 12  # the two that leave the most
    pairs = [*zip(met.ones, met.others, strict=True), *more]
    values = [EFFECTS[i] + EFFECTS[j] + rng.gauss(0, 1) for i, j in pairs]
    unlevel = luck_of(centred(values), met_by(pairs))
    plain = luck_of(centred(values), None)
    assert level < unlevel.variance <= plain.variance
    assert unlevel.variance > 3 * level


def test_intervals_are_never_wider_for_it():
    rng = random.Random(4)
    for _ in range(50):
        values, met = blocks(3, rng, 5, [rng.gauss(0, 2) for _ in range(4)])
        assert luck_of(values, met).variance <= luck_of(values, None).variance


def test_no_spread_at_all_is_none():
    assert luck_of([0.0] * 30, blocks(2, random.Random(1), 0)[1]).variance == 0
