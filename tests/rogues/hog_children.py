"""Row 24: four children, each with less than it may have.  Out, ``over_limit``."""

import os
import time

from tests.rogues._wire import Request, play

MEGABYTE = 1024 * 1024
EACH = 200  # MiB


def take(_request: Request, seen: int) -> None:
    if seen == 0:
        for _ in range(4):
            if os.fork() == 0:
                held = bytearray(b"x") * (EACH * MEGABYTE)
                time.sleep(600)
                os._exit(held[0])
        time.sleep(600)


play(take)
