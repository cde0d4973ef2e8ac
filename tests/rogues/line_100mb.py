"""Row 2: a line of 100 MB, then its newline.  ``too_long``, then out, ``flood``."""

from tests.rogues._wire import Request, play, write


def endless(_request: Request, _seen: int) -> bool:
    for _ in range(1600):
        write(b"x" * 65536)
    write(b"\n")
    return True


play(endless)
