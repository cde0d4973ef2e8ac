"""Files that outlive a power failure, where that is asked for.

A rename is whole or not at all after the death of any process, but a failure of power
may lose it, or leave the new name with nothing behind it.  Against that: the file's
bytes, then its new name, are brought to the disk before anything is built on them.
"""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Disk:
    """How files are put in their places; ``is_durable``: to outlive a power failure."""

    is_durable: bool = False

    def put(self, part: Path, path: Path) -> None:
        """Give a finished file its name.

        Raises:
            OSError: if the disk does not take it.
        """
        if self.is_durable:
            _sync(part)
        part.replace(path)
        if self.is_durable:
            _sync(path.parent)

    def keep(self, path: Path) -> None:
        """See that a file that has its name already stays."""
        if self.is_durable:
            _sync(path)
            _sync(path.parent)


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
