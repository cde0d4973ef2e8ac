"""Rows 21 and 22 at once: deaf to signals, with children of every kind, then stuck.

A child that holds its pipes, one in a session of its own, and a daemon that belongs to
nobody.  ``timeout`` until it is out, ``strikes``; nothing is left.
"""

import os
import signal
import time

from tests.rogues._wire import Request, play


def child(is_daemon: bool, has_session: bool) -> None:
    """Leave a process behind that sleeps."""
    if os.fork():
        return
    if has_session:
        os.setsid()
    if not is_daemon or os.fork() == 0:
        time.sleep(600)
    os._exit(0)


def settle() -> None:
    """Have children, and be deaf from now on."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    child(is_daemon=False, has_session=False)
    child(is_daemon=False, has_session=True)
    child(is_daemon=True, has_session=True)
    os.wait()


def misdeed(request: Request, seen: int) -> None:
    if request["type"] == "act":
        time.sleep(600)
    elif seen == 0:
        settle()


play(misdeed, on=("hello", "act"))
