"""Is one bot better than another?  A sequential test.  Pure: values in, verdict out.

A value is what a round of matches on the same deals gives: by how many points a deal
the one is ahead of the other.  After every round two hypotheses are weighed against
each other: that the mean is nothing, and that it is ``GAIN`` times the rounds' own
spread.  The spread is not known, so that each gets the one that suits it best: the
generalised sequential probability ratio test, for normal values with a mean of t
spreads.  (Van den Bergh, "Normalized Elo", 2021, has the same test for chess.)
"""

import math
from typing import Final, Literal, TypeAlias

from tournaments.intervals import Interval, Parts, t_interval

GAIN: Final = 0.1
"""The gain that shall be found, in units of the rounds' own spread.  A fixed test with
the same errors needs 1,082 rounds for it; for half of it, four times as many."""
ERROR: Final = 0.05
"""How often a bot that is no better passes, and one that is by ``GAIN`` does not."""
BOUND: Final = math.log((1 - ERROR) / ERROR)
LEAST_ROUNDS: Final = 16
"""Before these the spread itself is a guess, and a guess too small is an early end."""

Verdict: TypeAlias = Literal["better", "not better", "undecided"]


class Trial:
    """A test under way.  Give it rounds with ``add`` until ``verdict`` is final."""

    def __init__(self) -> None:
        self._values = Parts()
        self._sum = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """Take in a round: how far the one was ahead, in points a deal."""
        self._values.add(value, 1)
        self._sum += value
        self._squares += value * value

    @property
    def rounds(self) -> int:
        """How many rounds there were."""
        return len(self._values)

    @property
    def mean(self) -> float | None:
        """By how many points a deal the one is ahead; None before the first round."""
        return self._values.ratio

    @property
    def spread(self) -> float | None:
        """The standard deviation of rounds, in points a deal; None below two."""
        if self.rounds < 2:
            return None
        rest = self._squares - self._sum**2 / self.rounds
        return math.sqrt(max(rest, 0.0) / (self.rounds - 1))

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of the mean, as if the number of rounds had been fixed."""
        return t_interval(self._values)

    @property
    def log_ratio(self) -> float:
        """The logarithm of how much likelier a gain makes these rounds than none."""
        if not self._squares:
            return 0.0
        return self.rounds * (self._misfit(0.0) - self._misfit(GAIN))

    @property
    def verdict(self) -> Verdict:
        """What is settled so far."""
        if self.rounds < LEAST_ROUNDS:
            return "undecided"
        if not self._squares:
            return "not better"  # not once apart: they play alike
        if self.log_ratio >= BOUND:
            return "better"
        return "not better" if self.log_ratio <= -BOUND else "undecided"

    def _misfit(self, gain: float) -> float:
        """Return minus the greatest log likelihood of a round, less what is common.

        With u one over the spread, it is the least of
        ``-log u + u**2 square / 2 - gain u mean + gain**2 / 2``.
        """
        mean, square = self._sum / self.rounds, self._squares / self.rounds
        pull = gain * mean
        u = (pull + math.sqrt(pull * pull + 4 * square)) / (2 * square)
        return -math.log(u) + u * u * square / 2 - u * pull + gain * gain / 2
