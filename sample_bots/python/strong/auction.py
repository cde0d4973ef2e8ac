"""Trianon before the first card: what a hand is worth, to bid and to read bids."""

import math

from cards import DENOMINATIONS, SUITS, TRIANON, WIDTH, split

# How many tricks a declarer takes, as fitted for ``careful`` to many deals.
HONOURS = (1.15, 0.9, 0.6, 0.4)  # that each of a suit's highest four brings
PER_TRUMP = 1.3
BASE = {"trumps": -4.2, "none": 0.15}
LONG_SUIT = (-0.4, 0.3)  # without trumps: per card above three, and per high card
LONG_SIDE_SUIT = (-0.1, 0.15)  # beside trumps
SPREAD = {"trumps": 1.1, "none": 1.5}  # of what comes out, around what is expected

DECLARED_BY_OTHERS = 0.02  # how much more winning than by passing a bid must promise
OPENING = 5.4  # tricks that a player expects who opens
DOUBT = 0.7  # in tricks: how far others may judge hands unlike us


def _suit_tables():
    """Return what the cards of one suit bring, by their mask: in three roles."""
    trumps, beside, none = [], [], []
    for mask in range(1 << WIDTH):
        length = mask.bit_count()
        honours = sum(
            brings
            for higher, brings in enumerate(HONOURS)
            if mask >> (WIDTH - 1 - higher) & 1 and length > higher
        )
        head = (mask >> WIDTH - 3).bit_count()
        extra = max(0, length - 3)
        trumps.append(honours + PER_TRUMP * length)
        beside.append(honours + extra * (LONG_SIDE_SUIT[0] + LONG_SIDE_SUIT[1] * head))
        none.append(honours + extra * (LONG_SUIT[0] + LONG_SUIT[1] * head))
    return trumps, beside, none


AS_TRUMPS, BESIDE_TRUMPS, WITHOUT_TRUMPS = _suit_tables()


def expected_tricks(hand, denomination):
    """Estimate a declarer's tricks; the hand is in the order of the denomination."""
    parts = [hand >> WIDTH * suit & 0x1FF for suit in range(4)]
    trump = SUITS.find(denomination)
    if trump < 0:
        return BASE["none"] + sum(WITHOUT_TRUMPS[part] for part in parts)
    side = sum(BESIDE_TRUMPS[part] for part in parts) - BESIDE_TRUMPS[parts[trump]]
    return BASE["trumps"] + AS_TRUMPS[parts[trump]] + side


def spread_of(denomination):
    """Return how far tricks stray from what is expected."""
    return SPREAD["trumps" if denomination in SUITS else "none"]


def at_least(tricks, mean, spread):
    """Return the chance of ``tricks`` or more, by the bell curve around ``mean``."""
    return 0.5 + 0.5 * math.erf((mean - tricks + 0.5) / spread / math.sqrt(2))


# ------------------------------------------------------------------- to bid


def bid_values(bids, deal, me, standing):
    """Return the chance to win the match with each bid that is worth a thought."""
    hand = deal["hand"]
    means = {
        name: expected_tricks(TRIANON[name].mask(hand), name) for name in DENOMINATIONS
    }
    values = {}
    for bid in bids:
        goal, name = split(bid)
        if goal > means[name] + 2.5:
            continue
        value, above = 0.0, 0.0
        for tricks in range(goal, max(goal - 5, -1), -1):  # made, one down, two down
            is_last = tricks == max(goal - 4, 0)
            reached = 1.0 if is_last else at_least(tricks, means[name], spread_of(name))
            scores = standing.after_contract(deal["scores"], me, bid, tricks)
            value += (reached - above) * standing.chance(scores, me, deal["no"])
            above = reached
        values[bid] = value
    return values


def choose_bid(legal, deal, me, standing):
    """Bid as low as we can in our best denomination, if that beats a pass.

    Low, because nobody need know how strong we are, and the declarer may raise (T10).
    """
    values = bid_values(legal[1:], deal, me, standing)
    best = max(values, key=values.get, default="pass")
    if best == "pass":
        return best
    if values[best] <= pass_value(deal, me, standing) + DECLARED_BY_OTHERS:
        return "pass"
    return next(bid for bid in legal[1:] if split(bid)[1] == split(best)[1])


def choose_raise(legal, deal, me, standing):
    """Raise to the bid that wins the match most likely, or keep ours."""
    ours = [bid for _, bid in deal["auction"] if bid != "pass"][-1]
    values = bid_values([ours, *legal[1:]], deal, me, standing)
    best = max(values, key=values.get, default=ours)
    return "keep" if best == ours else best


def pass_value(deal, me, standing):
    """Return the chance to win the match if we leave this deal to the others."""
    passed = {seat for seat, call in deal["auction"] if call == "pass"}
    bidders = [seat for seat, call in deal["auction"] if call != "pass"]
    active = [seat for seat in range(3) if seat != me and seat not in passed]
    if not active:  # all pass: a Trianon deal, which brings everybody the same
        return standing.chance([score + 27 for score in deal["scores"]], me, deal["no"])
    weights = [2 if bidders and seat == bidders[-1] else 1 for seat in active]
    values = [
        standing.if_declared_by(seat, deal["scores"], me, deal["no"]) for seat in active
    ]
    total = sum(w * value for w, value in zip(weights, values, strict=True))
    return total / sum(weights)


# -------------------------------------------------------- to read others' bids


def likelihood(dealt, seat, auction, rules):
    """Return how well what ``seat`` has called fits the hand it was dealt.

    Hands are in the order of ``rules``; only a denomination of that order is read.
    """
    bids = [(who, split(call)) for who, call in auction if call != "pass"]
    theirs = [bid for who, bid in bids if who == seat]
    if theirs:
        goal, name = theirs[-1]
        if TRIANON[name].bit != rules.bit:
            return 1.0  # sans souci sorts the hand otherwise
        return _logistic((expected_tricks(dealt, name) - max(goal, OPENING)) / DOUBT)
    if TRIANON["NT"].bit != rules.bit:
        return 1.0
    needed = max([OPENING, *(goal for _, (goal, _) in bids)])
    best = max(expected_tricks(dealt, name) for name in SUITS)
    return _logistic((needed + 0.3 - best) / DOUBT)


def _logistic(x):
    return 1 / (1 + math.exp(-x))
