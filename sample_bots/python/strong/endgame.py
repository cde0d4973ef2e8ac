"""The end of a sampled deal, where all cards are seen, played out perfectly.

There are two sides, of one seat and of two, and each wants the tricks.  What is asked
is always "can side 1 take so many?", which is quicker to answer than "how many?".
Cards that hardly ever matter are not tried: of cards that lose only the lowest, of
those that win only the cheapest and, but for the last to play, the highest.
"""

import time

from cards import SUIT, WIDTH


class SpentError(Exception):
    """There is no more thought to be given to this decision."""


class Allowance:
    """How much may be thought: so many positions, and never beyond a time."""

    def __init__(self, positions, end):
        self.positions, self.end = positions, end

    def spend(self):
        """Count one position."""
        self.positions -= 1
        is_due = self.positions % 32 == 0 and time.monotonic() > self.end
        if is_due or self.positions < 0:
            raise SpentError


class Solver:
    """What the two sides can reach in one sampled deal.

    Hands are masks, by seat; ``side`` tells for each seat whether it is on side 1.
    """

    def __init__(self, rules, side, allowance):
        self.rules, self.side, self.allowance = rules, side, allowance
        self.known = {}  # position: the tricks that side 1 has for sure, and can have

    def tricks(self, hands, lead, trick, guess):
        """Return how many of the tricks left, this one too, side 1 takes.

        Raises:
            SpentError: if that is too much to find out.
        """
        left = hands[lead].bit_count() + bool(trick)
        goal = min(max(guess, 1), left)
        if self._can_finish(hands, lead, trick, goal, left):
            while goal < left and self._can_finish(hands, lead, trick, goal + 1, left):
                goal += 1
            return goal
        goal -= 1
        while goal > 0 and not self._can_finish(hands, lead, trick, goal, left):
            goal -= 1
        return goal

    def _can_finish(self, hands, lead, trick, goal, left):
        """Tell whether side 1 can take ``goal`` tricks, from within a trick."""
        if not trick:
            return self._can(hands, lead, goal, left)
        rules, side = self.rules, self.side
        place = rules.winner(trick)
        winner = (lead + rules.step * place) % 3
        if len(trick) == 3:
            return self._can(hands, winner, goal - side[winner], left - 1)
        seat = (lead + rules.step * len(trick)) % 3
        led = rules.suit[trick[0].bit_length() - 1]
        above = rules.beats[trick[place].bit_length() - 1]
        follow = hands[seat] & led or hands[seat]
        if len(trick) == 1:
            cards = second_cards(follow, led, above)
        else:
            cards = last_cards(follow, led, above, side[winner] == side[seat])
        for card in cards:
            after = list(hands)
            after[seat] ^= card
            can = self._can_finish(after, lead, [*trick, card], goal, left)
            if can == side[seat]:
                return can
        return not side[seat]

    def _can(self, hands, lead, goal, left):
        """Tell whether side 1 can take ``goal`` of the ``left`` tricks."""
        if goal <= 0 or goal > left:
            return goal <= 0
        key = (*hands, lead)
        least, most = self.known.get(key, (0, left))
        if least >= goal or most < goal:
            return least >= goal
        self.allowance.spend()
        can = self._can_from_lead(hands, lead, goal, left)
        self.known[key] = (goal, most) if can else (least, goal - 1)
        return can

    def _can_from_lead(self, hands, lead, goal, left):
        """Try the cards of a whole trick; the same as ``_can_finish``, but quicker."""
        side, beats, step = self.side, self.rules.beats, self.rules.step
        second, last = (lead + step) % 3, (lead + 2 * step) % 3
        hand1, hand2, hand3 = hands[lead], hands[second], hands[last]
        side1, side2, side3 = side[lead], side[second], side[last]
        after = [0, 0, 0]
        can = not side1
        for card1 in self._leads(hands, lead, second, last):
            led = SUIT[(card1.bit_length() - 1) // WIDTH]
            above1 = beats[card1.bit_length() - 1]
            follow3 = hand3 & led or hand3
            for card2 in second_cards(hand2 & led or hand2, led, above1):
                best, winner = (card2, second) if card2 & above1 else (card1, lead)
                above = beats[best.bit_length() - 1]
                for card3 in last_cards(follow3, led, above, side[winner] == side3):
                    to = last if card3 & above else winner
                    after[lead] = hand1 ^ card1
                    after[second] = hand2 ^ card2
                    after[last] = hand3 ^ card3
                    can = self._can(after, to, goal - side[to], left - 1)
                    if can == side3:
                        break
                if can == side2:
                    break
            if can == side1:
                break
        return can

    def _leads(self, hands, lead, second, last):
        """Return the leads worth a try: first the cards that no opponent can beat."""
        side, beats = self.side, self.rules.beats
        mine = side[lead]
        foes = [hands[seat] for seat in (second, last) if side[seat] != mine]
        every = hands[0] | hands[1] | hands[2]
        sure, others = [], []
        for suit in SUIT:
            ours = hands[lead] & suit
            if not ours:
                continue
            high, low = 1 << ours.bit_length() - 1, ours & -ours
            above = beats[ours.bit_length() - 1]
            if any((foe & suit or foe) & above for foe in foes):
                others.append(high)
            else:
                sure.append(high)
            if every & suit & (high - 1) & ~ours > low:  # they are not neighbours
                others.append(low)
        return sure + others


def second_cards(follow, led, above):
    """Return the cards that the second to play may try, the likely best first."""
    wins = follow & above
    if not follow & led:
        return _thrown(follow, wins)
    low = follow & -follow
    if not wins:
        return (low,)
    return dict.fromkeys((wins & -wins, 1 << wins.bit_length() - 1, low))


def last_cards(follow, led, above, is_ours):
    """Return the cards that the last to play may try, the likely best first.

    Args:
        follow: the cards it may play.
        led: the suit led.
        above: what wins over the best card so far.
        is_ours: whether that card is of its own side.
    """
    wins = follow & above
    if not follow & led:
        return _thrown(follow, 0 if is_ours else wins)
    low, cheap = follow & -follow, wins & -wins
    if not wins or cheap == low:
        return (low,)
    return (low, cheap) if is_ours else (cheap, low)


def _thrown(hand, wins):
    """Return the cheapest card that cuts, and the lowest card of each suit."""
    cards = {wins & -wins: None} if wins else {}
    for suit in SUIT:
        ours = hand & suit
        if ours:
            cards[ours & -ours] = None
    return cards
