"""Row 24: memory that no process has mapped.  There is none to be had."""

import os

from tests.rogues._loot import steal


def nameless_file() -> object:
    fd = os.memfd_create("hog")
    return os.write(fd, b"x")


steal(nameless_file)
