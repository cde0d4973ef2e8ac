"""Loyatais before the first card: which cards to show, and with whom to play."""

from auction import at_least
from cards import SUITS

RANKS = "789TJQKA"
SUIT_TRICKS = {"C": -0.2, "D": -0.1, "H": 0.05, "S": 0.65}
RANK_TRICKS = {"A": 0.95, "K": 0.5, "Q": 0.2}
STRONG = 3.3  # tricks; with more we would rather beat a pair than be of it
ALONE, PAIR = (5, 0.9), (7, 1.05)  # tricks needed (L6), and how far they stray


def strength(cards):
    """Estimate the tricks in ``cards``: spades are rich and clubs are poor (L1)."""
    return sum(SUIT_TRICKS[suit] + RANK_TRICKS.get(rank, 0) for rank, suit in cards)


def choose_show(legal, deal):
    """Show strength with a weak hand, and weakness with a strong one.

    Takers choose who shows strength.  With a weak hand a pair that we are of may yet
    make it, and the other's may not be beaten; with a strong hand we beat the pair,
    and take all 100 (L11).
    """
    if strength(deal["hand"]) < STRONG:
        return max(legal, key=lambda pair: strength(pair.split()))
    return min(legal, key=lambda pair: strength(pair.split()))


def choose_partner(legal, deal, me, standing):
    """Choose alone or a partner, whichever wins the match most likely."""
    ours = strength(deal["hand"])
    known = {card for cards in [deal["hand"], *deal["shown"]] for card in cards}
    deck = [rank + suit for suit in SUITS for rank in RANKS]
    hidden = [card for card in deck if card not in known]
    partners_hidden = 8 * strength(hidden) / len(hidden)

    def value(move):
        side = [seat == me for seat in range(3)]
        if move == "alone":
            (_, spread), mean = ALONE, ours
        else:
            side[int(move[-1])] = True
            shown = strength(deal["shown"][int(move[-1])])
            (_, spread), mean = PAIR, 1 + ours + shown + partners_hidden
        return _expected(side, mean, spread, deal, me, standing)

    return max(legal, key=value)


def _expected(side, mean, spread, deal, me, standing):
    """Return our chance to win the match, over all numbers of tricks."""
    total, above = 0.0, 0.0
    left = (standing.deals or 12) - deal["no"]
    for tricks in range(10, -1, -1):
        reached = at_least(tricks, mean, spread) if tricks else 1.0
        scores = standing.after_taking(deal["scores"], side, tricks)
        total += (reached - above) * standing.by_drift(scores, me, left)
        above = reached
    return total
