"""What is remembered of the matches of a tournament, one after the other.  Pure.

Of each bot the few matches that its page shows, the faults by their codes, and the
curve of the ratings.  It takes little room however many matches there are.
"""

import json
from bisect import insort
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tournaments.reading import MatchLine
from tournaments.table import MATCHES
from tournaments.web.curve import Curve, Point

SLOWEST: Final = 5
FAULTY: Final = 20


@dataclass(frozen=True, slots=True)
class Memory:
    """What a bot's page shows of single matches.

    Attributes:
        slowest: its slowest answers, in ms, each with the match it was in.
        best: the match that it won by most, and by how many points.
        worst: the one that it lost by most, and by how many points less than the best.
        codes: its faults by their codes, and its outs by theirs.
        faulty: its last matches with a fault or an out, the newest first.
    """

    slowest: tuple[tuple[int, MatchLine], ...] = ()
    best: tuple[int, MatchLine] | None = None
    worst: tuple[int, MatchLine] | None = None
    codes: tuple[tuple[str, int], ...] = ()
    faulty: tuple[MatchLine, ...] = ()


@dataclass(slots=True)
class _Bot:
    slowest: list[tuple[int, int, MatchLine]] = field(default_factory=list)
    best: tuple[int, MatchLine] | None = None
    worst: tuple[int, MatchLine] | None = None
    codes: Counter[str] = field(default_factory=Counter)
    faulty: deque[MatchLine] = field(default_factory=lambda: deque(maxlen=FAULTY))

    def add(self, line: MatchLine, seat: int, margin: int) -> None:
        player = line.players[seat]
        if self.best is None or margin > self.best[0]:
            self.best = margin, line
        if self.worst is None or margin < self.worst[0]:
            self.worst = margin, line
        if len(self.slowest) < SLOWEST or player.slowest_ms > self.slowest[0][0]:
            insort(self.slowest, (player.slowest_ms, -line.number, line), key=_order)
            del self.slowest[:-SLOWEST]
        if player.faults or player.out:
            self.faulty.appendleft(line)
            self.codes.update(fault["code"] for fault in faults_in(line, seat))
            if player.out:
                self.codes[player.out] += 1


class History:
    """The matches seen so far.

    Args:
        bots: the entrants; house bots are none.
    """

    def __init__(self, bots: Sequence[str]) -> None:
        self.names = tuple(bots)
        self.last_number = 0
        self.matches = 0
        self._bots = {bot: _Bot() for bot in bots}
        self._blocks: dict[tuple[str, int], list[MatchLine]] = {}
        self._curve = Curve(bots)

    def add(self, line: MatchLine) -> None:
        """Take in the next finished match."""
        self.last_number = line.number
        self.matches += 1
        if line.has_house:
            return
        margins = _margins(*(player.score for player in line.players))
        for seat, player in enumerate(line.players):
            self._bots[player.bot].add(line, seat, margins[seat])
        key = line.triple, line.block
        block = self._blocks.setdefault(key, [])
        block.append(line)
        if len(block) == MATCHES:
            del self._blocks[key]
            names = line.triple.split("+")
            self._curve.add(names, _scores(block, names), self.matches)

    @property
    def points(self) -> tuple[Point, ...]:
        """The curve so far; the ratings are in the order of ``names``."""
        return tuple(self._curve.points)

    def memories(self) -> dict[str, Memory]:
        """Return what is remembered of each bot."""
        return {
            name: Memory(
                tuple((ms, line) for ms, _, line in reversed(bot.slowest)),
                bot.best,
                bot.worst,
                tuple(bot.codes.most_common()),
                tuple(bot.faulty),
            )
            for name, bot in self._bots.items()
        }


def faults_in(line: MatchLine, seat: int) -> list[dict[str, Any]]:
    """Return the faults of a seat as the result lists them."""
    if line.result is None:
        return []
    faults: list[dict[str, Any]] = json.loads(line.result)["players"][seat]["faults"]
    return faults


def _order(item: tuple[int, int, MatchLine]) -> tuple[int, int]:
    return item[:2]


def _margins(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Return by how many points each is ahead of the better of the others."""
    return a - max(b, c), b - max(a, c), c - max(a, b)


def _scores(block: Sequence[MatchLine], names: Sequence[str]) -> list[float | None]:
    """Return what each bot scored in a block, in points a deal."""
    scores: list[float | None] = []
    for name in names:
        own = [p for line in block for p in line.players if p.bot == name]
        deals = sum(player.deals for player in own)
        points = sum(player.points for player in own)
        scores.append(points / deals if deals else None)
    return scores
