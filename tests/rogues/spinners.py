"""Row 26: eight processes that compute on the others' turns.  The others play on."""

import os

from tests.rogues._wire import Request, play

SPINNERS = 8


def spin(_request: Request, seen: int) -> None:
    if seen == 0:
        for _ in range(SPINNERS):
            if os.fork() == 0:
                while True:
                    pass


play(spin)
