"""Row 17: answers and exits in one go.  The answer counts; out, ``exited``."""

import os

from tests.rogues._wire import Request, play, reply


def leave(request: Request, seen: int) -> None:
    if seen == 1:
        reply(request)
        os._exit(0)


play(leave)
