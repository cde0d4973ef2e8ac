"""Row 30: calls out, and calls next door.  Nobody is there."""

import ctypes
import socket
from pathlib import Path

from tests.rogues._loot import steal


def network() -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.connect(("192.0.2.1", 9))
    return "a way out"


def interfaces() -> object:
    return [name for _, name in socket.if_nameindex() if name != "lo"]


def listeners() -> object:
    """Return who listens on TCP, and every socket with a name."""
    tables = [Path("/proc/net") / name for name in ("tcp", "unix")]
    return [line for table in tables for line in table.read_text().splitlines()[1:]]


def shared_files() -> object:
    return list(Path("/dev/shm").iterdir())


def shared_segments() -> object:
    libc = ctypes.CDLL(None)
    return libc.shmget(1234, 4096, 0o1600) >= 0


steal(network, interfaces, listeners, shared_files, shared_segments)
