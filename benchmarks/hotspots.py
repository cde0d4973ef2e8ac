"""Where the arena's own time of a decision goes: a sampled profile of one engine.

    python -m benchmarks.hotspots [--deals N] [--folded FILE]

The engine runs in this process, with real C bots and a record, all on one core.  A
timer that counts our own processor time, in Python and in the kernel for us, looks at
each tick of the kernel at which line runs.  ``--folded`` writes the stacks in the form
that flame graph programs read.
"""

import argparse
import os
import resource
import signal
import socket
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Final

import arena
from arena.botspec import command_bot
from arena.engine import engine_main
from arena.games import GAMES
from arena.orders import REPORT, Finished, PlayOrder
from arena.result import MatchResult
from arena.sandbox import Level, Limits
from arena.setup import MatchSetup
from benchmarks.common import c_bot, one_core

EVERY_S: Final = 0.001
DEPTH: Final = 60
PARTS: Final = {
    "arena/games/": "the rules",
    "arena/referee": "the referee",
    "arena/desk": "the referee",
    "arena/ledger": "the referee",
    "arena/clock": "the referee",
    "arena/record": "the record",
    "protocol/judge": "reading the answer",
    "protocol/messages": "reading the answer",
    "protocol/codec": "writing the request",
    "protocol/snapshots": "writing the request",
    "protocol/": "events",
    "pydantic/": "reading the answer",
    "arena/bots": "pipes: read, write, wait",
    "arena/process": "pipes: read, write, wait",
    "arena/match": "carrying out, clock",
    "arena/stopwatch": "carrying out, clock",
    "trio/": "trio",
    "arena/": "the rest of the arena",
}
"""By the place of the line that runs, the first that fits; a call into C, such as a
``read``, is its caller's."""


class Sampler:
    """Counts the stacks that it finds."""

    def __init__(self) -> None:
        self.stacks: Counter[tuple[str, ...]] = Counter()

    def look(self, _number: int, frame: FrameType | None) -> None:
        """Note the stack, the innermost frame last: a handler of the timer."""
        stack: list[str] = []
        while frame is not None and len(stack) < DEPTH:
            code = frame.f_code
            stack.append(f"{_short(code.co_filename)}:{code.co_qualname}")
            frame = frame.f_back
        self.stacks[tuple(reversed(stack))] += 1


def _short(path: str) -> str:
    """Return a path from its package on."""
    for root in ("/site-packages/", f"{Path(__file__).parent.parent}/"):
        if root in path:
            return path.split(root)[-1]
    return path.rsplit("/", 1)[-1]


def play(deals: int, folder: Path, sampler: Sampler) -> MatchResult:
    """Play one match by an engine in this process, and watch it."""
    bot = c_bot()
    spec = command_bot([str(bot)], bot.parent)
    order = PlayOrder(
        setup=MatchSetup(
            game="trianon",
            options=GAMES["trianon"].options({"deals": deals}),
            match="play/1",
            names=("a", "b", "c"),
            deal_seed="profile",
            seed="profile",
            arena=arena.__version__,
        ),
        bots=(spec, spec, spec),
        level=Level.LIMITS,
        limits=Limits(),
        record=str(folder / "match.jsonl"),
    )
    ours, theirs = socket.socketpair()
    guard, alive = os.pipe()
    results: list[MatchResult] = []

    def front() -> None:
        ours.sendall(order.wire().encode("ascii") + b"\n")
        with ours.makefile("rb") as reports:
            for line in reports:
                report = REPORT.validate_json(line)
                if isinstance(report, Finished):
                    results.append(report.result)
                    ours.shutdown(socket.SHUT_WR)

    thread = threading.Thread(target=front)
    thread.start()
    signal.signal(signal.SIGPROF, sampler.look)
    signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)
    try:
        engine_main(theirs, guard, 1)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        theirs.close()
        thread.join()
        for end in (guard, alive):
            os.close(end)
    return results[0]


def part_of(stack: tuple[str, ...]) -> str:
    """Return the part that the innermost line belongs to, or that called it."""
    for frame in reversed(stack):
        for place, part in PARTS.items():
            if frame.startswith(place):
                return part
    return "the rest"


def main() -> None:
    """Profile and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--folded", type=Path, help="write the stacks to this file")
    given = parser.parse_args()
    sampler = Sampler()
    with tempfile.TemporaryDirectory(prefix="trianon-bench-") as name, one_core():
        before = resource.getrusage(resource.RUSAGE_SELF)
        result = play(given.deals, Path(name), sampler)
        after = resource.getrusage(resource.RUSAGE_SELF)
    moves = sum(player.moves for player in result.players)
    user, kernel = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    own_us = 1e6 * (user + kernel) / moves
    total = sampler.stacks.total()
    print(
        f"{moves:,} decisions, {1000 * moves / result.wall_ms:,.0f} a second; "
        f"{own_us:.1f} us of our processor time each, "
        f"{kernel / (user + kernel):.0%} of it in the kernel; {total:,} samples\n"
    )
    parts: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for stack, count in sampler.stacks.items():
        parts[part_of(stack)] += count
        lines[stack[-1]] += count
    for title, counted in (("part", parts), ("function, by itself", lines)):
        print(f"{title:<56}{'share':>7}{'us':>8}")
        for name, count in counted.most_common(16):
            share = count / total
            print(f"  {name:<54}{share:>7.1%}{own_us * share:>8.2f}")
        print()
    if given.folded is not None:
        given.folded.write_text(
            "".join(f"{';'.join(s)} {n}\n" for s, n in sampler.stacks.items())
        )


if __name__ == "__main__":
    main()
