"""Row 17, without a clock: exits at its first request.  Out, ``exited``."""

import sys

from tests.rogues._wire import Request, play


def leave(_request: Request, _seen: int) -> None:
    sys.exit(7)


play(leave)
