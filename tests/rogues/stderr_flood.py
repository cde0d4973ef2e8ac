"""Row 14: a torrent of stderr, in MB as its argument says.  It plays on."""

import sys

from tests.rogues._wire import Request, play, write


def log(_request: Request, seen: int) -> None:
    if seen == 0:
        for _ in range(int(sys.argv[1]) * 16):
            write(b"log " * 16383 + b"log\n", fd=2)


play(log)
