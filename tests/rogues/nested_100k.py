"""Row 8: 100,000 brackets in a line.  ``too_long``, then out, ``flood``."""

from tests.rogues._wire import Request, play, write


def nest(_request: Request, _seen: int) -> bool:
    write(b"[" * 100_000 + b"\n")
    return True


play(nest)
