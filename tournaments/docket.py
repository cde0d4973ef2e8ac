"""What is played next, and what is not played at all.  Pure: matches in, matches out.

A bot that is out of ``bench_after`` matches in a row is benched: the matches that stand
behind those in the schedule are not played where it would sit.  "In a row" and "behind"
mean the order of the schedule, never that of the clock, so that what counts is the same
however many matches are played at a time, and over stops: a match is settled when all
earlier ones of its three bots are.  One that was played too soon, behind a benching,
is taken back.

No bot sits at more than its share of the running tables while others wait.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from tournaments.schedule import Pairing, Triple

PLAYERS: Final = 3
AHEAD: Final = 36
"""Matches for each running table that are looked through for one that is fair."""


class Due(NamedTuple):
    """A match that is to be played now; ``attempt`` counts from 1."""

    pairing: Pairing
    attempt: int


class Settled(NamedTuple):
    """A match that is not to be played, since ``losers`` are benched.

    Where there are none it counts after all, against what was known before.

    ``was_played``: then its result is there, and is to be taken back if it is benched.
    """

    pairing: Pairing
    losers: frozenset[str]
    was_played: bool


class _State(Enum):
    WAITING = "waiting"
    PLAYING = "playing"
    PLAYED = "played"


@dataclass(slots=True, eq=False)
class _Entry:
    """A match that is not settled yet; ``outs`` are the bots that were out of it."""

    pairing: Pairing
    state: _State = _State.WAITING
    attempt: int = 1
    outs: frozenset[str] = frozenset()


class Docket:
    """The matches of a tournament on their way from the schedule to the table.

    Args:
        schedule: all matches, in their order.
        outs_of: who was out of a match; None of one that is not finished yet.
        bots: those that can be benched.
        bench_after: how many outs in a row bench a bot; 0: none.
        jobs: tables at a time.
        was_benched: whether a match is known as benched, which may count after all.
        is_share: the schedule is a share of a tournament whose other matches are played
            elsewhere.  Then outs in a row are those of one block, since nobody here
            knows of what comes between two; and a match with two bots out benches
            neither, since there the other may have been benched already.  Who is
            benched by that is benched in the whole as well, at that match or before.
    """

    def __init__(
        self,
        schedule: Iterator[Pairing],
        outs_of: Callable[[str], Collection[str] | None],
        bots: Collection[str],
        bench_after: int,
        jobs: int = 1,
        was_benched: Callable[[str], bool] = lambda _match: False,
        is_share: bool = False,
    ) -> None:
        self._schedule = schedule
        self._outs_of = outs_of
        self._bots = frozenset(bots)
        self._bench_after = bench_after
        self._was_benched = was_benched
        self._is_share = is_share
        self._ahead = AHEAD * jobs
        self._share = fair_share(len(bots), jobs)
        self._waiting: list[_Entry] = []
        self._open: dict[str, _Entry] = {}
        self._queues: dict[str, deque[_Entry]] = {}
        self._streaks: Counter[str] = Counter()
        self._last_blocks: dict[str, tuple[Triple, int]] = {}
        self._unsettled_outs: Counter[str] = Counter()
        self._tables: Counter[str] = Counter()
        self._matches: Counter[str] = Counter()
        self._time_ms: Counter[str] = Counter()
        self._settled: list[Settled] = []
        self.benched: set[str] = set()

    # --- what is next ---

    def take(self) -> Due | None:
        """Return the match to play next, or None when there is none now.

        There may be one later, as long as matches are being played.
        """
        best: tuple[int, _Entry] | None = None
        at = 0
        while at < len(self._waiting) or (at < self._ahead and self._draw()):
            if at >= len(self._waiting):
                continue  # what was drawn needs no playing
            entry = self._waiting[at]
            at += 1
            if self._is_held(entry):
                continue
            excess = self._excess(entry)
            if best is None or excess < best[0]:
                best = excess, entry
            if excess == 0:
                break
        if best is None:
            return None
        entry = best[1]
        if entry not in self._waiting:
            return self.take()  # one of its bots was benched while we looked
        self._waiting.remove(entry)
        entry.state = _State.PLAYING
        self._tables.update(entry.pairing.triple)
        return Due(entry.pairing, entry.attempt)

    def draw_all(self) -> list[Pairing]:
        """Go through the schedule to its end; return what would still be to play."""
        while self._draw():
            pass
        return [entry.pairing for entry in self._waiting]

    def _draw(self) -> bool:
        """Take in the next match of the schedule, if there is one."""
        pairing = next(self._schedule, None)
        if pairing is None:
            return False
        entry = _Entry(pairing)
        queues = [self._queues.setdefault(bot, deque()) for bot in pairing.triple]
        outs = self._outs_of(pairing.match)
        if outs is not None:
            self._note(entry, outs)
            if not any(queues):  # nothing before it is open: going on, that is usual
                self._rule(entry)
                return True
        self._open[pairing.match] = entry
        for queue in queues:
            queue.append(entry)
        if outs is None and self.benched.isdisjoint(pairing.triple):
            self._waiting.append(entry)
        self._settle(pairing.triple)
        return True

    def _is_held(self, entry: _Entry) -> bool:
        """Tell whether a match had better wait: it may turn out not to be played.

        A bot's first open match never waits, so the first of all can always be played.
        """
        return any(
            self._streaks[bot] + self._unsettled_outs[bot] >= self._bench_after > 0
            and self._queues[bot][0] is not entry
            for bot in entry.pairing.triple
        )

    def _excess(self, entry: _Entry) -> int:
        """Return how far a match is beyond its bots' shares; a slow bot's is more."""
        return sum(
            1 + self._time_ms[bot] // (self._matches[bot] or 1)
            for bot in entry.pairing.triple
            if self._tables[bot] >= self._share
        )

    # --- what came of it ---

    def void(self, match: str) -> None:
        """Have a match played again, before all others."""
        entry = self._open[match]
        self._tables.subtract(entry.pairing.triple)
        entry.state = _State.WAITING
        entry.attempt += 1
        if self.benched.isdisjoint(entry.pairing.triple):
            self._waiting.insert(0, entry)
        self._settle(entry.pairing.triple)

    def played(
        self, match: str, outs: Collection[str], times_ms: Mapping[str, int]
    ) -> None:
        """Take in a finished match.

        Args:
            match: its name.
            outs: who was out of it.
            times_ms: how long its bots thought.
        """
        entry = self._open[match]
        self._tables.subtract(entry.pairing.triple)
        self._matches.update(times_ms.keys())
        self._time_ms.update(times_ms)
        self._note(entry, outs)
        self._settle(entry.pairing.triple)

    def _note(self, entry: _Entry, outs: Collection[str]) -> None:
        entry.state = _State.PLAYED
        if outs:
            entry.outs = self._bots.intersection(outs)
            self._unsettled_outs.update(entry.outs)

    # --- what is settled ---

    def settled(self) -> list[Settled]:
        """Return what was found out since the last call."""
        settled, self._settled = self._settled, []
        return settled

    def _settle(self, bots: Collection[str]) -> None:
        """Settle all that can be, beginning with the first open matches of ``bots``."""
        doubtful = deque(bots)
        while doubtful:
            queue = self._queues[doubtful.popleft()]
            while queue and self._is_ripe(queue[0]):
                entry = queue[0]
                for bot in entry.pairing.triple:
                    self._queues[bot].popleft()
                del self._open[entry.pairing.match]
                self._rule(entry)
                doubtful.extend(entry.pairing.triple)

    def _is_ripe(self, entry: _Entry) -> bool:
        """Tell whether a match can be settled: all before it of its bots are."""
        triple = entry.pairing.triple
        if any(self._queues[bot][0] is not entry for bot in triple):
            return False
        match entry.state:
            case _State.PLAYED:
                return True
            case _State.WAITING:
                return not self.benched.isdisjoint(triple)
            case _State.PLAYING:
                return False  # its result is on the way, and is to be dropped then

    def _rule(self, entry: _Entry) -> None:
        pairing = entry.pairing
        losers = self.benched.intersection(pairing.triple)
        if losers or self._was_benched(pairing.match):
            was_played = entry.state is _State.PLAYED
            self._settled.append(Settled(pairing, frozenset(losers), was_played))
        if entry.outs:
            self._unsettled_outs.subtract(entry.outs)
        if losers:
            return
        for bot in pairing.triple:
            if bot not in self._bots:
                continue
            self._streaks[bot] = self._row_of(bot, entry)
            if self._streaks[bot] >= self._bench_after > 0:
                self.benched.add(bot)
                self._waiting = [
                    other for other in self._waiting if bot not in other.pairing.triple
                ]

    def _row_of(self, bot: str, entry: _Entry) -> int:
        """Return of how many matches in a row a bot was out, this one the last."""
        row = self._streaks[bot]
        if self._is_share:
            block = entry.pairing.triple, entry.pairing.block
            if self._last_blocks.get(bot) != block:
                self._last_blocks[bot] = block
                row = 0
            if bot in entry.outs and len(entry.outs) > 1:
                return row
        return row + 1 if bot in entry.outs else 0


def fair_share(bots: int, jobs: int) -> int:
    """Return at how many of ``jobs`` tables one of ``bots`` bots may sit at a time.

    Never at all of them, where others could play without it.
    """
    share = -(-PLAYERS * jobs // bots)
    return max(1, min(share, jobs - 1)) if bots > PLAYERS else jobs
