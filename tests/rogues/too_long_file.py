"""Row 25: writes a file that is larger than files may be.  ``exited``, SIGXFSZ."""

import signal
import tempfile

from tests.rogues._wire import Request, play

MEGABYTE = 1024 * 1024


def fill(_request: Request, _seen: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # which Python ignores
    with tempfile.TemporaryFile() as file:
        file.truncate(17 * MEGABYTE)


play(fill)
