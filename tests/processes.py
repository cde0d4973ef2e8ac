"""What tests of real processes share: who is there, and what is left."""

import ctypes
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.host import box_fault
from arena.sandbox import MARK

PATIENCE_S = 30.0
SET_CHILD_SUBREAPER = 36  # prctl(2)
needs_box = pytest.mark.skipif(
    box_fault() is not None, reason=f"no box here: {box_fault()}"
)
LEVELS = ["limits", pytest.param("bwrap", marks=needs_box)]


class Found(NamedTuple):
    """A process: ``command`` is empty for a zombie, ``mark`` None for no bot's."""

    pid: int
    parent: int
    state: str
    command: str
    mark: str | None


def processes() -> list[Found]:
    """Return all processes of this machine that we may look at."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
            environ = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        marks = [item for item in environ if item.startswith(MARK.encode() + b"=")]
        mark = marks[0].decode().partition("=")[2] if marks else None
        text = command.decode("utf-8", "replace")
        found.append(Found(int(entry.name), int(stat[1]), stat[0], text, mark))
    return found


def strays(text: str) -> list[Found]:
    """Return the bots, and whatever they have left, whose command line holds it."""
    return [item for item in processes() if item.mark and text in item.command]


def below(pid: int) -> list[int]:
    """Return the children of a process."""
    return [item.pid for item in processes() if item.parent == pid]


def exists(pid: int) -> bool:
    """Tell whether a process is there, be it as a zombie."""
    return Path(f"/proc/{pid}").exists()


def wait_until(is_so: Callable[[], object]) -> bool:
    """Look again and again; return whether it came to be so."""
    until = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def reap(pids: Collection[int]) -> None:
    """Collect those of ``pids`` that have come to us and are dead."""
    for pid in pids:
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            continue


@contextmanager
def orphanage() -> Iterator[None]:
    """Have orphans come to us, so that nobody else reaps what is left."""
    libc = ctypes.CDLL(None)
    libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(SET_CHILD_SUBREAPER, 0, 0, 0, 0)
