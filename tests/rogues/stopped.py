"""Row 21: stops itself.  ``timeout`` until it is out, ``strikes``."""

import os
import signal

from tests.rogues._wire import Request, play


def stop(_request: Request, _seen: int) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


play(stop)
