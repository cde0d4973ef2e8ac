"""One seat's time for the request that is open: when it is due, what is charged.

No clock is read here: the match says what time it is.
"""

from typing import Final

from arena.effects import TimedOut
from arena.lateness import MOST_ADDED_S, NO_STALL, Look, Stall, excuse_s
from arena.witness import Witness

NEVER: Final = float("inf")
LOOK_S: Final = 0.1
"""When a bot that thinks is looked at for the first time: what it has used by then."""
LEAST_LOOK_S: Final = 0.005
"""Where that would be sooner there is no such look: too dear for what it tells."""


class Blind:
    """The witness where nobody sees: only lateness at a deadline is known."""

    cores = 1

    def stall(self, since_s: float, now_s: float) -> Stall:
        """Return that there was none."""
        return NO_STALL

    def look(self, seat: int, now_s: float) -> Look | None:
        """Return that nothing is known."""
        return None


class Stopwatch:
    """The time of one seat.  All moments are in seconds, on the engine's clock.

    Attributes:
        asked_at: when the open request began to be written.
        deadline: when it is given up.
        wake_at: when the clock is to be looked at next: then, or once before.
    """

    def __init__(self, seat: int, witness: Witness) -> None:
        self._seat = seat
        self._witness = witness
        self.asked_at = 0.0
        self.deadline = self.wake_at = NEVER
        self._within_ms: int | None = None
        self._first: Look | None = None
        self._added_s = 0.0

    def start(self, now: float, within_ms: int | None) -> None:
        """Begin to count; None: without end."""
        self.asked_at = now
        self._within_ms = within_ms
        self._first = None
        self._added_s = 0.0
        if within_ms is None:
            self.deadline = self.wake_at = NEVER
        else:
            # Equal to the limit is in time, and times are rounded down.
            self.deadline = now + (within_ms + 1) / 1000
            first_s = min(LOOK_S, within_ms / 4000)
            self.wake_at = self.deadline if first_s < LEAST_LOOK_S else now + first_s

    def hurry(self, deadline: float) -> None:
        """Wait no longer than until ``deadline``."""
        self.deadline = min(self.deadline, deadline)
        self.wake_at = min(self.wake_at, deadline)

    def look(self, now: float) -> None:
        """See what the table has used so far; what comes later is counted from here."""
        self._first = self._witness.look(self._seat, now)
        self.wake_at = self.deadline

    def took_ms(self, now: float) -> int:
        """Return the time since the request, in whole ms."""
        took = int((now - self.asked_at) * 1000)
        # What was in the pipe when we looked, just after the deadline, is in time.
        if self._within_ms is None:
            return took
        return min(took, self._within_ms)

    def excuse_s(self, now: float) -> float:
        """Return by how much the arena is to blame for the time since the request."""
        return self._excuse_s(self._witness.look(self._seat, now), now)

    def less_ms(self, now: float, excuse_s: float) -> int:
        """Return the time since the request without what is excused."""
        without = max(0, _ms(now - self.asked_at - excuse_s))
        return min(without, self.took_ms(now))

    def time_out(self, now: float, may_add: bool) -> tuple[TimedOut | None, bool]:
        """Return what a deadline that has passed comes to, and whether we are to blame.

        Args:
            now: the time.
            may_add: whether what the arena is to blame for is added to the deadline:
                then there is no timeout yet, but for a bot that is late all the same.
        """
        last = self._witness.look(self._seat, now)
        excuse = self._excuse_s(last, now)
        added = min(excuse, MOST_ADDED_S) if may_add else 0.0
        if added > self._added_s:
            self.deadline += added - self._added_s
            self._added_s = added
            self.wake_at = self.deadline
            if now < self.deadline:
                return None, True
        took = max(self._within_ms or 0, _ms(now - self.asked_at - self._added_s))
        used = None
        if self._first is not None and last is not None:
            used = max(0, _ms(last.bot_s - self._first.bot_s))
        return TimedOut(self._seat, took, used), excuse > 0

    def _excuse_s(self, last: Look | None, now: float) -> float:
        stall = self._witness.stall(self.asked_at, now)
        late = now - self.deadline  # we should have been here then
        if late > stall.late_s:
            stall = Stall(late, stall.waited_s)
        return excuse_s(stall, self._first, last, self._witness.cores)


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
