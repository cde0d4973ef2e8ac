"""Control groups, where this machine lets us make any: memory and processes of a bot.

Version 1 has a tree for each; version 2 one for all.  Never required: without them
addresses are bounded and resident memory is watched.  They count what no watch sees,
such as files in a /tmp of memory, and bound the processes of root, whom the kernel's
own limit does not bind.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

PREFIX: Final = "trianon-"
MEGABYTE: Final = 1024 * 1024
FREEZER: Final = "freezer"
_MOUNTS: Final = Path("/proc/self/mounts")
_OWN: Final = Path("/proc/self/cgroup")


class Group:
    """The control group of one bot; empty until the bot is put in."""

    def __init__(self, places: Mapping[str, Path], name: str) -> None:
        self._folders = {kind: place / name for kind, place in places.items()}
        for folder in self._unique():
            folder.mkdir(exist_ok=True)

    def bound(self, memory_mb: int | None, processes: int | None) -> None:
        """Set the limits; None for none.

        Raises:
            OSError: if the system does not take them.
        """
        if memory_mb is not None and "memory" in self._folders:
            self._bound_memory(self._folders["memory"], str(memory_mb * MEGABYTE))
        if processes is not None and "pids" in self._folders:
            (self._folders["pids"] / "pids.max").write_text(str(processes))

    def _bound_memory(self, folder: Path, size: str) -> None:
        old, new = folder / "memory.limit_in_bytes", folder / "memory.max"
        if old.exists():
            old.write_text(size)
            with contextlib.suppress(OSError):  # a kernel without accounts of swap
                (folder / "memory.memsw.limit_in_bytes").write_text(size)
            return
        new.write_text(size)
        with contextlib.suppress(OSError):
            (folder / "memory.swap.max").write_text("0")

    def freeze(self) -> None:
        """Stop all that is in it."""
        self._set_frozen("FROZEN", "1")

    def thaw(self) -> None:
        """Let it go on."""
        self._set_frozen("THAWED", "0")

    def _set_frozen(self, old: str, new: str) -> None:
        folder = self._folders[FREEZER]
        state = folder / "freezer.state"
        if state.exists():
            state.write_text(old)
        else:
            (folder / "cgroup.freeze").write_text(new)

    def add(self, pid: int) -> None:
        """Put a process in; its children come along."""
        for folder in self._unique():
            (folder / "cgroup.procs").write_text(str(pid))

    @property
    def has_freezer(self) -> bool:
        """Whether it can be frozen."""
        return FREEZER in self._folders

    @property
    def has_memory(self) -> bool:
        """Whether it bounds memory."""
        return "memory" in self._folders

    def is_over_limit(self) -> bool:
        """Tell whether something in it was killed for want of memory."""
        folder = self._folders.get("memory")
        if folder is None:
            return False
        for name in ("memory.oom_control", "memory.events"):
            with contextlib.suppress(OSError):
                for line in (folder / name).read_text().splitlines():
                    if line.startswith("oom_kill ") and line != "oom_kill 0":
                        return True
        return False

    def remove(self) -> bool:
        """Remove it, and tell whether it is gone; it must be empty."""
        is_gone = True
        for folder in self._unique():
            try:
                folder.rmdir()
            except FileNotFoundError:
                continue
            except OSError:
                is_gone = False
        return is_gone

    def _unique(self) -> set[Path]:
        return set(self._folders.values())


@cache
def places() -> Mapping[str, Path]:
    """Return where groups can be made here: by ``memory``, ``pids``, ``freezer``."""
    found: dict[str, Path] = {}
    for kind, place in candidates():
        if kind not in found and _is_usable(kind, place):
            found[kind] = place
    for place in set(found.values()):
        _tidy(place)
    return found


def candidates() -> Iterator[tuple[str, Path]]:
    """Yield the places that may do, our own group first."""
    try:
        mounts = [line.split() for line in _MOUNTS.read_text().splitlines()]
        own = [line.split(":", 2) for line in _OWN.read_text().splitlines()]
    except OSError:
        return
    for kind in ("memory", "pids", FREEZER):
        for _, point, system, options, *_ in mounts:
            if system == "cgroup" and kind in options.split(","):
                ours = [path for _, kinds, path in own if kind in kinds.split(",")]
            elif system == "cgroup2":
                ours = [path for number, _, path in own if number == "0"]
            else:
                continue
            for path in (*ours, "/"):
                yield kind, Path(point) / path.strip("/")


def _is_usable(kind: str, place: Path) -> bool:
    """Try it: the right to make a group is no promise that it bounds anything."""
    trial = place / f"{PREFIX}{os.getpid()}-trial"
    try:
        control = place / "cgroup.subtree_control"
        is_missing = control.exists() and kind not in control.read_text().split()
        if is_missing and kind != FREEZER:  # which is no controller in version 2
            control.write_text(f"+{kind}")
        trial.mkdir()
    except OSError:
        return False
    try:
        group = Group({kind: place}, trial.name)
        group.bound(64, 64)
        if kind == FREEZER:
            group.freeze()
            group.thaw()
    except OSError:
        return False
    finally:
        trial.rmdir()
    return True


def _tidy(place: Path) -> None:
    """Remove the groups of engines that were killed."""
    for folder in place.glob(f"{PREFIX}*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdecimal() and not Path(f"/proc/{pid}").exists():
            with contextlib.suppress(OSError):
                folder.rmdir()


def clear(pid: int) -> None:
    """Remove the groups that an engine has left; all that was in them is gone."""
    for place in {place for _, place in candidates()}:
        for folder in place.glob(f"{PREFIX}{pid}-*"):
            with contextlib.suppress(OSError):
                folder.rmdir()


LEFT: Final[list[Group]] = []
"""Groups whose last process was still dying when they were to be removed."""


def tidy() -> None:
    """Remove what could not be removed before."""
    LEFT[:] = [group for group in LEFT if not group.remove()]
