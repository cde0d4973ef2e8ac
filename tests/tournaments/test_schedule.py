import tracemalloc
from collections import Counter
from itertools import combinations, islice, permutations
from math import comb

import pytest

from arena.dealing import block_seed
from tournaments.schedule import MAX_AHEAD, ORDERS, Pairing, count, pairings


def bots(number):
    return [f"bot {i}" for i in range(number)]


def played(names, rounds=1, seed="seed"):
    return list(pairings("demo", seed, names, rounds))


def test_a_match_is_named_after_its_cup_bots_block_and_order():
    first = next(pairings("demo", "seed", ["b", "c", "a"], 1))
    assert first == Pairing(
        match="demo/a+b+c/1/012",
        triple=("a", "b", "c"),
        block=1,
        order="012",
        players=("a", "b", "c"),
        deal_seed=block_seed("seed", ["a", "b", "c"], 1),
    )


def test_the_order_is_who_sits_in_each_seat():
    by_order = {p.order: p.players for p in played(["x", "y", "z"])}
    assert by_order["120"] == ("y", "z", "x")
    assert by_order["021"] == ("x", "z", "y")
    assert set(by_order) == {"".join(digits) for digits in permutations("012")}


@pytest.mark.parametrize("number", range(3, 13))
@pytest.mark.parametrize("rounds", [1, 2])
def test_every_triple_meets_in_every_order_and_round(number, rounds):
    names = bots(number)
    matches = played(names, rounds)
    assert len(matches) == count(number, rounds)
    assert Counter((p.triple, p.block, p.order) for p in matches) == Counter(
        (tuple(sorted(triple)), block, order)
        for triple in combinations(names, 3)
        for block in range(1, rounds + 1)
        for order in ORDERS
    )
    assert len({p.match for p in matches}) == len(matches)


@pytest.mark.parametrize("number", [3, 4, 6, 9, 11])
def test_seats_and_neighbours_are_shared_out_equally(number):
    matches = played(bots(number))
    seats = Counter((name, s) for p in matches for s, name in enumerate(p.players))
    assert set(seats.values()) == {2 * comb(number - 1, 2)}
    behind = Counter(
        (p.players[s], p.players[(s + 1) % 3]) for p in matches for s in range(3)
    )
    assert len(behind) == number * (number - 1)
    assert set(behind.values()) == {3 * (number - 2)}


def test_after_half_a_block_each_has_sat_in_each_seat():
    half = played(["a", "b", "c"])[:3]
    assert len({(name, s) for p in half for s, name in enumerate(p.players)}) == 9


@pytest.mark.parametrize("number", [*range(4, 14), 25, 31])
@pytest.mark.parametrize("seed", ["a", "b"])
def test_at_any_moment_all_bots_have_played_about_as_much(number, seed):
    names = bots(number)
    matches = Counter(dict.fromkeys(names, 0))
    for p in pairings("demo", seed, names, 2 if number < 14 else 1):
        matches.update(p.players)
        assert max(matches.values()) - min(matches.values()) <= MAX_AHEAD * len(ORDERS)
    assert len(set(matches.values())) == 1


def test_the_order_of_names_does_not_matter_and_the_seed_does():
    names = bots(7)
    assert played(names) == played(names[::-1])
    assert played(names) != played(names, seed="other")


@pytest.mark.parametrize(("number", "rounds"), [(5, 3), (7, 1), (8, 2)])
def test_more_bots_and_rounds_change_no_match(number, rounds):
    before = set(played(bots(5)))
    assert before <= set(played(bots(number), rounds))


def test_a_hundred_bots_start_at_once_and_make_no_list():
    tracemalloc.start()
    first = list(islice(pairings("demo", "seed", bots(100), 10), 600))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000  # bytes; measured 0.5 million, a list of all takes 600
    met = Counter(name for p in first for name in p.players)
    assert len(met) == 100
    assert count(100, 1) == 970_200


@pytest.mark.parametrize("names", [["a", "b"], ["a", "b", "b"], []])
def test_a_schedule_needs_three_names(names):
    with pytest.raises(ValueError):
        next(pairings("demo", "seed", names, 1))
