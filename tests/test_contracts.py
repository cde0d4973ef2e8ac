"""What a bot has declared and made, counted beside the events that tell of it."""

import random
from collections import Counter

import pytest

from tests.scripted import playout, setup


def counted(events):
    """Return contracts, made, levels by seat, and Trianon deals, from the events."""
    contracts: Counter[int] = Counter()
    made: Counter[int] = Counter()
    levels: Counter[int] = Counter()
    undeclared = 0
    declarer, partner, level = None, None, 0
    for event in events:
        match event["e"]:
            case "deal":
                declarer = event.get("taker")
            case "contract":
                declarer = event["declarer"]
                level = int(event["contract"].rstrip("CSDHNT"))
            case "partner":
                is_alone = event["partner"] == "alone"
                partner = None if is_alone else event["partner"]
                level = 5 if is_alone else 7
            case "score" if declarer is None:
                undeclared += 1
            case "score":
                assert declarer is not None
                side = {declarer, declarer if partner is None else partner}
                contracts[declarer] += 1
                made[declarer] += sum(event["tricks"][s] for s in side) >= level
                levels[declarer] += level
                declarer = partner = None
            case _:
                pass
    return contracts, made, levels, undeclared


@pytest.mark.parametrize("game", ["trianon", "loyatais"])
@pytest.mark.parametrize("seed", range(6))
def test_contracts_are_those_that_the_events_tell(game, seed):
    played = playout(setup(game, deal_seed=str(seed)), random.Random(seed), 0)
    contracts, made, levels, undeclared = counted(played.events)
    ledger = played.ledger
    assert contracts
    assert ledger.own_contracts == [contracts[seat] for seat in range(3)]
    assert ledger.own_made == [made[seat] for seat in range(3)]
    assert ledger.own_levels == [levels[seat] for seat in range(3)]
    assert ledger.own_undeclared == [undeclared] * 3
