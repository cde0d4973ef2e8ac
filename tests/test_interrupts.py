"""Signals that stop a command come through only where nothing is half done."""

import os
import select
import signal
import threading

import pytest

from arena.errors import Terminated
from arena.interrupts import held, let_in, look_up


def send(number):
    signal.raise_signal(number)


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (signal.SIGINT, KeyboardInterrupt),
        (signal.SIGTERM, Terminated),
        (signal.SIGHUP, Terminated),
    ],
)
def test_what_came_meanwhile_is_raised_where_we_would_wait(number, error):
    done = []
    with held():
        send(number)
        done.append("accounts")
        with pytest.raises(error), let_in():
            done.append("waited")
    assert done == ["accounts"]


def test_what_came_meanwhile_is_raised_at_the_end_at_the_latest():
    done = []

    @held()
    def keep_accounts():
        send(signal.SIGINT)
        done.append("accounts")

    with pytest.raises(KeyboardInterrupt):
        keep_accounts()
    assert done == ["accounts"]


def test_it_is_raised_once():
    with held():
        send(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            look_up()
        look_up()
        with let_in():
            pass


def test_a_wait_is_cut_short():
    read, write = os.pipe()
    late = threading.Timer(60, os.write, (write, b"too late"))
    late.start()
    soon = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM))
    soon.start()
    try:
        with held(), pytest.raises(Terminated), let_in():
            select.select([read], [], [], 120)
        assert late.is_alive()
    finally:
        late.cancel()
        soon.join()
        os.close(read)
        os.close(write)


def test_a_failure_of_the_block_is_told_before_a_signal():
    @held()
    def fail():
        send(signal.SIGINT)
        raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        fail()


def test_handlers_are_as_before_afterwards():
    before = signal.getsignal(signal.SIGINT)
    with held():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_what_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with held():
            send(signal.SIGHUP)
            with let_in():
                pass
    finally:
        signal.signal(signal.SIGHUP, before)
