"""Ctrl-C and its like, let in only where nothing is half done.

Left alone, Python raises between any two instructions: halfway through our accounts,
or inside a callback of a library, which may swallow the exception or wrap it in an
error of its own.  So what must not be cut in two is ``held``, and where it waits,
whatever came meanwhile is ``let_in``.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from arena.errors import Terminated

STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that end a command in good order."""


class _Gate:
    def __init__(self) -> None:
        self.is_open = False
        self._came: int | None = None

    def knock(self, number: int, _frame: FrameType | None) -> None:
        """Take in a signal."""
        self._came = number
        if self.is_open:
            self.pass_on()

    def pass_on(self) -> None:
        """Raise what has come, if anything has."""
        number, self._came = self._came, None
        if number is None:
            return
        raise KeyboardInterrupt if number == signal.SIGINT else Terminated


_gates: list[_Gate] = []


@contextmanager
def held() -> Iterator[None]:
    """Put off what would stop us: to the next ``let_in``, or to the block's end.

    Signals that are ignored stay so.

    Raises:
        KeyboardInterrupt: at the end, if SIGINT has come and was not let in.
        Terminated: the same for the others of ``STOPPING``.
    """
    gate = _Gate()
    heard = [n for n in STOPPING if signal.getsignal(n) is not signal.SIG_IGN]
    before = {number: signal.signal(number, gate.knock) for number in heard}
    _gates.append(gate)
    try:
        yield
    finally:
        _gates.remove(gate)
        for number, handler in before.items():
            signal.signal(number, handler)
    gate.pass_on()


@contextmanager
def let_in() -> Iterator[None]:
    """Raise what was put off, and whatever comes while the block waits."""
    if not _gates:
        yield
        return
    gate = _gates[-1]
    try:
        gate.is_open = True
        gate.pass_on()
        yield
    finally:
        gate.is_open = False


def look_up() -> None:
    """Raise what was put off: a place to stop in work that is long and never waits."""
    if _gates:
        _gates[-1].pass_on()
