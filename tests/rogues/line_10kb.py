"""Row 2, small: one line of 10 KB, then honest.  A strike, ``too_long``."""

from tests.rogues._wire import Request, play, write


def long(_request: Request, seen: int) -> bool:
    if seen == 0:
        write(b"x" * 10_000 + b"\n")
    return seen == 0


play(long)
