"""Rows 4 and 5: bytes come so fast that there is always something to read.

The deadline does not move for that: ``timeout``; the answer that follows is late.
"""

import time

from tests.rogues._wire import Request, play, reply, write

PAUSE_S = 0.0005
"""Who computes all the time is starved on a busy machine, and then excused for it."""


def chat(request: Request, seen: int) -> bool:
    if seen:
        return False
    clock = request["clock"]
    until = time.monotonic() + (clock["move_ms"] + clock["bank_ms"]) / 1000 + 0.1
    while time.monotonic() < until:
        write(b"\n")
        time.sleep(PAUSE_S)
    reply(request)
    return True


play(chat)
