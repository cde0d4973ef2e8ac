"""What the benchmarks share: C programs, one core, rows of a table.

A benchmark of the table has a function ``rows`` that yields its figures, each beside a
floor or a peer that is measured in the same run, and in turn with it: a machine whose
speed drifts slows them alike, and the ratio of each turn is worth more than its parts.
"""

import argparse
import atexit
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from arena import cgroups

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent
RUNS: Final = 5

Measure: TypeAlias = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Row:
    """A figure, and what it is beside.

    Attributes:
        name: what is measured.
        figure: the median of the runs, in ``unit``.
        low: the least of them.
        high: the most.
        beside: the floor or peer; None for a floor itself.
        ratio: the median of the runs' ratios to ``beside``.
    """

    name: str
    figure: float
    unit: str
    low: float
    high: float
    beside: str | None = None
    ratio: float | None = None


def compare(
    unit: str, measures: Mapping[str, Measure], beside: str | None = None, runs: int = 5
) -> list[Row]:
    """Run the measures in turn, and return a row of each.

    Args:
        unit: what they return.
        measures: by name.
        beside: the one that the others are compared to.
        runs: how often.
    """
    taken: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(runs):
        for name, measure in measures.items():
            taken[name].append(measure())
    rows = []
    for name, figures in taken.items():
        ratio = None
        if beside not in (None, name):
            floors = taken[beside]
            ratio = statistics.median(
                ours / floor for ours, floor in zip(figures, floors, strict=True)
            )
        rows.append(
            Row(
                name=name,
                figure=statistics.median(figures),
                unit=unit,
                low=min(figures),
                high=max(figures),
                beside=beside if ratio is not None else None,
                ratio=ratio,
            )
        )
    return rows


def tell(rows: Callable[..., Iterable[Row]], doc: str | None, **sizes: int) -> None:
    """Be the command line of a benchmark: print its rows as they come.

    Args:
        rows: takes ``runs`` and the sizes by name.
        doc: the help.
        sizes: an option for each, with its default.
    """
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    for name, size in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=size)
    given = vars(parser.parse_args())
    as_json = given.pop("json")
    for row in rows(**given):
        print(json.dumps(asdict(row)) if as_json else line_of(row), flush=True)


def line_of(row: Row) -> str:
    """Return the row as a line of text."""
    beside = "" if row.ratio is None else f"{row.ratio:>7.2f} of {row.beside}"
    spread = f"({number(row.low)} to {number(row.high)})"
    return f"{row.name:<52}{number(row.figure):>12} {row.unit:<13}{spread:<24}{beside}"


def number(figure: float) -> str:
    """Return a figure with as many digits as say something."""
    if abs(figure) >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.1f}" if abs(figure) >= 10 else f"{figure:.2f}"


@cache
def build_c(name: str) -> Path:
    """Return a C program of this folder, built anew into a temporary folder."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("this benchmark needs a C compiler (Debian: apt-get install gcc)")
    folder = Path(tempfile.mkdtemp(prefix="trianon-bench-"))
    atexit.register(shutil.rmtree, folder)
    target = folder / name
    subprocess.run([compiler, "-O2", "-o", target, HERE / f"{name}.c"], check=True)
    return target


def c_bot() -> Path:
    """Return the compiled C bot."""
    return build_c("first")


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and all that it starts on one core, for a while."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


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
