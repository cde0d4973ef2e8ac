"""Files that outlive a power failure, where that is asked for.

A rename is whole or not at all after the death of any process, but a failure of power
may lose it, or leave the new name with nothing behind it.  Against that: the file's
bytes, then its new name, are brought to the disk before anything is built on them.
"""

import errno
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

NO_LINK: Final = frozenset(
    (errno.EXDEV, errno.EPERM, errno.EACCES, errno.EMLINK, errno.ENOTSUP, errno.ENOSYS)
)
"""Why a file has no second name: it lies on another file system, or belongs to somebody
else, or the system has none to give."""


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


def link_or_copy(source: Path, path: Path, part: Path, disk: Disk) -> None:
    """Give a finished file a second name, or copy it where that cannot be.

    Args:
        source: the file, which nobody changes any more.
        path: the second name; a file that is there has been brought before.
        part: where a copy is made, on the disk of ``path``.
        disk: how it is put in its place.

    Raises:
        OSError: if the disk does not take it.
    """
    try:
        os.link(source, path)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in NO_LINK:
            raise
        shutil.copyfile(source, part)
        disk.put(part, path)


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
