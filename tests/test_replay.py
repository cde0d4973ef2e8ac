"""A record told in words."""

from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.record import read_record
from arena.replay import narrate

TRANSCRIPTS = Path(__file__).parent / "transcripts"


@pytest.mark.parametrize("game", ["trianon", "loyatais"])
def test_every_event_of_a_match_is_told(game):
    record = read_record(TRANSCRIPTS / f"{game}.jsonl")
    text = "\n".join(narrate(record, None, None))
    for event in record.events:
        match event.e:
            case "deal":
                assert f"deal {event.no}: " in text
            case "bid":
                assert f"bids {event.bid}" in text
            case "play":
                assert event.card in text
            case "fault" | "out":
                assert event.code in text
            case "end":
                assert f"end: {event.reason}" in text
            case _:
                pass


@pytest.mark.parametrize("game", ["trianon", "loyatais"])
def test_a_seat_sees_its_own_hand_alone(game):
    record = read_record(TRANSCRIPTS / f"{game}.jsonl")
    names = [player.name for player in record.header.players]
    lines = list(narrate(record, 1, 1))
    hands = [line for line in lines if line.startswith(f"  {names[1]}: ")]
    others = [
        line for n in (0, 2) for line in lines if line.startswith(f"  {names[n]}: ")
    ]
    assert len(hands) == 1
    assert not others
    assert f"  seat 1: {names[1]}  (you)" in lines


def test_a_deal_that_is_not_there_is_said():
    record = read_record(TRANSCRIPTS / "trianon.jsonl")
    with pytest.raises(ArenaError, match="no deal 99"):
        list(narrate(record, 99, None))
