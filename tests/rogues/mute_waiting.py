"""Row 12: closes its stdout while another is on turn.  Out, ``closed``."""

import os
import time

from tests.rogues._wire import Request, play, reply


def close(request: Request, _seen: int) -> None:
    reply(request)
    os.close(1)
    time.sleep(600)


play(close)
