"""Row 29: looks for processes to trace, to kill, to read.  None are but its own."""

import contextlib
import ctypes
import os
import signal
from pathlib import Path

from tests.rogues._loot import steal

PTRACE_ATTACH = 16


def others() -> list[int]:
    """Return the processes that are not of this box: not we, not its first."""
    own = {1, os.getpid(), os.getppid()}
    numbers = (entry.name for entry in Path("/proc").iterdir())
    return [int(name) for name in numbers if name.isdecimal() and int(name) not in own]


def seen() -> object:
    return others()


def killed() -> object:
    """Signal numbers that would be somebody's on the whole machine."""
    hit = []
    for pid in range(2, 5000):
        if pid != os.getpid():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGSTOP)
                hit.append(pid)
    return hit


def traced() -> object:
    return ctypes.CDLL(None).ptrace(PTRACE_ATTACH, 1, None, None) == 0


steal(seen, killed, traced)
