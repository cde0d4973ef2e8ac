"""What to do when a descriptor is ready: a table's pipes and exits, looked at at once.

Linux's epoll is asked by itself, two times a decision; ``selectors``, which every
system has, takes some microseconds more a look.
"""

import select
import selectors
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from typing_extensions import override

MOST_READY: Final = 16  # descriptors told by one look; the others are told by the next

Act = Callable[[], object]


class Readiness(ABC):
    """Descriptors, and what is to be done for each when it is ready."""

    def __init__(self) -> None:
        self._acts: dict[int, Act] = {}

    def watch(self, fd: int, act: Act, *, for_room: bool = False) -> None:
        """Have ``act`` done when ``fd`` can be read, or, ``for_room``, be written.

        Raises:
            ValueError: if it is watched already.
        """
        if fd in self._acts:
            raise ValueError(f"descriptor {fd} is watched already")
        self._register(fd, for_room)
        self._acts[fd] = act

    def unwatch(self, fd: int) -> None:
        """Let go of ``fd`` if it is watched; it may have been closed."""
        if self._acts.pop(fd, None) is not None:
            self._unregister(fd)

    def is_watched(self, fd: int) -> bool:
        """Tell whether anything is to be done for ``fd``."""
        return fd in self._acts

    def look(self, within_s: float) -> None:
        """Do what is to be done, after at most ``within_s`` seconds of waiting."""
        for fd, _ in self._poll(within_s):
            act = self._acts.get(fd)
            if act is not None:  # not let go by an act of this look
                act()

    @abstractmethod
    def fileno(self) -> int:
        """Return a descriptor that can be read when any of ours is ready."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything; closing twice does no harm."""

    @abstractmethod
    def _register(self, fd: int, for_room: bool) -> None: ...

    @abstractmethod
    def _unregister(self, fd: int) -> None: ...

    @abstractmethod
    def _poll(self, within_s: float) -> list[tuple[int, int]]: ...


class SelectorReadiness(Readiness):
    """On every system."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = selectors.DefaultSelector()

    @override
    def fileno(self) -> int:
        # Every selector that can wait in the kernel has one; mypy knows none of them.
        number: int = self._selector.fileno()  # type: ignore[attr-defined,unused-ignore]
        return number

    @override
    def close(self) -> None:
        self._selector.close()

    @override
    def _register(self, fd: int, for_room: bool) -> None:
        event = selectors.EVENT_WRITE if for_room else selectors.EVENT_READ
        self._selector.register(fd, event)

    @override
    def _unregister(self, fd: int) -> None:
        self._selector.unregister(fd)

    @override
    def _poll(self, within_s: float) -> list[tuple[int, int]]:
        return [(key.fd, event) for key, event in self._selector.select(within_s)]


if hasattr(select, "epoll"):

    class EpollReadiness(Readiness):
        """On Linux."""

        def __init__(self) -> None:
            super().__init__()
            self._epoll = select.epoll()

        @override
        def fileno(self) -> int:
            return self._epoll.fileno()

        @override
        def close(self) -> None:
            self._epoll.close()

        @override
        def _register(self, fd: int, for_room: bool) -> None:
            self._epoll.register(fd, select.EPOLLOUT if for_room else select.EPOLLIN)

        @override
        def _unregister(self, fd: int) -> None:
            with suppress(OSError, ValueError):  # closed: it has gone by itself
                self._epoll.unregister(fd)

        @override
        def _poll(self, within_s: float) -> list[tuple[int, int]]:
            return self._epoll.poll(within_s, MOST_READY)


def new_readiness() -> Readiness:
    """Return the quickest of this system."""
    return EpollReadiness() if hasattr(select, "epoll") else SelectorReadiness()
