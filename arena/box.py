"""The box: what bubblewrap is told so that a bot can harm nobody.  Pure: words.

An allow-list: the bot sees the system's programs, its own folder and its own
interpreter, all read-only, and a small /tmp of its own.  Binding the whole root would
still show it its opponents' code.  What was found on this machine comes in as values
(``arena.host``); ``arena.bots`` starts what comes out.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from arena.botspec import BotSpec
from arena.sandbox import Limits, clean_environment
from arena.seccomp import Machine

MEGABYTE: Final = 1024 * 1024
SHM_MB: Final = 1  # multiprocessing keeps its locks there
UID: Final = "1000"
OWN: Final = Path("/bot")
"""Where a folder is shown that cannot be shown at its own place."""
FOREIGN: Final = tuple(map(Path, ("/", "/tmp", "/dev", "/dev/shm", "/proc")))  # noqa: S108
"""Places in the box that are not the host's."""
OURS_INSIDE: Final = 1  # bubblewrap's own process in the box: it reaps orphans
ADDRESSES_MB: Final = 4096
"""The JVM and V8 reserve far more addresses than they use: this bounds runaways only;
what is resident is watched."""


class Guard(StrEnum):
    """What holds a bot off; each can be left out to see that ``doctor`` notices."""

    MOUNTS = "only listed folders are there"
    PROCESSES = "its own process numbers"
    NETWORK = "no network"
    IPC = "its own shared memory"
    HOSTNAME = "its own host name"
    NESTING = "no namespaces of its own making"
    CAPABILITIES = "no capabilities"
    ENVIRONMENT = "a clean environment"
    SECCOMP = "system calls denied"
    READ_ONLY_ROOT = "a root that cannot be written"
    READ_ONLY_PROC = "a /proc that cannot be written"
    READ_ONLY_DEV = "a /dev that cannot be written"
    TMP_SIZE = "a bounded /tmp"
    SHM_SIZE = "a bounded /dev/shm"
    DESCRIPTORS = "no inherited descriptors"
    FORKS = "bounded processes"
    OPEN_FILES = "bounded open files"
    FILE_SIZE = "bounded files"
    CORE = "no core dumps"
    ADDRESSES = "bounded addresses"
    MEMORY = "bounded memory"
    KILL = "all gone with the kill"


NONE: Final[frozenset[Guard]] = frozenset()


@dataclass(frozen=True, slots=True)
class Mount:
    """A file or folder of the host that is shown read-only, or a symbolic link.

    Attributes:
        target: where it is in the box.
        source: the host's path; for a link, what it says.
        is_link: whether it is a link.
    """

    target: str
    source: str
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class Host:
    """What the box needs to know of a machine.

    Attributes:
        bwrap: the path of bubblewrap.
        machine: its kind of processor.
        system: the system's own programs and libraries, as they are shown.
    """

    bwrap: str
    machine: Machine
    system: tuple[Mount, ...]


@dataclass(frozen=True, slots=True)
class Runtime:
    """What one bot's program needs beside the system, and where it is looked for."""

    mounts: tuple[Mount, ...] = ()
    path: tuple[str, ...] = ()


STDIN, STDOUT, FILTER, BRAKE, STATUS = range(3, 8)
"""The descriptors that bubblewrap is started with, beside 0, 1 and 2.

The bot's stdin and stdout are not bubblewrap's own: its processes hold theirs as long
as they live, and that a bot has closed its stdout would never show.  What is above 2
they close, and a shell moves the bot's two to their places.
"""
MOVE: Final = (
    f'exec "$@" <&{STDIN} >&{STDOUT} {STDIN}<&- {STDOUT}>&- '
    f"{FILTER}<&- {BRAKE}<&- {STATUS}>&- 8<&- 9<&-"
)


def box_argv(
    spec: BotSpec,
    limits: Limits,
    mark: str,
    host: Host,
    runtime: Runtime,
    without: Collection[Guard] = NONE,
) -> tuple[str, ...]:
    """Return the command that starts ``spec`` in the box.

    Args:
        spec: the bot.
        limits: what it may use.
        mark: a random text by which its strays are known.
        host: this machine.
        runtime: what the bot's program needs.
        without: guards left out, to see that ``doctor`` notices.
    """
    own = own_folder(spec.cwd)
    words = [host.bwrap, *_isolation(without)]
    words += _environment(spec, mark, runtime, without)
    if Guard.MOUNTS in without:
        words += ["--bind", "/", "/"]
    else:
        words += [word for mount in host.system for word in _mount(mount)]
    words += ["--proc", "/proc", "--dev", "/dev"]
    words += _tmpfs("/dev/shm", SHM_MB, Guard.SHM_SIZE in without)  # noqa: S108
    if Guard.MOUNTS not in without:
        words += _tmpfs("/tmp", limits.tmp_mb, Guard.TMP_SIZE in without)  # noqa: S108
        mounts = [mount for mount in runtime.mounts if not _is_hidden(spec, mount)]
        for mount in mounts:
            words += _mount(mount)
        if spec.cwd != Path("/"):
            words += ["--ro-bind", str(spec.cwd), str(own)]
        for path in _inside(spec, mounts, spec.hidden):
            words += ["--perms", "0555", "--size", "4096", "--tmpfs", path]
            words += ["--remount-ro", path]
        masked = [
            file
            for file in spec.masked
            if not any(file.is_relative_to(folder) for folder in spec.hidden)
        ]
        for path in _inside(spec, mounts, masked):
            words += ["--ro-bind", "/dev/null", path]
    if Guard.READ_ONLY_PROC not in without:
        # To the kernel a bot of root's is root: it owns all settings in /proc/sys.
        words += ["--remount-ro", "/proc"]
    if Guard.READ_ONLY_DEV not in without:
        words += ["--remount-ro", "/dev"]
    if Guard.READ_ONLY_ROOT not in without:
        words += ["--remount-ro", "/"]
    words += ["--chdir", str(own) if spec.cwd != Path("/") else "/"]
    if Guard.SECCOMP not in without:
        words += ["--seccomp", str(FILTER)]
    words += ["--block-fd", str(BRAKE), "--json-status-fd", str(STATUS)]
    words += ["--", "/bin/sh", "-c", MOVE, "sh"]
    return (*words, *(_moved(word, spec.cwd, own) for word in spec.argv))


def box_limits(limits: Limits, without: Collection[Guard] = NONE) -> Mapping[str, int]:
    """Return the limits that are set on the box from outside, before it is let go."""
    every = {
        Guard.ADDRESSES: (
            "RLIMIT_AS",
            max(limits.memory_mb, ADDRESSES_MB) * MEGABYTE,
        ),
        Guard.FORKS: ("RLIMIT_NPROC", limits.processes + OURS_INSIDE),
        Guard.OPEN_FILES: ("RLIMIT_NOFILE", limits.open_files),
        Guard.FILE_SIZE: ("RLIMIT_FSIZE", limits.file_mb * MEGABYTE),
        Guard.CORE: ("RLIMIT_CORE", 0),
    }
    return dict(value for guard, value in every.items() if guard not in without)


def own_folder(cwd: Path) -> Path:
    """Return where a bot's own folder is in the box: at its own place if that is free.

    Its command may name files by their whole paths, so the place is kept.
    """
    return OWN if cwd in FOREIGN else cwd


def _isolation(without: Collection[Guard]) -> Iterator[str]:
    flags = {
        Guard.IPC: ("--unshare-ipc",),
        Guard.PROCESSES: ("--unshare-pid",),
        Guard.NETWORK: ("--unshare-net",),
        Guard.HOSTNAME: ("--unshare-uts", "--hostname", "bot"),
        Guard.NESTING: ("--disable-userns",),
        Guard.CAPABILITIES: ("--cap-drop", "ALL"),
    }
    yield from ("--unshare-user", "--unshare-cgroup-try", "--new-session")
    yield from ("--die-with-parent", "--uid", UID, "--gid", UID)
    for guard, words in flags.items():
        if guard not in without:
            yield from words


def _environment(
    spec: BotSpec, mark: str, runtime: Runtime, without: Collection[Guard]
) -> Iterator[str]:
    if Guard.ENVIRONMENT not in without:
        yield "--clearenv"
    path = ":".join((*runtime.path, "/usr/local/bin", "/usr/bin", "/bin"))
    values = clean_environment(spec, mark) | {"PATH": path, "HOME": "/tmp"}  # noqa: S108
    for name, value in values.items():
        yield from ("--setenv", name, value)


def _tmpfs(path: str, size_mb: int, is_endless: bool) -> Iterator[str]:
    yield from ("--perms", "1777")
    if not is_endless:
        yield from ("--size", str(size_mb * MEGABYTE))
    yield from ("--tmpfs", path)


def _mount(mount: Mount) -> tuple[str, str, str]:
    kind = "--symlink" if mount.is_link else "--ro-bind"
    return (kind, mount.source, mount.target)


def _is_hidden(spec: BotSpec, mount: Mount) -> bool:
    """Tell whether a mount would open something that is not for the bot's eyes."""
    if mount.is_link:
        return False
    source = Path(mount.source)
    return any(source.is_relative_to(folder) for folder in spec.hidden)


def _inside(
    spec: BotSpec, mounts: Iterable[Mount], paths: Iterable[Path]
) -> Iterator[str]:
    """Yield where in the box those of the paths are that the bot would see there."""
    own = own_folder(spec.cwd)
    shown = [Path(mount.target) for mount in mounts if not mount.is_link]
    for path in paths:
        if path.is_relative_to(spec.cwd) and spec.cwd not in (path, Path("/")):
            yield str(own / path.relative_to(spec.cwd))
        elif any(path.is_relative_to(folder) for folder in shown):
            yield str(path)


def _moved(word: str, cwd: Path, own: Path) -> str:
    """Return a word of the command as it must be where the folder has moved."""
    if own == cwd or not word.startswith("/") or cwd == Path("/"):
        return word
    path = Path(word)
    return str(own / path.relative_to(cwd)) if path.is_relative_to(cwd) else word
