"""Row 31: looks for descriptors that somebody has left open.  0, 1 and 2 are all."""

import contextlib
import os

from tests.rogues._loot import steal


def descriptors() -> object:
    found = []
    for fd in range(3, 1024):
        with contextlib.suppress(OSError):
            os.fstat(fd)
            found.append(fd)
    return found


steal(descriptors)
