import math
import random
from statistics import NormalDist, mean, stdev

import pytest

from tournaments import intervals
from tournaments.intervals import Parts, t_quantile


def columns(parts):
    found = Parts()
    for above, below in parts:
        found.add(above, below)
    return found


def rate_interval(parts):
    return intervals.rate_interval(columns(parts))


def ratio_interval(parts):
    return intervals.ratio_interval(columns(parts))


def t_interval(parts, *confidence):
    return intervals.t_interval(columns(parts), *confidence)


@pytest.mark.parametrize(
    ("p", "freedom", "t"),
    [  # from printed tables
        (0.975, 1, 12.7062),
        (0.975, 2, 4.3027),
        (0.975, 3, 3.1824),
        (0.975, 4, 2.7764),
        (0.975, 10, 2.2281),
        (0.975, 19, 2.0930),
        (0.975, 120, 1.9799),
        (0.975, 1000, 1.9623),
        (0.95, 500, 1.6479),
        (0.995, 2, 9.9248),
        (0.995, 7, 3.4995),
        (0.9995, 4, 8.6103),
        (0.9995, 60, 3.4602),
    ],
)
def test_students_quantiles(p, freedom, t):
    assert t_quantile(p, freedom) == pytest.approx(t, abs=1e-4)


@pytest.mark.parametrize("p", [0.9, 0.975, 0.9999])
def test_the_two_ways_to_a_quantile_meet(p):
    assert t_quantile(p, 200) > t_quantile(p, 201) > NormalDist().inv_cdf(p)
    assert t_quantile(p, 200) == pytest.approx(t_quantile(p, 201), rel=2e-4)


def test_equal_blocks_give_the_t_interval_of_their_means():
    means = [1.0, 2.0, 4.0, 4.5]
    reach = 3.18245 * stdev(means) / math.sqrt(len(means))
    low, high = t_interval([(10 * value, 10) for value in means]) or (0, 0)
    assert low == pytest.approx(mean(means) - reach, abs=1e-5)
    assert high == pytest.approx(mean(means) + reach, abs=1e-5)


def test_unequal_blocks_count_by_their_weight():
    parts = [(10, 10), (40, 20), (90, 30)]
    # Ratio 140/60; left over -40/3, -20/3, 20; 3/2 of their squares over 60 squared.
    error = math.sqrt(1.5 * (1600 / 9 + 400 / 9 + 400)) / 60
    low, high = ratio_interval(parts) or (0, 0)
    assert (
        (low + high) / 2 == pytest.approx(columns(parts).ratio) == pytest.approx(7 / 3)
    )
    assert high - low == pytest.approx(2 * 4.30265 * error, rel=1e-5)


@pytest.mark.parametrize(
    "parts", [[], [(1, 2)], [(1, 2), (3, 4)], [(0, 0)] * 5, [(0, 0)] * 50]
)
def test_too_little_gives_no_interval(parts):
    assert ratio_interval(parts) is None
    assert rate_interval(parts) is None


@pytest.mark.parametrize("blocks", [20, 100, 500])
@pytest.mark.parametrize("deals", [(72, 72), (60, 90)])
def test_the_bootstrap_agrees_with_t_where_both_are_good(blocks, deals):
    rng = random.Random(blocks)
    parts = [(rng.gauss(2000, 300), rng.randint(*deals)) for _ in range(blocks)]
    one, other = ratio_interval(parts), t_interval(parts)
    assert one is not None
    assert other is not None
    width = other[1] - other[0]
    assert one == pytest.approx(other, abs=0.12 * width)
    assert one != other
    assert ratio_interval(parts) == one  # no chance in it


def test_above_five_hundred_blocks_it_is_t_again():
    parts = [(float(i % 7), 1) for i in range(501)]
    assert ratio_interval(parts) == t_interval(parts)


@pytest.mark.parametrize("blocks", [3, 10, 25, 600])
def test_all_won_and_all_lost_are_not_certain(blocks):
    low, high = rate_interval([(36, 36)] * blocks) or (0, 0)
    assert high == 1
    assert low == pytest.approx(blocks / (blocks + 1.959964**2))  # Wilson's
    assert rate_interval([(0, 36)] * blocks) == pytest.approx((0, 1 - low))


def test_equal_shares_in_few_blocks_are_not_certain_either():
    low, high = rate_interval([(18, 36)] * 3) or (0, 0)
    assert (low, high) == pytest.approx((0.1253, 0.8747), abs=1e-4)


def test_a_share_stays_between_nothing_and_all():
    low, high = rate_interval([(36, 36), (36, 36), (18, 36)]) or (0, 0)
    assert (low, high) == pytest.approx((0.116, 1), abs=1e-3)


@pytest.mark.parametrize("blocks", [3, 10, 25])
def test_intervals_hold_about_as_often_as_they_say(blocks):
    rng = random.Random(blocks)
    held = 0
    for _ in range(400):
        parts = [
            (rng.gauss(30, 10) * w, w) for w in rng.choices([60, 72, 90], k=blocks)
        ]
        low, high = ratio_interval(parts) or (0, 0)
        held += low <= 30 <= high
    assert 0.92 <= held / 400 <= 0.98
