"""Row 4: a byte every 20 ms, never a newline.  ``timeout`` at each deadline."""

import time

from tests.rogues._wire import Request, play, write


def drip(_request: Request, _seen: int) -> bool:
    while True:
        write(b"{")
        time.sleep(0.02)


play(drip)
