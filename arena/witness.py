"""What the system tells of processor time: who used it, and who waited for it.

Read from /proc (Linux): some 50 microseconds a thread, so never for a decision that is
in time.  Elsewhere nothing is known, and nobody is excused for want of a processor.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol, Self

from arena import burial
from arena.lateness import Look, Pulse, Stall, Thread
from arena.process import BotProcess

MOST_THREADS: Final = 256  # looked at, of one bot: its limit on processes is 64
_PROC: Final = Path("/proc")
_NS: Final = 1e-9
_STEPPED_BACK: Final = (3, 5)  # SCHED_BATCH, SCHED_IDLE
# Places in /proc/PID/stat behind the name of the program (proc(5) counts from 3 there).
_STATE, _UTIME, _CSTIME, _NICE, _POLICY = 0, 11, 14, 16, 38


class Own:
    """How long this thread, the engine's, has waited for a processor.

    The file is kept open: it is read at every beat.
    """

    def __init__(self) -> None:
        try:
            self._fd = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self._fd = -1

    def waited_s(self) -> float | None:
        """Return it in seconds, or None where the system does not tell."""
        if self._fd < 0:
            return None
        try:
            return int(os.pread(self._fd, 128, 0).split()[1]) * _NS
        except (OSError, IndexError, ValueError):
            return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        """Let go of the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class Witness(Protocol):
    """Who can tell a match whether the arena was healthy."""

    cores: int

    def stall(self, since_s: float, now_s: float) -> Stall:
        """Return how late the engine was between two moments."""

    def look(self, seat: int, now_s: float) -> Look | None:
        """Return what the table's bots have used and waited for; None: unknown."""


class TableWitness:
    """The witness of one table of real bots."""

    def __init__(self, pulse: Pulse, own: Own, bots: Sequence[BotProcess]) -> None:
        self.cores = _cores(0) or 1
        self._pulse = pulse
        self._own = own
        self._bots = bots

    def stall(self, since_s: float, now_s: float) -> Stall:
        """Return how late the engine was between two moments."""
        return self._pulse.stall(since_s, now_s, self._own.waited_s())

    def look(self, seat: int, now_s: float) -> Look | None:
        """Return what the table's bots have used and waited for; None: unknown."""
        trees = [_tree(bot) for bot in self._bots]
        used = [sum(_used_s(pid) for pid in tree) for tree in trees]
        threads = _threads(trees[seat])
        if threads is None:
            return None
        return Look(now_s, sum(used), used[seat], threads)


def _tree(bot: BotProcess) -> list[int]:
    """Return a bot's processes, orphans that have come to us included."""
    if bot.failure is not None or bot.status is not None:
        return []
    pids = [bot.pid, *burial.descendants(bot.pid)]
    for orphan in burial.marked(bot.mark):
        pids += [orphan, *burial.descendants(orphan)]
    return list(dict.fromkeys(pids))


class _Stat(NamedTuple):
    state: str
    used_s: float  # with its children that are dead and collected
    nice: int
    policy: int


def _stat(path: Path) -> _Stat | None:
    try:
        fields = (path / "stat").read_text("ascii", "replace").rpartition(")")[2]
        words = fields.split()
        ticks = sum(int(word) for word in words[_UTIME : _CSTIME + 1])
        used = ticks / os.sysconf("SC_CLK_TCK")
        return _Stat(words[_STATE], used, int(words[_NICE]), int(words[_POLICY]))
    except (OSError, IndexError, ValueError):
        return None


def _used_s(pid: int) -> float:
    stat = _stat(_PROC / str(pid))
    return 0.0 if stat is None else stat.used_s


def _threads(pids: Sequence[int]) -> dict[int, Thread] | None:
    """Return the threads of processes; None where the system tells of none."""
    own = _stat(_PROC / "self")
    if own is None:
        return None
    found: dict[int, Thread] = {}
    for path in _tasks(pids):
        stat = _stat(path)
        # Who has put himself behind others waits by his own choice.
        if stat is None or stat.nice > own.nice or stat.policy in _STEPPED_BACK:
            continue
        try:
            ran, waited, *_ = (path / "schedstat").read_text().split()
        except FileNotFoundError:
            if path.exists():
                return None  # a kernel that keeps no such account
            continue
        except (OSError, ValueError):
            continue
        number = int(path.name)
        cores = _cores(number)
        if cores is not None:
            found[number] = Thread(
                int(ran) * _NS, int(waited) * _NS, stat.state == "R", cores
            )
        if len(found) == MOST_THREADS:
            break
    return found


def _tasks(pids: Sequence[int]) -> Iterator[Path]:
    for pid in pids:
        try:
            yield from (_PROC / str(pid) / "task").iterdir()
        except OSError:  # it has just gone
            continue


def _cores(pid: int) -> int | None:
    """Return how many processors a thread may use; 0 stands for our own."""
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count()
    try:
        return len(os.sched_getaffinity(pid))
    except OSError:
        return None
