"""The rules of Loyatais once more, as literally as they can be read.

An oracle: slow, plain, and sharing nothing with the program that it judges. The
numbers L1 to L12 are those of the rule page. Cards and moves are strings.
"""

from collections.abc import Sequence
from typing import Any

from . import common

NAME = "loyatais"

# L1: ranks and suits from high to low; together they order all 32 cards.
RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7"]
SUITS = ["S", "H", "D", "C"]
DECK = [rank + suit for suit in SUITS for rank in RANKS]  # the highest card first

places = common.places  # L12


def right_of(seat: int) -> int:
    """Return the player on the right of ``seat``, whose turn comes next (L2)."""
    return (seat + 2) % 3


def dealer_of(no: int) -> int:
    """Return the dealer, who is the taker (L4), of deal ``no`` counted from 1."""
    taker = 0  # L4: seat 0 is the first taker,
    for _ in range((no - 1) % 3):
        taker = right_of(taker)  # L4: then the player on this taker's right.
    return taker


def ascending(cards: Sequence[str]) -> list[str]:
    """Sort from the lowest card of the order of L1 to the highest."""
    return sorted(cards, key=DECK.index, reverse=True)


def deal_cards(deal_seed: str, no: int) -> tuple[list[list[str]], list[str]]:
    """Return the three hands of a deal by seat, and the two cards set aside."""
    dealer = dealer_of(no)
    first = right_of(dealer)  # L3: the dealer's right, the next, the dealer.
    seats = [first, right_of(first), dealer]
    deck = common.shuffled(DECK, deal_seed, no)
    hands, aside = deck[:30], deck[30:]  # L3: ten each, the last two set aside.
    return [ascending(hand) for hand in common.two_by_two(hands, seats)], aside


def winning_card(cards: Sequence[str]) -> str:
    """Return the card that wins a trick: the highest in the order of L1 (L9).

    An off-suit card below the suit led is lower than the card led, so that it
    cannot win: only a higher suit cuts, and only a higher card overcuts.
    """
    return min(cards, key=DECK.index)


def deal_points(taker: int, partner: str | int, won: Sequence[int]) -> list[int]:
    """Score a deal from the tricks that each seat has won."""
    side = [taker, partner] if isinstance(partner, int) else [taker]
    against = [seat for seat in range(3) if seat not in side]
    needed = 5 if side == [taker] else 7  # L6
    taken = sum(won[seat] for seat in side)
    points = [0, 0, 0]
    if taken >= needed:
        # L10: 100, 20 for each trick above those needed, 100 for all ten tricks.
        earned = 100 + 20 * (taken - needed) + (100 if taken == 10 else 0)
        for seat in side:
            points[seat] = earned // len(side)  # L10: equally; always even.
    else:
        # L11: 100 divided among the opponents, and never a capot for them.
        for seat in against:
            points[seat] = 100 // len(against)
    return points


class Deal:
    """One deal: two cards shown by each of two, the taker's choice, ten tricks."""

    def __init__(self, hands: Sequence[Sequence[str]], dealer: int) -> None:
        self.hands = [ascending(hand) for hand in hands]
        self.taker = dealer  # L4
        self.shown: list[list[str]] = [[], [], []]
        self.partner: str | int | None = None
        self.tricks: list[dict[str, Any]] = []
        self.won = [0, 0, 0]
        self.lead: int | None = None
        self.trick: list[str] = []
        self.over = False
        self.points: list[int] = []
        self.seat: int | None = None
        self.ask: str | None = None
        self.legal: list[str] = []
        self._ask_to_show(right_of(dealer))  # L5: beginning on the taker's right.

    def play(self, move: str) -> None:
        """Carry out the move of the seat on turn."""
        if move not in self.legal:
            raise ValueError(f"{move!r} is not legal; legal are {self.legal}")
        assert self.seat is not None
        if self.ask == "show":
            self._show(self.seat, move)
        elif self.ask == "partner":
            self._choose(move)
        else:
            self._card(self.seat, move)

    def _ask_to_show(self, seat: int) -> None:
        self.seat, self.ask = seat, "show"
        # L5: two cards of the hand. Protocol page, section 2: the weaker first.
        self.legal = list(common.pairs(self.hands[seat]))

    def _show(self, seat: int, move: str) -> None:
        # L5: the cards stay in the hand and are played like any other.
        self.shown[seat] = move.split(" ")
        following = right_of(seat)
        if following != self.taker:
            self._ask_to_show(following)  # L5: each of the other two, in turn.
            return
        # L6: the taker decides: alone, or with one of the other two.
        others = [who for who in range(3) if who != self.taker]
        self.seat, self.ask = self.taker, "partner"
        self.legal = ["alone", *(f"with {who}" for who in others)]

    def _choose(self, move: str) -> None:
        self.partner = "alone" if move == "alone" else int(move.split(" ")[1])
        self.ask = "play"
        self.lead = self.taker  # L7: the taker leads to the first trick.
        self._turn(self.taker)

    def _turn(self, seat: int) -> None:
        self.seat = seat
        cards = self.hands[seat]
        if self.trick:
            # L8: follow the suit led if possible, otherwise any card.
            suit = self.trick[0][1]
            cards = [card for card in cards if card[1] == suit] or cards
        self.legal = ascending(cards)  # Protocol page, section 2.

    def _card(self, seat: int, move: str) -> None:
        assert self.lead is not None
        assert self.partner is not None
        self.hands[seat].remove(move)
        self.trick.append(move)
        if len(self.trick) < 3:
            self._turn(right_of(seat))  # L2: turns go to the right.
            return
        best = self.trick.index(winning_card(self.trick))
        winner = (self.lead + 2 * best) % 3
        self.tricks.append(
            {"lead": self.lead, "cards": list(self.trick), "winner": winner}
        )
        self.won[winner] += 1
        self.trick = []
        if self.hands[winner]:
            self.lead = winner  # L7: the winner leads to the next trick.
            self._turn(winner)
        else:
            self.over = True
            self.seat, self.ask, self.legal = None, None, []
            self.points = deal_points(self.taker, self.partner, self.won)


def check_options(options: dict[str, Any]) -> None:
    """Raise ValueError for options that no match of Loyatais can have."""
    common.check_numbers(options, ["deals"])
    deals = common.number(options, "deals", 12)
    if deals % 3:
        # L12: a multiple of three, any other number is refused.
        raise ValueError(f"deals is {deals}; Loyatais needs a multiple of three")


def match_reason(
    options: dict[str, Any], deals_played: int, scores: Sequence[int]
) -> str | None:
    """Return why the match is over after so many deals, or None when it goes on."""
    # L12: a fixed number of deals, whatever the scores.
    return "deals" if deals_played >= common.number(options, "deals", 12) else None
