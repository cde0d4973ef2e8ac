"""Row 1, at ``hello``: floods before it has said who it is.  Out, ``no_hello``."""

from tests.rogues._wire import write

while True:
    write(b"x" * 65536)
