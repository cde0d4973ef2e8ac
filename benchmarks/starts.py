"""What the box costs: a bot's start, and decisions a second, with and without it.

    python -m benchmarks.starts [--runs N] [--starts N] [--deals N]

A C bot, so that its own start costs next to nothing; everything on one core; the two
in turn, so that a machine whose speed drifts slows them alike.
"""

import argparse
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

from arena import burial
from arena.botspec import command_bot
from arena.host import box_fault
from arena.process import BotProcess
from arena.sandbox import Level, Limits
from benchmarks.common import c_bot, in_turn, pin_to_one_core

HELLO = b'{"id":0,"type":"hello","protocol":"trianon-arena","version":1}\n'


def start_ms(bot: Path, level: Level, starts: int) -> float:
    """Return the mean time from a start to the first byte of an answer."""
    spec = command_bot([str(bot)], bot.parent)
    total = 0.0
    for _ in range(starts):
        began = time.perf_counter()
        process = BotProcess(spec, level, Limits())
        os.write(process.stdin.fileno(), HELLO)
        select.select([process.stdout], [], [])
        total += time.perf_counter() - began
        process.kill()
        while not process.reap():
            time.sleep(0.0002)
        process.close()
    return 1000 * total / starts


def rate(bot: Path, level: Level, deals: int) -> float:
    """Return decisions a second of one ``trianon play``."""
    command = [sys.executable, "-m", "tournaments.cli", "play", *[str(bot)] * 3]
    command += ["--json", "--seed", "bench", "--deals", str(deals)]
    command += ["--sandbox", level.value]
    result = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    moves: int = sum(player["moves"] for player in result["players"])
    return 1000 * moves / int(result["wall_ms"])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--starts", type=int, default=30)
    parser.add_argument("--deals", type=int, default=150)
    given = parser.parse_args()
    fault = box_fault()
    if fault is not None:
        sys.exit(f"no box here: {fault}")
    burial.become_subreaper()
    pin_to_one_core()
    bot = c_bot()
    plain, boxed = in_turn(
        given.runs,
        lambda: start_ms(bot, Level.LIMITS, given.starts),
        lambda: start_ms(bot, Level.BWRAP, given.starts),
    )
    print(f"ms from a start to the first byte, C bot, one core, median of {given.runs}")
    print(f"  limits  {plain[1]:>8.2f}  ({plain[0]:.2f} to {plain[2]:.2f})")
    print(f"  box     {boxed[1]:>8.2f}  ({boxed[0]:.2f} to {boxed[2]:.2f})")
    print(f"  the box adds {boxed[1] - plain[1]:.2f} ms")
    plain, boxed = in_turn(
        given.runs,
        lambda: rate(bot, Level.LIMITS, given.deals),
        lambda: rate(bot, Level.BWRAP, given.deals),
    )
    print(f"decisions a second, three C bots, one core, median of {given.runs}")
    print(f"  limits  {plain[1]:>8,.0f}  ({plain[0]:,.0f} to {plain[2]:,.0f})")
    print(f"  box     {boxed[1]:>8,.0f}  ({boxed[0]:,.0f} to {boxed[2]:,.0f})")
    print(f"  box / limits  {boxed[1] / plain[1]:.3f}")


if __name__ == "__main__":
    main()
