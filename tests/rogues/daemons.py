"""Row 22: leaves daemons behind (double fork, setsid) that hold its stdout.

With ``crash`` as its argument it then dies.  Nothing is left of them.
"""

import os
import signal
import sys
import time

from tests.rogues._wire import Request, play


def daemon() -> None:
    """Leave a process behind that belongs to nobody."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        os._exit(0)
    os.wait()


def spawn(_request: Request, seen: int) -> None:
    if seen < 3:
        daemon()
    elif "crash" in sys.argv:
        os._exit(1)


play(spawn)
