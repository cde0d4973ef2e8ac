"""What the benchmarks share: a C bot, one core, medians."""

import atexit
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from arena import cgroups

HERE = Path(__file__).parent


def c_bot() -> Path:
    """Return the compiled C bot, built anew into a temporary folder."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("this benchmark needs a C compiler (Debian: apt-get install gcc)")
    folder = Path(tempfile.mkdtemp(prefix="trianon-bench-"))
    atexit.register(shutil.rmtree, folder)
    target = folder / "first"
    subprocess.run([compiler, "-O2", "-o", target, HERE / "first.c"], check=True)
    return target


def pin_to_one_core() -> None:
    """Keep this process and all that it starts on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def left_behind() -> dict[str, int]:
    """Return how much this machine holds that arenas make and should take away.

    Mounts that we see, control groups, and what is in the temporary folders.
    """
    places = {place for _, place in cgroups.candidates()}
    temporary = {Path(tempfile.gettempdir()), Path("/tmp"), Path("/dev/shm")}  # noqa: S108
    return {
        "mounts": len(Path("/proc/self/mounts").read_text().splitlines()),
        "control groups": sum(
            1 for place in places for _ in place.glob(f"{cgroups.PREFIX}*")
        ),
        "temporary files": sum(
            1 for place in temporary for _ in place.glob("trianon-*")
        ),
    }


def in_turn(
    runs: int, *measures: Callable[[], float]
) -> Sequence[tuple[float, float, float]]:
    """Run the measures in turn, and return (least, median, most) of each.

    A machine whose speed drifts slows them alike.
    """
    rows: list[list[float]] = [[] for _ in measures]
    for _ in range(runs):
        for row, measure in zip(rows, measures, strict=True):
            row.append(measure())
    return [(min(row), statistics.median(row), max(row)) for row in rows]
