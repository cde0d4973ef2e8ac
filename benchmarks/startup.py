"""What starting costs: commands beside the bare imports that they cannot do without.

    python -m benchmarks.startup [--runs N]

Processor time of whole processes, so that a busy machine tells much the same; only
the last two are waited for by the clock: from the command to the first bot's start.
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.common import Measure, Row, c_bot, compare, tell

NEEDED: Final = (
    "import click, trio\n"
    "from pydantic import BaseModel\n"
    "class One(BaseModel):\n"
    "    number: int"
)
"""Command line, event loop, and models with one that is built."""


def rows(runs: int) -> Iterator[Row]:
    """Yield milliseconds to start."""
    trianon = [sys.executable, "-m", "tournaments.cli"]
    bare = "import click"
    helps = {
        "python -c pass": partial(cpu_ms, [sys.executable, "-c", "pass"]),
        bare: partial(cpu_ms, [sys.executable, "-c", bare]),
        "trianon --help": partial(cpu_ms, [*trianon, "--help"]),
        "trianon play --help": partial(cpu_ms, [*trianon, "play", "--help"]),
    }
    yield from compare("ms processor", helps, bare, runs)
    floor = "import click, trio, pydantic"
    both = "import tournaments.cli, arena.play, arena.engine"
    imports = {
        floor: partial(cpu_ms, [sys.executable, "-c", NEEDED]),
        "trianon play, front and engine imported": partial(
            cpu_ms, [sys.executable, "-c", both]
        ),
    }
    yield from compare("ms processor", imports, floor, runs)
    ready: dict[str, Measure] = {
        f"{floor}, waited": partial(wall_ms, [sys.executable, "-c", NEEDED]),
        "trianon play, to the first bot's start": first_bot_ms,
    }
    yield from compare("ms", ready, f"{floor}, waited", runs)


def cpu_ms(command: list[str]) -> float:
    """Return the processor time of a command and its children."""
    used = _run(command)[1]
    return 1000 * (used.ru_utime + used.ru_stime)


def wall_ms(command: list[str]) -> float:
    """Return how long a command takes."""
    return 1000 * _run(command)[0]


def first_bot_ms() -> float:
    """Return how long ``trianon play`` takes to the start of its first bot."""
    with tempfile.TemporaryDirectory(prefix="trianon-bench-") as folder:
        bot, told = Path(folder) / "bot", Path(folder) / "told"
        bot.write_text(f"#!/bin/sh\ndate +%s%N >>{told}\nexec {c_bot()}\n")
        bot.chmod(0o755)
        command = [sys.executable, "-m", "tournaments.cli", "play", *[str(bot)] * 3]
        began = time.time_ns()
        _run([*command, "--deals", "1", "--sandbox", "none"])
        first = min(int(word) for word in told.read_text().split())
        return (first - began) / 1e6


def _run(command: list[str]) -> tuple[float, resource.struct_rusage]:
    """Return how long a command has taken, and what it has used."""
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    # As users have it: what was compiled once is kept.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    pid = os.posix_spawn(command[0], command, env, file_actions=quiet)
    _, status, used = os.wait4(pid, 0)
    took = time.perf_counter() - began
    if status != 0:
        sys.exit(f"{' '.join(command)} has failed")
    return took, used


if __name__ == "__main__":
    tell(rows, __doc__)
