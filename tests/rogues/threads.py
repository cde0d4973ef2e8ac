"""Row 23, bounded: as many of a hundred threads as it may have.  Plays on."""

import contextlib
import threading
import time

from tests.rogues._wire import Request, play


def start(_request: Request, seen: int) -> None:
    if seen == 0:
        with contextlib.suppress(RuntimeError):
            for _ in range(100):
                threading.Thread(target=time.sleep, args=[600], daemon=True).start()


play(start)
