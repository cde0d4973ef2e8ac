"""What trick games share: an order of the cards, hands as bit masks, the tricks.

Play is most of a deal, and most of what a search does.  So what can be worked out for
each card beforehand lies ready in tables: whether a card may be played, whether it
takes the trick, and how the legal ones are listed, are an ``&`` or a look-up each.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final, Self, TypeAlias

from typing_extensions import override

from arena.games.base import Move, Position
from protocol.notation import CARD_NAMES, SUITS, Card, suit_of

SUIT_OF: Final = tuple(suit_of(card) for card in range(len(CARD_NAMES)))

CLOCKWISE: Final = (1, 2, 0)
COUNTER_CLOCKWISE: Final = (2, 0, 1)
"""For each seat the one on turn after it."""

_CARDS: Final = len(CARD_NAMES)
_CHUNK: Final = 9
_CHUNK_MASK: Final = (1 << _CHUNK) - 1

Takes: TypeAlias = tuple[tuple[bool, ...], ...]
"""``takes[a][b]``: whether ``b``, played after ``a``, wins a trick that ``a`` had."""


class CardOrder:
    """An order of the cards, weakest first; a hand is a mask with a bit a place.

    Listing a mask by table, nine bits at a time, is what makes ``legal`` cheap: it
    comes out in the protocol's order without a sort.

    Attributes:
        bit: for each card its bit; 0 for one that is not in the deck.  Within a suit,
            and wherever the order ranks two cards, the greater bit is stronger.
        suit: for each card the mask of its suit.
        suited: the cards of every mask that lies within one suit.

    Args:
        cards: every card of the game's deck, weakest first; at most 36.
    """

    __slots__ = ("_a", "_b", "_c", "_d", "bit", "suit", "suited")

    def __init__(self, cards: Sequence[Card]) -> None:
        bit = [0] * _CARDS
        for place, card in enumerate(cards):
            bit[card] = 1 << place
        self.bit: Final = tuple(bit)
        suits = [[c for c in cards if SUIT_OF[c] == suit] for suit in range(len(SUITS))]
        self.suit: Final = tuple(self.mask(suits[suit]) for suit in SUIT_OF)
        self.suited: Final = {
            mask: chosen
            for suit in suits
            for mask, chosen in zip(
                _sums([self.bit[card] for card in suit]), _sublists(suit), strict=True
            )
        }
        chunks = [cards[start : start + _CHUNK] for start in range(0, 36, _CHUNK)]
        self._a, self._b, self._c, self._d = map(_sublists, chunks)

    def mask(self, cards: Iterable[Card]) -> int:
        """Return the mask of ``cards``, no two of them the same."""
        bit, mask = self.bit, 0
        for card in cards:
            mask |= bit[card]
        return mask

    def cards(self, mask: int) -> tuple[Card, ...]:
        """Return the cards of ``mask``, weakest first."""
        return (
            self._a[mask & _CHUNK_MASK]
            + self._b[mask >> 9 & _CHUNK_MASK]
            + self._c[mask >> 18 & _CHUNK_MASK]
            + self._d[mask >> 27]
        )


def _sublists(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Return, for each mask over ``cards``, the cards whose bit is set."""
    lists: list[tuple[Card, ...]] = [()]
    for card in cards:
        lists += [chosen + (card,) for chosen in lists]  # noqa: RUF005 -- twice as fast
    return lists


def _sums(bits: Sequence[int]) -> list[int]:
    """Return the sums of the same choices, in the same order."""
    sums = [0]
    for bit in bits:
        sums += [chosen + bit for chosen in sums]
    return sums


class TrickPosition(Position):
    """A position of a game that ends in tricks: a player follows suit if it can.

    What comes before the tricks (``_choices``, ``_choose``) is the game's own.
    """

    __slots__ = ("_after", "_hands", "_led", "_open", "_order", "_takes")

    def __init__(
        self,
        order: CardOrder,
        hands: Iterable[Sequence[Card]],
        after: tuple[int, int, int],
    ) -> None:
        """Hold the hands dealt.

        Args:
            order: how they are listed and compared.
            hands: the cards of each seat.
            after: for each seat the next on turn.
        """
        self.is_over = False
        self.lead = -1
        self.trick = []
        self.won = [0, 0, 0]
        self._order = order
        self._hands = [order.mask(hand) for hand in hands]
        self._after = after
        self._open = 0  # what the seat on turn may play: nothing before the tricks
        self._led = 0  # the suit led to the present trick, or to the last
        self._takes: Takes = ()

    @override
    def legal(self) -> tuple[Move, ...]:
        mask = self._open
        if mask:
            order = self._order
            return order.suited.get(mask) or order.cards(mask)
        return self._choices()

    @abstractmethod
    def _choices(self) -> tuple[Move, ...]:
        """Return the legal moves before the tricks; none after them."""

    @override
    def apply(self, move: Move) -> None:
        bit = self._order.bit[move] if 0 <= move < _CARDS else 0
        if not bit & self._open:
            self._choose(move)
            return
        seat, hands, trick = self.seat, self._hands, self.trick
        hands[seat] ^= bit
        trick.append(move)
        played = len(trick)
        if played == 3:
            lead, second, _ = trick
            takes, after, seat = self._takes, self._after, self.lead
            if takes[lead][second]:
                seat = after[seat]
                if takes[second][move]:
                    seat = after[seat]
            elif takes[lead][move]:
                seat = after[after[seat]]
            self.seat = self.lead = seat
            self.won[seat] += 1
            self.trick = []
            self._open = hands[seat]
            self.is_over = not self._open
            return
        if played == 1:
            self._led = self._order.suit[move]
        self.seat = seat = self._after[seat]
        hand = hands[seat]
        self._open = hand & self._led or hand

    @abstractmethod
    def _choose(self, move: Move) -> None:
        """Make a move before the tricks; a card that may not be played comes here, too.

        Raises:
            ValueError: if it is not legal.
        """

    def _begin_tricks(self, leader: int, takes: Takes) -> None:
        """Have ``leader`` lead to the first trick."""
        self.ask = "play"
        self.seat = self.lead = leader
        self._takes = takes
        self._open = self._hands[leader]

    def _copy_tricks(self, other: Self) -> None:
        """Take over what this class knows of ``other``."""
        self.ask, self.is_over = other.ask, other.is_over
        self.lead, self.seat = other.lead, other.seat
        self.trick, self.won = other.trick[:], other.won[:]
        self._order, self._hands = other._order, other._hands[:]
        self._after, self._takes = other._after, other._takes
        self._open, self._led = other._open, other._led

    @override
    def hand(self, seat: int) -> list[Card]:
        return sorted(self._order.cards(self._hands[seat]))
