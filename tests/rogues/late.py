"""Row 10: one answer after its deadline.  ``timeout``; never taken for the next."""

import time

from tests.rogues._wire import Request, play


def wait(request: Request, seen: int) -> None:
    if seen == 0:
        clock = request["clock"]
        time.sleep((clock["move_ms"] + clock["bank_ms"] + 50) / 1000)


play(wait)
