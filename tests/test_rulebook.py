"""The rule book against whole dealt games, against the rules one by one, and against
records that are right, then wrong in one place. The program itself is not touched.
"""

import json
import random
from hashlib import sha256
from pathlib import Path

import pytest

from tests.rulebook import check_record, loyatais, trianon

GAMES = {"trianon": trianon, "loyatais": loyatais}
VECTORS = [
    json.loads(line)
    for name in GAMES
    for line in (Path(__file__).parent / "vectors" / f"{name}.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def cards(text):
    return text.split()


# -- whole deals --------------------------------------------------------------------


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"{vector['game']}-{vector['no']}"
)
def test_every_vector_is_dealt_asked_and_scored_alike(vector):
    game = GAMES[vector["game"]]
    hands, aside = game.deal_cards(vector["deal_seed"], vector["no"])
    dealer = game.dealer_of(vector["no"])
    deal = game.Deal(hands, dealer)
    told = {
        "game": game.NAME,
        "deal_seed": vector["deal_seed"],
        "no": vector["no"],
        "dealer" if game is trianon else "taker": dealer,
        "hands": hands,
    }
    if game is loyatais:
        told["aside"] = aside
    told["steps"] = []
    for step in vector["steps"]:
        told["steps"].append(
            {
                "seat": deal.seat,
                "ask": deal.ask,
                "legal": list(deal.legal),
                "move": step["move"],
            }
        )
        deal.play(step["move"])
    assert deal.over
    if game is trianon:
        told |= {"contract": deal.contract, "declarer": deal.declarer}
    else:
        told["partner"] = deal.partner
    told |= {"tricks": deal.tricks, "won": deal.won, "points": deal.points}
    assert told == vector


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_random_deals_share_out_every_trick(game):
    rng = random.Random(1)
    for no in range(1, 200):
        deal = game.Deal(game.deal_cards("random", no)[0], game.dealer_of(no))
        while not deal.over:
            assert len(deal.legal) == len(set(deal.legal)) > 0
            deal.play(rng.choice(deal.legal))
        assert sum(deal.won) == (12 if game is trianon else 10)
        assert (deal.seat, deal.ask, deal.legal) == (None, None, [])
        with pytest.raises(ValueError, match="not legal"):
            deal.play("AS")


# -- cards and seats ----------------------------------------------------------------


def test_t1_l1_the_decks():
    assert len(set(trianon.DECK)) == len(trianon.DECK) == 36
    assert len(set(loyatais.DECK)) == len(loyatais.DECK) == 32
    assert "6C" in trianon.DECK
    assert "6C" not in loyatais.DECK


def test_t4_l4_the_deal_goes_left_and_the_taker_right():
    assert [trianon.dealer_of(no) for no in range(1, 8)] == [0, 1, 2, 0, 1, 2, 0]
    assert [loyatais.dealer_of(no) for no in range(1, 8)] == [0, 2, 1, 0, 2, 1, 0]


@pytest.mark.parametrize(
    ("game", "no", "seats"),
    [
        (trianon, 1, [1, 2, 0]),  # T3: from the left of dealer 0
        (trianon, 2, [2, 0, 1]),
        (trianon, 3, [0, 1, 2]),
        (loyatais, 1, [2, 1, 0]),  # L3: from the right of dealer 0
        (loyatais, 2, [1, 0, 2]),  # dealer 2
        (loyatais, 3, [0, 2, 1]),  # dealer 1
    ],
)
def test_t3_l3_two_cards_at_a_time(game, no, seats):
    deck = sorted(
        game.DECK, key=lambda card: sha256(f"9f2c/{no}/{card}".encode()).hexdigest()
    )
    hands, aside = game.deal_cards("9f2c", no)
    each = 12 if game is trianon else 10
    assert aside == deck[3 * each :]
    assert [len(hand) for hand in hands] == [each] * 3
    for k, card in enumerate(deck[: 3 * each]):
        assert card in hands[seats[k // 2 % 3]]


def test_hands_are_sorted_as_the_protocol_has_them():
    assert trianon.in_hand_order(cards("AS 6S KC TC 7D AH 9C")) == (
        cards("9C TC KC 7D AH 6S AS")
    )
    assert loyatais.ascending(cards("AS 7S KC TC 7D AH 9C")) == (
        cards("9C TC KC 7D AH 7S AS")
    )


# -- Trianon: the auction -----------------------------------------------------------


def auction(moves, dealer=0):
    deal = trianon.Deal(trianon.deal_cards("auction", 1)[0], dealer)
    for move in moves.split():
        assert deal.ask in ("bid", "raise"), f"{move} comes after the auction"
        deal.play(move)
    return deal


def test_t5_there_are_54_bids_in_an_order_that_is_not_the_bridge_order():
    assert len(trianon.BIDS) == 54
    assert trianon.BIDS[:8] == cards("4C 4S 4D 4H 4SS 4NT 5C 5S")
    assert trianon.BIDS[-1] == "12NT"


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("8S", "7SS"),
        ("7SS", "4C"),
        ("6D", "6S"),  # not as in bridge
        ("6H", "6D"),
        ("6SS", "6H"),
        ("6NT", "6SS"),
        ("5C", "4NT"),
        ("10C", "9NT"),  # not in the order of the alphabet
    ],
)
def test_t6_which_bid_beats_which(higher, lower):
    assert higher in trianon.bids_over(lower)
    assert lower not in trianon.bids_over(higher)
    assert lower not in trianon.bids_over(lower)


@pytest.mark.parametrize(
    ("dealer", "moves", "seat", "ask", "first_legal"),
    [
        # T7: the dealer's left first, then clockwise.
        (0, "", 1, "bid", "pass 4C 4S"),
        (2, "", 0, "bid", "pass 4C 4S"),
        (0, "4S", 2, "bid", "pass 4D 4H"),
        (0, "4S 4D", 0, "bid", "pass 4H 4SS"),
        # T7: who has passed is out, and is passed over.
        (0, "pass 4C 4S", 2, "bid", "pass 4D 4H"),
        (0, "4C pass 4S", 1, "bid", "pass 4D 4H"),
        (0, "4C pass 4S 4D", 0, "bid", "pass 4H 4SS"),
        (0, "4C 4S pass 4D", 2, "bid", "pass 4H 4SS"),
        # T7: over 12NT there is only a pass.
        (0, "12NT", 2, "bid", "pass"),
        # T8: two pass before the third has spoken.
        (0, "pass pass", 0, "bid", "pass 4C 4S"),
        # T8, T10: two have passed and the third has bid.
        (0, "pass pass 4C", 0, "raise", "keep 4S 4D"),
        (0, "4C pass pass", 1, "raise", "keep 4S 4D"),
        (0, "pass 4C pass", 2, "raise", "keep 4S 4D"),
        (0, "4C 4S pass pass", 2, "raise", "keep 4D 4H"),
        (0, "4C 4S 4D pass pass", 0, "raise", "keep 4H 4SS"),
        (1, "4C pass pass", 2, "raise", "keep 4S 4D"),
        (0, "12SS pass pass", 1, "raise", "keep 12NT"),
    ],
)
def test_t7_t8_who_speaks_next_and_what_may_be_said(
    dealer, moves, seat, ask, first_legal
):
    deal = auction(moves, dealer)
    legal = first_legal.split()
    assert (deal.seat, deal.ask, deal.legal[: len(legal)]) == (seat, ask, legal)
    assert len(deal.legal) in (len(legal), 1 + len(trianon.bids_over(deal.last_bid())))
    # Until the raise is made or declined there is neither contract nor declarer.
    assert (deal.contract, deal.declarer) == (None, None)


@pytest.mark.parametrize(
    ("dealer", "moves", "contract", "declarer", "leader"),
    [
        # T9, T16: three passes; the dealer leads.
        (0, "pass pass pass", "trianon", None, 0),
        (1, "pass pass pass", "trianon", None, 1),
        (2, "pass pass pass", "trianon", None, 2),
        # T10, T11: kept or raised; the declarer's left leads.
        (0, "4C pass pass keep", "4C", 1, 2),
        (0, "4C pass pass 4S", "4S", 1, 2),
        (0, "4C pass pass 12NT", "12NT", 1, 2),
        (0, "pass pass 7SS 8C", "8C", 0, 1),
        (2, "4C 5C pass pass keep", "5C", 1, 2),
        # T10: at 12NT nothing is asked, however it comes about.
        (0, "pass pass 12NT", "12NT", 0, 1),
        (0, "12NT pass pass", "12NT", 1, 2),
        (0, "4C 12NT pass pass", "12NT", 2, 0),
    ],
)
def test_t9_t10_t11_the_contract_and_who_leads(
    dealer, moves, contract, declarer, leader
):
    deal = auction(moves, dealer)
    assert (deal.contract, deal.declarer) == (contract, declarer)
    assert (deal.seat, deal.ask, deal.lead) == (leader, "play", leader)


@pytest.mark.parametrize(
    ("moves", "illegal"),
    [
        ("", "keep"),
        ("", "3C"),
        ("", "13C"),
        ("", "4c"),
        ("5C", "4NT"),
        ("5C", "5C"),
        ("5C pass pass", "pass"),
        ("5C pass pass", "5C"),
        ("5C pass pass", "4NT"),
    ],
)
def test_t7_t10_what_may_not_be_said(moves, illegal):
    deal = auction(moves)
    with pytest.raises(ValueError, match="not legal"):
        deal.play(illegal)


# -- Trianon: the play --------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "contract", "wins"),
    [
        ("9C KC TC", "6H", "KC"),  # T13: the highest of the suit led
        ("9C KS AD", "6H", "9C"),  # T13: other suits never win
        ("AC KC 6H", "6H", "6H"),  # T13: a trump does,
        ("AC TH 9H", "6H", "TH"),  # the highest of them,
        ("AC 9H TH", "6H", "TH"),
        ("6H AH KH", "6H", "AH"),  # also when trumps are led
        ("6H AC AS", "6H", "6H"),
        ("9C TC 6C", "6C", "TC"),  # T1: the ten below the jack, above the nine
        ("TC JC 9C", "6H", "JC"),
        ("9C AH AS", "6NT", "9C"),  # T13: no trump in NT,
        ("9C AH AS", "6SS", "9C"),  # nor in SS,
        ("9C AH TC", "trianon", "TC"),  # T16: nor in a Trianon
        ("TC AC JC", "trianon", "AC"),  # T16: ranks as T1
        ("AC TC 6C", "6SS", "TC"),  # T14
        ("AC 6C KC", "6SS", "6C"),
        ("JC QC 6D", "6SS", "QC"),
        ("JC KC QC", "6SS", "KC"),
        ("KC AC JC", "6SS", "AC"),
        ("6C 7C 8C", "6SS", "8C"),
        ("9C 8C TS", "6SS", "9C"),
    ],
)
def test_t13_t14_t16_which_card_wins(trick, contract, wins):
    assert trianon.winning_card(trick.split(), contract) == wins


# Seat 1 holds all diamonds and three hearts, seat 2 all spades and three hearts,
# seat 0 all clubs and three hearts.
SOLID = [
    cards("6C 7C 8C 9C TC JC QC KC AC 6H 9H QH"),
    cards("6D 7D 8D 9D TD JD QD KD AD 7H TH KH"),
    cards("6S 7S 8S 9S TS JS QS KS AS 8H JH AH"),
]


@pytest.mark.parametrize(
    ("moves", "legal"),
    [
        # T14, section 2: by the ranks in force, the weakest first, then C D H S.
        ("5NT pass pass keep", "6S 7S 8H 8S 9S TS JH JS QS KS AH AS"),
        ("5SS pass pass keep", "JH JS QS KS AH AS 6S 7S 8H 8S 9S TS"),
        ("5C pass pass 5SS", "JH JS QS KS AH AS 6S 7S 8H 8S 9S TS"),
        # Section 2: a trump counts no stronger.
        ("5S pass pass keep", "6S 7S 8H 8S 9S TS JH JS QS KS AH AS"),
        # T12: the suit led, if it is there;
        ("5S pass pass keep AH", "6H 9H QH"),
        ("5SS pass pass keep AH", "QH 6H 9H"),
        # T12: otherwise any card, no duty to trump.
        ("5C pass pass keep 6S", "6C 6H 7C 8C 9C 9H TC JC QC QH KC AC"),
        ("5C pass pass keep AH 6H", "7H TH KH"),
        # T11: the winner leads, here seat 2 again.
        ("5NT pass pass keep AH 6H 7H", "6S 7S 8H 8S 9S TS JH JS QS KS AS"),
    ],
)
def test_t11_t12_t14_what_may_be_played_and_in_which_order(moves, legal):
    deal = trianon.Deal(SOLID, 0)
    for move in moves.split():
        deal.play(move)
    assert deal.legal == legal.split()


def test_t12_a_revoke_is_refused():
    deal = trianon.Deal(SOLID, 0)
    for move in cards("5C pass pass keep AH"):
        deal.play(move)
    with pytest.raises(ValueError, match="6C"):
        deal.play("6C")


# -- Trianon: the scores ------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "declarer", "taken", "points"),
    [
        ("5C", 0, 5, [30, 0, 0]),  # made: 30 for each trick above four
        ("7H", 1, 7, [0, 90, 0]),
        ("6S", 2, 8, [0, 0, 60]),  # overtricks score nothing
        ("12D", 0, 12, [240, 0, 0]),
        ("5SS", 0, 5, [40, 0, 0]),  # 40 in SS and NT
        ("7NT", 1, 12, [0, 120, 0]),
        ("12NT", 1, 12, [0, 320, 0]),
        ("4C", 0, 4, [0, 0, 0]),  # made contracts of four score 0
        ("4NT", 0, 12, [0, 0, 0]),
        ("6S", 0, 4, [0, 80, 80]),  # failed: 40 each for each trick missing
        ("4C", 1, 3, [40, 0, 40]),
        ("6SS", 2, 4, [100, 100, 0]),  # 50 in SS and NT
        ("4NT", 0, 0, [0, 200, 200]),
        ("12NT", 0, 0, [0, 600, 600]),
        ("10H", 0, 9, [0, 40, 40]),  # a bid of two digits
    ],
)
def test_t15_points_of_a_contract(contract, declarer, taken, points):
    assert trianon.contract_points(contract, declarer, taken) == points


@pytest.mark.parametrize(
    ("won", "points"),
    [
        ([0, 1, 11], [150, 105, 0]),
        ([2, 3, 7], [70, 35, 0]),
        ([4, 4, 4], [0, 0, 0]),
        ([0, 0, 12], [150, 150, 0]),
        ([3, 3, 6], [35, 35, 0]),
    ],
)
def test_t16_points_of_a_trianon(won, points):
    deal = trianon.Deal(SOLID, 0)
    for _ in range(3):
        deal.play("pass")
    deal.won = won
    deal._finish()
    assert (deal.over, deal.points) == (True, points)


# -- Loyatais: before play ----------------------------------------------------------

LOYATAIS_HANDS = [
    cards("7C 8C 9C TC 7D 8D 9D TD 7H 7S"),
    cards("JC QC KC AC 8H 9H TH JH 8S 9S"),
    cards("JD QD KD AD QH KH AH TS JS QS"),
]


def loyatais_deal(moves="", taker=0):
    deal = loyatais.Deal(LOYATAIS_HANDS, taker)
    for move in filter(None, moves.split(", ")):
        deal.play(move)
    return deal


def test_l5_all_pairs_of_the_hand_the_weaker_first():
    legal = loyatais_deal().legal
    assert len(legal) == 45
    assert legal[:3] == ["JD QD", "JD KD", "JD AD"]
    assert legal[8:11] == ["JD QS", "QD KD", "QD AD"]
    assert legal[-1] == "JS QS"


@pytest.mark.parametrize(
    ("taker", "turns"), [(0, [2, 1, 0]), (1, [0, 2, 1]), (2, [1, 0, 2])]
)
def test_l5_l6_the_right_shows_first_and_the_taker_decides(taker, turns):
    deal = loyatais_deal(taker=taker)
    shown: list[list[str]] = [[], [], []]
    for turn, ask in zip(turns, ["show", "show", "partner"], strict=True):
        assert (deal.seat, deal.ask) == (turn, ask)
        if ask == "show":
            shown[turn] = deal.legal[0].split()
            deal.play(deal.legal[0])
    assert deal.shown == shown
    others = sorted(turns[:2])
    assert deal.legal == ["alone", f"with {others[0]}", f"with {others[1]}"]
    assert deal.partner is None
    deal.play(deal.legal[2])
    assert deal.partner == others[1]
    assert (deal.seat, deal.ask, deal.lead) == (taker, "play", taker)  # L7


@pytest.mark.parametrize(
    ("moves", "illegal"),
    [
        ("", "QD JD"),  # the weaker first
        ("", "JD JD"),
        ("", "JD 7C"),  # not of this hand
        ("JD QD, JC QC", "with 0"),
        ("JD QD, JC QC", "with 3"),
        ("JD QD, JC QC", "AS"),
    ],
)
def test_l5_l6_what_may_not_be_shown_or_chosen(moves, illegal):
    with pytest.raises(ValueError, match="not legal"):
        loyatais_deal(moves).play(illegal)


# -- Loyatais: the play -------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "seat", "legal"),
    [
        # L7, section 2: the taker leads; the order is that of L1.
        ("JD QD, JC QC, alone", 0, "7C 8C 9C TC 7D 8D 9D TD 7H 7S"),
        # L2, L8: to the right; the suit led, shown cards too.
        ("JD QD, JC QC, alone, 7D", 2, "JD QD KD AD"),
        # L8: otherwise any card.
        (
            "JD QD, JC QC, alone, 7D, JD",
            1,
            "JC QC KC AC 8H 9H TH JH 8S 9S",
        ),
        # L7: the winner, here by a cut, leads.
        (
            "JD QD, JC QC, alone, 7D, JD, 8H",
            1,
            "JC QC KC AC 9H TH JH 8S 9S",
        ),
    ],
)
def test_l7_l8_what_may_be_played_and_in_which_order(moves, seat, legal):
    deal = loyatais_deal(moves)
    assert (deal.seat, deal.legal) == (seat, legal.split())


@pytest.mark.parametrize(
    ("trick", "wins"),
    [
        ("9C KC TC", "KC"),  # the highest of the suit led
        ("9H AD AC", "9H"),  # a lower suit does not cut,
        ("9H 7S AC", "7S"),  # a higher one does
        ("AC 7D 7H", "7H"),  # overcut by suit
        ("AC 7H 7D", "7H"),
        ("7C 7S AH", "7S"),  # a higher rank of a lower suit does not overcut
        ("7C AH 7S", "7S"),
        ("AC 8S 9S", "9S"),  # overcut by rank
        ("AC 9S 8S", "9S"),
        ("AC 8D KC", "8D"),  # following does not undo the cut
        ("7S AH AD", "7S"),  # nothing cuts spades
    ],
)
def test_l9_which_card_wins(trick, wins):
    assert loyatais.winning_card(trick.split()) == wins


# -- Loyatais: the scores -----------------------------------------------------------


@pytest.mark.parametrize(
    ("taker", "partner", "won", "points"),
    [
        # L10: alone.
        (0, "alone", [5, 3, 2], [100, 0, 0]),
        (1, "alone", [2, 7, 1], [0, 140, 0]),
        (2, "alone", [0, 1, 9], [0, 0, 180]),
        (0, "alone", [10, 0, 0], [300, 0, 0]),
        # L10: with a partner, half each, whoever took the tricks.
        (0, 1, [7, 0, 3], [50, 50, 0]),
        (0, 2, [1, 2, 7], [60, 0, 60]),
        (1, 2, [1, 4, 5], [0, 70, 70]),
        (2, 0, [0, 0, 10], [130, 0, 130]),
        # L11: failed.
        (0, "alone", [4, 3, 3], [0, 50, 50]),
        (0, 1, [3, 3, 4], [0, 0, 100]),
        (2, 1, [10, 0, 0], [100, 0, 0]),  # no capot for the opponents
        (1, "alone", [10, 0, 0], [50, 0, 50]),
    ],
)
def test_l10_l11_points(taker, partner, won, points):
    assert loyatais.deal_points(taker, partner, won) == points


# -- the match ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "played", "scores", "reason"),
    [
        ({}, 3, [499, 0, 0], None),  # T17
        ({}, 3, [500, 0, 0], "target"),
        ({}, 3, [0, 0, 510], "target"),
        ({"target": 100}, 1, [0, 120, 0], "target"),
        ({}, 199, [0, 0, 0], None),  # T18
        ({}, 200, [0, 0, 0], "max_deals"),
        ({"max_deals": 3}, 3, [499, 0, 0], "max_deals"),
        ({"max_deals": 3}, 3, [500, 0, 0], "target"),  # both at once
        ({"target": None, "max_deals": None}, 3, [500, 0, 0], "target"),
        ({"deals": 5}, 4, [900, 0, 0], None),  # T19: no target
        ({"deals": 5}, 5, [900, 0, 0], "deals"),
        ({"deals": 300}, 200, [0, 0, 0], None),  # T19: no cap
        ({"deals": None}, 3, [500, 0, 0], "target"),
    ],
)
def test_t17_t18_t19_when_a_match_of_trianon_ends(options, played, scores, reason):
    trianon.check_options(options)
    assert trianon.match_reason(options, played, scores) == reason


@pytest.mark.parametrize(
    ("options", "played", "reason"),
    [
        ({}, 11, None),
        ({}, 12, "deals"),
        ({"deals": 3}, 2, None),
        ({"deals": 3}, 3, "deals"),
    ],
)
def test_l12_when_a_match_of_loyatais_ends(options, played, reason):
    loyatais.check_options(options)
    assert loyatais.match_reason(options, played, [900, 0, 0]) == reason


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (loyatais, {"deals": 1}),
        (loyatais, {"deals": 4}),
        (loyatais, {"deals": 200}),
        (loyatais, {"deals": 0}),
        (loyatais, {"deals": "12"}),
        (loyatais, {"target": 500}),
        (trianon, {"target": 0}),
        (trianon, {"max_deals": -1}),
        (trianon, {"deals": True}),
        (trianon, {"deals": 2.0}),
        (trianon, {"goal": 500}),
    ],
)
def test_l12_options_that_are_refused(game, options):
    with pytest.raises(ValueError, match=r"option|deals"):
        game.check_options(options)


def test_t19_a_match_of_trianon_may_have_any_number_of_deals():
    trianon.check_options({"deals": 1})
    trianon.check_options({"deals": 4})


@pytest.mark.parametrize(
    ("scores", "out", "expected"),
    [
        ([510, 440, 490], (), [1, 3, 2]),
        ([500, 500, 300], (), [1, 1, 3]),
        ([500, 300, 300], (), [1, 2, 2]),
        ([300, 500, 500], (), [3, 1, 1]),
        ([0, 0, 0], (), [1, 1, 1]),
        ([510, 440, 490], (0,), [3, 2, 1]),  # out: place 3 whatever the score
        ([510, 440, 440], (0,), [3, 1, 1]),
        ([0, 440, 490], (2,), [2, 1, 3]),
        ([510, 440, 0], (0, 1), [3, 3, 1]),  # walkover
        ([510, 440, 0], (0, 1, 2), [3, 3, 3]),  # all out
    ],
)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_t17_l12_places(game, scores, out, expected):
    assert game.places(scores, out) == expected


# -- records ------------------------------------------------------------------------


class Scribe:
    """Plays a match at random with the rule book's own deals and writes it down.

    ``before`` says what befalls before decision k of the match, or before decision
    ``(seat, k)`` of one seat: a list of ``fault CODE``, ``out it CODE`` (who is on
    turn), ``out other CODE`` (the next who is not), ``end REASON``.
    """

    def __init__(self, game, options, before=None, starts=(), seed="scribe"):
        self.game, self.options, self.seed = game, options, seed
        self.before = before or {}
        self.rng = random.Random(seed)
        commit = sha256(f"trianon-arena/1 m/1 {seed}".encode()).hexdigest()
        self.head = {
            "record": 1,
            "game": game.NAME,
            "rules": 1,
            "options": options,
            "match": "m/1",
            "attempt": 1,
            "clock": None,
            "strikes": 3,
            "players": [{"name": name} for name in "abc"],
            "deal_seed": seed,
            "commit": f"sha256:{commit}",
        }
        self.events = []
        self.scores = [0, 0, 0]
        self.out = []
        self.moves = 0
        self.moves_of = [0, 0, 0]
        for seat, code in starts:
            self.tell("out", seat=seat, code=code)
            self.out.append(seat)
        if len(self.out) > 1:
            self.end("walkover" if len(self.out) == 2 else "all_out")
        no = 0
        while not self.ended():
            no += 1
            self.deal(no)

    def tell(self, kind, **fields):
        self.events.append({"n": len(self.events), "e": kind, **fields})

    def ended(self):
        return bool(self.events) and self.events[-1]["e"] == "end"

    def end(self, reason):
        places = self.game.places(self.scores, self.out)
        if reason in ("strict", "void"):
            places = None
        self.tell("end", reason=reason, scores=self.scores, places=places)

    def deal(self, no):
        hands, aside = self.game.deal_cards(self.seed, no)
        dealer = self.game.dealer_of(no)
        who = {"dealer": dealer} if self.game is trianon else {"taker": dealer}
        self.tell("deal", no=no, **who, scores=self.scores, hands=hands)
        deal = self.game.Deal(hands, dealer)
        while not deal.over:
            self.decision(deal)
            if self.ended():
                return
        self.scores = [a + b for a, b in zip(self.scores, deal.points, strict=True)]
        told = {"tricks": deal.won, "points": deal.points, "scores": self.scores}
        if self.game is loyatais:
            told["aside"] = aside
        self.tell("score", no=no, **told)
        reason = self.game.match_reason(self.options, no, self.scores)
        if reason:
            self.end(reason)

    def decision(self, deal):
        seat, ask = deal.seat, deal.ask
        house = False
        befalls = [
            *self.before.get(self.moves, ()),
            *self.before.get((seat, self.moves_of[seat]), ()),
        ]
        for word in befalls:
            kind, *rest = word.split()
            if kind == "fault":
                house = True
                self.tell("fault", seat=seat, code=rest[0], played=deal.legal[0])
            elif kind == "out":
                others = [(seat + 1) % 3, (seat + 2) % 3]
                who = next(who for who in others if who not in self.out)
                if rest[0] == "it":
                    who = seat
                self.out.append(who)
                self.tell("out", seat=who, code=rest[1])
            else:
                self.end(rest[0])
                return
        # Low bids, so that there is something left to raise and to make.
        legal = deal.legal[:4] if ask in ("bid", "raise") else deal.legal
        move = self.rng.choice(legal)
        if house or seat in self.out:
            move = deal.legal[0]
        self.moves += 1
        self.moves_of[seat] += 1
        tricks = len(deal.tricks)
        deal.play(move)
        if ask == "bid":
            self.tell("bid", seat=seat, bid=move, ms=1)
            if deal.contract == "trianon":
                self.tell("trianon")
        elif ask == "show":
            self.tell("show", seat=seat, cards=move.split(), ms=1)
        elif ask == "partner":
            self.tell("partner", seat=seat, partner=deal.partner, ms=1)
        elif ask == "play":
            self.tell("play", seat=seat, card=move, ms=1, note="so")
        if ask in ("bid", "raise") and deal.declarer is not None:
            self.tell("contract", declarer=deal.declarer, contract=deal.contract)
        if len(deal.tricks) > tricks:
            self.tell("trick", no=len(deal.tricks), winner=deal.tricks[-1]["winner"])

    def lines(self):
        return [json.dumps(value) for value in (self.head, *self.events)]

    def first(self, kind, **fields):
        return next(
            event
            for event in self.events
            if event["e"] == kind
            and all(event.get(name) == value for name, value in fields.items())
        )

    def last(self, kind):
        return [event for event in self.events if event["e"] == kind][-1]


ROUGH = {
    # Two faults and an out, and the match goes on.
    5: ["fault illegal_move"],
    8: ["fault timeout"],
    30: ["out it exited"],
}


@pytest.mark.parametrize("seed", ["a", "b", "c", "d", "e"])
@pytest.mark.parametrize("before", [{}, ROUGH], ids=["smooth", "rough"])
@pytest.mark.parametrize(
    ("game", "options"),
    [
        (trianon, {"target": 500, "max_deals": 200}),
        (trianon, {"target": 5000, "max_deals": 2}),
        (trianon, {"deals": 4}),
        (loyatais, {"deals": 3}),
        (loyatais, {}),
    ],
)
def test_a_true_record_agrees(game, options, before, seed):
    assert check_record(Scribe(game, options, before, seed=seed).lines()) == []


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize(
    ("starts", "before", "reason", "deals"),
    [
        ([], {60: ["end void"]}, "void", 2),
        ([], {0: ["end void"]}, "void", 1),
        ([], {60: ["fault timeout", "end strict"]}, "strict", 2),
        ([], {60: ["out it closed", "end strict"]}, "strict", 2),
        ([], {7: ["out it closed", "out other flood", "end walkover"]}, "walkover", 1),
        (
            [],
            {7: ["out it closed"], 9: ["out other flood", "end walkover"]},
            "walkover",
            1,
        ),
        ([(0, "no_hello")], {}, "deals", 3),
        ([(0, "no_hello"), (2, "no_start")], {}, "walkover", 0),
        ([(0, "no_hello"), (1, "no_start"), (2, "no_hello")], {}, "all_out", 0),
    ],
)
def test_a_match_cut_short_agrees(game, starts, before, reason, deals):
    scribe = Scribe(game, {"deals": 3}, before, starts)
    assert check_record(scribe.lines()) == []
    assert scribe.last("end")["reason"] == reason
    assert sum(event["e"] == "deal" for event in scribe.events) == deals


def test_three_strikes_are_out():
    before = {(1, k): ["fault bad_message"] for k in range(3)}
    scribe = Scribe(trianon, {"deals": 3}, before)
    complaints = check_record(scribe.lines())
    assert any("should be out by strikes" in text for text in complaints)

    before[1, 2].append("out it strikes")
    scribe = Scribe(trianon, {"deals": 3}, before)
    assert check_record(scribe.lines()) == []
    assert scribe.last("end")["places"][1] == 3


def corrupt_header(scribe, field, value):
    scribe.head[field] = value


def corrupt(kind, field, value):
    def change(scribe):
        scribe.first(kind)[field] = value

    return change


def corrupt_last(kind, field, value):
    def change(scribe):
        scribe.last(kind)[field] = value

    return change


def swap_hands(scribe):
    hands = scribe.first("deal")["hands"]
    scribe.first("deal")["hands"] = [hands[1], hands[0], hands[2]]


def unsort_hand(scribe):
    hands = json.loads(json.dumps(scribe.first("deal")["hands"]))
    hands[0].reverse()
    scribe.first("deal")["hands"] = hands


def wrong_winner(scribe):
    event = scribe.first("trick")
    event["winner"] = (event["winner"] + 1) % 3


def drop(kind):
    def change(scribe):
        scribe.events.remove(scribe.first(kind))
        for n, event in enumerate(scribe.events):
            event["n"] = n

    return change


def gap(scribe):
    scribe.events[7]["n"] = 8


def add_after_the_end(scribe):
    scribe.tell("fault", seat=0, code="timeout", played=None)


def stop_early(scribe):
    scribe.events.pop()


def one_deal_more(scribe):
    scribe.events.pop()
    scribe.deal(4)


def one_deal_less(scribe):
    at = scribe.events.index(scribe.first("deal", no=3))
    del scribe.events[at:]
    scribe.scores = scribe.events[-1]["scores"]
    scribe.end("deals")


def false_points(scribe):
    event = scribe.first("score")
    event["points"] = [points + 10 for points in event["points"]]


BREAKS = {
    "commit": (lambda s: corrupt_header(s, "commit", "sha256:00"), "commit"),
    "match": (lambda s: corrupt_header(s, "match", "m/2"), "commit"),
    "no seed": (lambda s: corrupt_header(s, "deal_seed", None), "deal_seed"),
    "game": (lambda s: corrupt_header(s, "game", "whist"), "whist"),
    "options": (lambda s: corrupt_header(s, "options", {"deals": 0}), "T19"),
    "players": (lambda s: corrupt_header(s, "players", []), "three players"),
    "other hands": (swap_hands, "section 7"),
    "hands unsorted": (unsort_hand, "section 7"),
    "deal number": (corrupt("deal", "no", 2), "deal.no"),
    "scores before": (corrupt_last("deal", "scores", [1, 2, 3]), "deal.scores"),
    "seat": (corrupt("play", "seat", 7), "play.seat"),
    "seat as a bool": (corrupt_last("end", "places", [True, 1, 1]), "end.places"),
    "card not held": (corrupt("play", "card", "2C"), "not legal"),
    "winner": (wrong_winner, "trick.winner"),
    "trick number": (corrupt("trick", "no", 0), "trick.no"),
    "tricks": (corrupt("score", "tricks", [0, 0, 0]), "score.tricks"),
    "points": (false_points, "score.points"),
    "running scores": (corrupt("score", "scores", [9, 9, 9]), "score.scores"),
    "time": (corrupt("play", "ms", 1.5), "play.ms"),
    "numbering": (gap, "n is 8"),
    "no trick event": (drop("trick"), "'trick' belongs"),
    "no score event": (drop("score"), "'score' belongs"),
    "no deal event": (drop("deal"), "'deal' belongs"),
    "reason": (corrupt_last("end", "reason", "target"), "end.reason"),
    "scores": (corrupt_last("end", "scores", [0, 0, 1]), "end.scores"),
    "places": (corrupt_last("end", "places", [3, 3, 3]), "end.places"),
    "places null": (corrupt_last("end", "places", None), "end.places"),
    "void with places": (corrupt_last("end", "reason", "void"), "end.places"),
    "after the end": (add_after_the_end, "after the end"),
    "no end": (stop_early, "without an end"),
    "too many deals": (one_deal_more, "where the match ends"),
    "too few deals": (one_deal_less, "'deal' belongs"),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize(("change", "words"), BREAKS.values(), ids=BREAKS)
def test_a_false_record_is_found_out(game, change, words):
    scribe = Scribe(game, {"deals": 3})
    change(scribe)
    complaints = check_record(scribe.lines())
    assert any(words in text for text in complaints), complaints


@pytest.mark.parametrize(
    ("game", "change", "words"),
    [
        (trianon, corrupt("deal", "dealer", 1), "deal.dealer"),
        (trianon, corrupt("bid", "bid", "3C"), "not legal (T7)"),
        (trianon, corrupt("contract", "contract", "3C"), "not legal (T10)"),
        (trianon, corrupt("contract", "declarer", None), "contract.declarer"),
        (trianon, drop("contract"), "'contract' belongs"),
        (trianon, corrupt("score", "aside", ["6C"]), "score.aside"),
        (loyatais, corrupt("deal", "taker", 1), "deal.taker"),
        (loyatais, corrupt("show", "cards", ["AS", "7C"]), "not legal (L5)"),
        (loyatais, corrupt("partner", "partner", 0), "not legal (L6)"),
        (loyatais, corrupt("score", "aside", None), "score.aside"),
    ],
)
def test_a_false_record_of_one_game_is_found_out(game, change, words):
    scribe = Scribe(game, {"deals": 3})
    change(scribe)
    complaints = check_record(scribe.lines())
    assert any(words in text for text in complaints), complaints


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ({4: ["fault sneeze"]}, "unknown code"),
        ({4: ["fault timeout", "fault timeout"]}, "second fault"),
        ({4: ["out it sneeze"]}, "unknown code"),
        ({4: ["out it strikes"]}, "has 0 strikes"),
        ({4: ["out it no_hello"]}, "after the first move"),
        ({4: ["out other exited"]}, "while not on turn"),
        ({4: ["out it closed", "out it closed"]}, "out already"),
        ({4: ["out it closed", "out other flood"]}, "where the match ends"),
        ({4: ["end deals"]}, "end.reason"),
        ({4: ["end strict"]}, "no first fault"),
        ({3: ["fault timeout"], 4: ["fault timeout", "end strict"]}, "no first fault"),
    ],
)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_faults_and_outs_that_cannot_be(game, before, words):
    complaints = check_record(Scribe(game, {"deals": 3}, before).lines())
    assert any(words in text for text in complaints), complaints


def test_section_6_the_house_plays_the_mildest_move():
    scribe = Scribe(trianon, {"deals": 3}, {0: ["fault timeout"]})
    scribe.first("bid")["bid"] = "4C"
    assert any("house" in text for text in check_record(scribe.lines()))
    scribe = Scribe(trianon, {"deals": 3}, {0: ["fault timeout"]})
    scribe.first("fault")["played"] = "4C"
    assert any("fault.played" in text for text in check_record(scribe.lines()))


def test_section_4_an_out_does_not_stand_inside_what_follows_from_a_move():
    scribe = Scribe(trianon, {"deals": 3})
    at = scribe.events.index(scribe.first("trick"))
    scribe.events.insert(at, {"e": "out", "seat": 0, "code": "flood"})
    for n, event in enumerate(scribe.events):
        event["n"] = n
    assert "stands where trick belongs" in check_record(scribe.lines())[0]


@pytest.mark.parametrize(
    "lines", [[], [""], ["no json"], ["[]"], ["{}"], ['{"record":1}']]
)
def test_what_is_no_record_is_a_complaint_and_no_crash(lines):
    assert check_record(lines)
