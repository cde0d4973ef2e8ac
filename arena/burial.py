"""Finding and killing whole trees of processes, so that nothing outlives its match.

A bot's children may leave its group and its session; what they cannot leave is the
engine: it is a subreaper (Linux), so that whoever loses his parent becomes its child.
Elsewhere than on Linux only process groups are killed.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection
from pathlib import Path

from arena.sandbox import MARK

_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)
_PROC = Path("/proc")
_ROUNDS = 100  # a fork bomb is stopped before it is killed, so a few are enough


def become_subreaper() -> None:
    """Make orphans below this process its children, where the system can."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(pid: int) -> list[int]:
    """Return the living and dead children of ``pid`` that the system shows us."""
    found: list[int] = []
    try:
        tasks = list((_PROC / str(pid) / "task").iterdir())
    except OSError:
        return found
    for task in tasks:
        try:
            found += map(int, (task / "children").read_text().split())
        except FileNotFoundError:
            if (_PROC / str(pid)).exists():
                return _children_by_scan(pid)
        except OSError:
            continue
    return found


def _children_by_scan(pid: int) -> list[int]:
    """Return the children where the kernel keeps no list of them."""
    found = []
    for entry in _PROC.iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == pid:
                    found.append(int(entry.name))
    return found


def descendants(pid: int) -> list[int]:
    """Return everything below ``pid``, parents first."""
    found: list[int] = []
    wave = children(pid)
    while wave:
        found += wave
        wave = [child for parent in wave for child in children(parent)]
    return found


def kill_group(pid: int, number: signal.Signals = signal.SIGKILL) -> None:
    """Signal the process group that ``pid`` leads, if it is there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def kill_tree(pid: int) -> None:
    """Kill ``pid``, its group, and everything below it."""
    below = descendants(pid)
    kill_group(pid)
    _kill([pid, *below])
    for child in below:
        _kill(descendants(child))


def _kill(pids: Collection[int]) -> None:
    # Stopped first: what is stopped cannot fork between two of our looks.
    for number in (signal.SIGSTOP, signal.SIGKILL):
        _signal(pids, number)


def _signal(pids: Collection[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def stop_tree(pid: int, mark: str) -> list[int]:
    """Stop ``pid``, all below it and its orphans; return whom, for ``go_on``.

    Again and again until nobody runs: who is not stopped yet may fork, and may wake
    who is.
    """
    found: list[int] = []
    for _ in range(_ROUNDS):
        orphans = [
            child
            for child in children(os.getpid())
            if child != pid and _is_marked(child, (mark,))
        ]
        roots = dict.fromkeys((pid, *orphans))
        before = set(found)
        found = [each for root in roots for each in (root, *descendants(root))]
        if before.issuperset(found) and all(_is_stopped(each) for each in found):
            break
        _signal(found, signal.SIGSTOP)
    return found


def _is_stopped(pid: int) -> bool:
    """Tell whether a process runs no more, for now or for ever."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] in "TtZX"


def go_on(pids: Collection[int]) -> None:
    """Let processes that were stopped go on, children first."""
    _signal(list(pids)[::-1], signal.SIGCONT)


def kill_marked(mark: str) -> None:
    """Kill the orphans that carry ``mark``, and all below them; reap none."""
    for pid in marked(mark):
        _kill([pid, *descendants(pid)])


def marked(mark: str) -> list[int]:
    """Return our children that carry ``mark``: a bot itself, and its orphans."""
    return [pid for pid in children(os.getpid()) if _is_marked(pid, (mark,))]


def kill_strays(living: Collection[int], marks: Collection[str]) -> int:
    """Kill and reap orphans that came to us, and return how many are still there.

    Args:
        living: our own children that are to be left alone.
        marks: the marks of bots that still play; their strays are left alone.
    """
    for _ in range(_ROUNDS):
        strays = [pid for pid in children(os.getpid()) if pid not in living]
        doomed = [pid for pid in strays if not _is_marked(pid, marks)]
        if not doomed:
            return 0
        below = [child for pid in doomed for child in descendants(pid)]
        _kill([*doomed, *below])
        reaped = [pid for pid in doomed if reap(pid)]
        if not reaped:
            return len(doomed)
    return 0


def _is_marked(pid: int, marks: Collection[str]) -> bool:
    """Tell whether a process carries, or once was given, one of ``marks``."""
    if not marks:
        return False
    try:
        environ = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return False
    prefix = f"{MARK}=".encode()
    return any(
        entry.startswith(prefix)
        and entry[len(prefix) :].decode("ascii", "replace") in marks
        for entry in environ.split(b"\0")
    )


def reap(pid: int) -> bool:
    """Collect a dead child, and tell whether it was dead."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def bury_everything() -> None:
    """Kill and reap all that is below this process; it returns when nothing is."""
    own = os.getpid()
    while True:
        below = descendants(own)
        _kill(below)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not children(own):
            return
        time.sleep(0.002)  # what was killed needs a moment to die
