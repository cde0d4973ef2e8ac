"""Row 19: takes its time at ``hello`` and at ``start``.  No fault, nothing charged."""

import time

from tests.rogues._wire import Request, play


def load(_request: Request, _seen: int) -> None:
    time.sleep(0.6)


time.sleep(0.6)
play(load, on="start")
