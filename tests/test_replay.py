"""A record told in words, and a request of it had again."""

import json
import random
import sys
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.record import RecordError, masked, read_record
from arena.replay import narrate, request_line, requests_to
from tests.command import trianon
from tests.rogues import ROOT
from tests.scripted import Hand, playout, setup

TRANSCRIPTS = Path(__file__).parent / "transcripts"
GAMES = ["trianon", "loyatais"]


def told(record, deal_no=None, seat=None):
    return list(narrate(record, deal_no, seat))


@pytest.fixture(params=GAMES)
def record(request):
    return read_record(TRANSCRIPTS / f"{request.param}.jsonl")


def test_every_event_of_a_match_is_told(record):
    text = "\n".join(told(record))
    for event in record.events:
        match event.e:
            case "deal":
                assert f"deal {event.no}: " in text
            case "bid":
                assert event.bid in text
            case "play":
                assert event.card in text
            case "score":
                assert all(f"{points:+}" in text for points in event.points)
            case "fault" | "out":
                assert event.code in text
            case "end":
                assert f"end: {event.reason}" in text
            case _:
                pass


def test_a_seat_sees_its_own_hand_alone(record):
    names = [player.name for player in record.header.players]
    lines = told(record, 1, 1)
    heads = next(k for k, line in enumerate(lines) if "clubs" in line)
    assert lines[heads + 1].split()[0] == names[1]
    assert not any("clubs" in line for line in lines[heads + 1 :])
    assert lines[heads + 2].split()[0] in names  # an answer already, and no hand
    assert any(line.startswith(f"  seat 1: {names[1]}") for line in lines)


def test_a_hand_lies_by_suits_and_high_to_low(tmp_path):
    hand = Hand(setup("trianon", {"deals": 1}, deal_seed="7")).begin()
    lines = told(hand.rest().played.record(tmp_path), 1, None)
    rows = [line.split() for line in lines if line.startswith("  a  ")]
    # Deal 1 of seed 7: QC AC 8D KD AD 8H TH JH QH AH TS QS.
    assert rows[0] == ["a", "A", "Q", "A", "K", "8", "A", "Q", "J", "T", "8", "Q", "T"]


def test_leader_and_winner_of_a_trick_are_marked(record):
    for line in told(record):
        words = line.split()
        if words and words[0].isdecimal() and ">" in line:
            assert line.count(">") == 1
            assert line.count("*") == 1


def test_times_and_notes_of_others_are_not_for_a_seat(tmp_path):
    played = playout(setup("trianon", {"deals": 1}), random.Random(3))
    record = played.record(tmp_path)
    everything = told(record)
    for seat in range(3):
        own = told(record, None, seat)
        mine = [e for e in played.events if e.get("declarer", e.get("seat")) == seat]
        notes = sum("note" in event for event in mine)
        assert sum(line.count("«") for line in own) == notes
        assert "\n".join(own).count(" ms") < "\n".join(everything).count(" ms")


def test_faults_name_the_request_and_stand_behind_their_trick(tmp_path):
    hand = Hand(setup("trianon", {"deals": 1})).begin()
    hand.until(0, "play").move().fault("not_json")
    record = hand.rest().played.record(tmp_path)
    fault = next(event for event in record.events if event.e == "fault")
    lines = told(record)
    at = next(k for k, line in enumerate(lines) if "! " in line)
    assert f"request {fault.id}: text of not_json" in lines[at]
    assert not any(line.strip().startswith("-") for line in lines)
    other = (fault.seat + 1) % 3
    assert "text of not_json" not in "\n".join(told(record, None, other))


def test_a_deal_that_is_not_there_is_said(record):
    with pytest.raises(ArenaError, match="no deal 99"):
        told(record, 99)


# --- a request of it ----------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_line_of_a_request_is_what_was_sent(game, tmp_path):
    played = playout(setup(game), random.Random(4), trouble=0.05)
    record = played.record(tmp_path)
    for seat in range(3):
        sent = [ask.line for ask in played.asks if ask.seat == seat]
        assert requests_to(record, seat) == sent
        assert request_line(record, seat, len(sent) - 1) == sent[-1]


def test_a_request_that_was_never_sent_is_said(record):
    with pytest.raises(ArenaError, match="was sent no request 9999; it has"):
        request_line(record, 0, 9999)


def test_nothing_can_be_rebuilt_without_the_seed(record, tmp_path):
    path = tmp_path / "public.jsonl"
    path.write_text("".join(f"{line}\n" for line in masked(record, False)))
    with pytest.raises(RecordError, match="seed is not open"):
        request_line(read_record(path), 0, 2)


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    path = tmp_path_factory.mktemp("record") / "match.jsonl"
    bad = f"{sys.executable} -m tests.rogues.illegal"
    args = ("--deals", 1, "--seed", 7, "--record", path, "--json")
    trianon("play", bad, "first", "first", "--sandbox", "limits", *args, cwd=ROOT)
    record = read_record(path)
    fault = next(event for event in record.events if event.e == "fault")
    return path, fault


@pytest.mark.processes
def test_the_command_prints_the_line_and_nothing_else(match):
    path, fault = match
    code, out, _ = trianon("replay", path, "--seat", 0, "--request", fault.id)
    request = json.loads(out)
    assert (code, request["id"], request["type"]) == (0, fault.id, "act")


@pytest.mark.processes
@pytest.mark.parametrize(
    ("rogue", "code", "words"),
    [
        ("illegal", 1, ("wrong: illegal_move", "is not legal")),
        ("crash", 1, ("wrong: exited with status 1", "KeyError: 'no such key'")),
        ("same_name", 0, ("answer, after", '"move"')),
    ],
)
def test_a_fault_can_be_had_again(rogue, code, words, match):
    path, fault = match
    bot = f"{sys.executable} -m tests.rogues.{rogue}"
    args = ("--seat", 0, "--request", fault.id, "--to", bot, "--sandbox", "limits")
    ended, out, err = trianon("replay", path, *args, cwd=ROOT)
    assert (ended, err) == (code, "")
    assert all(word in out for word in words), out


@pytest.mark.processes
@pytest.mark.parametrize(
    "args", [("--request", 3), ("--to", "first"), ("--seat", 1, "--to", "first")]
)
def test_a_request_needs_its_seat(args, match):
    code, out, err = trianon("replay", match[0], *args)
    assert (code, out) == (2, "")
    assert "--request ID with --seat S" in err
