"""Row 3: small objects without end, as dear to judge as can be.  Out, ``flood``.

Its argument is how many blanks make each line cheaper by the byte.
"""

import sys

from tests.rogues._wire import Request, play, write


def chat(_request: Request, _seen: int) -> bool:
    line = b'{"aid":1,"mov":2}' + b" " * int(sys.argv[1]) + b"\n"
    while True:
        write(line * 500)


play(chat)
