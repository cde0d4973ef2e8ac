"""Row 23, bounded: children at each move, some with a session.  Nothing is left."""

import os
import time

from tests.rogues._wire import Request, play


def fork(_request: Request, seen: int) -> None:
    if seen < 4:
        for number in range(5):
            if os.fork() == 0:
                if number % 2:
                    os.setsid()
                time.sleep(600)
                os._exit(0)


play(fork)
