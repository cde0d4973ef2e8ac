"""A box as we hold it from outside: its first process, and what bubblewrap says of it.

``arena.box`` says how it is started, ``arena.process`` starts it.
"""

import contextlib
import errno
import json
import os
import select
import signal
import time
from pathlib import Path
from typing import Final

from arena.box import own_folder

START_S: Final = 10.0  # for bubblewrap to say which process is the box's first


class BoxError(OSError):
    """The box itself has failed; the bot is not to blame."""

    def __init__(self, text: str) -> None:
        super().__init__(errno.EPROTO, f"the box has failed: {text}")
        self.text = text

    def blames(self, folder: Path) -> bool:
        """Tell whether it is a bot's own folder that could not be shown or entered.

        In the box nobody is root: a folder that another user has closed is closed.
        """
        return any(
            f"{what} {place}:" in self.text
            for what in ("Can't chdir to", "Can't find source path")
            for place in (folder, own_folder(folder))
        )


class Box:
    """What we hold of a box: its first process, and what bubblewrap says of it."""

    def __init__(self, status: int) -> None:
        self._status = status
        self._said = b""
        self._first = -1

    def wait_first(self) -> int:
        """Wait for bubblewrap to say which process is the first in the box."""
        until = time.monotonic() + START_S
        while b"\n" not in self._said:  # it comes in several writes
            if not select.select([self._status], [], [], until - time.monotonic())[0]:
                raise BoxError("it does not start.")
            data = os.read(self._status, 4096)
            if not data:
                raise BoxError("it has ended.")
            self._said += data
        first: int = json.loads(self._said.partition(b"\n")[0])["child-pid"]
        return first

    def hold(self, first: int) -> None:
        """Keep the first process's number from meaning another."""
        self._first = os.pidfd_open(first)
        os.set_blocking(self._status, False)

    def kill(self) -> None:
        """Kill the first process, and the kernel kills all others in the box."""
        if self._first >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)

    def wait_gone(self, first: int) -> int:
        """Collect the first process, an orphan now; return its processor time in ms.

        It has been killed, and needs a moment to die: some ms, with all below it.
        """
        if self._first < 0:
            return 0
        try:
            _, _, usage = os.wait4(first, 0)
        except ChildProcessError:  # collected by bubblewrap, which counts it
            return 0
        return int((usage.ru_utime + usage.ru_stime) * 1000)

    def has_begun(self) -> bool:
        """Tell whether the box was set up and the bot's program called.

        Of what fails before, bubblewrap reports no exit code.
        """
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._status, 4096):
                self._said += data
        return b'"exit-code"' in self._said

    def close(self) -> None:
        """Let go of it."""
        for fd in (self._status, self._first):
            if fd >= 0:
                os.close(fd)
        self._status = self._first = -1
