"""What the system knows of a bot while it is silent: processor time, states, pipes.

Reads /proc; elsewhere than on Linux nothing is known, and that is said.
"""

import array
import contextlib
import fcntl
import os
import sys
import termios
from pathlib import Path
from typing import Final, NamedTuple

from arena import burial
from arena.diagnosis import explained
from arena.diagnosis_start import why_no_start
from arena.process import BotProcess

_PROC: Final = Path("/proc")


class Vitals(NamedTuple):
    """One look at a bot's processes.

    Attributes:
        cpu_ms: processor time of all of them so far.
        is_running: whether one of them computes just now.
        is_stopped: whether one of them is stopped, as by SIGSTOP.
        unread: bytes that were sent to it and that it has not read.
        programs: the names of what runs.
    """

    cpu_ms: int
    is_running: bool
    is_stopped: bool
    unread: int
    programs: tuple[str, ...]


def look_at(bot: BotProcess) -> Vitals | None:
    """Return what the system tells of a living bot; None where it tells nothing."""
    if sys.platform != "linux" or bot.failure is not None or bot.status is not None:
        return None
    ticks = 0
    states = set()
    programs = []
    for pid in (bot.pid, *burial.descendants(bot.pid)):
        try:
            text = (_PROC / str(pid) / "stat").read_text()
        except OSError:  # it has gone meanwhile
            continue
        name, _, rest = text.partition("(")[2].rpartition(")")
        fields = rest.split()
        states.add(fields[0])
        ticks += sum(map(int, fields[11:15]))  # proc(5): utime stime cutime cstime
        programs.append(name)
    if not programs:
        return None
    return Vitals(
        cpu_ms=ticks * 1000 // os.sysconf("SC_CLK_TCK"),
        is_running="R" in states,
        is_stopped="T" in states,
        unread=_unread(bot) + len(bot.backlog),
        programs=tuple(programs),
    )


def _unread(bot: BotProcess) -> int:
    count = array.array("i", [0])
    with contextlib.suppress(OSError, ValueError):
        fcntl.ioctl(bot.stdin.fileno(), termios.FIONREAD, count)
    return count[0]


def why_out(bot: BotProcess, text: str, is_first: bool) -> str:
    """Return why a bot is out, with the usual cause behind it."""
    start = None
    if is_first and (bot.failure is not None or bot.status is not None):
        start = why_no_start(bot.spec.argv[0], bot.spec.path)
    return explained(text, bot.stderr.text(), is_first, start)
