"""Row 23, bounded: a hundred threads, and a clean end.  Plays on."""

import threading
import time

from tests.rogues._wire import Request, play


def start(_request: Request, seen: int) -> None:
    if seen == 0:
        for _ in range(100):
            threading.Thread(target=time.sleep, args=[600], daemon=True).start()


play(start)
