"""What a second engine brings: decisions and matches a second, by jobs and cores.

    python -m benchmarks.engines [--runs N] [--deals N] [--matches N]

Tournaments of three C bots, whole: processes, rules, records, store.  Long matches show
decisions, where the arena's loop is what bounds; short ones (a deal each) show what a
match costs that is over at once.  All in turn, so that a machine whose speed drifts
slows them alike; the ratio is that of each run, the median of all.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.host import box_fault
from benchmarks.common import c_bot

ORDERS: Final = 6  # matches a block


@dataclass(frozen=True, slots=True)
class Load:
    """What is played: blocks of six matches, each so many deals."""

    blocks: int
    deals: int
    level: str


@dataclass(frozen=True, slots=True)
class Rate:
    """What came of it, from the first match's start to the last one's end."""

    decisions: float
    matches: float


def play(
    bot: Path | str, load: Load, jobs: int, cores: str, engine: str = "local"
) -> Rate:
    """Return the rates of one ``trianon run``."""
    with tempfile.TemporaryDirectory(prefix="trianon-bench-") as folder:
        cup = Path(folder) / "cup.toml"
        lines = [
            'name = "cup"',
            'game = "trianon"',
            'seed = "bench"',
            f"rounds = {load.blocks}",
            f"jobs = {jobs}",
            f'cores = "{cores}"',
            f'sandbox = "{load.level}"',
            "[options]",
            f"deals = {load.deals}",
        ]
        for number in range(3):
            lines += ["[[bots]]", f'name = "bot{number}"', f'bot = "{bot}"']
        cup.write_text("\n".join(lines) + "\n")
        command = [sys.executable, "-m", "tournaments.cli", "run", str(cup)]
        command += ["--json-events", "--engine", engine]
        began = ended = 0.0
        moves = matches = 0
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                now = time.perf_counter()
                began = began or now
                event = json.loads(line)
                if event["event"] == "match_finished":
                    ended = now
                    matches += 1
                    moves += sum(player["moves"] for player in event["players"])
        if process.returncode != 0 or matches != ORDERS * load.blocks:
            sys.exit("the tournament has failed")
    took = ended - began
    return Rate(moves / took, matches / took)


def compare(
    bot: Path | str, load: Load, runs: int, ways: list[tuple[int, str]]
) -> list[list[Rate]]:
    """Return the rates of each way to play, of each run."""
    rows: list[list[Rate]] = [[] for _ in ways]
    for _ in range(runs):
        for row, (jobs, cores) in zip(rows, ways, strict=True):
            row.append(play(bot, load, jobs, cores))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--deals", type=int, default=150, help="of a long match")
    parser.add_argument("--blocks", type=int, default=40, help="of short matches")
    given = parser.parse_args()
    bot = c_bot()
    ways = [(1, "one"), (2, "auto"), (1, "all"), (2, "all")]
    print(f"three C bots, records and clocks on, median of {given.runs}")
    rows = compare(bot, Load(1, given.deals, "limits"), given.runs, ways)
    base = rows[0]
    for row, (jobs, cores) in zip(rows, ways, strict=True):
        mid = statistics.median(rate.decisions for rate in row)
        ratios = [
            one.decisions / other.decisions
            for one, other in zip(row, base, strict=True)
        ]
        print(
            f"  decisions a second, jobs {jobs}, cores {cores:<5}{mid:>8,.0f}"
            f"  {statistics.median(ratios):.2f} of jobs 1 on one"
        )
    levels = ["limits"] if box_fault() is not None else ["limits", "bwrap"]
    for level in levels:
        load = Load(given.blocks, 1, level)
        for row, (jobs, cores) in zip(
            compare(bot, load, given.runs, ways[:2]), ways, strict=False
        ):
            mid = statistics.median(rate.matches for rate in row)
            print(
                f"  matches of a deal a second, {level:<6}, jobs {jobs}, "
                f"cores {cores:<5}{mid:>6.1f}"
            )


if __name__ == "__main__":
    main()
