"""What scores are worth: the chance to win the match from here.

In a match of Trianon to a target it comes from playing the rest on paper, deal after
deal, with what a declarer usually gains; where the number of deals is fixed, from how
far scores may still drift apart.
"""

import math

from cards import SUITS, split

UNIT = 25  # points; the scores of the paper match are counted in these
# As 1,836 contracts came out that three ``careful`` declared: units for the declarer,
# or for each of the others, and how often.
DECLARED = 0.76  # of contracts are made
MADE = ((1, 0.13), (2, 0.2), (3, 0.28), (4, 0.22), (5, 0.17))
DOWN = ((2, 0.85), (4, 0.15))
DRIFT = 38.0  # points by which scores part in one deal
PAPER = {}  # chances to win by what is missing, in units
OVERTRICK = 0.003  # what a trick is worth that changes no points: others err
DOUBT = 0.3  # in tricks: others do not play the rest of a deal perfectly


class Standing:
    """The state of a match, by its options."""

    def __init__(self, options):
        self.deals = options.get("deals")
        self.target = options.get("target") or 500
        if self.deals is None:
            self.chance([0, 0, 0], 0, 0)  # fills the table now, while no clock runs

    # Trianon to a target

    def chance(self, scores, me, played):
        """Return the chance that ``me`` wins; a shared first place counts in part.

        Args:
            scores: as they are after ``played`` deals.
            me: our seat.
            played: deals, which matter only where their number is fixed.
        """
        if self.deals is not None:
            return self.by_drift(scores, me, self.deals - played)
        if max(scores) >= self.target:
            return share(scores, me)
        turned = [scores[me], scores[(me + 1) % 3], scores[(me + 2) % 3]]
        missing = [(self.target - score) / UNIT for score in turned]
        total = 0.0
        for corner in range(8):
            weight, at = 1.0, []
            for bit in range(3):
                up = math.ceil(missing[bit])
                part = up - missing[bit]  # how near we are to the corner below
                lower = corner >> bit & 1
                weight *= part if lower else 1 - part
                at.append(max(1, up - lower))
            if weight:
                total += weight * self._on_paper(tuple(at))
        return total

    def _on_paper(self, missing):
        """Return the first one's chance when each is ``missing`` so many units."""
        first, second, third = missing
        if min(missing) <= 0:
            return share([-first, -second, -third], 0)
        key = (first, *sorted((second, third)))  # the others are alike to us
        found = PAPER.get(key)
        if found is None:
            found = 0.0
            for declarer in range(3):
                for after, likely in _outcomes(missing, declarer):
                    found += likely / 3 * self._on_paper(after)
            PAPER[key] = found
        return found

    def after_contract(self, scores, declarer, contract, tricks):
        """Return the scores after a contract with so many tricks taken (T15)."""
        goal, name = split(contract)
        reward, penalty = (30, 40) if name in SUITS else (40, 50)
        if tricks >= goal:
            gained = [reward * (goal - 4) * (seat == declarer) for seat in range(3)]
        else:
            lost = penalty * (goal - tricks)
            gained = [lost * (seat != declarer) for seat in range(3)]
        return [score + points for score, points in zip(scores, gained, strict=True)]

    # Loyatais, and matches of a fixed number of deals

    def after_taking(self, scores, side, taken):
        """Return the scores when the side has taken so many tricks (L10, L11)."""
        count = sum(side)
        needed = 5 if count == 1 else 7
        if taken >= needed:
            total = 100 + 20 * (taken - needed) + 100 * (taken == 10)
            return [s + total / count * on for s, on in zip(scores, side, strict=True)]
        lost = 100 / (3 - count)
        return [s + lost * (not on) for s, on in zip(scores, side, strict=True)]

    def by_drift(self, scores, me, left):
        """Return our chance with ``left`` deals to play."""
        if left <= 0:
            return share(scores, me)
        scale = DRIFT * math.sqrt(left)
        top = max(scores)
        odds = [math.exp((score - top) / scale) for score in scores]
        return odds[me] / sum(odds)

    # Both: what the tricks of this deal are worth

    def of_tricks(self, deal, me, side):
        """Return our chance by the tricks that the declarer's or taker's side takes."""
        scores, no = deal["scores"], deal["no"]
        if "taker" in deal:
            left = (self.deals or 12) - no
            ends = [self.after_taking(scores, side, tricks) for tricks in range(11)]
            values = [self.by_drift(end, me, left) for end in ends]
        else:
            declarer, contract = deal["declarer"], deal["contract"]
            ends = [
                self.after_contract(scores, declarer, contract, tricks)
                for tricks in range(13)
            ]
            values = [self.chance(end, me, no) for end in ends]
        sign = OVERTRICK if side[me] else -OVERTRICK
        values = [value + sign * tricks for tricks, value in enumerate(values)]
        return _blurred(values, DOUBT * math.sqrt(len(deal["hand"]) - 1))


def share(scores, me):
    """Return our share of the first place."""
    top = max(scores)
    return float(scores[me] == top) / scores.count(top)


def _outcomes(missing, declarer):
    """Yield what may be missing after a deal, and how likely that is."""
    for units, likely in MADE:
        after = list(missing)
        after[declarer] -= units
        yield tuple(after), DECLARED * likely
    for units, likely in DOWN:
        after = [each - units for each in missing]
        after[declarer] += units
        yield tuple(after), (1 - DECLARED) * likely


def _blurred(values, spread):
    """Return the values as they are worth when the tricks may come out otherwise."""
    weights = {
        shift: math.exp(-0.5 * (shift / max(spread, 0.01)) ** 2)
        for shift in range(-3, 4)
    }
    last = len(values) - 1
    return [
        sum(
            weight * values[min(max(tricks + shift, 0), last)]
            for shift, weight in weights.items()
        )
        / sum(weights.values())
        for tricks in range(last + 1)
    ]
