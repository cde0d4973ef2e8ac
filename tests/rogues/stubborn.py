"""Row 21: ignores every signal it can, and the end of its input.  Killed."""

import contextlib
import signal
import time

from tests.rogues._wire import play

for number in signal.valid_signals():
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)
play()
time.sleep(600)
