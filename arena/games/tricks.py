"""What trick games share: an order of the cards, and hands as bit masks in it."""

from collections.abc import Iterable, Sequence
from typing import Final

from protocol.notation import CARD_NAMES, SUITS, Card, suit_of

SUIT_OF: Final = tuple(suit_of(card) for card in range(len(CARD_NAMES)))

_CHUNK = 9
_CHUNK_MASK = (1 << _CHUNK) - 1


class CardOrder:
    """An order of the cards, weakest first; a hand is a mask with a bit a place.

    Listing a mask by table, nine bits at a time, is what makes ``legal`` cheap: it
    comes out in the protocol's order without a sort.

    Args:
        cards: every card of the game's deck, weakest first; at most 36.
    """

    __slots__ = ("_a", "_b", "_c", "_d", "bit", "suits")

    def __init__(self, cards: Sequence[Card]) -> None:
        bit = [0] * len(CARD_NAMES)
        for place, card in enumerate(cards):
            bit[card] = 1 << place
        self.bit: Final = tuple(bit)
        """The bit of each card; 0 for a card that is not in the deck.  Within a
        suit, and wherever the order ranks two cards, the greater bit is stronger."""
        self.suits: Final = tuple(
            sum(bit[card] for card in cards if SUIT_OF[card] == suit)
            for suit in range(len(SUITS))
        )
        """The mask of each suit."""
        chunks = [cards[start : start + _CHUNK] for start in range(0, 36, _CHUNK)]
        self._a, self._b, self._c, self._d = map(_sublists, chunks)

    def mask(self, cards: Iterable[Card]) -> int:
        """Return the mask of ``cards``."""
        bit = self.bit
        return sum(bit[card] for card in cards)

    def cards(self, mask: int) -> tuple[Card, ...]:
        """Return the cards of ``mask``, weakest first."""
        return (
            self._a[mask & _CHUNK_MASK]
            + self._b[mask >> 9 & _CHUNK_MASK]
            + self._c[mask >> 18 & _CHUNK_MASK]
            + self._d[mask >> 27]
        )

    def playable(self, hand: int, trick: Sequence[Card]) -> int:
        """Return the cards of ``hand`` that may be played to ``trick``, as a mask.

        A player must follow the suit led if it can (rules T12 and L8).
        """
        if trick:
            return hand & self.suits[SUIT_OF[trick[0]]] or hand
        return hand


def _sublists(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Return, for each mask over ``cards``, the cards whose bit is set."""
    lists: list[tuple[Card, ...]] = [()]
    for card in cards:
        lists += [chosen + (card,) for chosen in lists]  # noqa: RUF005 -- twice as fast
    return lists
