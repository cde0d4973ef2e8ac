"""Row 27: uses most of its free time at each move.  Legal."""

import time

from tests.rogues._wire import Request, play


def wait(request: Request, _seen: int) -> None:
    time.sleep(request["clock"]["move_ms"] * 0.7 / 1000)


play(wait)
