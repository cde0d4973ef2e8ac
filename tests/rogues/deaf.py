"""Row 13: reads nothing more once the match has begun.  ``timeout`` to its end."""

import time

from tests.rogues._wire import Request, play, reply


def ignore(request: Request, _seen: int) -> None:
    reply(request)
    time.sleep(600)


play(ignore, on="start")
