"""Trianon before the first card: what a hand is worth, to bid and to read bids."""

import functools
import itertools
import math

from cards import DENOMINATIONS, SUITS, TRIANON, WIDTH, split

# How many tricks a declarer takes, as fitted for ``careful`` to many deals.
HONOURS = (1.15, 0.9, 0.6, 0.4)  # that each of a suit's highest four brings
PER_TRUMP = 1.3
BASE = {"trumps": -4.2, "none": 0.15}
LONG_SUIT = (-0.4, 0.3)  # without trumps: per card above three, and per high card
LONG_SIDE_SUIT = (-0.1, 0.15)  # beside trumps
SPREAD = {"trumps": 1.1, "none": 1.5}  # around it, as ``careful`` reckons in its bids
# As it came out in 1,836 contracts: tricks beyond what was expected, and their spread.
FOUND = {"trumps": (0.0, 0.99), "none": (0.2, 1.43)}

DOUBT = 8.0  # in points: how far others may judge hands unlike us


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


def at_least(tricks, mean, spread):
    """Return the chance of ``tricks`` or more, by the bell curve around ``mean``."""
    return 0.5 + 0.5 * math.erf((mean - tricks + 0.5) / spread / math.sqrt(2))


# ------------------------------------------- what a contract is worth, by tables

STEPS = 10  # estimates are rounded to tenths of a trick
GOALS = range(4, 13)


def _chances(mean, spread):
    """Return for each goal the chances to make it, and to be 1, 2, 3, 4 down."""
    rows = []
    for goal in GOALS:
        reached = [at_least(goal - down, mean, spread) for down in range(4)]
        reached.append(1.0)
        rows.append([reached[0], *(b - a for a, b in itertools.pairwise(reached))])
    return rows


def _best_goals(kind, rows):
    """Return for each goal the most points to be expected there or above, and where."""
    reward, penalty = (30, 40) if kind == "trumps" else (40, 50)
    found, best = [], (-math.inf, 12)
    for goal, chances in zip(reversed(GOALS), reversed(rows), strict=True):
        lost = sum(down * chance for down, chance in enumerate(chances))
        best = max(best, (reward * (goal - 4) * chances[0] - penalty * lost, goal))
        found.append(best)
    return found[::-1]


@functools.cache
def _prospects(kind, tenths):
    """Return the chances that are true, and what bidders take for the best goals."""
    mean, (beyond, spread) = tenths / STEPS, FOUND[kind]
    believed = _chances(mean, SPREAD[kind])
    return _chances(mean + beyond, spread), _best_goals(kind, believed)


class Prospects:
    """What one hand may declare."""

    def __init__(self, hand):
        """Take a hand in the usual order of the cards."""
        self.by_name = []
        for name in DENOMINATIONS:
            kind = "trumps" if name in SUITS else "none"
            held = to_sans_souci(hand) if name == "SS" else hand
            tenths = round(STEPS * expected_tricks(held, name))
            self.by_name.append(_prospects(kind, max(-50, min(tenths, 150))))

    def best_call(self, bid):
        """Return (points expected, denomination, the least goal) over ``bid``."""
        best = (-math.inf, 0, 0)
        for place, (_, goals) in enumerate(self.by_name):
            least = max(4, bid // 6 + (place <= bid % 6))
            if least <= 12:
                points, _ = goals[least - 4]
                if points > best[0]:
                    best = (points, place, least)
        return best

    def raised(self, bid):
        """Return (denomination, goal) after the raise of ``bid`` (T10)."""
        best = (-math.inf, 0, 0)
        for place, (_, goals) in enumerate(self.by_name):
            least = max(4, bid // 6 + (place < bid % 6))
            if least <= 12:
                points, goal = goals[least - 4]
                best = max(best, (points, place, goal))
        return best[1:]

    def fit(self, calls):
        """Return how well ``calls`` fit the hand: pairs of the bid before, and a bid.

        The same way of bidding is taken for others' as in ``Paper``.
        """
        chance = 1.0
        for before, bid in calls:
            best, _, _ = self.best_call(before)
            if bid is None:
                chance *= _logistic(-best / DOUBT)
            else:
                points, _ = self.by_name[bid % 6][1][bid // 6 - 4]
                chance *= _logistic(points / DOUBT)
                chance *= math.exp((points - best) / DOUBT)
        return chance


def calls_of(seat, auction):
    """Return for each call of ``seat`` the bid before it, and its own or None."""
    calls, before = [], NO_BID
    for who, call in auction:
        bid = None if call == "pass" else number_of(call)
        if who == seat:
            calls.append((before, bid))
        before = before if bid is None else bid
    return calls


def _logistic(x):
    """Return 1 for large ``x``, 0 for small, 1/2 for 0."""
    return 0.5 + 0.5 * math.tanh(x / 2)


def to_sans_souci(hand):
    """Turn a hand into the order of sans souci: 6789T go above JQKA (T14)."""
    low = hand & LOW_RANKS
    return low << 4 | (hand ^ low) >> 5


LOW_RANKS = sum(0x1F << WIDTH * suit for suit in range(4))


# ------------------------------------------------------------------- to bid

NO_BID = 4 * 6 - 1  # a bid as a number: six for each trick, and its denomination
LEAST = -80  # points expected of a bid, below which we do not think of it
FITTEST = 60  # hands in which an auction is played on paper
HIGHER = 3  # limits tried: the tricks of our bid now, and up to so many less one above


def number_of(bid):
    """Return the number of a bid."""
    goal, name = split(bid)
    return 6 * goal + DENOMINATIONS.index(name)


def choose_bid(legal, deal, me, standing, dealt):
    """Pass, or bid low in one of our two best denominations: whatever wins more.

    A plan is a bid and a limit, up to which we would bid on.  Each is tried in those of
    the hands ``dealt`` that fit the auction best; the others are taken to bid on while
    they expect points, and the declarer to raise (T10).
    """
    ours = Prospects(TRIANON["NT"].mask(deal["hand"]))
    plans = [("pass", 0)]
    for bid in _candidates(legal, ours):
        goal = split(bid)[0]
        plans += [(bid, limit) for limit in range(goal, goal + HIGHER)]
    if len(plans) == 1:
        return "pass"
    paper = Paper(deal, me, standing)
    total = dict.fromkeys(plans, 0.0)
    for weight, prospects in _fittest(dealt, deal["auction"], me, ours):
        for plan in plans:
            total[plan] += weight * paper.value_of(*plan, prospects)
    return max(plans, key=total.get)[0]


def _fittest(dealt, auction, me, ours):
    """Return the hands that fit the auction best, each with how well it does."""
    spoken = {seat: calls_of(seat, auction) for seat in range(3) if seat != me}
    found = []
    for hands in dealt:
        prospects, fit = [ours] * 3, 1.0
        for seat, calls in spoken.items():
            prospects[seat] = Prospects(hands[seat])
            fit *= prospects[seat].fit(calls)
        found.append((fit + 1e-9, prospects))  # whatever was called, some fit best
    found.sort(key=lambda pair: -pair[0])
    return found[:FITTEST]


def _candidates(legal, ours):
    """Return the lowest legal bids in our two best denominations."""
    lowest = {}
    for bid in legal[1:]:
        lowest.setdefault(split(bid)[1], bid)
    ranked = []
    for name, bid in lowest.items():
        place = DENOMINATIONS.index(name)
        points, _ = ours.by_name[place][1][split(bid)[0] - 4]
        ranked.append((points, bid))
    return [bid for points, bid in sorted(ranked, reverse=True)[:2] if points > LEAST]


class Paper:
    """The rest of an auction, and the deal, played on paper."""

    def __init__(self, deal, me, standing):
        self.deal, self.me, self.standing = deal, me, standing
        self.known = {}
        self.passed = {seat for seat, call in deal["auction"] if call == "pass"}
        bids = [
            (who, number_of(call)) for who, call in deal["auction"] if call != "pass"
        ]
        self.bidder, self.bid = bids[-1] if bids else (None, NO_BID)

    def value_of(self, move, limit, prospects):
        """Return our chance to win the match if we ``move``, and bid on to ``limit``.

        Args:
            move: our call now.
            limit: the most tricks that we would bid later in the auction.
            prospects: of all three hands.
        """
        me, bid, bidder, passed = self.me, self.bid, self.bidder, set(self.passed)
        if move == "pass":
            passed.add(me)
        else:
            bid, bidder = number_of(move), me
        seat = me
        while len(passed) < 3 and not (
            len(passed) == 2 and bidder not in (None, *passed)
        ):
            seat = (seat + 1) % 3
            if seat in passed:
                continue
            points, place, least = prospects[seat].best_call(bid)
            if least <= limit and points > LEAST if seat == me else points > 0:
                bid, bidder = 6 * least + place, seat
            else:
                passed.add(seat)
        if len(passed) == 3:  # a Trianon deal, which brings everybody the same
            scores = [score + 27 for score in self.deal["scores"]]
            return self.standing.chance(scores, me, self.deal["no"])
        place, goal = prospects[bidder].raised(bid)
        chances = prospects[bidder].by_name[place][0][goal - 4]
        return sum(
            chance * self.worth(bidder, goal, DENOMINATIONS[place], down)
            for down, chance in enumerate(chances)
        )

    def worth(self, declarer, goal, name, down):
        """Return our chance after a contract made, or so many tricks down."""
        key = (declarer, goal, name in SUITS, down)
        found = self.known.get(key)
        if found is None:
            scores = self.standing.after_contract(
                self.deal["scores"], declarer, f"{goal}{name}", goal - down
            )
            found = self.standing.chance(scores, self.me, self.deal["no"])
            self.known[key] = found
        return found


def choose_raise(legal, deal, me, standing):
    """Raise to the bid that wins the match most likely, or keep ours."""
    ours = [bid for _, bid in deal["auction"] if bid != "pass"][-1]
    prospects = Prospects(TRIANON["NT"].mask(deal["hand"]))
    paper = Paper(deal, me, standing)

    def value(move):
        goal, name = split(ours if move == "keep" else move)
        chances = prospects.by_name[DENOMINATIONS.index(name)][0][goal - 4]
        return sum(
            chance * paper.worth(me, goal, name, down)
            for down, chance in enumerate(chances)
        )

    return max(legal, key=value)


# -------------------------------------------------------- to read others' bids


def likelihood(dealt, seat, auction, rules):
    """Return how well what ``seat`` has called fits the hand it was dealt.

    The hand is in the order of ``rules``.
    """
    if TRIANON["NT"].bit != rules.bit:
        dealt = from_sans_souci(dealt)
    return Prospects(dealt).fit(calls_of(seat, auction))


def from_sans_souci(hand):
    """Turn a hand in the order of sans souci into the usual one."""
    low = hand & LOW_RANKS << 4
    return low >> 4 | (hand ^ low) << 5
