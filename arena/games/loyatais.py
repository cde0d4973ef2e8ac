"""Loyatais: 32 cards, a taker and perhaps a partner, ten tricks.

Rules L1 to L12 of docs/rules-loyatais.md.  Cards compare as rule L1 has them, which
is the order of their numbers: spades above hearts above diamonds above clubs.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, Self

from typing_extensions import override

from arena.games.base import Contract, Game, Move, Position
from arena.games.tricks import COUNTER_CLOCKWISE, CardOrder, TrickPosition
from protocol.events import (
    DealEvent,
    EndReason,
    Event,
    PartnerEvent,
    ShowEvent,
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
_SHOWS: Final = [[0] * len(CARD_NAMES) for _ in CARD_NAMES]
"""``_SHOWS[a][b]``: the move that shows ``a`` and the stronger ``b``."""
for _place, (_weaker, _stronger) in enumerate(PAIRS):
    _SHOWS[_weaker][_stronger] = FIRST_SHOW + _place

_PARTNERS: Final = tuple(
    (ALONE_MOVE, *(move for seat, move in enumerate(WITH_MOVES) if seat != taker))
    for taker in range(3)
)
"""By taker."""
_CARDS: Final = range(len(CARD_NAMES))
_TAKES: Final = tuple(tuple(card > best for card in _CARDS) for best in _CARDS)
"""The highest of all takes the trick (L9), in the order of L1."""


class LoyataisPosition(TrickPosition):
    """One deal of Loyatais.

    Attributes:
        taker: who has dealt, and takes (L4).
        shown: the cards that each seat has shown, none for the taker (L5).
        partner: the taker's partner; -1 before the choice and for a lone taker.
        is_chosen: whether the taker has chosen.
        aside: the two cards set aside, in the deck's order (L3).
    """

    __slots__ = ("aside", "is_chosen", "partner", "shown", "taker")

    def __init__(
        self, hands: Iterable[Sequence[Card]], taker: int, aside: list[Card]
    ) -> None:
        super().__init__(ORDER, hands, COUNTER_CLOCKWISE)  # L2
        self.taker = taker
        self.seat = (taker + 2) % 3  # L5: the right of the taker begins
        self.ask: Ask = "show"
        self.shown: list[tuple[Card, ...]] = [(), (), ()]
        self.partner = -1
        self.is_chosen = False
        self.aside = aside

    @override
    def _choices(self) -> tuple[Move, ...]:
        if self.ask == "show":
            cards = ORDER.cards(self._hands[self.seat])
            return tuple(
                [_SHOWS[a][b] for i, a in enumerate(cards, 1) for b in cards[i:]]
            )
        return _PARTNERS[self.taker] if self.ask == "partner" else ()

    @override
    def _choose(self, move: Move) -> None:
        if self.ask == "show":
            self._show(move)
        elif self.ask == "partner":
            self._take(move)
        else:
            raise ValueError(f"move {move} is no card that may be played")

    def _show(self, move: Move) -> None:
        place = move - FIRST_SHOW
        pair = PAIRS[place] if 0 <= place < len(PAIRS) else None
        if pair is None or ORDER.mask(pair) & ~self._hands[self.seat]:
            raise ValueError(f"move {move} is no pair of cards held")
        self.shown[self.seat] = pair
        self.seat = (self.seat + 2) % 3
        if self.seat == self.taker:
            self.ask = "partner"

    def _take(self, move: Move) -> None:
        if move not in _PARTNERS[self.taker]:
            raise ValueError(f"move {move} is no partner")
        if move != ALONE_MOVE:
            self.partner = move - WITH_MOVES[0]
        self.is_chosen = True
        self._begin_tricks(self.taker, _TAKES)  # L7

    @override
    def clone(self) -> Self:
        new = type(self)((), self.taker, self.aside)
        new._copy_tricks(self)
        new.shown = self.shown[:]
        new.partner, new.is_chosen = self.partner, self.is_chosen
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
        return LoyataisPosition(hands, dealer, list(cards[3 * HAND :]))

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
        partner = after.partner if after.partner >= 0 else ALONE
        return [PartnerEvent(n=n, seat=seat, partner=partner)]

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
