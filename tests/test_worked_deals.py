"""The deals that the rule pages work through are played again, line by line."""

import re

import pytest

from protocol.notation import RANKS
from tests import pages
from tests.pages import ROOT
from tests.scripted import Hand, setup

TRIANON = ROOT / "docs/rules-trianon.md"
LOYATAIS = ROOT / "docs/rules-loyatais.md"
SUITS_UP = "CDHS"  # rule L1


def rows(page, note):
    """Return the table after a comment, as cells without their quotes."""
    table = pages.read(page).partition(f"<!-- {note} -->\n")[2].partition("\n\n")[0]
    cells = [re.split(r" *\| *", line)[1:-1] for line in table.splitlines()[2:]]
    return [[cell.strip("`") for cell in row] for row in cells]


def worked(page):
    if page == TRIANON:
        return setup("trianon", {"deals": 1}, deal_seed="25")
    return setup("loyatais", {"deals": 3}, deal_seed="11")


def moves(page):
    """Yield seat and move as the page tells them."""
    before = "auction" if page == TRIANON else "before play"
    for seat, move, _ in rows(page, before):
        yield int(seat), move
    step = 1 if page == TRIANON else 2
    for _, lead, cards, _, _ in rows(page, "play"):
        for k, card in enumerate(cards.split()):
            yield (int(lead) + step * k) % 3, card


@pytest.fixture(params=[TRIANON, LOYATAIS], ids=pages.name)
def page(request):
    return request.param


@pytest.fixture
def played(page):
    """The events of the deal, played by the moves of the page."""
    hand = Hand(worked(page)).begin()
    for seat, move in moves(page):
        assert (hand.ask.seat, move in hand.request["legal"]) == (seat, True), move
        hand.move(move)
    return hand.played


def test_each_trick_goes_to_whom_the_page_says(page, played):
    told = [(int(no), int(winner)) for no, _, _, winner, _ in rows(page, "play")]
    assert told == [(e["no"], e["winner"]) for e in played.of("trick")]


def test_the_score_is_that_of_the_page(page, played):
    (score, *_) = played.of("score")
    told = [(int(tricks), int(points)) for _, tricks, points in rows(page, "score")]
    assert told == list(zip(score["tricks"], score["points"], strict=True))


def test_the_contract_is_that_of_the_page(page, played):
    text = " ".join(pages.read(page).split())
    if page == TRIANON:
        (contract,) = played.of("contract")
        assert f"The contract is `{contract['contract']}`" in text
        assert f"seat {contract['declarer']} must take" in text
    else:
        (chosen,) = played.of("partner")
        assert f"the taker chooses seat {chosen['partner']}" in text


def test_the_moves_are_those_that_the_session_shows(page):
    """What the bots did is on the page twice: as the arena prints it, and explained."""
    (session,) = pages.blocks(page, "console")
    shown = [
        re.findall(r"(\S+?)\*? +\d+ ms", line.replace(">", " "))
        for line in session.text.splitlines()
        if re.match(r" +\d+  .*ms$", line)
    ]
    told = [row[2].split() for row in rows(page, "play")]
    assert [sorted(cards) for cards in shown] == [sorted(cards) for cards in told]


def because_trianon(cards, trump):
    trumps = [card for card in cards if card[1] == trump]
    if len(trumps) == 1:
        return "the only trump"
    return "the highest trump" if trumps else "the highest of the suit led"


def because_loyatais(cards):
    names = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
    best = max(cards, key=lambda c: (SUITS_UP.index(c[1]), RANKS.index(c[0])))
    if best[1] != cards[0][1]:
        return f"{best}` cuts"
    thrown = [card for card in cards if card[1] == "H"]
    if cards[0][1] == "S" and thrown:
        return f"nobody cuts: `{thrown[0]}` is below the spades led"
    return f"nobody cuts: the highest {names[cards[0][1]]}"


def test_the_reason_given_for_each_trick_is_the_right_one(page):
    for _, _, cards, _, why in rows(page, "play"):
        trick = cards.split()
        reason = (
            because_trianon(trick, "S") if page == TRIANON else because_loyatais(trick)
        )
        assert why.startswith(reason), cards
