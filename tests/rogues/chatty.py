"""Row 5: a line every 20 ms that is no answer.  Warnings, ``timeout`` as in row 4."""

import time

from tests.rogues._wire import Request, play, write


def chat(_request: Request, _seen: int) -> bool:
    while True:
        write(b"still thinking\n")
        time.sleep(0.02)


play(chat)
