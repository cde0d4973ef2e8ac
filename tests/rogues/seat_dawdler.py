"""Row 37: answers at the last moment, in one seat only.  Legal, and it shows."""

import time

from tests.rogues._wire import Request, play

SLOW_SEAT = 1


def wait(request: Request, _seen: int) -> None:
    if request["you"] == SLOW_SEAT:
        time.sleep(request["clock"]["move_ms"] * 0.7 / 1000)


play(wait)
