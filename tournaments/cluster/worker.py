"""What a Dask worker does for a front: tells what it is, takes folders, plays batches.

Dask calls these functions in its own threads, which start no bot: each talks to a
station (``station.py``), a process that does.  Stations outlive a batch and are shared
by the worker's threads, one at a time; when the worker is killed they see the end of
their input and bury all that is below them.
"""

import contextlib
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

from distributed import get_worker
from pydantic import Field, TypeAdapter

from arena import __version__
from arena.orders import (
    Broken,
    Checked,
    Finished,
    Order,
    PlayOrder,
    Probed,
    ProbeOrder,
    Report,
    ResentReport,
    Started,
    Stepped,
    Told,
)
from arena.record import PART
from tournaments.cluster.parcels import FarBot, is_here, unwrap
from tournaments.cluster.station import Bout, Unfit
from tournaments.cluster.wire import Batch, Enlisted, Head, note, pack

LOOK_S: Final = 0.2  # how often a task looks whether it is still wanted
STOP_S: Final = 1.2  # a station's engine ends within 0.6 s
AT_A_TIME: Final = 8  # orders at a station: one played, one ahead, some being buried
_SAID: TypeAdapter[Report | Unfit] = TypeAdapter(
    Annotated[
        Started
        | Told
        | Finished
        | Probed
        | Stepped
        | Checked
        | ResentReport
        | Broken
        | Unfit,
        Field(discriminator="tag"),
    ]
)
_STATION: Final = (sys.executable, "-m", "tournaments.cluster.station")
_stopped: set[str] = set()
"""Runs whose matches are to stop."""
_lock = threading.Lock()
_idle: dict[tuple[int, str], list["_Process"]] = {}  # by slots and cores
_numbers: dict[tuple[int, str], int] = {}


def enlist(is_thorough: bool) -> bytes:
    """Return what this worker is; ``is_thorough``: its box is tried from inside."""
    command = [*_STATION, "inspect", *(["doctor"] if is_thorough else [])]
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    found = Enlisted.model_validate_json(done.stdout)
    told = {"machine": socket.gethostname(), "version": __version__}
    return found.model_copy(update=told).wire().encode("ascii")


def bring(digest: str, content: bytes) -> bytes:
    """Take in the folder of a bot."""
    unwrap(digest, content)
    return b""


def stop(run: str) -> None:
    """Stop all matches of a run, what is finished is still told; let stations go.

    Dask calls this one on its own thread, which must not wait.
    """
    _stopped.add(run)
    with _lock:
        stations = [station for idle in _idle.values() for station in idle]
        _idle.clear()
    for station in stations:
        threading.Thread(target=station.close, daemon=True).start()


def play(raw: bytes) -> bytes:
    """Carry a batch out, and return what came of it."""
    batch = Batch.model_validate_json(raw)
    digests = {bot.digest for bot in batch.bots.values()}
    missing = tuple(sorted(each for each in digests if not is_here(each)))
    if missing:
        return pack(Head(missing=missing), [])
    worker = get_worker()
    is_wanted = _wanted(worker, batch.run)

    def tell(match: str) -> None:
        worker.log_event(batch.run, note(batch.run, batch.number, match))

    # Dask clears away what a worker that was killed has left there.
    scratch = Path(tempfile.mkdtemp(prefix="trianon-", dir=worker.local_directory))
    try:
        with _station(batch.slots, batch.cores) as station:
            return _Play(batch, station, scratch, tell, is_wanted).run()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _wanted(worker: object, run: str) -> Callable[[], bool]:
    """Return what tells whether somebody still waits for this task.

    A front that was killed is noticed by the scheduler, which then cancels its tasks.
    """
    key = worker.get_current_task()  # type: ignore[attr-defined] # Dask is not typed
    tasks = worker.state.tasks  # type: ignore[attr-defined] # as above

    def is_wanted() -> bool:
        task = tasks.get(key)
        return run not in _stopped and task is not None and task.state != "cancelled"

    return is_wanted


class _Play:
    """One batch at one station."""

    def __init__(
        self,
        batch: Batch,
        station: "_Process",
        scratch: Path,
        tell: Callable[[str], None],
        is_wanted: Callable[[], bool],
    ) -> None:
        self._batch = batch
        self._station = station
        self._scratch = scratch
        self._tell = tell
        self._is_wanted = is_wanted
        self._waiting = deque(batch.orders)
        self._open = 0
        self._records: dict[str, Path] = {}
        self._reports: list[Report] = []
        self._unfit: str | None = None

    def run(self) -> bytes:
        """Carry it out, or what of it there is time for."""
        began = time.monotonic()
        is_over = False
        while not is_over:
            while self._waiting and self._open < AT_A_TIME:
                self._order(self._waiting.popleft())
            if self._open == 0:
                break
            for said in self._station.said(LOOK_S):
                is_over |= self._take(said)
            if not self._station.is_open:
                is_over = True
            if not self._is_wanted():
                for said in self._station.last_words():
                    self._take(said)
                is_over = True
        if is_over:
            self._station.close()  # it has matches of ours, or is broken
        return self._packed(time.monotonic() - began)

    def _order(self, order: Order) -> None:
        match order:
            case PlayOrder(setup=setup, bots=bots):
                path = self._scratch / f"{len(self._records)}.jsonl"
                self._records[setup.match] = path
                order = order.model_copy(update={"record": str(path)})
                names = [bot.name for bot in bots]
            case ProbeOrder(bot=bot):
                names = [bot.name]
            case _:
                raise ValueError(order)
        far: list[FarBot] = [self._batch.bots[name] for name in names]
        self._open += 1
        self._station.order(Bout(order=order, bots=tuple(far)))

    def _take(self, said: Report | Unfit) -> bool:
        """Take in what was said; return whether no more is to be hoped for."""
        match said:
            case Started(match=match):
                self._tell(match)
            case Finished() | Probed():
                self._open -= 1
                self._reports.append(said)
            case Broken():
                self._reports.append(said)
                return True
            case Unfit(unfit=text):
                self._unfit = text
                return True
            case _:
                pass
        return False

    def _packed(self, took_s: float) -> bytes:
        sizes, records = {}, []
        for report in self._reports:
            if isinstance(report, Finished):
                path = Path(str(self._records[report.match]) + PART)
                with contextlib.suppress(FileNotFoundError):  # void before its start
                    records.append(path.read_bytes())
                    sizes[report.match] = len(records[-1])
        head = Head(
            reports=tuple(self._reports),
            sizes=sizes,
            unfit=self._unfit,
            took_s=took_s,
        )
        return pack(head, records)


class _Process:
    """A station, as a task sees it."""

    def __init__(self, slot: int, slots: int, cores: str) -> None:
        self._process = subprocess.Popen(
            [*_STATION, str(slot), str(slots), cores],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for who is at the terminal
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._buffer = bytearray()
        self.is_open = True

    @property
    def has_ended(self) -> bool:
        """Whether it is gone: it had nothing to do for long."""
        return self._process.poll() is not None

    def order(self, bout: Bout) -> None:
        """Hand it an order; that it has gone shows in ``is_open``."""
        raw = memoryview(bout.wire().encode("ascii") + b"\n")
        try:
            while raw:
                raw = raw[self._stdin.write(raw) :]
        except OSError:
            self.is_open = False

    def said(self, within_s: float) -> Iterator[Report | Unfit]:
        """Yield what it has said, after waiting for it at most ``within_s``."""
        if not select.select([self._stdout], [], [], within_s)[0]:
            return
        data = os.read(self._stdout.fileno(), 1 << 20)
        self.is_open &= bool(data)
        self._buffer += data
        while (end := self._buffer.find(b"\n")) >= 0:
            yield _SAID.validate_json(bytes(self._buffer[:end]))
            del self._buffer[: end + 1]

    def last_words(self) -> Iterator[Report | Unfit]:
        """Have it stop all matches, and yield what was finished."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        patience = time.monotonic() + STOP_S
        while self.is_open and (left := patience - time.monotonic()) > 0:
            yield from self.said(left)

    def close(self) -> None:
        """End it, and all that is below it."""
        self.is_open = False
        with contextlib.suppress(OSError):
            self._stdin.close()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()  # its wardens bury the rest
            self._process.wait()
        self._stdout.close()


@contextmanager
def _station(slots: int, cores: str) -> Iterator[_Process]:
    """Lend a station to a task."""
    key = slots, cores
    with _lock:
        idle = _idle.setdefault(key, [])
        number = _numbers.get(key, 0)
        _numbers[key] = number + (not idle)
        station = idle.pop() if idle else None
        if station is not None and station.has_ended:
            station = None
    if station is None:
        station = _Process(number % slots, slots, cores)
    try:
        yield station
    except BaseException:
        station.close()
        raise
    if station.is_open:
        with _lock:
            _idle.setdefault(key, []).append(station)
