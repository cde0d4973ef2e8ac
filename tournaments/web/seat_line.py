"""The line to the relay at the person's seat: a socket in a folder of its own."""

import contextlib
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import trio

from arena.botspec import BotSpec
from arena.errors import ArenaError

MAX_LINE: Final = 64 * 1024  # bytes; the arena's own lines have 16 KiB at most


@contextmanager
def doorway() -> Iterator[tuple[trio.socket.SocketType, Path]]:
    """Listen for a relay where only this user can come, until the block ends.

    Raises:
        ArenaError: if no socket can be there.
    """
    with tempfile.TemporaryDirectory(prefix="trianon-") as folder:
        path = Path(folder) / "seat"
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            try:
                door.bind(str(path))
            except OSError as error:
                raise ArenaError(
                    f"{path}: {error}; set TMPDIR to a folder that can hold a socket"
                ) from error
            door.listen(1)
            yield trio.socket.from_stdlib_socket(door), path


def relay(name: str, path: Path) -> BotSpec:
    """Return the bot that passes on what is said at the socket ``path``."""
    argv = (sys.executable, "-I", "-m", "arena.relay", str(path))
    return BotSpec(name=name, argv=argv, cwd=Path.cwd(), is_human=True)


class RelayLine:
    """The line, once the relay has called."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        # An answer may come while the one before it is still on its way.
        self._sending = trio.Lock()

    async def send(self, line: bytes) -> None:
        """Send a line; that the seat is lost is told by the end of ``lines``."""
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async with self._sending:
                await self._stream.send_all(line)

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield each line that the relay passes on, without its newline, to the end."""
        buffer = bytearray()
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async for data in self._stream:
                buffer += data
                while (end := buffer.find(b"\n")) >= 0:
                    yield bytes(buffer[:end])
                    del buffer[: end + 1]
                if len(buffer) > MAX_LINE:
                    return  # it is not the arena that writes

    async def close(self) -> None:
        """End the line at once: the relay exits."""
        await trio.aclose_forcefully(self._stream)
