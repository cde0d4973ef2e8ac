"""What a bot's start costs, by language and by the level of its box.

    python -m benchmarks.starts [--runs N] [--starts N]

From the start of the process to the first byte of its answer to ``hello``, everything
on one core.  The floor is the C bot, started with bare pipes and nothing around it.
The shipped bots named ``first`` stand for their languages, those that run here.
"""

import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from arena import burial
from arena.botspec import BotSpec, command_bot, read_folder, samples
from arena.builds import built
from arena.host import box_fault
from arena.process import BotProcess
from arena.sandbox import Level, Limits
from benchmarks.common import Row, c_bot, compare, one_core, tell

HELLO: Final = b'{"id":0,"type":"hello","protocol":"trianon-arena","version":1}\n'
SLOW: Final = ("java", "typescript")  # a start of half a second says it all, once


def rows(runs: int, starts: int) -> Iterator[Row]:
    """Yield milliseconds of a start: the C bot at each level, then each language."""
    burial.become_subreaper()
    levels = [Level.LIMITS, Level.BWRAP][: 1 if box_fault() is not None else 2]
    bot = c_bot()
    spec = command_bot([str(bot)], bot.parent)
    bare = "a C bot, bare pipes"
    with one_core():
        measures: dict[str, Callable[[], float]] = {
            bare: partial(bare_ms, [str(bot)], starts)
        }
        for level in levels:
            name = f"start of a C bot, sandbox {level.value}"
            measures[name] = partial(start_ms, spec, level, starts)
        yield from compare("ms", measures, bare, runs)
        for sample in samples().values():
            if sample.needs is None and sample.name.startswith("first"):
                yield from _language(sample.folder, sample.language, levels[-1], runs)


def _language(folder: Path, language: str, level: Level, runs: int) -> Iterator[Row]:
    """Yield the start of a shipped bot, beside the same program with bare pipes."""
    spec = built(read_folder(folder), level, lambda _: None)
    floor = f"{language}, bare pipes"
    starts = 1 if language in SLOW else 3
    measures = {
        floor: partial(bare_ms, spec.argv, starts, spec.cwd),
        f"start of a bot in {language}, sandbox {level.value}": partial(
            start_ms, spec, level, starts
        ),
    }
    yield from compare("ms", measures, floor, runs)


def start_ms(spec: BotSpec, level: Level, starts: int) -> float:
    """Return the mean time from a start to the first byte of an answer."""
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


def bare_ms(
    argv: tuple[str, ...] | list[str], starts: int, cwd: Path | None = None
) -> float:
    """Return the same of a program that is merely started."""
    total = 0.0
    with tempfile.TemporaryFile() as errors:
        for _ in range(starts):
            began = time.perf_counter()
            with subprocess.Popen(
                argv, cwd=cwd, stdin=-1, stdout=-1, stderr=errors
            ) as one:
                assert one.stdin is not None
                assert one.stdout is not None
                os.write(one.stdin.fileno(), HELLO)
                select.select([one.stdout], [], [])
                total += time.perf_counter() - began
                one.kill()
    return 1000 * total / starts


if __name__ == "__main__":
    tell(rows, __doc__, starts=20)
