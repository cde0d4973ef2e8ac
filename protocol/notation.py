"""Cards, bids and seats, and how they are spelt (protocol page, section 2).

A card is a small integer, ``suit * 9 + rank``, in the order in which a hand is
shown: suits C D H S, ranks 6 to A within each.  That is also the order of rule L1,
so that a list of cards sorts as a hand by plain ``sorted``.  Standard library only.
"""

from typing import Final, NewType, TypeAlias

Card: TypeAlias = int
Seat = NewType("Seat", int)

SEATS: Final = (Seat(0), Seat(1), Seat(2))
SUITS: Final = "CDHS"
RANKS: Final = "6789TJQKA"
CARDS_A_SUIT: Final = len(RANKS)

CARD_NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARDS: Final = {name: card for card, name in enumerate(CARD_NAMES)}

DENOMINATIONS: Final = ("C", "S", "D", "H", "SS", "NT")
"""Low to high, as rule T5 has them: not the order of the suits."""
BID_NAMES: Final = tuple(f"{n}{d}" for n in range(4, 13) for d in DENOMINATIONS)
"""Every bid, ascending (rule T6)."""
BIDS: Final = {name: rank for rank, name in enumerate(BID_NAMES)}

PASS: Final = "pass"  # noqa: S105 -- a call at the table, no password
KEEP: Final = "keep"
ALONE: Final = "alone"
TRIANON: Final = "trianon"


def suit_of(card: Card) -> int:
    """Return the index of the card's suit in ``SUITS``."""
    return card // CARDS_A_SUIT


def rank_of(card: Card) -> int:
    """Return the index of the card's rank in ``RANKS``: 0 for a six, 8 for an ace."""
    return card % CARDS_A_SUIT


def spell(cards: list[Card] | tuple[Card, ...]) -> list[str]:
    """Return the cards' names, in the order given."""
    return [CARD_NAMES[card] for card in cards]


def read_cards(text: str) -> list[Card]:
    """Return the cards named in ``text``, separated by blanks.

    Raises:
        KeyError: if one of the words is not a card.
    """
    return [CARDS[word] for word in text.split()]
