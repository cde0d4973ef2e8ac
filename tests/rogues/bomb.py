"""Row 23, without end: forks as long as it can.  The others start and play."""

import os
import time

from tests.rogues._wire import Request, play


def fork(_request: Request, seen: int) -> None:
    while seen == 0:
        try:
            child = os.fork()
        except OSError:
            return  # no more of them
        if child == 0:
            time.sleep(600)
            os._exit(0)


play(fork)
