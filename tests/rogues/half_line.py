"""Row 11: half a line, then sleep.  ``timeout`` until it is out, ``strikes``."""

import time

from tests.rogues._wire import Request, play, write


def stop(request: Request, _seen: int) -> None:
    write(f'{{"id":{request["id"]},"mo'.encode())
    time.sleep(600)


play(stop)
