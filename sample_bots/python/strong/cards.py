"""Cards as bits: a hand is a sum of them, and what wins a trick is a mask.

A suit's cards are nine neighbouring bits, the weakest first; in Loyatais, which has
no sixes, the lowest of the nine stays empty.
"""

SUITS = "CDHS"  # also the order of Loyatais, lowest first (L1)
RANKS = "6789TJQKA"
SANS_SOUCI_RANKS = "JQKA6789T"  # T14
DENOMINATIONS = ("C", "S", "D", "H", "SS", "NT")  # lowest first (T5)
WIDTH = len(RANKS)
SUIT = [0x1FF << WIDTH * suit for suit in range(4)]
SIXES = sum(1 << WIDTH * suit for suit in range(4))


def split(bid):
    """Split a bid: ``"10SS"`` is 10 tricks in ``"SS"``."""
    tricks = bid.rstrip("CDHSNT")
    return int(tricks), bid[len(tricks) :]


def bits(mask):
    """Return the cards of a mask, each as its bit, lowest first."""
    cards = []
    while mask:
        cards.append(mask & -mask)
        mask &= mask - 1
    return cards


class Rules:
    """How cards compare in one kind of deal.

    Attributes:
        step: from one seat to the next on turn (T2, L2).
        deck: all cards.
        bit: the bit of each card by its name.
        suit: for each card, by the number of its bit, the mask of its suit.
        beats: for each card, if it is the best of a trick so far, what wins over it.
    """

    def __init__(self, ranks, step, deck, cuts):
        """Take the ranks, and for each suit's number the numbers of suits that cut."""
        self.step, self.deck = step, deck
        names = [rank + suit for suit in SUITS for rank in ranks]
        self.bit = {name: 1 << place for place, name in enumerate(names)}
        self.suit = [SUIT[place // WIDTH] for place in range(4 * WIDTH)]
        self.beats = [
            (self.suit[place] & -(2 << place))
            | sum(SUIT[cut] for cut in cuts[place // WIDTH])
            for place in range(4 * WIDTH)
        ]

    def mask(self, names):
        """Return cards given by their names as a sum of bits."""
        return sum(self.bit[name] for name in names)

    def winner(self, trick):
        """Return the place, from 0, of the card that wins the trick."""
        best = 0
        for place in range(1, len(trick)):
            if trick[place] & self.beats[trick[best].bit_length() - 1]:
                best = place
        return best


def _trianon(denomination):
    ranks = SANS_SOUCI_RANKS if denomination == "SS" else RANKS
    trump = SUITS.find(denomination)  # -1 for NT and SS
    cuts = [[] if trump in (-1, suit) else [trump] for suit in range(4)]
    return Rules(ranks, 1, sum(SUIT), cuts)


TRIANON = {name: _trianon(name) for name in DENOMINATIONS}
LOYATAIS = Rules(
    RANKS, 2, sum(SUIT) - SIXES, [list(range(suit + 1, 4)) for suit in range(4)]
)  # L9
