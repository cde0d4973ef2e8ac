"""What this machine's box holds off: a hostile probe in the very box that bots get.

Only a probe inside tells: filters can load and block nothing, and a flag that a newer
bubblewrap reads otherwise makes no noise.  Baits are laid out here, outside; whatever
the probe gets hold of is open.
"""

import contextlib
import fcntl
import json
import os
import secrets
import select
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import arena
from arena.botspec import BotSpec, command_bot, home_folder
from arena.box import ADDRESSES_MB, NONE, SHM_MB, Guard
from arena.errand import bury, nothing_left
from arena.errors import RefusedError
from arena.host import box_fault
from arena.process import BotProcess
from arena.sandbox import Level, Limits
from protocol.messages import HelloLimits

LIMITS: Final = Limits(memory_mb=128, processes=32, tmp_mb=8, file_mb=4, open_files=64)
HOG_MARGIN_MB: Final = 64  # how far beyond its limit a bot may get before it is stopped
KILL_MS: Final = 200  # from the kill to the end of the last process
KILLS: Final = 3  # tries, of which the best counts: a machine may have a slow moment
START_MS: Final = HelloLimits().hello_ms  # for another bot to start beside a crowd
PATIENCE_S: Final = 60.0
BAIT: Final = "TRIANON_DOCTOR_BAIT"
LEAK: Final = 20  # the least number of the bait: above those with a use of their own
LINE: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one probe: ``text`` says what it got, or what held it."""

    probe: str
    is_held: bool
    text: str


def examine(
    without: Collection[Guard] = NONE, *, is_whole: bool = True
) -> list[Finding]:
    """Start the probe and return what was held off and what was not.

    Args:
        without: guards left out, to see that it is noticed.
        is_whole: whether a hog of memory and a crowd try it, too: that takes longer.
    """
    with nothing_left(), _baits() as (folder, bait):
        spec = _probe_bot(folder)
        found = [*_inside(spec, bait, without)]
        if is_whole:
            found += [*_hog(spec, bait, without), *_crowd(spec, bait, without)]
        return found


def require_box(level: Level) -> None:
    """Refuse anything less than a box in which nothing is open.

    Raises:
        RefusedError: with the reason that was found on this machine, and its mend.
    """
    if level is not Level.BWRAP:
        fault = box_fault()
        raise RefusedError(
            f"--untrusted needs the box: {fault}"
            if fault
            else f"--untrusted needs the box, not {level.value!r}; leave --sandbox out"
        )
    found = [finding for finding in examine() if not finding.is_held]
    if found:
        first = found[0]
        raise RefusedError(
            f"--untrusted: the box of this machine is open: {first.probe}: "
            f"{first.text}; see  trianon doctor"
        )


@contextmanager
def _baits() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Lay out what a bot must not reach, and yield the probe's folder and the list."""
    secret = secrets.token_hex(16)
    with contextlib.ExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="trianon-")))
        own, opponent = root / "probe", root / "opponent"
        for folder in (own, opponent):
            folder.mkdir()
        shutil.copy(Path(arena.__file__).with_name("probe.py"), own / "probe.py")
        (opponent / "bot.py").write_text(secret, encoding="ascii")
        shm = _file("/dev/shm", secret, stack)  # noqa: S108
        tmp = _file("/tmp", secret, stack)  # noqa: S108
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind("\0" + secret)
        abstract.listen()
        with (opponent / "bot.py").open("rb") as file:
            leak = fcntl.fcntl(file.fileno(), fcntl.F_DUPFD, LEAK)  # inheritable
        stack.callback(os.close, leak)
        os.environ[BAIT] = secret
        stack.callback(os.environ.pop, BAIT)
        names = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")
        yield (
            own,
            {
                "secret": secret,
                "environment": [BAIT, "USER", "LOGNAME", "SHELL"],
                "opponent": str(opponent / "bot.py"),
                "arena": _arenas_files(),
                "tmp": tmp,
                "shm": shm,
                "port": server.getsockname()[1],
                "abstract": secret,
                "pid": os.getpid(),
                "namespaces": {
                    name: os.stat(f"/proc/self/ns/{name}").st_ino  # noqa: PTH116
                    for name in names
                },
                "shm_mb": SHM_MB,
                "addresses_mb": 2 * ADDRESSES_MB,
                **LIMITS.model_dump(),
            },
        )


def _file(folder: str, text: str, stack: contextlib.ExitStack) -> str:
    path = Path(folder) / f"trianon-{secrets.token_hex(8)}"
    path.write_text(text, encoding="ascii")
    stack.callback(path.unlink)
    return str(path)


def _arenas_files() -> list[str]:
    """Return files of the arena and of its user that no interpreter's folder holds."""
    candidates = [Path(arena.__file__), Path.cwd()]
    if (home := home_folder()) is not None:
        candidates.append(home / ".bashrc")
    prefixes = {Path(sys.prefix), Path(sys.base_prefix), Path("/usr")}
    return [
        str(path)
        for path in candidates
        if path.exists()
        and path != Path("/")
        and not any(
            path.is_relative_to(prefix) or prefix.is_relative_to(path)
            for prefix in prefixes
        )
    ]


def _probe_bot(folder: Path) -> BotSpec:
    return command_bot([sys.executable, "-I", "-S", "probe.py"], folder)


# --- the three acts ---


def _start(
    spec: BotSpec, act: str, bait: dict[str, Any], without: Collection[Guard]
) -> BotProcess:
    argv = (*spec.argv, act, json.dumps(bait))
    told = BotSpec("probe", argv, spec.cwd, spec.path)
    return BotProcess(told, Level.BWRAP, LIMITS, without)


def _lines(bot: BotProcess) -> Iterator[tuple[str, str]]:
    """Yield what the probe says, until it says that it is at its end, or is dead."""
    buffer = b""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        watch_s = bot.watch_memory()
        fds = (bot.stdout, bot.stderr_pipe)
        for pipe in select.select(fds, [], [], watch_s)[0]:
            data = os.read(pipe.fileno(), LINE)
            if pipe is bot.stderr_pipe:
                bot.stderr.add(data)
                continue
            if not data:
                return
            buffer += data
        while (end := buffer.find(b"\n")) >= 0:
            line, buffer = json.loads(buffer[:end]), buffer[end + 1 :]
            if line["probe"] == "end":
                return
            yield line["probe"], line["got"]


def _inside(
    spec: BotSpec, bait: dict[str, Any], without: Collection[Guard]
) -> Iterator[Finding]:
    bot = _start(spec, "probe", bait, without)
    seen = 0
    for probe, got in _lines(bot):
        seen += 1
        yield Finding(probe, not got, f"{got}{_mend(probe)}" if got else "held off")
    bury(bot)
    if seen < _count():
        words = bot.stderr.text().strip().splitlines()[-1:] or [bot.exit_text()]
        yield Finding("the probe's end", False, f"it broke off: {words[0]}")


def _mend(probe: str) -> str:
    """Return what to do about something open, where that is known."""
    if probe == "processes without end" and os.geteuid() == 0:
        return (
            "; the kernel bounds no processes of root: run as a plain user, or let "
            "control groups be written"
        )
    return ""


def _count() -> int:
    from arena.probe import PROBES

    return len(PROBES)


def _hog(
    spec: BotSpec, bait: dict[str, Any], without: Collection[Guard]
) -> Iterator[Finding]:
    allowed = LIMITS.memory_mb + HOG_MARGIN_MB
    is_held, most, stopped = False, 0, ""
    for _ in range(KILLS):
        bot = _start(spec, "hog", bait, without)
        most = 0
        for _, got in _lines(bot):
            most = int(got)
        bury(bot)
        stopped = "stopped" if bot.over_limit else "not stopped"
        is_held = bot.over_limit is not None and most <= allowed
        if is_held or bot.over_limit is None:
            break
    text = f"{stopped} at {most} MiB, of {LIMITS.memory_mb} allowed"
    yield Finding("memory without end", is_held, text)


def _crowd(
    spec: BotSpec, bait: dict[str, Any], without: Collection[Guard]
) -> Iterator[Finding]:
    bot = _start(spec, "crowd", bait, without)
    for _ in _lines(bot):
        pass
    began = time.monotonic()
    other = _start(spec, "probe", bait, without)
    is_up = next(_lines(other), None) is not None
    start_ms = int(1000 * (time.monotonic() - began))
    yield Finding(
        "another bot's start beside a crowd",
        is_up and start_ms <= START_MS,
        f"it took {start_ms} ms",
    )
    bury(other)
    took_ms, is_left = bury(bot)
    for _ in range(KILLS - 1):
        if took_ms <= KILL_MS or is_left:
            break
        bot = _start(spec, "crowd", bait, without)
        for _ in _lines(bot):
            pass
        took_ms, is_left = bury(bot)
    yield Finding("daemons after the kill", not is_left, "left" if is_left else "gone")
    yield Finding(
        "the time a kill takes",
        took_ms <= KILL_MS,
        f"{took_ms:.1f} ms for the last of them",
    )
