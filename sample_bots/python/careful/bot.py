"""A careful player of both games.  It counts the cards, and it never guesses at random.

Every answer is worked out afresh from the snapshot ``deal`` in the request, so
the bot remembers nothing between two requests and has nothing to get wrong.

Three ideas carry it; each is one function, and each can be bettered:

1. ``suit_tricks``: what a suit is worth, found by playing it out in the head.
2. ``Table.chance``: how likely my side is to win this trick if I play this card.
3. A card's price is what my hand is worth less without it.  The best card is
   the one whose chance exceeds its price by most.
"""

import json
import math
import sys

SUITS = "CDHS"
RANKS = "6789TJQKA"  # weakest first, as everywhere in this file
SANS_SOUCI_RANKS = "JQKA6789T"
LOYATAIS_RANKS = "789TJQKA"


# ---------------------------------------------------------------- the wire


def main():
    """Answer each line with one line, until the arena closes our input."""
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


def answer(request):
    """Return the reply to one request; to a type we do not know, only its id."""
    reply = {"id": request["id"]}
    if request["type"] == "hello":
        reply.update(name="Careful", version="1.0", games=["trianon", "loyatais"])
    elif request["type"] == "act":
        reply["move"] = choose(request)
    return reply


def choose(request):
    """Return our move."""
    ask, legal, deal = request["ask"], request["legal"], request["deal"]
    if ask == "bid":
        return choose_bid(legal, deal["hand"])
    if ask == "raise":
        return choose_raise(legal, deal)
    if ask == "show":
        return choose_show(legal, deal["hand"])
    if ask == "partner":
        return choose_partner(legal, deal)
    if ask == "play" and len(legal) > 1:
        return Table(request["you"], deal).best_card(legal)
    return legal[0]


# ---------------------------------------------------- Trianon: the auction

HONOURS = (1.15, 0.9, 0.6, 0.4)  # tricks that the highest four ranks bring, each
BASE = {"trumps": -4.2, "none": 0.15}
PER_TRUMP = 1.3
LONG = {"trumps": (-0.1, 0.15), "none": (-0.4, 0.3)}
SPREAD = {"trumps": 1.1, "none": 1.5}
BID_AT = 0.0


def split(bid):
    """Split a bid: ``"10SS"`` is 10 tricks in ``"SS"``."""
    tricks = bid.rstrip("CDHSNT")
    return int(tricks), bid[len(tricks) :]


def ranks_in(denomination):
    """Return the ranks, weakest first; sans souci has its own order (rule T14)."""
    return SANS_SOUCI_RANKS if denomination == "SS" else RANKS


def expected_tricks(hand, denomination):
    """Estimate the tricks that ``hand`` takes as declarer: honours and length.

    The numbers were fitted to some thousands of deals that this bot played
    against itself.  An honour needs small cards beside it, to survive the
    tricks in which the higher ones fall.
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
        elif len(held) > 3:  # a long suit pays if its head is strong
            fixed, per_top_card = LONG[kind]
            top = sum(rank in held for rank in ranks[-3:])
            tricks += (len(held) - 3) * (fixed + per_top_card * top)
    return tricks


def expected_points(bid, hand):
    """Estimate what ``bid`` brings: our points if made, less theirs if not (T15)."""
    goal, denomination = split(bid)
    has_trumps = denomination in SUITS
    mean = expected_tricks(hand, denomination)
    spread = SPREAD["trumps" if has_trumps else "none"]
    reward, penalty = (30, 40) if has_trumps else (40, 50)
    missing = sum(1 - at_least(tricks, mean, spread) for tricks in range(1, goal + 1))
    return reward * (goal - 4) * at_least(goal, mean, spread) - penalty * missing


def at_least(tricks, mean, spread):
    """Return the chance of at least ``tricks``, by the normal curve."""
    return 0.5 + 0.5 * math.erf((mean - tricks + 0.5) / spread / math.sqrt(2))


def choose_bid(legal, hand):
    """Bid as low as we can in our best denomination, while that is worth it.

    Low, because nobody must know how strong we are, and the winner of the
    auction may still raise (T10).
    """
    bids = legal[1:]
    if not bids:
        return "pass"
    best = max(bids, key=lambda bid: expected_points(bid, hand))
    if expected_points(best, hand) <= BID_AT:
        return "pass"
    denomination = split(best)[1]
    return next(bid for bid in bids if split(bid)[1] == denomination)


def choose_raise(legal, deal):
    """Raise to the bid that brings most, or keep ours."""
    hand = deal["hand"]
    mine = [bid for _, bid in deal["auction"] if bid != "pass"][-1]
    best = max([mine, *legal[1:]], key=lambda bid: expected_points(bid, hand))
    return "keep" if best == mine else best


# ------------------------------------------- Loyatais: before the first card


SUIT_WORTH = {"C": -0.2, "D": -0.1, "H": 0.05, "S": 0.65}
RANK_WORTH = {"A": 0.95, "K": 0.5, "Q": 0.2}
SHOW_AT = 99
HIDE = 0
PSHARE = 0.5
PBONUS = 0
TRUST = 1


def strength(cards):
    """Estimate the tricks in ``cards``: spades are rich, clubs are poor (L1)."""
    return sum(SUIT_WORTH[suit] + RANK_WORTH.get(rank, 0) for rank, suit in cards)


def choose_show(legal, hand):
    """Show."""
    best = sorted(hand, key=lambda c: strength([c]))
    if strength(hand) < SHOW_AT:
        pair = best[-2:]
    else:
        pair = best[:2] if HIDE == 0 else best[4:6]
    return next(m for m in legal if set(m.split()) == set(pair))


def choose_partner(legal, deal):
    """Choose the company in which we expect to gain most on the others (L10, L11)."""
    mine = strength(deal["hand"])
    known = {card for cards in [deal["hand"], *deal["shown"]] for card in cards}
    hidden = [r + s for s in SUITS for r in LOYATAIS_RANKS if r + s not in known]
    average = strength(hidden) / len(hidden)

    def gain(move):
        if move == "alone":
            goal, mean, spread, share = 5, mine, 0.9, 1
        else:
            shown = deal["shown"][int(move[-1])]
            goal, mean, spread, share = (
                7,
                1.0 + mine + TRUST*(strength(shown)-2*average) + 10*average-PBONUS,
                1.05,
                PSHARE,
            )
        made = at_least(goal, mean, spread)
        over = sum(at_least(k, mean, spread) for k in range(goal + 1, 11))
        return share * (
            100 * made + 20 * over + 100 * at_least(10, mean, spread)
        ) - 50 * (1 - made)

    return max(legal, key=gain)


# ------------------------------------------------------ both games: the play

SURE = 0.9  # a trick to come is worth a little less than one in the hand
LONG_CARD = 0.4
FINESSE = 0.5
SMALL_TRUMP = 0.4
SHARE = {"C": 0.2, "D": 0.4, "H": 0.6, "S": 1.0}
DRAW = 1.0
DUCK = 2.5
TINY = 0.004
EXIT = 0.2
HIGH = 0.0


def suit_tricks(mine, theirs, is_trump):
    """Play a suit out in the head: how many tricks would my cards take?

    Args:
        mine: the ranks I hold, as numbers, strongest first.
        theirs: the ranks that are still out, likewise.
        is_trump: whether the suit is trumps.
    """
    mine, theirs = list(mine), list(theirs)
    length, tricks = len(mine), 0.0
    while mine and theirs:
        if mine[0] > theirs[0]:
            tricks += SURE  # my best card wins, and two small ones fall
            mine.pop(0)
            del theirs[-2:]
        else:
            if len(mine) == 1 and (len(theirs) == 1 or mine[0] > theirs[1]):
                tricks += FINESSE  # only one card beats it, and may be badly placed
            mine.pop()  # my worst card falls under their best
            theirs.pop(0)
            del theirs[-1:]
    tricks += len(mine) * (1.0 if is_trump else LONG_CARD)
    if is_trump:  # the small ones may cut
        tricks += SMALL_TRUMP * (length - tricks)
    return tricks


class Table:
    """What our seat can tell from the snapshot, worked out once for each move."""

    def __init__(self, me, deal):
        self.me, self.hand = me, deal["hand"]
        self.lead, self.trick = deal["lead"], deal["trick"]
        self.is_loyatais = "taker" in deal
        self.step = 2 if self.is_loyatais else 1  # which way the turn goes round
        self.ranks, self.trump = RANKS, None
        if self.is_loyatais:
            self.ranks = LOYATAIS_RANKS
            team = {deal["taker"], deal["partner"]} - {"alone"}
        elif deal["contract"] == "trianon":
            team = {me}
        else:
            denomination = split(deal["contract"])[1]
            self.ranks = ranks_in(denomination)
            self.trump = denomination if denomination in SUITS else None
            team = {deal["declarer"]}
        self.ducking = deal.get("contract") == "trianon"
        self.attacking = me in team
        self.side = team if me in team else {0, 1, 2} - team
        self._look_back(deal)
        self._look_round(deal)

    def _look_back(self, deal):
        """Find the cards not yet seen, and the suits that each seat is out of."""
        self.void = {seat: set() for seat in range(3)}
        seen = set(self.hand)
        for trick in [*deal["tricks"], {"lead": self.lead, "cards": self.trick}]:
            for turn, card in enumerate(trick["cards"]):
                seat = (trick["lead"] + self.step * turn) % 3
                seen.add(card)
                if card[1] != trick["cards"][0][1]:
                    self.void[seat].add(trick["cards"][0][1])
        strongest_first = [rank + suit for suit in SUITS for rank in self.ranks[::-1]]
        self.unseen = [card for card in strongest_first if card not in seen]
        self.shown = {}  # Loyatais: cards shown and not yet played, and whose they are
        for seat, cards in enumerate(deal.get("shown", ())):
            self.shown.update({card: seat for card in cards if card not in seen})

    def _look_round(self, deal):
        """Find who still plays to this trick, and how many cards each seat holds."""
        still = range(1, 3 - len(self.trick))
        self.behind = [(self.me + self.step * turn) % 3 for turn in still]
        self.cards_left = {
            seat: len(self.hand) - (seat not in (self.me, *self.behind))
            for seat in range(3)
        }

    # ---- who may hold what

    def may_hold(self, seat, card):
        """Return the chance that ``seat`` holds ``card``, which we have not seen."""
        if card in self.shown:
            return float(self.shown[card] == seat)
        if card[1] in self.void[seat]:
            return 0.0
        other = 3 - self.me - seat
        elsewhere = 2 if self.is_loyatais else 0  # the cards set aside
        if card[1] not in self.void[other]:
            elsewhere += self.cards_left[other]
        return self.cards_left[seat] / (self.cards_left[seat] + elsewhere)

    def holds_any(self, seat, cards):
        """Return the chance that ``seat`` holds at least one of ``cards``."""
        return 1 - math.prod(1 - self.may_hold(seat, card) for card in cards)

    # ---- who wins

    def power(self, card, led):
        """Return a number that is highest for the card that wins the trick."""
        rank, suit = self.ranks.index(card[0]), card[1]
        if self.is_loyatais:
            return 10 * SUITS.index(suit) + rank  # rule L9: all cards in one order
        if suit == self.trump:
            return 20 + rank
        return 10 + rank if suit == led else 0

    def beats(self, seat, card, led):
        """Return the chance that ``seat``, still to play, can beat ``card``."""
        power = self.power(card, led)
        better = [other for other in self.unseen if self.power(other, led) > power]
        follow = [card for card in self.unseen if card[1] == led]
        higher = self.holds_any(seat, [card for card in better if card[1] == led])
        cuts = self.holds_any(seat, [card for card in better if card[1] != led])
        return higher + (1 - self.holds_any(seat, follow)) * cuts

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

    # ---- what a card costs

    def worth(self, suit, without=(), fallen=()):
        """Return what our cards of ``suit`` are worth, in tricks to come."""
        rank = self.ranks.index
        mine = [rank(c[0]) for c in self.hand if c[1] == suit and c not in without]
        theirs = [rank(c[0]) for c in self.unseen if c[1] == suit and c not in fallen]
        is_trump = suit == ("S" if self.is_loyatais else self.trump)
        tricks = suit_tricks(sorted(mine, reverse=True), theirs, is_trump)
        if self.is_loyatais:
            tricks *= SHARE[suit]
        return tricks + TINY * sum(mine)  # of equal cards, keep the higher

    def price(self, card, fallen=()):
        """Return how much less our hand is worth without ``card``."""
        return self.worth(card[1]) - self.worth(card[1], [card], fallen)

    def danger(self, card):
        """Return how likely ``card`` is to take a trick that nobody wants."""
        rank = self.ranks.index
        out = [c for c in self.unseen if c[1] == card[1]]
        under = sum(rank(c[0]) < rank(card[0]) for c in out)
        exits = sum(c[1] == card[1] and rank(c[0]) < rank(card[0]) for c in self.hand)
        return under / (len(out) + 1) - EXIT * exits + HIGH * rank(card[0])

    # ---- the choice

    def best_card(self, legal):
        """Return the card to play."""
        if self.ducking:
            return max(legal, key=lambda c: self.danger(c) - DUCK * self.chance(c))
        if self.trick:
            return max(legal, key=lambda c: self.chance(c) - self.price(c))
        return max(legal, key=self.lead_score)

    def lead_score(self, card):
        """Return how good a lead ``card`` is: a trick won, or a suit set up."""
        chance, suit = self.chance(card), card[1]
        out = [c for c in self.unseen if c[1] == suit]
        rank = self.ranks.index
        higher = [c for c in out if rank(c[0]) > rank(card[0])]
        score = chance * (1 - self.price(card))
        # If it loses, it has at least driven out a card that was above ours.
        score -= (1 - chance) * self.price(card, higher[:1])
        if self.attacking and suit == self.trump and len(higher) < len(out):
            score += DRAW  # draw their trumps, while they have one that ours beat
        return score


if __name__ == "__main__":
    main()
