"""Row 1: floods stdout without a newline.  Fault ``too_long``, then out, ``flood``."""

from tests.rogues._wire import Request, play, write


def flood(_request: Request, _seen: int) -> bool:
    while True:
        write(b"x" * 65536)


play(flood)
