"""The watch on memory where no control group bounds it: what a bot's tree has resident.

It looks the more often the nearer a bot is to its limit, so that nothing that can be
written in the meantime carries it far beyond, and a bot that needs little costs little.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

MEGABYTE: Final = 1024 * 1024
PAGE: Final = 4096  # /proc/PID/statm counts in pages; larger ones only see more
SLOW_LOOK_S: Final = 0.1
FAST_LOOK_S: Final = 0.005
GROWTH_A_S: Final = 4096 * MEGABYTE  # what two cores can touch in a second
_PROC: Final = Path("/proc")


def resident(pids: Iterable[int]) -> int:
    """Return the bytes that processes have resident, shared pages counted for each."""
    total = 0
    for pid in pids:
        try:
            total += int((_PROC / str(pid) / "statm").read_text().split()[1]) * PAGE
        except (OSError, IndexError):
            continue
    return total


def proportional(pids: Iterable[int]) -> int:
    """Return the same with shared pages counted once.  Dear: it walks every page."""
    total = 0
    for pid in pids:
        try:
            lines = (_PROC / str(pid) / "smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(x.split()[1]) for x in lines if x.startswith("Pss:")) * 1024
    return total


def next_look_s(used: int, allowed: int) -> float:
    """Return in how many seconds to look again."""
    soon = (allowed - used) / GROWTH_A_S
    return min(SLOW_LOOK_S, max(FAST_LOOK_S, soon))


def over_text(used: int, memory_mb: int) -> str:
    """Say for its author how much it was."""
    return (
        f"it had {-(-used // MEGABYTE)} MiB of memory in use, {memory_mb} MiB are "
        "allowed; use less, or have memory_mb raised"
    )
