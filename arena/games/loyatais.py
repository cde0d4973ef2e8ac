"""Loyatais: 32 cards, a taker and perhaps a partner, ten tricks.

Rules L1 to L12 of docs/rules-loyatais.md.  Cards compare as rule L1 has them, which
is the order of their numbers: spades above hearts above diamonds above clubs.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final, Self

from typing_extensions import override

from arena.games.base import Contract, Game, Move, Position
from arena.games.tricks import CardOrder
from protocol.events import (
    DealEvent,
    EndReason,
    Event,
    PartnerEvent,
    PlayEvent,
    ShowEvent,
    TrickEvent,
)
from protocol.messages import Ask, LoyataisOptions, Options
from protocol.notation import ALONE, CARD_NAMES, Card, rank_of, spell
from protocol.snapshots import LoyataisTable

HAND: Final = 10
DECK: Final = tuple(card for card in range(len(CARD_NAMES)) if rank_of(card) > 0)
ORDER: Final = CardOrder(DECK)
TRICKS_ALONE, TRICKS_WITH = 5, 7  # L6
POINTS_MADE, POINTS_OVERTRICK, POINTS_CAPOT = 100, 20, 100  # L10
POINTS_FAILED = 100  # L11, to the other side

# Moves: cards, then the taker's choices, then pairs of cards to show.
ALONE_MOVE: Final = len(CARD_NAMES)
WITH_MOVES: Final = (ALONE_MOVE + 1, ALONE_MOVE + 2, ALONE_MOVE + 3)
PAIRS: Final = tuple(combinations(DECK, 2))
FIRST_SHOW: Final = ALONE_MOVE + 4
SHOW_MOVES: Final = {pair: FIRST_SHOW + i for i, pair in enumerate(PAIRS)}


class LoyataisPosition(Position):
    """One deal of Loyatais.

    Attributes:
        taker: who has dealt, and takes (L4).
        shown: the cards that each seat has shown, none for the taker (L5).
        partner: the taker's partner; -1 before the choice and for a lone taker.
        is_chosen: whether the taker has chosen.
        aside: the two cards set aside, in the deck's order (L3).
    """

    __slots__ = ("_hands", "aside", "is_chosen", "partner", "shown", "taker")

    def __init__(
        self, hands: Sequence[Sequence[Card]], taker: int, aside: Sequence[Card]
    ) -> None:
        self.taker = taker
        self.seat = (taker + 2) % 3  # L5: the right of the taker begins
        self.ask: Ask = "show"
        self.is_over = False
        self.shown: list[tuple[Card, ...]] = [(), (), ()]
        self.partner = -1
        self.is_chosen = False
        self.aside = list(aside)
        self.lead = -1
        self.trick = []
        self.won = [0, 0, 0]
        self._hands = [ORDER.mask(hand) for hand in hands]

    @override
    def legal(self) -> tuple[Move, ...]:
        if self.ask == "play":
            hand = self._hands[self.seat]
            return ORDER.cards(ORDER.playable(hand, self.trick))
        if self.ask == "show":
            cards = ORDER.cards(self._hands[self.seat])
            return tuple(SHOW_MOVES[pair] for pair in combinations(cards, 2))
        first, second = sorted(((self.taker + 1) % 3, (self.taker + 2) % 3))
        return (ALONE_MOVE, WITH_MOVES[first], WITH_MOVES[second])

    @override
    def apply(self, move: Move) -> None:
        if self.ask == "play":
            self._play(move)
        elif self.ask == "show":
            self._show(move)
        else:
            self._choose(move)

    def _show(self, move: Move) -> None:
        place = move - FIRST_SHOW
        pair = PAIRS[place] if 0 <= place < len(PAIRS) else None
        if pair is None or ORDER.mask(pair) & ~self._hands[self.seat]:
            raise ValueError(f"move {move} is no pair of cards held")
        self.shown[self.seat] = pair
        self.seat = (self.seat + 2) % 3
        if self.seat == self.taker:
            self.ask = "partner"

    def _choose(self, move: Move) -> None:
        if move != ALONE_MOVE:
            if move not in WITH_MOVES or move == WITH_MOVES[self.taker]:
                raise ValueError(f"move {move} is no partner")
            self.partner = move - WITH_MOVES[0]
        self.is_chosen = True
        self.ask = "play"
        self.seat = self.lead = self.taker  # L7

    def _play(self, card: Move) -> None:
        seat, trick = self.seat, self.trick
        hand = self._hands[seat]
        bit = ORDER.bit[card] if 0 <= card < ALONE_MOVE else 0
        if not bit & ORDER.playable(hand, trick) or self.is_over:
            raise ValueError(f"move {card} is no card that may be played")
        self._hands[seat] = hand ^ bit
        trick.append(card)
        if len(trick) < 3:
            self.seat = (seat + 2) % 3  # L2
            return
        place = trick.index(max(trick))  # L9: the highest of all, in the order of L1
        self.seat = self.lead = (self.lead + 2 * place) % 3
        self.won[self.lead] += 1
        self.trick = []
        self.is_over = not self._hands[seat]

    @override
    def clone(self) -> Self:
        new = type(self).__new__(type(self))
        new.taker, new.seat, new.ask = self.taker, self.seat, self.ask
        new.is_over, new.shown = self.is_over, self.shown[:]
        new.partner, new.is_chosen = self.partner, self.is_chosen
        new.aside, new.lead = self.aside, self.lead
        new.trick, new.won = self.trick[:], self.won[:]
        new._hands = self._hands[:]
        return new

    @override
    def points(self) -> list[int]:
        side, taken = self._side()
        contract = self.promise()
        if contract.is_made:
            total = POINTS_MADE + POINTS_OVERTRICK * (taken - contract.tricks)
            if taken == HAND:
                total += POINTS_CAPOT
        else:
            total = POINTS_FAILED
            side = [seat for seat in range(3) if seat not in side]
        # Every sum is even, so that halves are whole points.
        return [total // len(side) if seat in side else 0 for seat in range(3)]

    @override
    def promise(self) -> Contract:
        side, taken = self._side()
        needed = TRICKS_ALONE if len(side) == 1 else TRICKS_WITH
        return Contract(self.taker, needed, taken >= needed)

    def _side(self) -> tuple[list[int], int]:
        """Return the seats of the taker's side, and the tricks that it has taken."""
        side = [self.taker, self.partner] if self.partner >= 0 else [self.taker]
        return side, sum(self.won[seat] for seat in side)

    @override
    def hand(self, seat: int) -> list[Card]:
        return list(ORDER.cards(self._hands[seat]))


class Loyatais(Game):
    """The rules of Loyatais around its deals."""

    name = "loyatais"
    deck = DECK
    names = (
        *CARD_NAMES,
        ALONE,
        "with 0",
        "with 1",
        "with 2",
        *(" ".join(spell(pair)) for pair in PAIRS),
    )
    table = LoyataisTable
    step = 2  # L2

    @override
    def options(self, given: Mapping[str, Any]) -> LoyataisOptions:
        return LoyataisOptions.model_validate(dict(given))

    @override
    def dealer(self, no: int) -> int:
        return (1 - no) % 3  # L4

    @override
    def position(self, cards: Sequence[Card], dealer: int) -> LoyataisPosition:
        hands = self.deal_hands(cards, dealer, HAND)
        return LoyataisPosition(hands, dealer, cards[3 * HAND :])

    @override
    def deal_event(
        self, n: int, no: int, dealer: int, scores: list[int], position: Position
    ) -> DealEvent:
        hands: list[list[str] | None] = [spell(position.hand(s)) for s in range(3)]
        return DealEvent(n=n, no=no, taker=dealer, scores=scores, hands=hands)

    @override
    def told(
        self, n: int, seat: int, ask: Ask, move: Move, after: Position
    ) -> list[Event]:
        assert isinstance(after, LoyataisPosition)
        if ask == "show":
            cards = spell(after.shown[seat])
            return [ShowEvent(n=n, seat=seat, cards=cards)]
        if ask == "partner":
            partner = after.partner if after.partner >= 0 else ALONE
            return [PartnerEvent(n=n, seat=seat, partner=partner)]
        events: list[Event] = [PlayEvent(n=n, seat=seat, card=CARD_NAMES[move])]
        if not after.trick:
            events.append(TrickEvent(n=n + 1, no=sum(after.won), winner=after.lead))
        return events

    @override
    def aside(self, position: Position) -> list[Card]:
        assert isinstance(position, LoyataisPosition)
        return position.aside

    @override
    def end_reason(
        self, options: Options, deals: int, scores: Sequence[int]
    ) -> EndReason | None:
        assert isinstance(options, LoyataisOptions)
        return "deals" if deals >= options.deals else None  # L12
