"""Starting bubblewrap: its descriptors in their places, and not one more.

``posix_spawn``, since ``subprocess`` cannot give descriptors numbers of our choice.
"""

import fcntl
import os
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Final, Self

from arena.box import BRAKE, FILTER, STATUS, STDIN, STDOUT

CLEAR: Final = 10  # above all numbers that are given to somebody


class Spawned:
    """A box that waits to be let go, and our ends of its pipes.

    Leaving the block closes them, but for those that were taken.
    """

    def __init__(
        self,
        argv: tuple[str, ...],
        env: Mapping[str, str],
        program: bytes,
        *,
        is_leaking: bool = False,
    ) -> None:
        self._open: set[int] = set()
        try:
            stdin, self.stdin = self._pipe()
            self.stdout, stdout = self._pipe()
            self.stderr, stderr = self._pipe()
            brake, self.brake = self._pipe()
            self.status, status = self._pipe()
            filter_read, filter_write = self._pipe()
            os.write(filter_write, program)
            self._close(filter_write)
            places = {
                2: stderr,
                STDIN: stdin,
                STDOUT: stdout,
                FILTER: filter_read,
                BRAKE: brake,
                STATUS: status,
            }
            self.pid = os.posix_spawn(
                argv[0],
                argv,
                env,
                file_actions=[
                    *(() if is_leaking else _strays()),
                    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                    *((os.POSIX_SPAWN_DUP2, fd, at) for at, fd in places.items()),
                ],
                setsid=True,
            )
            for fd in places.values():
                self._close(fd)
        except BaseException:
            self.close()
            raise

    def take(self, fd: int) -> int:
        """Return an end of ours that the caller closes."""
        self._open.remove(fd)
        return fd

    def let_go(self) -> None:
        """Let the box begin."""
        os.write(self.brake, b"x")

    def close(self) -> None:
        """Close what was not taken."""
        while self._open:
            os.close(self._open.pop())

    def _pipe(self) -> tuple[int, int]:
        """Return the ends of a pipe, for reading and for writing."""
        raw = os.pipe()
        self._open.update(raw)
        read, write = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, CLEAR) for fd in raw)
        self._open.update((read, write))
        for fd in raw:
            self._close(fd)
        return read, write

    def _close(self, fd: int) -> None:
        self._open.remove(fd)
        os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _strays() -> Iterator[tuple[int, int]]:
    """Yield what closes the descriptors that whoever started us has left open."""
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 -- names are all we need
        fd = int(name)
        try:
            if fd > 2 and os.get_inheritable(fd):
                yield os.POSIX_SPAWN_CLOSE, fd
        except OSError:  # the one that listed them
            continue
