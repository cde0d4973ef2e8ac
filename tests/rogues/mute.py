"""Row 12: closes its stdout and lives on.  Out, ``closed``, at once."""

import os
import time

from tests.rogues._wire import Request, play


def close(_request: Request, _seen: int) -> None:
    os.close(1)
    time.sleep(600)


play(close)
