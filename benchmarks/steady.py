"""Is a long tournament as fast and as small at its end as at its beginning?

    python -m benchmarks.steady [--runs N] [--matches N] [--window N]

A real tournament of matches of one deal, played by fresh processes of a C bot.  The
memory of the front and of each of its engines is read after a tenth of the matches and
at the end; the time of a match is that of the first ``window`` matches and of the last.
A long one:  --runs 1 --matches 10000 --window 1000
"""

import os
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common import Row, tell
from benchmarks.cups import A_BLOCK, Cup, finished


@dataclass(frozen=True, slots=True)
class Course:
    """What one tournament has shown; memory by process, in MB."""

    early: dict[int, float]
    late: dict[int, float]
    first_ms: float
    last_ms: float


def rows(runs: int, matches: int, window: int) -> Iterator[Row]:
    """Yield the memory and the pace of a run, early and late."""
    courses = [play(matches, window) for _ in range(runs)]
    early = [max(one.early.values()) for one in courses]
    late = [max(one.late.values()) for one in courses]
    at, name = matches // 10, "memory of our largest process"
    yield _row(f"{name}, match {at:,}", "MB", early)
    yield _row(f"{name}, match {matches:,}", "MB", late, f"match {at:,}", early)
    first = [one.first_ms for one in courses]
    last = [one.last_ms for one in courses]
    name = "time a match"
    yield _row(f"{name}, the first {window:,}", "ms", first)
    yield _row(f"{name}, the last {window:,}", "ms", last, "the first", first)


def _row(
    name: str,
    unit: str,
    figures: list[float],
    beside: str | None = None,
    floors: list[float] | None = None,
) -> Row:
    ratio = None
    if floors is not None:
        ratio = statistics.median(a / b for a, b in zip(figures, floors, strict=True))
    middle = statistics.median(figures)
    return Row(name, middle, unit, min(figures), max(figures), beside, ratio)


def play(matches: int, window: int) -> Course:
    """Play a tournament of about so many matches, and look at it from outside."""
    ended: list[float] = []
    early: dict[int, float] = {}
    late: dict[int, float] = {}
    for match in finished(Cup(matches, deals=1, jobs=2)):
        ended.append(match.at)
        if match.number == max(1, matches // 10):
            early = memory(match.front)
        elif match.number == matches - A_BLOCK:
            late = memory(match.front)
    return Course(early, late, pace_ms(ended[: window + 1]), pace_ms(ended[-window:]))


def pace_ms(ended: list[float]) -> float:
    """Return the milliseconds from one end of a match to the next."""
    return 1000 * (ended[-1] - ended[0]) / (len(ended) - 1)


def memory(front: int) -> dict[int, float]:
    """Return the memory of our own processes below and with ``front``, in MB."""
    found: dict[int, float] = {}
    waiting = [front]
    executable = os.path.realpath(f"/proc/{front}/exe")
    while waiting:
        pid = waiting.pop()
        try:
            if os.path.realpath(f"/proc/{pid}/exe") != executable:
                continue  # a bot
            status = Path(f"/proc/{pid}/status").read_text()
            tasks = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        except OSError:
            continue
        lines = [line for line in status.splitlines() if line.startswith("VmRSS:")]
        if lines:
            found[pid] = int(lines[0].split()[1]) * 1024 / 1e6
        waiting += map(int, tasks.split())
    return found


if __name__ == "__main__":
    tell(rows, __doc__, matches=300, window=90)
