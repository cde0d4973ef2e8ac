"""The rules of Trianon once more, as literally as they can be read.

An oracle: slow, plain, and sharing nothing with the program that it judges. The
numbers T1 to T19 are those of the rule page. Cards, bids and moves are strings.
"""

from collections.abc import Sequence
from typing import Any

from . import common

NAME = "trianon"

# T1: 36 cards; ranks from high to low, the same in trumps.
SUITS = ["C", "D", "H", "S"]
RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6"]
# T14: ranks from high to low in sans souci.
SANS_SOUCI_RANKS = ["T", "9", "8", "7", "6", "A", "K", "Q", "J"]
DECK = [rank + suit for suit in SUITS for rank in RANKS]

# T5: tricks 4 to 12; denominations from low to high, spades below diamonds.
DENOMINATIONS = ["C", "S", "D", "H", "SS", "NT"]
# T6: tricks decide first, then the denomination: this list ascends.
BIDS = [
    f"{tricks}{denomination}"
    for tricks in range(4, 13)
    for denomination in DENOMINATIONS
]

# T16: tricks taken -> points; any other number of tricks scores nothing.
TRIANON_POINTS = {0: 150, 1: 105, 2: 70, 3: 35}

places = common.places  # T17


def left_of(seat: int) -> int:
    """Return the player on the left of ``seat`` (T2)."""
    return (seat + 1) % 3


def dealer_of(no: int) -> int:
    """Return the dealer of deal ``no``, which counts from 1."""
    dealer = 0  # T4: seat 0 deals first,
    for _ in range((no - 1) % 3):
        dealer = left_of(dealer)  # T4: then the player on the dealer's left.
    return dealer


def in_hand_order(cards: Sequence[str]) -> list[str]:
    """Sort as the protocol's ``hand``: suits C D H S, in each the ranks 6 to A."""
    return sorted(cards, key=lambda card: (SUITS.index(card[1]), -RANKS.index(card[0])))


def deal_cards(deal_seed: str, no: int) -> tuple[list[list[str]], list[str]]:
    """Return the three hands of a deal by seat; nothing is set aside in Trianon."""
    dealer = dealer_of(no)
    first = left_of(dealer)  # T3: the dealer's left, the next, the dealer.
    seats = [first, left_of(first), dealer]
    deck = common.shuffled(DECK, deal_seed, no)
    return [in_hand_order(hand) for hand in common.two_by_two(deck, seats)], []


def bids_over(bid: str | None) -> list[str]:
    """Return the bids that beat ``bid`` (T6), ascending; all where there is none."""
    return BIDS if bid is None else BIDS[BIDS.index(bid) + 1 :]


def tricks_of(bid: str) -> int:
    """Return the tricks that a bid promises: ``12`` of ``12NT``."""
    return int("".join(sign for sign in bid if sign.isdigit()))


def denomination_of(bid: str) -> str:
    """Return the denomination of a bid: ``NT`` of ``12NT``."""
    return "".join(sign for sign in bid if not sign.isdigit())


def ranks_in_force(contract: str) -> list[str]:
    """Return the ranks from high to low: T14 in sans souci, else T1 (also T16)."""
    return SANS_SOUCI_RANKS if contract.endswith("SS") else RANKS


def trump_of(contract: str) -> str | None:
    """Return the trump suit, if any: none in SS and NT (T13) nor in a Trianon (T16)."""
    if contract == "trianon" or denomination_of(contract) in ("SS", "NT"):
        return None
    return denomination_of(contract)


def winning_card(cards: Sequence[str], contract: str) -> str:
    """Return the card that wins a trick whose first card was led."""
    ranks = ranks_in_force(contract)
    trumps = [card for card in cards if card[1] == trump_of(contract)]
    followers = [card for card in cards if card[1] == cards[0][1]]
    # T13: the highest trump; without one played, the highest of the suit led.
    contenders = trumps or followers
    return min(contenders, key=lambda card: ranks.index(card[0]))


def contract_points(contract: str, declarer: int, taken: int) -> list[int]:
    """Score a deal that had a declarer, who took ``taken`` tricks (T15)."""
    promised = tricks_of(contract)
    dear = denomination_of(contract) in ("SS", "NT")
    points = [0, 0, 0]
    if taken >= promised:
        # T15: made: for the tricks bid above four; overtricks count for nothing.
        points[declarer] = (40 if dear else 30) * (promised - 4)
    else:
        # T15: failed: each defender, for each trick missing.
        for seat in range(3):
            if seat != declarer:
                points[seat] = (50 if dear else 40) * (promised - taken)
    return points


class Deal:
    """One deal: the auction, the raise, twelve tricks, the points."""

    def __init__(self, hands: Sequence[Sequence[str]], dealer: int) -> None:
        self.hands = [in_hand_order(hand) for hand in hands]
        self.dealer = dealer
        self.auction: list[tuple[int, str]] = []
        self.contract: str | None = None
        self.declarer: int | None = None
        self.tricks: list[dict[str, Any]] = []
        self.won = [0, 0, 0]
        self.lead: int | None = None
        self.trick: list[str] = []
        self.over = False
        self.points: list[int] = []
        # T7: the player on the dealer's left speaks first.
        self.seat: int | None = left_of(dealer)
        self.ask: str | None = "bid"
        self.legal = ["pass", *BIDS]

    def play(self, move: str) -> None:
        """Carry out the move of the seat on turn."""
        if move not in self.legal:
            raise ValueError(f"{move!r} is not legal; legal are {self.legal}")
        assert self.seat is not None
        if self.ask == "bid":
            self._bid(self.seat, move)
        elif self.ask == "raise":
            self._raise(self.seat, move)
        else:
            self._card(self.seat, move)

    def last_bid(self) -> str | None:
        """Return the last bid of the auction that was no pass."""
        bids = [bid for _, bid in self.auction if bid != "pass"]
        return bids[-1] if bids else None

    def _bid(self, seat: int, move: str) -> None:
        self.auction.append((seat, move))
        passed = [who for who, bid in self.auction if bid == "pass"]
        spoken = [who for who, _ in self.auction]
        if len(passed) == 3:
            # T9: all have passed. That somebody bid before is impossible: with a
            # bid on the table the second pass has already ended the auction (T8).
            self.contract = "trianon"
            self._begin(self.dealer)  # T16: the dealer leads.
            return
        remaining = [who for who in range(3) if who not in passed]
        if len(passed) == 2 and remaining[0] in spoken:
            # T8: two have passed and the third has bid: the third is the declarer.
            # If it has not spoken it is still to do so, by the lines below.
            self._offer_raise(remaining[0])
            return
        # T7: clockwise, and who has passed is out of the auction.
        turn = left_of(seat)
        while turn in passed:
            turn = left_of(turn)
        self.seat = turn
        # T7: pass, or bid higher than the last bid.
        self.legal = ["pass", *bids_over(self.last_bid())]

    def _offer_raise(self, declarer: int) -> None:
        bid = self.last_bid()
        assert bid is not None
        higher = bids_over(bid)
        if higher:
            # T10: once, to any bid that beats its own, or keep it.
            self.seat, self.ask, self.legal = declarer, "raise", ["keep", *higher]
        else:
            # T10: nothing beats 12NT, so there is nothing to ask.
            self._settle(declarer, bid)

    def _raise(self, declarer: int, move: str) -> None:
        bid = self.last_bid()
        assert bid is not None
        self._settle(declarer, bid if move == "keep" else move)

    def _settle(self, declarer: int, contract: str) -> None:
        # T10: the last bid is the contract; until now there was no declarer.
        self.declarer, self.contract = declarer, contract
        self._begin(left_of(declarer))  # T11: the declarer's left leads.

    def _begin(self, leader: int) -> None:
        self.ask = "play"
        self.lead = leader
        self._turn(leader)

    def _turn(self, seat: int) -> None:
        self.seat = seat
        cards = self.hands[seat]
        if self.trick:
            # T12: follow the suit led if possible, otherwise any card.
            suit = self.trick[0][1]
            cards = [card for card in cards if card[1] == suit] or cards
        # Protocol page, section 2: weakest first in the rank order in force, equal
        # ranks by suit C D H S; a trump counts no stronger.
        assert self.contract is not None
        ranks = ranks_in_force(self.contract)
        self.legal = sorted(
            cards, key=lambda card: (-ranks.index(card[0]), SUITS.index(card[1]))
        )

    def _card(self, seat: int, move: str) -> None:
        assert self.lead is not None
        assert self.contract is not None
        self.hands[seat].remove(move)
        self.trick.append(move)
        if len(self.trick) < 3:
            self._turn(left_of(seat))  # T2: play goes clockwise.
            return
        best = self.trick.index(winning_card(self.trick, self.contract))
        winner = (self.lead + best) % 3
        self.tricks.append(
            {"lead": self.lead, "cards": list(self.trick), "winner": winner}
        )
        self.won[winner] += 1
        self.trick = []
        if self.hands[winner]:
            self.lead = winner  # T11: the winner leads to the next trick.
            self._turn(winner)
        else:
            self._finish()

    def _finish(self) -> None:
        self.over = True
        self.seat, self.ask, self.legal = None, None, []
        if self.contract == "trianon":
            self.points = [TRIANON_POINTS.get(won, 0) for won in self.won]  # T16
        else:
            assert self.contract is not None
            assert self.declarer is not None
            self.points = contract_points(
                self.contract, self.declarer, self.won[self.declarer]
            )


def check_options(options: dict[str, Any]) -> None:
    """Raise ValueError for options that no match of Trianon can have (T17-T19)."""
    common.check_numbers(options, ["target", "max_deals", "deals"])


def match_reason(
    options: dict[str, Any], deals_played: int, scores: Sequence[int]
) -> str | None:
    """Return why the match is over after so many deals, or None when it goes on."""
    deals = options.get("deals")
    if deals is not None:
        # T19: so many deals, without target or cap.
        return "deals" if deals_played >= deals else None
    # T17: somebody has the target or more at the end of a deal. This comes before
    # the cap: reached on the last deal allowed, the reason is the target.
    if max(scores) >= common.number(options, "target", 500):
        return "target"
    # T18: the cap.
    if deals_played >= common.number(options, "max_deals", 200):
        return "max_deals"
    return None
