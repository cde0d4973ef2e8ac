"""Who is to blame for a late answer: the bot, or an arena that was not itself.  Pure.

Two things excuse a bot: the engine's own loop was late, so that an answer lay unread;
or the bot was ready to run and got no processor.  Neither does where this table's own
bots have used the processors: a bot cannot stall the machine and be excused for it.

What bounds their part: nobody waits for a processor while one is free, so bots that
have used ``cpu_s`` seconds on ``n`` processors have kept nobody waiting for more than
``cpu_s / n``.  What is above that is not theirs (docs/decisions/0006).
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

STALL_S: Final = 0.5
"""How late the engine may be in the time of one answer and still blame a bot."""
BEAT_S: Final = 0.1
"""How often the engine looks whether it is late itself."""
SLIP_S: Final = 0.05
"""A beat that is no later than this is in time: any busy machine does it."""
STARVED_SHARE: Final = 0.5
"""Of the time between two looks, how much a bot must have waited to be excused."""
MOST_ADDED_S: Final = 30.0
"""What a deadline is put off by at most, where a match is not played again."""
MOST_STALLS: Final = 1000


class Stall(NamedTuple):
    """How late the engine was, in seconds.

    ``waited_s`` of it was spent ready to run and without a processor; None where the
    system does not tell.
    """

    late_s: float
    waited_s: float | None


NO_STALL: Final = Stall(0.0, 0.0)


class Thread(NamedTuple):
    """One thread since its start, in seconds: how long it ran, how long it waited.

    ``is_ready``: it runs or waits for a processor now.  ``cores``: how many processors
    it may use.
    """

    ran_s: float
    waited_s: float
    is_ready: bool
    cores: int


@dataclass(frozen=True, slots=True)
class Look:
    """What the system told of a table at one moment.

    Attributes:
        at_s: when, on the engine's clock.
        table_s: processor time of all processes of the three bots so far.
        bot_s: that of the bot on turn.
        threads: those of the bot on turn, by number; not those that have stepped back
            behind others of their own will (nice, idle).
    """

    at_s: float
    table_s: float
    bot_s: float
    threads: Mapping[int, Thread]


class Pulse:
    """The engine's account of its own lateness.

    It is to beat every ``BEAT_S`` seconds; every beat that comes late is noted, and one
    that is overdue counts before it has come.
    """

    def __init__(self, now_s: float, waited_s: float | None = None) -> None:
        self._due = now_s + BEAT_S
        self._waited = waited_s
        self._stalls: deque[tuple[float, float, float | None]] = deque(
            maxlen=MOST_STALLS
        )

    def beat(self, now_s: float, waited_s: float | None) -> None:
        """Note how late this beat is.

        Args:
            now_s: the time.
            waited_s: how long the engine has waited for a processor since its start.
        """
        if now_s - self._due > SLIP_S:
            self._stalls.append((self._due, now_s, self._since(now_s, waited_s)))
        self._due = now_s + BEAT_S
        self._waited = waited_s

    def stall(self, since_s: float, now_s: float, waited_s: float | None) -> Stall:
        """Return how late the engine was from ``since_s`` to ``now_s``."""
        stalls = list(self._stalls)
        if now_s - self._due > SLIP_S:
            stalls.append((self._due, now_s, self._since(now_s, waited_s)))
        late = waited = 0.0
        is_told = True
        for begin, end, wait in stalls:
            part = min(end, now_s) - max(begin, since_s)
            if part <= 0:
                continue
            late += part
            if wait is None:
                is_told = False
            else:  # when it waited is not known: as if all along
                waited += wait * part / (end - begin)
        return Stall(late, waited if is_told else None)

    def _since(self, now_s: float, waited_s: float | None) -> float | None:
        if waited_s is None or self._waited is None:
            return None
        return min(waited_s - self._waited, now_s - self._due)


def excuse_s(stall: Stall, first: Look | None, last: Look | None, cores: int) -> float:
    """Return by how many seconds an answer's lateness is excused; 0: not at all.

    Args:
        stall: the engine's own lateness while the answer was awaited.
        first: a look soon after the request; None where there was none.
        last: a look now; None where the system tells nothing.
        cores: how many processors the engine may use.
    """
    # Without a first look all that the bots ever used counts against them.
    table_s = 0.0
    if last is not None:
        table_s = last.table_s - (first.table_s if first is not None else 0.0)
    waited = stall.late_s if stall.waited_s is None else stall.waited_s
    late = stall.late_s - min(waited, table_s / cores)
    excuse = late if late > STALL_S else 0.0
    if first is not None and last is not None:
        excuse = max(excuse, _starved_s(first, last, table_s))
    return excuse


def _starved_s(first: Look, last: Look, table_s: float) -> float:
    """Return how long a thread waited for others than its own table's bots.

    The longest wait counts, not the sum: a hundred threads that are woken at once
    wait for each other a hundred times.
    """
    window = last.at_s - first.at_s
    longest = 0.0
    for number, now in last.threads.items():
        then = first.threads.get(number, Thread(0.0, 0.0, False, now.cores))
        ran = now.ran_s - then.ran_s
        waited = now.waited_s - then.waited_s
        if ran == 0 and then.is_ready and now.is_ready:
            waited = window  # the kernel counts a wait when it is over
        others_s = max(0.0, table_s - ran)
        cores = min(then.cores, now.cores)
        longest = max(longest, waited - others_s / cores)
    return longest if longest > STARVED_SHARE * window else 0.0
