"""Playouts by one call: the same moves as one by one, and nothing left changed."""

import os
import random
from collections import Counter

import pytest

from arena.dealing import deal
from arena.games import GAMES, trianon
from arena.games.rollouts import playouts, shuffled_deal

games = pytest.mark.parametrize("game", GAMES)


def by_hand(position, draw):
    position = position.clone()
    while not position.is_over:
        moves = position.legal()
        position.apply(moves[int(draw() * len(moves))])
    return position.points()


@games
def test_playouts_are_what_the_same_draws_give_move_by_move(game):
    position = deal(GAMES[game], "rollouts", 1)
    draw = random.Random(5).random
    wanted = [by_hand(position, draw) for _ in range(20)]
    assert playouts(position, 20, random.Random(5).random) == wanted
    assert len({tuple(points) for points in wanted}) > 1


@games
def test_playouts_leave_the_position_as_it_was(game):
    position = deal(GAMES[game], "rollouts", 2)
    for _ in range(15):
        position.apply(position.legal()[-1])
    before = (position.seat, position.legal(), position.trick[:], position.won[:])
    playouts(position, 5, random.Random(5).random)
    after = (position.seat, position.legal(), position.trick, position.won)
    assert after == before


@games
def test_playouts_of_a_finished_deal_are_its_points(game):
    position = deal(GAMES[game], "rollouts", 3)
    while not position.is_over:
        position.apply(position.legal()[0])
    assert playouts(position, 2, random.Random(5).random) == [position.points()] * 2


@games
def test_a_shuffled_deal_gives_every_card_to_one_seat_and_none_a_better_chance(game):
    rules, draw = GAMES[game], random.Random(6).random
    count: Counter[tuple[int, int]] = Counter()
    hands: list[list[int]] = []
    for number in range(300):
        position = shuffled_deal(rules, number % 3, draw)
        hands = [position.hand(seat) for seat in range(3)]
        held = [card for hand in hands for card in hand]
        assert len(set(held)) == len(held)
        assert set(held) <= set(rules.deck)
        count.update((seat, card) for seat, hand in enumerate(hands) for card in hand)
    expected = 300 * len(hands[0]) / len(rules.deck)  # sigma is about eight
    assert all(abs(n - expected) < 5 * 8.5 for n in count.values())
    assert len(count) == 3 * len(rules.deck)


@games
def test_the_same_draws_give_the_same_deal(game):
    one, other = (
        shuffled_deal(GAMES[game], 1, random.Random(6).random) for _ in range(2)
    )
    assert [one.hand(s) for s in range(3)] == [other.hand(s) for s in range(3)]


@pytest.mark.skipif("TRIANON_COMPILED" not in os.environ, reason="the plain games run")
def test_it_is_the_compiled_games_that_are_tested():
    assert not trianon.__file__.endswith(".py")
