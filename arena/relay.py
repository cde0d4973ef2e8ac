"""A seat for whoever is at the other end of a socket: a bot that only passes lines on.

The engine starts it as it starts every bot, so that the referee need not know who
thinks; the front listens at the socket and speaks for the person.  Standard library
only, so that it starts at once.
"""

import os
import select
import socket
import sys
from typing import Final

READ: Final = 64 * 1024  # bytes: what a pipe holds


def main() -> None:
    """Pass on all that comes from either side, until either side ends."""
    with socket.socket(socket.AF_UNIX) as front:
        front.connect(sys.argv[1])
        stdin, stdout = sys.stdin.fileno(), sys.stdout.fileno()
        while True:
            ready = select.select([stdin, front], [], [])[0]
            if stdin in ready:
                data = os.read(stdin, READ)
                if not data:
                    return  # the match is over
                front.sendall(data)
            if front in ready:
                data = front.recv(READ)
                if not data:
                    return  # the seat is given up
                while data:
                    data = data[os.write(stdout, data) :]


if __name__ == "__main__":
    main()
