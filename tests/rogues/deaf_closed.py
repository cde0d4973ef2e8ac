"""Row 13: closes its stdin once the match has begun.  ``timeout`` to its end."""

import os
import time

from tests.rogues._wire import Request, play, reply


def close(request: Request, _seen: int) -> None:
    reply(request)
    os.close(0)
    time.sleep(600)


play(close, on="start")
