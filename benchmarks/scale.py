"""Schedules and tables of large tournaments, beside what merely reads the same.

    python -m benchmarks.scale [--runs N] [--bots N] [--matches N]

The table is that of a store with so many finished matches, and the floor is SQLite
counting its rows.  ``python -m benchmarks.fields`` has more of the kind, and larger.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from itertools import combinations, islice
from pathlib import Path

from benchmarks.common import Row, compare, tell
from benchmarks.fields import cup_text, fill, names_of
from benchmarks.startup import cpu_ms
from tournaments.schedule import Plan, pairings
from tournaments.store import FILE


def rows(runs: int, bots: int, matches: int) -> Iterator[Row]:
    """Yield the pace of the schedule, and the cost of a table."""
    floor = "the bare triples of a field"
    schedules = {
        floor: partial(triples_rate, bots, matches),
        "matches scheduled": partial(schedule_rate, bots, matches),
    }
    yield from compare("matches/s", schedules, floor, runs)
    with tempfile.TemporaryDirectory(prefix="trianon-bench-") as root:
        folder = Path(root) / "cup"
        folder.mkdir()
        (folder / "cup.toml").write_text(cup_text(bots, "all", "none", "first"))
        fill(folder, bots, matches)
        floor = f"count of {matches:,} matches in SQLite"
        count = f"import sqlite3; sqlite3.connect({str(folder / FILE)!r})"
        count += ".execute('SELECT count(*) FROM players').fetchall()"
        table = [sys.executable, "-m", "tournaments.cli", "table", str(folder)]
        tables = {
            floor: partial(cpu_ms, [sys.executable, "-c", count]),
            f"trianon table of {matches:,} matches, {bots} bots": partial(
                cpu_ms, table
            ),
        }
        yield from compare("ms processor", tables, floor, runs)


def schedule_rate(bots: int, matches: int) -> float:
    """Return matches a second of a schedule that is made."""
    plan = Plan("cup", "scale", names_of(bots), 1_000_000)
    began = time.process_time()
    count = sum(1 for _ in islice(pairings(plan), matches))
    return count / (time.process_time() - began)


def triples_rate(bots: int, matches: int) -> float:
    """Return the same of nothing but the names, six times each."""
    names = names_of(bots)
    began = time.process_time()
    every = (triple for triple in combinations(names, 3) for _ in range(6))
    count = sum(1 for _ in islice(every, matches))
    return count / (time.process_time() - began)


if __name__ == "__main__":
    tell(rows, __doc__, bots=60, matches=30_000)
