"""Decisions a second through real bots, beside bare loops over the very same lines.

    python -m benchmarks.decisions [--runs N] [--deals N]

The floors send the lines of a whole match to the same bots and do nothing with the
answers: one in C, with nothing but pipes; one in trio, with ``send_all`` and
``receive_some`` inside ``fail_after``.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO

import trio

from arena.record import read_record
from arena.verify import Sent, lines_sent
from benchmarks.common import Row, build_c, c_bot, compare, one_core, tell

PYTHON_BOT = "first"  # a sample: reads and answers JSON


def rows(runs: int, deals: int) -> Iterator[Row]:
    """Yield decisions a second: C bots on one core and on all, Python bots on one."""
    bot = str(c_bot())
    with tempfile.TemporaryDirectory(prefix="trianon-bench-") as folder:
        record = Path(folder) / "match.jsonl"
        play(bot, deals, record)
        sent = lines_sent(read_record(record))
        c_loop = partial(pipe_loop, bot, sent)
        trio_loop = partial(bare_loop, [bot], sent)
        ours = partial(play, bot, deals)
        written = partial(play, bot, deals, record)
        loop, bare = "bare C pipe loop, one core", "bare trio loop, one core"
        with one_core():
            pinned = {
                loop: c_loop,
                bare: trio_loop,
                "decisions, C bots, one core": ours,
                "decisions, C bots, one core, record": written,
            }
            yield from compare("decisions/s", pinned, bare, runs)
            yield from compare(
                "decisions/s",
                {loop: c_loop, "the same beside C": written},
                loop,
                runs,
            )[1:]
        free = "bare trio loop, all cores"
        unpinned = {free: trio_loop, "decisions, C bots, all cores": ours}
        yield from compare("decisions/s", unpinned, free, runs)
        argv = [sys.executable, str(sample(PYTHON_BOT))]
        slow = "bare trio loop, Python bots"
        with one_core():
            python = {
                slow: partial(bare_loop, argv, sent),
                "decisions, Python bots, one core": partial(play, PYTHON_BOT, deals),
            }
            yield from compare("decisions/s", python, slow, runs)


def sample(name: str) -> Path:
    """Return the program of a sample in Python."""
    return Path(__file__).parent.parent / "sample_bots" / "python" / name / "bot.py"


def play(bot: str, deals: int, record: Path | None = None) -> float:
    """Return decisions a second of one ``trianon play``."""
    command = [sys.executable, "-m", "tournaments.cli", "play", *[bot] * 3]
    command += ["--json", "--seed", "bench", "--deals", str(deals)]
    command += ["--sandbox", "limits"]
    if record is not None:
        command += ["--record", str(record)]
    done = subprocess.run(command, capture_output=True, check=True)
    result = json.loads(done.stdout)
    moves: int = sum(player["moves"] for player in result["players"])
    rate: float = 1000 * moves / result["wall_ms"]
    return rate


def pipe_loop(bot: str, sent: Sequence[Sent]) -> float:
    """Return exchanges a second of the floor in C."""
    lines = b"".join(b"%d %s" % (item.seat, item.line) for item in sent)
    command = [str(build_c("loop")), bot]
    return float(subprocess.run(command, input=lines, stdout=-1, check=True).stdout)


def bare_loop(argv: Sequence[str], sent: Sequence[Sent]) -> float:
    """Return exchanges a second of the floor in trio."""
    bots = [
        subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
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


if __name__ == "__main__":
    tell(rows, __doc__, deals=150)
