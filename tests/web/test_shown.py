"""Of a match whose block is not done, nothing is shown that could help to play it."""

import json

import pytest

from tests.web.folders import Told, fault, played
from tournaments.web.book import LIVE, tournament_page
from tournaments.web.look import Watch
from tournaments.web.shelf import Tournament
from tournaments.web.shown import Closed, PublicRecord, open_records, public_record

SECRET = "legal were AS KS"


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    return played(tmp_path_factory.mktemp("cup"), name="small")


def stem_of(tournament, number):
    with tournament.open() as reader:
        line = list(reader.lines_after(0))[number]
    return line.record.removesuffix(".jsonl")


def page(told, rest):
    look = Watch(Tournament("cup", told.folder)).look()
    return tournament_page(look, f"en/t/cup/{rest}", LIVE)


@pytest.mark.parametrize(("finished", "is_shown"), [(5, False), (6, True)])
def test_a_fault_is_told_in_words_once_the_block_is_done(tmp_path, finished, is_shown):
    told = Told(tmp_path / "cup")
    told.tell(1, faults={"a": [fault(text=SECRET, line="a line of its own")]})
    told.tell(finished - 1)
    text = page(told, "bot/a.html")
    assert "illegal move × 1" in text
    assert (SECRET in text) == is_shown
    assert ("a line of its own" in text) == is_shown


@pytest.mark.parametrize(("finished", "links"), [(5, 0), (6, 6), (7, 6)])
def test_a_list_leads_to_the_matches_of_whole_blocks_alone(tmp_path, finished, links):
    told = Told(tmp_path / "cup", rounds=2)
    told.tell(finished)
    text = page(told, "matches/-/-/-/1.html")
    assert text.count('href="../../../../../../../en/t/cup/replay.html?match=') == links


def test_a_record_is_given_out_once_the_block_is_done(cup):
    tournament = Tournament("small", cup)
    assert isinstance(public_record(tournament, stem_of(tournament, 0)), PublicRecord)
    assert len(list(open_records(tournament))) == 6


def test_no_record_of_an_open_block_is_given_out(tmp_path):
    told = Told(tmp_path / "cup", rounds=2)
    told.tell(7)
    tournament = Tournament("cup", told.folder)
    assert public_record(tournament, stem_of(tournament, 6)) == Closed()
    (tournament.record(f"{stem_of(tournament, 6)}.jsonl")).unlink()
    for number in range(6):
        (tournament.record(f"{stem_of(tournament, number)}.jsonl")).write_bytes(b"")
    with pytest.raises(Exception, match="empty"):  # of the block that is done
        list(open_records(tournament))


@pytest.mark.parametrize(
    "stem", ["", "x", "../cup", "../../etc/passwd", "\0", "a" * 5000, "é", "%2e%2e"]
)
def test_what_is_no_record_is_none(cup, stem):
    assert public_record(Tournament("small", cup), stem) is None


def test_the_public_form_has_the_seed_and_every_hand_of_finished_deals(cup):
    tournament = Tournament("small", cup)
    for _, record in open_records(tournament):
        header, *events = map(json.loads, record.text.splitlines())
        assert header["deal_seed"]
        hands = [event["hands"] for event in events if event["e"] == "deal"]
        assert len(hands) == 3
        assert all(hand for three in hands for hand in three)
