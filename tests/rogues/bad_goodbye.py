"""Row 18: exits non-zero after ``end``.  No fault; its status is told."""

import sys

from tests.rogues._wire import Request, play, reply


def leave(request: Request, _seen: int) -> None:
    reply(request)
    sys.exit(3)


play(leave, on="end")
