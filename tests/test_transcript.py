"""Each line of the transcript page is what the arena sends, or the judge takes."""

import json
import re

from arena import __version__
from arena.games import GAMES
from arena.setup import MatchSetup
from protocol.judge import Asked, Good, judge
from tests import pages
from tests.pages import ROOT
from tests.scripted import Hand
from tests.test_worked_deals import TRIANON, moves

PAGE = ROOT / "docs/transcript.md"
SEAT = 2
TALK = re.findall(r"^([→←]) (.*)$", pages.read(PAGE), re.MULTILINE)
TO_BOT = [line for arrow, line in TALK if arrow == "→"]
FROM_BOT = [line for arrow, line in TALK if arrow == "←"]
MATCH = MatchSetup(
    game="trianon",
    options=GAMES["trianon"].options({"deals": 1}),
    match="play/1",
    names=("careful", "careful", "careful"),
    deal_seed="25",
    seed="25",
    arena=__version__,
    is_named=False,
)


def played_to_the_end():
    """Play the match by the moves that the rule page tells."""
    hand = Hand(MATCH).begin()
    for _, move in moves(TRIANON):
        hand.move(move)
    return hand.rest().played


def asked_of_the_seat():
    return [ask for ask in played_to_the_end().asks if ask.seat == SEAT]


def test_the_lines_to_the_bot_are_those_of_the_arena():
    assert [ask.line.decode().rstrip("\n") for ask in asked_of_the_seat()] == TO_BOT


def test_the_lines_from_the_bot_are_taken_without_a_warning():
    for ask, line in zip(asked_of_the_seat(), FROM_BOT, strict=True):
        verdict = judge(line.encode(), Asked(ask.id, ask.kind, (0, 1, 2)))
        assert isinstance(verdict, Good), line
        assert not verdict.warnings


def test_the_bot_has_made_the_moves_that_the_rule_page_tells():
    said = [json.loads(line).get("move") for line in FROM_BOT]
    told = [move for seat, move in moves(TRIANON) if seat == SEAT]
    assert [move for move in said if move is not None] == told


def test_the_count_of_lines_is_right():
    assert len(TO_BOT) == len(FROM_BOT) == 19
    assert "Nineteen lines came in and nineteen went out" in pages.read(PAGE)
