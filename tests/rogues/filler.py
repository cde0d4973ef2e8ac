"""Row 25: fills /tmp, and tries to write where it lives.  Bounded; plays on."""

import contextlib
import signal
import tempfile
from pathlib import Path

from tests.rogues._wire import Request, play

MEGABYTE = 1024 * 1024


def fill(_request: Request, seen: int) -> None:
    if seen == 0:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        for folder in (tempfile.gettempdir(), Path(__file__).parent):
            with (
                contextlib.suppress(OSError),
                tempfile.TemporaryFile(dir=folder) as file,
            ):
                for _ in range(40):
                    file.write(b"x" * MEGABYTE)


play(fill)
