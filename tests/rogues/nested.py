"""Row 8: 4,000 brackets in a line, as arrays and as objects.  ``not_json``."""

from tests.rogues._wire import Request, play, write

LINES = [b"[" * 4000, b"[" * 2000 + b"]" * 2000, b'{"a":' * 700, b"[{" * 1900]


def nest(_request: Request, seen: int) -> bool:
    if seen < len(LINES):
        write(LINES[seen] + b"\n")
    return seen < len(LINES)


play(nest)
