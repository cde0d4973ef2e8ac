"""Rules of thumb for the play of the cards, as ``careful`` has them."""

import math

from cards import RANKS, SANS_SOUCI_RANKS, SUITS, split

LOYATAIS_RANKS = RANKS[1:]

SURE = 0.9  # a trick to come, as against one that is taken now
LONG_CARD = 0.4  # a small card of a suit in which nobody else has any left
FINESSE = 0.5  # our last card of a suit, when a single card out can beat it
SMALL_TRUMP = 0.4  # it may cut
DRAW_TRUMPS = 1.0  # what leading trumps is worth to a declarer, over and above
HIGHER_RANK = 0.004  # between cards that are worth the same, play the lower
LOYATAIS_SHARE = {"C": 0.2, "D": 0.4, "H": 0.6, "S": 1.0}  # what cuts leave of a suit
DUCK = 2.5  # how much more a trick avoided counts than a dangerous card got rid of
EXIT = 0.2  # what each lower card of ours takes from a card's danger


def suit_tricks(ours, theirs, is_trump):
    """Return how many tricks ``ours`` would take if we led the suit to the end.

    Both are ranks as numbers, strongest first; ``theirs`` are all those still out.
    """
    ours, theirs = list(ours), list(theirs)
    length, tricks = len(ours), 0.0
    while ours and theirs:
        if ours[0] > theirs[0]:
            tricks += SURE  # our best card wins, and their lowest two fall
            del ours[0], theirs[-2:]
        else:
            if len(ours) == 1 and ours[0] > max(theirs[1:], default=-1):
                tricks += FINESSE
            del ours[-1], theirs[0], theirs[-1:]  # our lowest falls under their best
    tricks += len(ours) * (1.0 if is_trump else LONG_CARD)
    return tricks + (SMALL_TRUMP * (length - tricks) if is_trump else 0)


class Table:
    """What our seat can tell from the snapshot, worked out once for each move."""

    def __init__(self, me, deal):
        self.me, self.hand = me, deal["hand"]
        self.lead, self.trick = deal["lead"], deal["trick"]
        self.is_loyatais = "taker" in deal
        self.is_ducking = deal.get("contract") == "trianon"  # T16: few tricks are good
        self.step = 2 if self.is_loyatais else 1  # to the next seat on turn (L2, T2)
        self.trump, self.ranks = None, LOYATAIS_RANKS if self.is_loyatais else RANKS
        if self.is_loyatais:
            team = {deal["taker"], deal["partner"]} - {"alone"}
        elif self.is_ducking:
            team = {me}
        else:
            team = {deal["declarer"]}
            denomination = split(deal["contract"])[1]
            self.trump = denomination if denomination in SUITS else None
            self.ranks = SANS_SOUCI_RANKS if denomination == "SS" else RANKS
        self.is_attacking = me in team
        self.side = team if self.is_attacking else {0, 1, 2} - team
        turns_to_come = range(1, 3 - len(self.trick))
        self.behind = [(me + self.step * turn) % 3 for turn in turns_to_come]
        self._look_back(deal)

    def _look_back(self, deal):
        """Find what the tricks have told: cards gone, and suits that seats are out of.

        Who does not follow suit has none of it left (T12, L8).
        """
        seen = set(self.hand)
        self.void = {seat: set() for seat in range(3)}
        for trick in [*deal["tricks"], {"lead": self.lead, "cards": self.trick}]:
            for turn, card in enumerate(trick["cards"]):
                seen.add(card)
                if card[1] != trick["cards"][0][1]:
                    seat = (trick["lead"] + self.step * turn) % 3
                    self.void[seat].add(trick["cards"][0][1])
        deck = [rank + suit for suit in SUITS for rank in reversed(self.ranks)]
        self.unseen = [card for card in deck if card not in seen]
        shown = enumerate(deal.get("shown", ()))
        self.owner = {card: seat for seat, cards in shown for card in cards}

    # Who may hold what

    def may_hold(self, seat, card):
        """Return the chance that ``seat`` holds ``card``, which we have not seen."""
        if card in self.owner:  # it was shown, and not yet played (L5)
            return float(self.owner[card] == seat)
        if card[1] in self.void[seat]:
            return 0.0
        other = 3 - self.me - seat
        elsewhere = 2 if self.is_loyatais else 0  # the cards set aside (L3)
        if card[1] not in self.void[other]:
            elsewhere += self.cards_left(other)
        return self.cards_left(seat) / (self.cards_left(seat) + elsewhere)

    def cards_left(self, seat):
        """Return how many cards ``seat`` holds; it may have played to this trick."""
        return len(self.hand) - (seat != self.me and seat not in self.behind)

    def holds_any(self, seat, cards):
        """Return the chance that ``seat`` holds at least one of ``cards``."""
        return 1 - math.prod(1 - self.may_hold(seat, card) for card in cards)

    # Who wins the trick

    def power(self, card, led):
        """Return a number that is highest for the card that wins the trick."""
        rank, suit = self.ranks.index(card[0]), card[1]
        if self.is_loyatais:
            return 10 * SUITS.index(suit) + rank  # all cards in one order (L9)
        if suit == self.trump:
            return 20 + rank
        return 10 + rank if suit == led else -1

    def beats(self, seat, card, led):
        """Return the chance that ``seat``, still to play, can beat ``card``."""
        power = self.power(card, led)
        better = [c for c in self.unseen if self.power(c, led) > power]
        higher = self.holds_any(seat, [c for c in better if c[1] == led])
        cut = self.holds_any(seat, [c for c in better if c[1] != led])
        follows = self.holds_any(seat, [c for c in self.unseen if c[1] == led])
        return higher + (1 - follows) * cut

    def chance(self, card):
        """Return the chance that our side wins this trick if we play ``card``."""
        cards = [*self.trick, card]
        led = cards[0][1]
        best = max(cards, key=lambda played: self.power(played, led))
        winner = (self.lead + self.step * cards.index(best)) % 3
        chance = float(winner in self.side)
        for seat in self.behind:
            beaten = self.beats(seat, best, led)
            if seat in self.side:
                chance += (1 - chance) * beaten
            else:
                chance *= 1 - beaten
        return chance

    # What a card costs

    def worth(self, suit, without=None, fallen=None):
        """Return what our cards of ``suit``, but one, are worth in tricks to come."""
        rank = self.ranks.index
        ours = [rank(c[0]) for c in self.hand if c[1] == suit and c != without]
        theirs = [rank(c[0]) for c in self.unseen if c[1] == suit and c != fallen]
        trump = "S" if self.is_loyatais else self.trump  # spades cut everything
        tricks = suit_tricks(sorted(ours, reverse=True), theirs, suit == trump)
        if self.is_loyatais:
            tricks *= LOYATAIS_SHARE[suit]
        return tricks + HIGHER_RANK * sum(ours)

    def price(self, card, fallen=None):
        """Return how much less our hand is worth without ``card``.

        If it brings down the card ``fallen``, what we keep may gain by that.
        """
        return self.worth(card[1]) - self.worth(card[1], card, fallen)

    def danger(self, card):
        """Return how likely ``card`` is to take a trick that we do not want."""
        rank = self.ranks.index(card[0])
        out = [c for c in self.unseen if c[1] == card[1]]
        lower = sum(self.ranks.index(c[0]) < rank for c in out)
        exits = sum(
            c[1] == card[1] and self.ranks.index(c[0]) < rank for c in self.hand
        )
        return lower / (len(out) + 1) - EXIT * exits

    # The choice

    def best_card(self, legal):
        """Return the card to play: as leader, as follower, or when tricks are bad."""
        if self.is_ducking:
            return max(legal, key=lambda c: self.danger(c) - DUCK * self.chance(c))
        if self.trick:
            return max(legal, key=lambda c: self.chance(c) - self.price(c))
        return max(legal, key=self.lead_score)

    def lead_score(self, card):
        """Return how good a lead ``card`` is: it may win, or drive a higher one out."""
        rank = self.ranks.index
        out = [c for c in self.unseen if c[1] == card[1]]
        higher = [c for c in out if rank(c[0]) > rank(card[0])]
        chance, driven_out = self.chance(card), higher[0] if higher else None
        score = chance * (1 - self.price(card))
        score -= (1 - chance) * self.price(card, driven_out)
        if self.is_attacking and card[1] == self.trump and len(higher) < len(out):
            score += DRAW_TRUMPS  # while they have one that this card beats
        return score
