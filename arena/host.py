"""What this machine has for the box: bubblewrap, system folders, interpreters.

Looks at files, and tries the box once; what it finds goes as values into ``arena.box``.
"""

import os
import platform
import re
import select
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from arena.botspec import BotSpec, home_folder, real_interpreter
from arena.box import FOREIGN, Host, Mount, Runtime, box_argv
from arena.errors import RefusedError
from arena.sandbox import Level, Limits
from arena.seccomp import MACHINES, build_filter
from arena.spawn import Spawned

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS: Final = ("ld.so.cache", "alternatives", "localtime", "java-*")
"""What of /etc programs cannot start without; Debian keeps a JDK's own there."""
STORES: Final = (Path("/nix/store"), Path("/gnu/store"))  # a program needs all of it
MARKS: Final = (
    "pyvenv.cfg",  # a virtual environment
    "lib/python3*",  # a Python
    "release",  # a JDK
    "lib/node_modules",
    "include/node",
    "lib/ruby",
    "pkg/tool",  # Go
    "lib/rustlib",
)
"""By these a folder is known as an interpreter's own, if it has a ``bin``."""
TRIAL_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Choice:
    """The level in force, and what to tell the user about it, if anything."""

    level: Level
    warning: str | None = None


def choose_level(asked: str) -> Choice:
    """Return the level for ``--sandbox``: auto, bwrap, limits, none.

    Raises:
        RefusedError: if the box is asked for and does not work here.
    """
    if asked not in ("auto", "bwrap"):
        return Choice(Level(asked))
    fault = box_fault()
    if fault is None:
        return Choice(Level.BWRAP)
    if asked == "bwrap":
        raise RefusedError(f"no box here: {fault}")
    return Choice(
        Level.LIMITS,
        f"no box here: {fault}; bots run at level 'limits', which is no security: "
        "play only bots that you trust",
    )


def describe(choice: Choice, specs: Sequence[BotSpec]) -> str:
    """Return a line on the level in force and what bots see beside the system."""
    if choice.warning is not None:
        return choice.warning
    line = f"sandbox: {choice.level.value}"
    if choice.level is not Level.BWRAP:
        return line
    seen = {
        mount.source
        for spec in specs
        for mount in find_runtime(spec).mounts
        if not mount.is_link and not spec.is_human
    }
    if seen:
        line += f"; shown to bots beside the system: {', '.join(sorted(seen))}"
    return line


@cache
def this_host() -> Host | None:
    """Return what the box needs to know of this machine; None where there is none."""
    bwrap = shutil.which("bwrap")
    machine = MACHINES.get(platform.machine())
    if bwrap is None or machine is None or sys.platform != "linux":
        return None
    found = [_as_is(Path(path)) for path in SYSTEM if os.path.lexists(path)]
    etc = Path("/etc")
    for pattern in SETTINGS:
        found += [Mount(str(path), str(path)) for path in sorted(etc.glob(pattern))]
    return Host(bwrap, machine, tuple(found))


def _as_is(path: Path) -> Mount:
    if path.is_symlink():
        return Mount(str(path), str(path.readlink()), is_link=True)
    return Mount(str(path), str(path))


# --- interpreters outside /usr ---


def find_runtime(spec: BotSpec) -> Runtime:
    """Return what the bot's program needs that is not the system's.

    The command of a ``bot.toml`` is its author's: beside the bot's own folder it opens
    interpreters only, never any file that it names.
    """
    return _runtime(spec.argv, spec.cwd, spec.path, spec.is_folder, spec.runtimes)


@cache
def _runtime(
    argv: tuple[str, ...],
    cwd: Path,
    search: str,
    is_folder: bool,
    listed: tuple[Path, ...],
) -> Runtime:
    host = this_host()
    assert host is not None
    seen = [*(Path(m.target) for m in host.system), cwd]
    mounts = {str(folder): Mount(str(folder), str(folder)) for folder in listed}
    path = [str(folder / "bin") for folder in listed if (folder / "bin").is_dir()]
    for program in _programs(argv, search, is_folder):
        for mount in _needs(program, seen, is_folder):
            mounts.setdefault(mount.target, mount)
        if not _is_below(program, seen[:-1]) and program.parent.name == "bin":
            path.append(str(program.parent))
    if not is_folder:
        for mount in _named(argv, cwd):
            if not _is_below(Path(mount.target), seen):
                mounts.setdefault(mount.target, mount)
    # What is inside of another folder is there already.
    folders = sorted(mounts.values(), key=lambda m: (m.is_link, m.target.count("/")))
    kept: list[Mount] = []
    for mount in folders:
        inside = [Path(m.target) for m in kept if not m.is_link]
        if not _is_below(Path(mount.target), inside):
            kept.append(mount)
    return Runtime(tuple(kept), tuple(dict.fromkeys(path)))


def _programs(argv: tuple[str, ...], search: str, is_folder: bool) -> Iterator[Path]:
    """Yield the programs that a bot's command names, and those behind scripts."""
    words = list(argv)
    if not is_folder:
        # sh -c '/opt/jdk/bin/java Bot': the host's own words, so we look inside.
        words += [part for word in argv for part in _parts(word)]
    for word in dict.fromkeys(words):
        if word.startswith("/") and os.access(word, os.X_OK) and os.path.isfile(word):  # noqa: PTH113
            yield Path(word)
            yield from _behind_script(Path(word), search)


def _named(argv: tuple[str, ...], cwd: Path) -> Iterator[Mount]:
    """Yield the places that a command line names as arguments: python3 /x/bot.py.

    Of a script its folder, which holds what it imports; never a home or its like.
    """
    words = [part for word in argv[1:] for part in (word, *_parts(word))]
    for word in dict.fromkeys(words):
        for part in re.split("[:=]", word):
            if "/" not in part:
                continue
            path = Path(os.path.normpath(cwd / part))
            # os.path and not Path, which raises at words too long for a file's name
            is_file = os.path.isfile(path)  # noqa: PTH113
            is_there = os.path.exists(path)  # noqa: PTH110
            if not is_there or (is_file and os.access(path, os.X_OK)):
                continue  # programs are looked at elsewhere
            folder = path if path.is_dir() else path.parent
            if not is_shared(folder):
                yield Mount(str(folder), str(folder))
            elif is_file:
                yield Mount(str(path), str(path))


def is_shared(folder: Path) -> bool:
    """Tell whether a folder holds more than one thing's files: a home, the root."""
    return (
        folder in FOREIGN
        or _is_above_home(folder)
        or folder.parent in (Path("/"), Path("/home"))
    )


def _parts(word: str) -> list[str]:
    try:
        return shlex.split(word.replace(";", " ")) if " " in word else []
    except ValueError:
        return []


def _behind_script(script: Path, path: str) -> Iterator[Path]:
    try:
        with script.open("rb") as file:
            line = file.readline(256)
    except OSError:
        return
    if not line.startswith(b"#!"):
        return
    words = line[2:].decode("utf-8", "replace").split()
    if words and Path(words[0]).name == "env" and len(words) > 1:
        # A path here is the author's, and what lies beside it is not run outside.
        found = shutil.which(words[-1], path=path) if "/" not in words[-1] else None
        words = list(real_interpreter(found)) if found else []
    # A NUL is not for the system; a relative path is not ours to start from.
    if not words or "\0" in words[0] or not words[0].startswith("/"):
        return
    if os.access(words[0], os.X_OK):
        yield Path(words[0])


def _needs(program: Path, seen: list[Path], is_strict: bool) -> Iterator[Mount]:
    """Yield the mounts for one program: interpreters, links on the way, itself."""
    real = Path(os.path.realpath(program))
    hops = [*_hops(program), real]
    for hop in dict.fromkeys(hops):
        if _is_below(hop, seen):
            continue
        prefix = hop.parent.parent
        if store := next((s for s in STORES if hop.is_relative_to(s)), None):
            yield Mount(str(store), str(store))
        elif hop.parent.name == "bin" and _is_interpreter(prefix):
            true = os.path.realpath(prefix)
            yield Mount(true, true)
            if true != str(prefix):  # uv keeps a link for each minor version
                yield Mount(str(prefix), true, is_link=True)
        elif hop != real:
            yield Mount(str(hop), str(real), is_link=True)
        elif not is_strict:
            yield Mount(str(hop), str(hop))


def _hops(program: Path) -> Iterator[Path]:
    """Yield the program and what its links lead to, as they are written."""
    for _ in range(40):
        yield program
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent / program.readlink()))


def _is_interpreter(prefix: Path) -> bool:
    if prefix in FOREIGN or _is_above_home(prefix):
        return False
    return any(next(prefix.glob(mark), None) is not None for mark in MARKS)


def _is_above_home(folder: Path) -> bool:
    home = home_folder()
    return home is not None and home.is_relative_to(folder)


def _is_below(path: Path, folders: list[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


# --- whether the box works here ---


@cache
def box_fault() -> str | None:
    """Return why the box does not work here, and the mend; None when it does.

    Only trying tells: namespaces are there and still refused, for many reasons.
    """
    if sys.platform != "linux":
        return "it needs Linux; play untrusted bots on a Linux machine"
    if platform.machine() not in MACHINES:
        return (
            f"it knows no processor {platform.machine()!r}; use one of "
            f"{', '.join(MACHINES)}"
        )
    host = this_host()
    if host is None:
        return "bubblewrap is missing; install it:  apt-get install bubblewrap"
    if not hasattr(os, "pidfd_open"):
        return "the kernel is older than 5.3; use a newer one"
    with tempfile.TemporaryDirectory(prefix="trianon-trial-") as folder:
        spec = BotSpec("trial", ("/usr/bin/true",), Path(folder))
        said = _try(host, spec)
    return None if said is None else diagnose(said, _setting)


def _try(host: Host, spec: BotSpec) -> str | None:
    """Start a box and return what went wrong, if anything."""
    argv = box_argv(spec, Limits(), "trial", host, Runtime())
    with Spawned(argv, {}, build_filter(host.machine)) as box:
        box.let_go()
        said = b""
        until = time.monotonic() + TRIAL_S
        while select.select([box.stderr], [], [], until - time.monotonic())[0]:
            data = os.read(box.stderr, 4096)
            if not data:
                break
            said += data
        else:
            os.kill(box.pid, signal.SIGKILL)
            said += b"it does not come to an end"
        status = os.waitstatus_to_exitcode(os.waitpid(box.pid, 0)[1])
    if status == 0:
        return None
    text = said.decode("utf-8", "replace").strip()
    return text or f"it ended with status {status}"


def diagnose(said: str, setting: Callable[[str], str | None]) -> str:
    """Return the reason and its mend.

    Args:
        said: what bubblewrap said when it failed.
        setting: returns what a file of the system holds; None when it is not there.
    """
    said = " ".join(said.split())[:200]
    if "Unknown option" in said:
        return f"bubblewrap is older than 0.8 ({said}); install a newer one"
    if setting("/proc/sys/kernel/unprivileged_userns_clone") == "0":
        return (
            f"user namespaces are off for plain users ({said}); allow them:  "
            "sysctl -w kernel.unprivileged_userns_clone=1"
        )
    if setting("/proc/sys/user/max_user_namespaces") == "0":
        return (
            f"user namespaces are off ({said}); allow them:  "
            "sysctl -w user.max_user_namespaces=10000"
        )
    if setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            f"AppArmor keeps bubblewrap from user namespaces ({said}); allow them:  "
            "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
        )
    if any(setting(path) is not None for path in ("/.dockerenv", "/run/.containerenv")):
        return (
            f"this container does not allow namespaces ({said}); start it with  "
            "--security-opt seccomp=unconfined --security-opt apparmor=unconfined "
            "--security-opt systempaths=unconfined"
        )
    return f"bubblewrap fails: {said}; see docs/sandbox.md"


def _setting(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except OSError:
        return None
