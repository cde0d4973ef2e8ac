"""Row 17: exits between two of its turns, silently, with status 0.  ``exited``."""

import os
import threading

from tests.rogues._wire import Request, play


def leave(_request: Request, seen: int) -> None:
    if seen == 1:
        threading.Timer(0.005, os._exit, [0]).start()


play(leave)
