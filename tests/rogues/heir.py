"""Row 22: exits, and a grandchild holds its stdout.  ``exited``, no wait for it."""

import os
import time

from tests.rogues._wire import Request, play


def leave(_request: Request, seen: int) -> None:
    if seen == 1:
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
        os._exit(0)


play(leave)
