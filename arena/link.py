"""An engine as its front sees it: started, given orders, listened to, buried.

Between the two stands a warden, a process with no other work: when the front is gone
(killed, even), or the engine is, it kills everything below it.  When the warden itself
is killed the engine sees it and ends.  So nothing is left behind whoever dies first.
Front, warden and engine are forks of one program: started in a few milliseconds.
"""

import contextlib
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NoReturn, Protocol

from arena import burial, cgroups
from arena.errors import CannotGoOnError
from arena.interrupts import STOPPING, let_in
from arena.orders import REPORT, Order, Report

STOP_S: Final = 0.6  # from "stop" to the end of patience; an engine needs some 50 ms
GOING_S: Final = 1.0  # from the last word of an engine to its exit
STRAYS_S: Final = 1.0  # patience with what was killed, where there is no warden left
NO_PROCESS: Final = "no process can be started: {}; end some others, or allow more"
BUG: Final = 70


class EngineBugError(Exception):
    """The engine has failed by a mistake of ours; it has printed its traceback."""


_open: set[int] = set()
"""Our ends of all links: a warden that held another's would keep it from ending."""


class Link(Protocol):
    """Whoever plays matches for a front: an engine, several, or other machines."""

    @property
    def jobs(self) -> int:
        """How many matches are played at a time."""

    @property
    def ahead(self) -> int:
        """How many orders beyond those keep it from ever waiting for the front."""

    def order(self, order: Order) -> None:
        """Have a match played; that nobody is there for it is told by ``reports``."""

    def reports(self, within_s: float | None = None) -> Iterator[Report]:
        """Yield what has come, after waiting for it at most ``within_s`` seconds.

        Raises:
            CannotGoOnError: if no more is to come.
        """

    def stop(self) -> Iterator[Report]:
        """Stop every match at once; yield what was finished and not yet heard of."""

    def whereabouts(self) -> Sequence[str]:
        """Return what is to be told of each other machine that plays; none: nothing."""


@dataclass(frozen=True, slots=True)
class Place:
    """What one engine has of the machine.

    Attributes:
        cores: the processors that it and its bots are kept on; none: any.
        engines: how many engines share the machine.
    """

    cores: frozenset[int] = frozenset()
    engines: int = 1


ANYWHERE: Final = Place()


class EngineLink:
    """The front's end of one engine.  Use ``open_engine``."""

    def __init__(
        self, channel: socket.socket, warden: int, alarm: int, jobs: int
    ) -> None:
        self.jobs = jobs
        self.ahead = 1 + jobs // 4
        self.is_open = True
        self._patience: float | None = None  # until when it may take to stop
        self._channel = channel
        self._warden = warden
        self._alarm = alarm
        self._buffer = bytearray()
        self._status = 0  # of the warden, as waitpid has it

    def order(self, order: Order) -> None:
        """Have a match played; that an engine has gone is told by ``reports``."""
        try:
            self._channel.sendall(order.wire().encode("ascii") + b"\n")
        except OSError:
            self.is_open = False

    def reports(self, within_s: float | None = None) -> Iterator[Report]:
        """Yield what has come, after waiting for it at most ``within_s`` seconds.

        Raises:
            CannotGoOnError: if the engine has gone.
        """
        with let_in():
            has_come = select.select([self], [], [], within_s)[0]
        if has_come:
            yield from self.read()
        if not self.is_open:
            status = self._bury(GOING_S)
            if status == BUG:
                raise EngineBugError
            raise CannotGoOnError(
                "the engine has gone; run the same command again to go on"
            )

    def fileno(self) -> int:
        """Return the descriptor that is readable when something has come."""
        return self._channel.fileno()

    def read(self) -> Iterator[Report]:
        """Yield what has come; that the engine has gone shows in ``is_open``."""
        try:
            data = self._channel.recv(1 << 20)
        except OSError:
            data = b""
        self.is_open = bool(data)
        self._buffer += data
        while (end := self._buffer.find(b"\n")) >= 0:
            raw = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            yield REPORT.validate_json(raw)

    def stop(self) -> Iterator[Report]:
        """Stop every match at once; yield what was finished and not yet heard of."""
        while (left := self.hang_up()) > 0:
            if select.select([self], [], [], left)[0]:
                yield from self.read()

    def hang_up(self) -> float:
        """Have it stop; return how many seconds more it is worth listening to."""
        if self._patience is None:
            self._patience = time.monotonic() + STOP_S
            with contextlib.suppress(OSError):
                self._channel.shutdown(socket.SHUT_WR)
        return self._patience - time.monotonic() if self.is_open else 0.0

    def whereabouts(self) -> Sequence[str]:
        """Return nothing: it plays here."""
        return ()

    def close(self) -> None:
        """End the engine and all that is below it, however it stands."""
        if self._alarm >= 0:
            for _ in self.stop():  # it ends by itself where it can
                pass
        self._bury()

    def _bury(self, patience_s: float = 0.0) -> int:
        """Let the warden clean up, and return the engine's exit status.

        Args:
            patience_s: how long an engine that is going may take to say why.
        """
        if self._alarm >= 0:
            patience = time.monotonic() + patience_s
            pid, self._status = os.waitpid(self._warden, os.WNOHANG)
            while pid == 0 and time.monotonic() < patience:
                time.sleep(0.002)
                pid, self._status = os.waitpid(self._warden, os.WNOHANG)
            _open.difference_update((self._channel.fileno(), self._alarm))
            os.close(self._alarm)
            self._alarm = -1
            self._channel.close()
            if pid == 0:
                _, self._status = os.waitpid(self._warden, 0)
        return os.waitstatus_to_exitcode(self._status)

    @property
    def is_unguarded(self) -> bool:
        """Whether the warden was killed, so that what is below it has come to us."""
        return os.WIFSIGNALED(self._status)


@contextmanager
def open_engine(
    jobs: int, keep: tuple[int, ...] = (), place: Place = ANYWHERE
) -> Iterator[EngineLink]:
    """Start an engine for ``jobs`` matches at a time; bury it when the block ends.

    Args:
        jobs: matches at a time.
        keep: descriptors that stay open until the last process is buried: a lock.
        place: what it has of the machine.

    Raises:
        CannotGoOnError: if no process can be started.
    """
    burial.become_subreaper()
    before = set(burial.children(os.getpid()))
    ours, theirs = socket.socketpair()
    alarm_read, alarm_write = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    # Until the warden is deaf to them: a Ctrl-C would have it clean up as we do.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        warden = os.fork()
    except OSError as error:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for end in (ours.detach(), theirs.detach(), alarm_read, alarm_write):
            os.close(end)
        raise CannotGoOnError(NO_PROCESS.format(error.strerror)) from error
    if warden == 0:
        fronts = (*_open, ours.detach(), alarm_write)
        _warden(theirs, alarm_read, jobs, place, keep, fronts)
    theirs.close()
    os.close(alarm_read)
    link = EngineLink(ours, warden, alarm_write, jobs)
    _open.update((ours.fileno(), alarm_write))
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        yield link
    finally:
        link.close()
        if link.is_unguarded:
            _kill_what_is_left(before)


def _kill_what_is_left(before: Collection[int]) -> None:
    patience = time.monotonic() + STRAYS_S
    while burial.kill_strays(before, ()) and time.monotonic() < patience:
        time.sleep(0.002)


def _warden(
    channel: socket.socket,
    alarm: int,
    jobs: int,
    place: Place,
    keep: tuple[int, ...],
    fronts: tuple[int, ...],
) -> NoReturn:
    """Start the engine, watch it and the front, and clean up after either.

    It never returns or raises: it would go on with its caller's work, beside it.

    Args:
        channel: the engine's end of the link.
        alarm: readable when the front has gone.
        jobs: matches at a time.
        place: what the engine has of the machine.
        keep: descriptors that stay open here, and not in the engine.
        fronts: the front's own ends, of this link and of all others.
    """
    status, engine = BUG, 0
    try:
        for fd in fronts:
            os.close(fd)
        os.setsid()
        _ignore_signals()
        burial.become_subreaper()
        guard_read, guard_write = os.pipe()
        try:
            engine = os.fork()
        except OSError as error:
            sys.stderr.write(f"{NO_PROCESS.format(error.strerror)}\n")
            sys.stderr.flush()
            os._exit(1)
        if engine == 0:
            os.close(alarm)
            os.close(guard_write)
            for fd in keep:
                os.close(fd)
            _engine(channel, guard_read, jobs, place)
        channel.close()
        os.close(guard_read)
        status = _watch(alarm, engine)
    except BaseException:  # noqa: BLE001 -- a bug: shown, and the exit status says so
        _show_bug()
    finally:
        try:
            burial.bury_everything()
            cgroups.clear(engine)
        finally:
            os._exit(status)


def _watch(alarm: int, engine: int) -> int:
    """Wait until the front or the engine has gone; return the engine's status."""
    pidfd = os.pidfd_open(engine) if hasattr(os, "pidfd_open") else -1
    watched = [alarm] if pidfd < 0 else [alarm, pidfd]
    while True:
        ready = select.select(watched, [], [], None if pidfd >= 0 else 0.05)[0]
        pid, status = os.waitpid(engine, os.WNOHANG)
        if pid == engine:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if alarm in ready:
            return 0  # the front has gone, or has closed us: the engine is killed


def _engine(channel: socket.socket, guard: int, jobs: int, place: Place) -> NoReturn:
    status = BUG
    try:
        os.setsid()
        if place.cores:
            with contextlib.suppress(OSError):  # one was taken away: then any will do
                os.sched_setaffinity(0, place.cores)
        from arena.engine import engine_main  # trio: not wanted in the front

        status = engine_main(channel, guard, jobs, place.engines)
    except BaseException:  # noqa: BLE001 -- as above; engine_main shows its own
        _show_bug()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(status)


def _show_bug() -> None:
    with contextlib.suppress(OSError, ValueError):
        traceback.print_exc(file=sys.stderr)
        sys.stderr.flush()


def _ignore_signals() -> None:
    """Leave Ctrl-C to the front: it says when we stop.

    A handler that does nothing, not SIG_IGN: bots would inherit that.
    """
    for number in STOPPING:
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
