"""Row 23, bounded: many orphans that die at once.  They are reaped, it plays on."""

import os

from tests.rogues._wire import Request, play


def fork(_request: Request, _seen: int) -> None:
    for _ in range(5):
        if os.fork() == 0:
            os.fork()
            os._exit(0)
        os.wait()


play(fork)
