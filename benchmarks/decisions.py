"""Decisions a second of ``trianon play``, beside a bare trio loop.

    python -m benchmarks.decisions [--runs N] [--deals N]

Three C bots, everything on one core.  The floor sends the very same lines to the same
bots with ``send_all`` and ``receive_some`` inside ``fail_after``, and does nothing with
the answers.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

import trio

from arena.record import read_record
from arena.verify import Sent, lines_sent
from benchmarks.common import c_bot, in_turn, pin_to_one_core


def play(bot: Path, deals: int, record: Path | None = None) -> float:
    """Return decisions a second of one ``trianon play``."""
    command = [sys.executable, "-m", "tournaments.cli", "play", *[str(bot)] * 3]
    command += ["--json", "--seed", "bench", "--deals", str(deals)]
    if record is not None:
        command += ["--record", str(record)]
    done = subprocess.run(command, capture_output=True, check=True)
    result = json.loads(done.stdout)
    moves: int = sum(player["moves"] for player in result["players"])
    rate: float = 1000 * moves / result["wall_ms"]
    return rate


def bare_loop(bot: Path, sent: list[Sent]) -> float:
    """Return exchanges a second of the floor."""
    bots = [
        subprocess.Popen([bot], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(3)
    ]

    async def run() -> float:
        streams = [(_stream(one.stdin), _stream(one.stdout)) for one in bots]
        began = time.perf_counter()
        for item in sent:
            write, read = streams[item.seat]
            with trio.fail_after(10):
                await write.send_all(item.line)
                data = b""
                while not data.endswith(b"\n"):
                    data += await read.receive_some(65536)
        took = time.perf_counter() - began
        for write, read in streams:
            await write.aclose()
            await read.aclose()
        return len(sent) / took

    rate = trio.run(run)
    for process in bots:
        process.wait()
    return rate


def _stream(pipe: IO[bytes] | None) -> trio.lowlevel.FdStream:
    assert pipe is not None
    with pipe:
        return trio.lowlevel.FdStream(os.dup(pipe.fileno()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--deals", type=int, default=200)
    given = parser.parse_args()
    pin_to_one_core()
    bot = c_bot()
    record = Path(tempfile.mkdtemp(prefix="trianon-bench-")) / "match.jsonl"
    play(bot, given.deals, record)
    sent = lines_sent(read_record(record))
    floor, ours, recorded = in_turn(
        given.runs,
        lambda: bare_loop(bot, sent),
        lambda: play(bot, given.deals),
        lambda: play(bot, given.deals, record),
    )
    print(f"decisions a second, three C bots, one core, median of {given.runs}")
    rows = [
        ("bare trio loop", floor),
        ("trianon play", ours),
        ("trianon play --record", recorded),
    ]
    for name, (low, mid, high) in rows:
        ratio = mid / floor[1]
        print(f"  {name:<24}{mid:>9,.0f}  ({low:,.0f} to {high:,.0f})  {ratio:.2f}")


if __name__ == "__main__":
    main()
