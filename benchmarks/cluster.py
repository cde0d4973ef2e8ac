"""What a cluster costs beside this machine's own engines, and what kills cost it.

    python -m benchmarks.cluster [--runs N] [--blocks N] [--deals N] [--c]
    python -m benchmarks.cluster --kills [--blocks 50]
    python -m benchmarks.cluster --ends

A real scheduler and real workers of one slot on this machine, each worker on a core of
its own as the local engines are.  Matches of three Python bots, or with ``--c`` of C
bots that answer at once: then it shows most that the front, here on the same cores,
plays every record again.  Local and cluster in turn, so that a machine whose speed
drifts slows them alike.  The pace is that after the first quarter of the matches: what
starting costs is told for itself.  ``--kills``: each of two workers is killed with -9,
then the scheduler, then the same command is given again; the table must be that of an
undisturbed local run, with no match lost or counted twice.  ``--ends``: how long a run
takes to end after Ctrl-C, and after its scheduler is gone.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.cups import A_BLOCK, Cup, finished
from benchmarks.steady import pace_ms
from tests import command
from tests.cluster import Cluster, cluster
from tests.processes import strays, wait_until

comparable_table: Any = command.comparable_table
cup: Any = command.cup  # tests have no annotations
start: Any = command.start
trianon: Any = command.trianon


def on_its_own_core(running: Cluster, number: int) -> None:
    """Start a worker that has one core, as an engine with ``cores = "one"`` has."""
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(every)[number % len(every)]})
    try:
        running.worker()
    finally:
        os.sched_setaffinity(0, every)


@dataclass(frozen=True, slots=True)
class Course:
    """How a run went: seconds to its first match, ms a match once it was going."""

    start_s: float
    match_ms: float


def play(cup: Cup) -> Course:
    """Play a tournament."""
    began = time.perf_counter()
    ended = [match.at for match in finished(cup)]
    return Course(ended[0] - began, pace_ms(ended[len(ended) // 4 :]))


def measure(local: Cup, runs: int, workers: int) -> list[tuple[Course, Course]]:
    """Return how each run went here and there."""
    with (
        tempfile.TemporaryDirectory(prefix="trianon-bench-") as folder,
        cluster(Path(folder), workers=0) as running,
    ):
        for number in range(workers):
            on_its_own_core(running, number)
        here = replace(local, jobs=workers, cores="one" if workers == 1 else "auto")
        there = replace(local, jobs=workers, cores="all", engine=running.url)
        play(replace(there, matches=A_BLOCK, deals=1))  # warm
        return [(play(here), play(there)) for _ in range(runs)]


def compare(runs: int, cup: Cup) -> None:
    """Print what a match costs more there, and what two workers come to."""
    one = measure(cup, runs, 1)
    print(f"{cup.matches} matches of {cup.deals} deals, median of {runs}")
    print("one worker beside one engine")
    _tell("ms a match here", [here.match_ms for here, _ in one])
    _tell("ms a match more", [there.match_ms - here.match_ms for here, there in one])
    _tell("s to start more", [there.start_s - here.start_s for here, there in one])
    two = measure(cup, runs, 2)
    print("two workers beside jobs = 2")
    _tell("matches a second", [1000 / there.match_ms for _, there in two])
    _tell("of the local rate", [here.match_ms / there.match_ms for here, there in two])


def _tell(name: str, figures: Sequence[float]) -> None:
    middle = statistics.median(figures)
    print(f"  {name:<20}{middle:>8.2f}  ({min(figures):.2f} to {max(figures):.2f})")


def lay_out(folder: Path, blocks: int) -> None:
    """Make a cup of so many blocks, of bots that a token tells."""
    folder.mkdir()
    cup(folder, bots=("first", "random", "careful"), rounds=blocks)


def kills(blocks: int) -> None:
    """Play while all are killed, and compare with an undisturbed run."""
    with tempfile.TemporaryDirectory(prefix="trianon-bench-") as name:
        here, there = Path(name) / "here", Path(name) / "there"
        lay_out(here, blocks)
        lay_out(there, blocks)
        undisturbed = start("run", "cup.toml", "--json", cwd=here)
        undisturbed.communicate()
        if undisturbed.returncode != 0:
            sys.exit("the undisturbed run has failed")
        with cluster(there) as running:
            front = start(
                *("run", "cup.toml", "--engine", running.url, "--json-events"),
                cwd=there,
            )
            told: list[str] = []
            victims = [*running.members[1:3], running.scheduler]
            for victim in victims:
                told += _wait_for(front, blocks)
                victim.kill()
                if victim is not running.scheduler:
                    running.worker()
            told += _wait_for(front, 0)
            front.communicate()
            print(f"all killed: exit {front.returncode}, {len(told)} matches told")
            running.start()
            for _ in range(2):
                running.worker()
            again = start(
                *("run", "cup.toml", "--engine", running.url, "--json-events"),
                cwd=there,
            )
            later = _wait_for(again, 0)
            again.communicate()
        twice = len(told + later) - len(set(told + later))
        table = comparable_table(there)
        code, _, _ = trianon("verify", "cup", cwd=there)
        _, out, _ = trianon("table", "cup", "--json", cwd=there)
        print(f"the same command again: exit {again.returncode}, {len(later)} more")
        print(f"finished {table['finished']} of {table['scheduled']}")
        print(f"told twice {twice}; void {json.loads(out)['void']}")
        print(f"verify: exit {code}; the same table: {table == comparable_table(here)}")
        print(f"bots left: {not wait_until(lambda: not strays('bot.py'))}")


def ends() -> None:
    """Print how long runs take to end, and how long their bots live on."""
    with tempfile.TemporaryDirectory(prefix="trianon-bench-") as name:
        there = Path(name) / "there"
        lay_out(there, 1000)
        with cluster(there) as running:
            for what in ("Ctrl-C", "the scheduler killed"):
                front = start(
                    *("run", "cup.toml", "--engine", running.url, "--json-events"),
                    cwd=there,
                )
                _wait_for(front, A_BLOCK)
                began = time.perf_counter()
                if what == "Ctrl-C":
                    front.send_signal(signal.SIGINT)
                else:
                    running.scheduler.kill()
                assert wait_until(lambda: not strays("bot.py"))
                gone = time.perf_counter() - began
                front.communicate()
                ended = time.perf_counter() - began
                print(f"{what}: the last bot gone after {gone:.1f} s; ", end="")
                print(f"exit {front.returncode} after {ended:.1f} s")


def _wait_for(front: "subprocess.Popen[str]", count: int) -> list[str]:
    """Return the next ``count`` matches that are finished; 0: all until it ends."""
    assert front.stdout is not None
    found = []
    for line in front.stdout:
        event = json.loads(line)
        if event["event"] == "match_finished":
            found.append(event["match"])
        if count and len(found) == count:
            break
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--blocks", type=int, default=50)
    parser.add_argument("--deals", type=int, default=1)
    parser.add_argument("--c", action="store_true", help="C bots")
    parser.add_argument("--kills", action="store_true")
    parser.add_argument("--ends", action="store_true")
    given = parser.parse_args()
    if given.kills:
        kills(given.blocks)
    elif given.ends:
        ends()
    else:
        bot = "" if given.c else "first"
        compare(given.runs, Cup(given.blocks * A_BLOCK, given.deals, 1, bot=bot))


if __name__ == "__main__":
    main()
