"""The cards that we cannot see: who may hold them, and hands that fit all we know."""

import math

from auction import likelihood
from cards import SUIT, SUITS, bits

CHOICE = 12  # deals drawn for each one taken, where there was an auction


class Hidden:
    """What a seat can tell of the others' hands from the snapshot ``deal``."""

    def __init__(self, rules, deal, me):
        self.rules, self.deal, self.me = rules, deal, me
        self.hand = rules.mask(deal["hand"])
        self.others = [(me + 1) % 3, (me + 2) % 3]
        self.shown = [0, 0, 0]  # and still held (L5)
        for seat, cards in enumerate(deal.get("shown", ())):
            self.shown[seat] = rules.mask(cards)
        self.banned = [0, 0, 0]  # the suits that a seat is out of
        self.played = [0, 0, 0]
        self._look_back()
        gone = self.hand
        for seat in range(3):
            gone |= self.played[seat]
            self.shown[seat] &= ~self.played[seat]
        self.unseen = rules.deck & ~gone
        self._sort()

    def _look_back(self):
        """Take in the tricks: who does not follow suit has none of it (T12, L8)."""
        rules, deal = self.rules, self.deal
        for trick in [*deal["tricks"], {"lead": deal["lead"], "cards": deal["trick"]}]:
            for turn, name in enumerate(trick["cards"]):
                card = rules.bit[name]
                seat = (trick["lead"] + rules.step * turn) % 3
                led = SUIT[SUITS.index(trick["cards"][0][1])]
                self.played[seat] |= card
                if not card & led:
                    self.banned[seat] |= led

    def _sort(self):
        """Split the unseen cards by who may hold them, and count the ways to deal.

        In Loyatais two cards lie aside (L3), from any of these groups; each way to
        split them up gets the weight that it would have if all deals were listed.
        """
        a, b = self.others
        full = self.hand.bit_count() + self.played[self.me].bit_count()
        need = [full - cards.bit_count() for cards in self.played]
        free = self.unseen & ~self.shown[a] & ~self.shown[b]
        banned_a, banned_b = free & self.banned[a], free & self.banned[b]
        self.only_a = bits(banned_b & ~banned_a)
        self.only_b = bits(banned_a & ~banned_b)
        self.both = bits(free & ~banned_a & ~banned_b)
        need_a = need[a] - self.shown[a].bit_count()
        self.need_b = need[b] - self.shown[b].bit_count()
        aside = free.bit_count() - need_a - self.need_b
        aside -= (banned_a & banned_b).bit_count()
        self.ways, self.weights = [], []
        for x in range(min(aside, len(self.only_a)) + 1):
            for y in range(min(aside - x, len(self.only_b)) + 1):
                left = len(self.both) - (aside - x - y)
                to_a = need_a - (len(self.only_a) - x)
                if 0 <= to_a <= left:
                    self.ways.append((x, y, to_a))
                    self.weights.append(
                        math.comb(len(self.only_a), x)
                        * math.comb(len(self.only_b), y)
                        * math.comb(len(self.both), left)
                        * math.comb(left, to_a)
                    )

    def sample(self, rng):
        """Return hands of all three that fit the cards seen, all equally likely."""
        a, b = self.others
        x, y, to_a = self.ways[0]
        if len(self.ways) > 1:
            x, y, to_a = rng.choices(self.ways, self.weights)[0]
        only_a = rng.sample(self.only_a, len(self.only_a) - x)
        only_b = rng.sample(self.only_b, len(self.only_b) - y)
        both = rng.sample(self.both, to_a + self.need_b - len(only_b))
        hands = [0, 0, 0]
        hands[self.me] = self.hand
        hands[a] = self.shown[a] | sum(only_a) | sum(both[:to_a])
        hands[b] = self.shown[b] | sum(only_b) | sum(both[to_a:])
        return hands

    def samples(self, rng, count):
        """Yield ``count`` hands, the likelier the better the auction fits them."""
        calls = self.deal.get("auction")
        for _ in range(count):
            if not calls:
                yield self.sample(rng)
                continue
            drawn = [self.sample(rng) for _ in range(CHOICE)]
            weights = [self._fits_auction(hands) for hands in drawn]
            yield rng.choices(drawn, weights)[0]

    def _fits_auction(self, hands):
        """Return how likely the others' calls are with these hands."""
        chance = 1.0
        for seat in self.others:
            dealt = hands[seat] | self.played[seat]
            chance *= likelihood(dealt, seat, self.deal["auction"], self.rules)
        return chance + 1e-9  # whatever was called, some hand must be taken

    def different(self, legal, favourite):
        """Leave out cards as good as a neighbour: nothing unseen lies between them.

        Of neighbours the weakest stays, or ``favourite``.
        """
        bit, kept, last = self.rules.bit, [], 0
        for name in sorted(legal, key=bit.get):
            card = bit[name]
            between = (card - 1) & -(last << 1) & self.unseen if last else 1
            is_new = not last & self.rules.suit[card.bit_length() - 1]
            if is_new or between:
                kept.append(name)
            elif name == favourite:
                kept[-1] = name
            last = card
        return kept
