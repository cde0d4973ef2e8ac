"""What more matches at a time bring: decisions and matches a second of whole cups.

    python -m benchmarks.jobs [--runs N] [--deals N] [--matches N]

Tournaments of three C bots with records, clocks and store.  Long matches show what the
arena's loop can do; matches of one deal, each with fresh processes, show what a match
costs that is over at once, beside the bare start of its three bots, one after another.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from arena.host import box_fault
from benchmarks.common import Measure, Row, c_bot, compare, tell
from benchmarks.cups import A_BLOCK, Cup, decisions_per_s, matches_per_s
from benchmarks.starts import bare_ms

WAYS: Final = ((1, "all"), (2, "auto"), (2, "all"), (4, "auto"), (4, "all"))


def rows(runs: int, deals: int, matches: int) -> Iterator[Row]:
    """Yield decisions a second by jobs and cores, and matches a second by level."""
    floor = "jobs 1, on one core"
    decisions: dict[str, Measure] = {
        floor: partial(decisions_per_s, Cup(A_BLOCK, deals, 1, cores="one"))
    }
    for jobs, cores in WAYS:
        name = f"decisions in a cup, jobs {jobs}, cores {cores}"
        cup = Cup(A_BLOCK * jobs, deals, jobs, cores=cores)
        decisions[name] = partial(decisions_per_s, cup)
    yield from compare("decisions/s", decisions, floor, runs)
    levels = ("limits",) if box_fault() is not None else ("limits", "bwrap")
    bare = "three bare starts, one after another"
    short: dict[str, Measure] = {bare: _bare}
    for level in levels:
        short[f"matches of a deal, fresh processes, jobs 2, {level}"] = partial(
            matches_per_s, Cup(matches, 1, 2, sandbox=level)
        )
    yield from compare("matches/s", short, bare, runs)


def _bare() -> float:
    return 1000 / (3 * bare_ms([str(c_bot())], 20))


if __name__ == "__main__":
    tell(rows, __doc__, deals=20, matches=60)
