"""A careful player of both games: it counts the cards, and leaves nothing to chance.

Each answer is worked out afresh from the snapshot ``deal`` in the request, so the
bot carries nothing from one request to the next, and nothing can get out of step.

Three ideas do the play of the cards.  Each is one function; each can be bettered.

1. ``suit_tricks``: what a suit is worth, found by playing it out in the head.
2. ``Table.chance``: how likely our side is to win this trick if we play this card.
3. ``Table.price``: what our hand is worth less without this card.  The best card is
   the one whose chance exceeds its price by most.

The numbers were fitted to thousands of deals that the bot played against itself.
"""

import json
import math
import sys

SUITS = "CDHS"
RANKS = "6789TJQKA"  # weakest first
SANS_SOUCI_RANKS = "JQKA6789T"
LOYATAIS_RANKS = "789TJQKA"


# ---------------------------------------------------------------- the wire


def main():
    """Answer each line with one line, until the arena closes our input."""
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


def answer(request):
    """Return the reply; to a type of request that we do not know, only its id."""
    reply = {"id": request["id"]}
    if request["type"] == "hello":
        reply |= {"name": "careful", "version": "1", "games": ["trianon", "loyatais"]}
    elif request["type"] == "act":
        reply["move"] = choose(request)
    return reply


def choose(request):
    """Return our move, one of ``legal``."""
    ask, legal, deal = request["ask"], request["legal"], request["deal"]
    if ask == "bid":
        return choose_bid(legal, deal["hand"])
    if ask == "raise":
        return choose_raise(legal, deal)
    if ask == "show":
        return choose_show(legal)
    if ask == "partner":
        return choose_partner(legal, deal)
    if ask == "play" and len(legal) > 1:
        return Table(request["you"], deal).best_card(legal)
    return legal[0]


def at_least(tricks, mean, spread):
    """Return the chance of ``tricks`` or more, by the bell curve around ``mean``."""
    return 0.5 + 0.5 * math.erf((mean - tricks + 0.5) / spread / math.sqrt(2))


# ---------------------------------------------------- Trianon: the auction

HONOURS = (1.15, 0.9, 0.6, 0.4)  # tricks that each of a suit's highest four brings
PER_TRUMP = 1.3
BASE = {"trumps": -4.2, "none": 0.15}
SPREAD = {"trumps": 1.1, "none": 1.5}
LONG_SUIT = {"trumps": (-0.1, 0.15), "none": (-0.4, 0.3)}


def split(bid):
    """Split a bid: ``"10SS"`` is 10 tricks in ``"SS"``."""
    tricks = bid.rstrip("CDHSNT")
    return int(tricks), bid[len(tricks) :]


def ranks_in(denomination):
    """Return the ranks, weakest first; sans souci has its own order (rule T14)."""
    return SANS_SOUCI_RANKS if denomination == "SS" else RANKS


def expected_tricks(hand, denomination):
    """Estimate the tricks of a declarer with ``hand``, by its honours and its length.

    An honour counts only with enough small cards beside it to outlive the higher ones.
    """
    ranks = ranks_in(denomination)
    kind = "trumps" if denomination in SUITS else "none"
    tricks = BASE[kind]
    for suit in SUITS:
        held = [card[0] for card in hand if card[1] == suit]
        for higher, honour in enumerate(HONOURS):
            if ranks[-1 - higher] in held and len(held) > higher:
                tricks += honour
        if suit == denomination:
            tricks += PER_TRUMP * len(held)
        elif len(held) > 3:  # a long suit is worth something if its head is strong
            fixed, per_head_card = LONG_SUIT[kind]
            head = sum(rank in held for rank in ranks[-3:])
            tricks += (len(held) - 3) * (fixed + per_head_card * head)
    return tricks


def expected_points(bid, hand):
    """Estimate what ``bid`` brings: our points if made, less theirs if not (T15)."""
    goal, denomination = split(bid)
    mean = expected_tricks(hand, denomination)
    has_trumps = denomination in SUITS
    spread = SPREAD["trumps" if has_trumps else "none"]
    reward, penalty = (30, 40) if has_trumps else (40, 50)
    missing = sum(1 - at_least(tricks, mean, spread) for tricks in range(1, goal + 1))
    return reward * (goal - 4) * at_least(goal, mean, spread) - penalty * missing


def choose_bid(legal, hand):
    """Bid as low as we can in our best denomination, while we expect to gain by it.

    Low, because nobody need know how strong we are, and the declarer may raise (T10).
    """
    bids = legal[1:]
    best = max(bids, key=lambda bid: expected_points(bid, hand), default="pass")
    if best == "pass" or expected_points(best, hand) <= 0:
        return "pass"
    return next(bid for bid in bids if split(bid)[1] == split(best)[1])


def choose_raise(legal, deal):
    """Raise to the bid that we expect to gain most by, or keep ours."""
    ours = [bid for _, bid in deal["auction"] if bid != "pass"][-1]
    bids = [ours, *legal[1:]]
    best = max(bids, key=lambda bid: expected_points(bid, deal["hand"]))
    return "keep" if best == ours else best


# --------------------------------------- Loyatais: before the first card

SUIT_TRICKS = {"C": -0.2, "D": -0.1, "H": 0.05, "S": 0.65}
RANK_TRICKS = {"A": 0.95, "K": 0.5, "Q": 0.2}


def strength(cards):
    """Estimate the tricks in ``cards``: spades are rich and clubs are poor (L1)."""
    return sum(SUIT_TRICKS[suit] + RANK_TRICKS.get(rank, 0) for rank, suit in cards)


def choose_show(legal):
    """Show our two weakest cards.

    Whoever shows strength is chosen, and shares; the lone opponent of a pair that
    fails takes all 100 (L11).  To bluff, with weak cards, would be better still.
    """
    return min(legal, key=lambda pair: strength(pair.split()))


def choose_partner(legal, deal):
    """Choose alone or a partner, whichever we expect to gain more by (L10, L11)."""
    ours = strength(deal["hand"])
    known = {card for cards in [deal["hand"], *deal["shown"]] for card in cards}
    deck = [rank + suit for suit in SUITS for rank in LOYATAIS_RANKS]
    hidden = [card for card in deck if card not in known]
    partners_hidden = 8 * strength(hidden) / len(hidden)

    def gain(move):
        if move == "alone":
            return _gain(goal=5, mean=ours, spread=0.9, share=1)
        theirs = strength(deal["shown"][int(move[-1])]) + partners_hidden
        # We get half, our partner too: 50 of 100, or 25 above the other two's average.
        return _gain(goal=7, mean=1 + ours + theirs, spread=1.05, share=0.25)

    return max(legal, key=gain)


def _gain(goal, mean, spread, share):
    """Return the points that we expect to gain on the other two, on average."""
    made, capot = at_least(goal, mean, spread), at_least(10, mean, spread)
    above = sum(at_least(tricks, mean, spread) for tricks in range(goal + 1, 11))
    return share * (100 * made + 20 * above + 100 * capot) - 50 * (1 - made)


# ------------------------------------------------ both games: the play

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
            self.ranks = ranks_in(denomination)
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


if __name__ == "__main__":
    main()
