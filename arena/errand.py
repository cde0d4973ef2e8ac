"""A program run to its end without a match: a build, a probe of the box.

On the main thread and without trio; started, bounded and buried as bots are.
"""

import contextlib
import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from arena import burial
from arena.botspec import BotSpec
from arena.process import BotProcess
from arena.sandbox import Level, Limits

CHUNK: Final = 64 * 1024
GONE_S: Final = 2.0  # patience with what was killed
LOOK_S: Final = 0.1  # at most between two looks at the clock


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an errand.

    Attributes:
        failure: what went wrong, in words; None when it went well.
        log: the beginning and the end of what it said on stderr.
    """

    failure: str | None
    log: str


@contextmanager
def nothing_left() -> Iterator[None]:
    """Kill and reap, when the block ends, all that came to us in it."""
    burial.become_subreaper()
    before = set(burial.children(os.getpid()))
    try:
        yield
    finally:
        until = time.monotonic() + GONE_S
        while burial.kill_strays(before, ()) and time.monotonic() < until:
            time.sleep(0.002)


def run_errand(
    spec: BotSpec,
    level: Level,
    limits: Limits,
    within_s: float,
    out: IO[bytes],
    max_out: int,
) -> Done:
    """Run a program to its end, its stdout into a file.

    Args:
        spec: how it is started; its stdin is empty.
        level: how far it is kept apart.
        limits: what it may use.
        within_s: seconds that it has.
        out: where its stdout goes.
        max_out: bytes of it that are taken; more is a failure.

    Raises:
        OSError: if no process could be started, or ``out`` not be written.
    """
    with nothing_left():
        bot = BotProcess(spec, level, limits)
        if bot.failure is not None:
            return Done(bot.failure, "")
        try:
            bot.stdin.close()
            failure = _follow(bot, time.monotonic() + within_s, out, max_out)
            if failure is None and not _wait_end(bot, within_s):
                failure = f"it did not end within {within_s:.0f} s"
        finally:
            bury(bot)
    ended = bot.exit
    if bot.over_limit is not None:
        failure = bot.over_limit
    elif failure is None and ended is not None and ended.status != 0:
        failure = bot.exit_text()
    return Done(failure, bot.stderr.text())


def _follow(bot: BotProcess, until: float, out: IO[bytes], max_out: int) -> str | None:
    """Read what it says until it has closed its stdout; return what went wrong."""
    pipes = {bot.stdout, bot.stderr_pipe}
    taken = 0
    while bot.stdout in pipes:
        left_s = until - time.monotonic()
        if left_s <= 0:
            return "it took too long"
        watch_s = min(left_s, bot.watch_memory(), LOOK_S)
        for pipe in select.select(pipes, [], [], watch_s)[0]:
            data = os.read(pipe.fileno(), CHUNK)
            if not data:
                pipes.remove(pipe)
            elif pipe is bot.stderr_pipe:
                bot.stderr.add(data)
            elif (taken := taken + len(data)) > max_out:
                return f"it made more than {max_out // (1024 * 1024)} MiB"
            else:
                out.write(data)
        if bot.over_limit is not None:
            return bot.over_limit
    return None


def _wait_end(bot: BotProcess, within_s: float) -> bool:
    until = time.monotonic() + min(within_s, GONE_S)
    while not bot.reap():
        if time.monotonic() > until:
            return False
        time.sleep(0.001)
    return True


def bury(bot: BotProcess) -> tuple[float, bool]:
    """Kill it; return how many ms it took to go, and whether anything was left."""
    began = time.monotonic()
    bot.kill()
    while not (is_gone := bot.reap() and not _left(bot)):
        if time.monotonic() > began + GONE_S:
            break
        time.sleep(0.0005)
    took_ms = 1000 * (time.monotonic() - began)
    if bot.status is None:
        burial.kill_tree(bot.pid)
        os.waitpid(bot.pid, 0)
    with contextlib.suppress(OSError, ValueError):
        bot.stderr.add(os.read(bot.stderr_pipe.fileno(), CHUNK))
    bot.close()
    return took_ms, not is_gone


def _left(bot: BotProcess) -> bool:
    mark = bot.mark.encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                if mark in (entry / "environ").read_bytes():
                    return True
    return False
