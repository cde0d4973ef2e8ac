"""Row 17: dies of a signal at its first request.  ``exited``; the signal is named."""

import os
import signal

from tests.rogues._wire import Request, play


def die(_request: Request, _seen: int) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


play(die)
