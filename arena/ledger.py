"""The running account of a match: scores, faults, times, places."""

from collections import Counter
from collections.abc import Sequence

from arena.games.base import Contract
from arena.result import MAX_FAULTS_LISTED, FaultResult
from protocol.events import OutCode, WarningCode
from protocol.hints import COPY_ID
from protocol.judge import Bad, show_line


class Ledger:
    """What the result of a match is made of.  Lists go by seat; times are in ms.

    Attributes:
        deals: finished deals.
        places: 1 to 3; None before the end, and for a void match or a strict end.
        hints: the first warning of each kind that a line was dropped for, in words.
        moves: the bot's own answers that were taken.
        own_deals: finished deals that a bot played to their end itself.
        own_points: its points in those.
        own_contracts: those of them that it declared (in Loyatais: took).
        own_made: contracts of those that were made.
        own_levels: the sum of the tricks that they promised.
        own_undeclared: deals of its own in which nobody declared: Trianon deals.
    """

    def __init__(self) -> None:
        self.deals = 0
        self.scores = [0, 0, 0]
        self.places: list[int] | None = None
        self.outs: list[OutCode | None] = [None, None, None]
        self.faults: list[list[FaultResult]] = [[], [], []]
        self.fault_counts = [0, 0, 0]
        self.warnings: list[Counter[WarningCode]] = [Counter() for _ in range(3)]
        self.hints: list[dict[WarningCode, str]] = [{}, {}, {}]
        self.moves = [0, 0, 0]
        self.time_ms = [0, 0, 0]
        self.slowest_ms = [0, 0, 0]
        self.own_deals = [0, 0, 0]
        self.own_points = [0, 0, 0]
        self.own_contracts = [0, 0, 0]
        self.own_made = [0, 0, 0]
        self.own_levels = [0, 0, 0]
        self.own_undeclared = [0, 0, 0]

    def seated(self) -> list[int]:
        """Return the seats whose bots still play."""
        return [seat for seat in range(3) if self.outs[seat] is None]

    def score(self, points: Sequence[int], contract: Contract | None) -> None:
        """Add a finished deal."""
        self.deals += 1
        for seat in range(3):
            self.scores[seat] += points[seat]
            if self.outs[seat] is None:
                self.own_deals[seat] += 1
                self.own_points[seat] += points[seat]
                self.own_undeclared[seat] += contract is None
        if contract is not None and self.outs[contract.declarer] is None:
            self.own_contracts[contract.declarer] += 1
            self.own_made[contract.declarer] += contract.is_made
            self.own_levels[contract.declarer] += contract.tricks

    def count_time(self, seat: int, took_ms: int) -> None:
        """Add the time of one decision."""
        self.time_ms[seat] += took_ms
        if took_ms > self.slowest_ms[seat]:
            self.slowest_ms[seat] = took_ms

    def warn(
        self, seat: int, code: WarningCode, raw: bytes = b"", hint: str = ""
    ) -> None:
        """Count a warning; the first of each kind is kept in words."""
        counts = self.warnings[seat]
        counts[code] += 1
        if counts[code] == 1 and hint:
            self.hints[seat][code] = f"{hint}: {show_line(raw)}"

    def wrong_id(self, seat: int) -> str | None:
        """Return in words that answers came with ids of requests answered before.

        To each request that was not answered in time one late answer may come; where
        there are more, the bot answers with ids of other requests than it was sent.
        """
        faults = self.faults[seat]
        in_time = sum(fault.code != "timeout" for fault in faults)
        if self.warnings[seat]["late_answer"] <= self.fault_counts[seat] - in_time:
            return None
        return f"{self.hints[seat].get('late_answer', '')}; {COPY_ID}"

    def fault(
        self, seat: int, number: int, deal: int, bad: Bad, line: str | None, played: str
    ) -> None:
        """Count a fault; a result lists the first ones only."""
        self.fault_counts[seat] += 1
        if len(self.faults[seat]) < MAX_FAULTS_LISTED:
            self.faults[seat].append(
                FaultResult(
                    id=number,
                    deal=deal,
                    code=bad.code,
                    text=bad.text,
                    line=line,
                    hint=bad.hint,
                    played=played,
                )
            )


def place(scores: Sequence[int], outs: Sequence[OutCode | None]) -> list[int]:
    """Return each seat's place, 1 to 3 (rules T17 and L12; protocol page, section 6).

    A bot that is out has place 3 whatever its seat scores; the others are placed by
    their scores among themselves, and share a place when they are level.
    """
    seated = [seat for seat in range(3) if outs[seat] is None]
    return [
        1 + sum(scores[other] > scores[seat] for other in seated)
        if seat in seated
        else 3
        for seat in range(3)
    ]
