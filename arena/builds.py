"""Building a bot from its folder: once for each content, in the box, kept by its hash.

The build runs in a copy inside of the box's own /tmp, so that it can fill nothing, and
hands its folder out as a tar, which is unpacked like any stranger's.
"""

import contextlib
import hashlib
import os
import platform
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Final

from arena.archives import ArchiveError, Bounds, unpack_tar
from arena.botspec import BotSpec, command_bot, home_folder, read_folder
from arena.boxed import BoxError
from arena.errand import Done, run_errand
from arena.errors import ArenaError, CannotGoOnError
from arena.naming import shown
from arena.sandbox import Level, Limits

WITHIN_S: Final = 120.0
LIMITS: Final = Limits(
    memory_mb=1024, processes=256, tmp_mb=512, file_mb=256, open_files=1024
)
BOUNDS: Final = Bounds(packed=0, unpacked=256 * 1024 * 1024, entries=10_000)
MAX_TAR: Final = BOUNDS.unpacked + BOUNDS.entries * 2048  # with each entry's own words
LOG_LINES: Final = 20
UNUSED_S: Final = 30 * 24 * 3600  # after which what was built is thrown away
CACHED: Final = "__pycache__"  # comes and goes, and changes nothing
FORM: Final = "build/1"  # another when what is made of the same folder changes
SCRIPT: Final = (
    'work=$1; shift; mkdir -p "$work" && cp -RL . "$work" && cd "$work" || exit 125; '
    '"$@" </dev/null >&2 || exit; exec tar -chf - .'
)
"""Links become files, and what the build says on stdout goes where its errors go."""

Say = Callable[[str], None]


class BuildError(ArenaError):
    """A bot's build has failed; ``log`` has what it said."""

    def __init__(self, text: str, log: str) -> None:
        super().__init__(text)
        self.log = log

    def lines(self) -> list[str]:
        """Return the last lines of the log, as they can be shown."""
        return [
            shown(line, "simple") for line in self.log.strip().splitlines()[-LOG_LINES:]
        ]


def make_ready(specs: Sequence[BotSpec], level: Level, say: Say) -> list[BotSpec]:
    """Return the bots, those built that are to be; what fails is said, then raised.

    Raises:
        BuildError: if one cannot be built.
    """
    ready = []
    for spec in specs:
        try:
            ready.append(built(spec, level, say))
        except BuildError as error:
            for line in error.lines():
                say(f"  {spec.name} | {line}")
            raise
    return ready


def built(spec: BotSpec, level: Level, say: Say) -> BotSpec:
    """Return the bot as its ``build`` has made it, now or before.

    Raises:
        BuildError: if it cannot be built, with the log.
        CannotGoOnError: if the disk or the box fails.
    """
    if not spec.build:
        return spec
    key = _key(spec, level)
    try:
        folder = cache() / key
        if not folder.is_dir():
            say(f"building {spec.name}")
            folder.parent.mkdir(parents=True, exist_ok=True)
            tidy(folder.parent)
            _build(spec, level, folder)
        with contextlib.suppress(PermissionError):  # somebody else's cache will do
            os.utime(folder)
    except OSError as error:
        where = error.filename or cache()
        raise CannotGoOnError(f"{where}: {error.strerror}; see to the disk") from error
    made = read_folder(folder, is_built=True)
    return replace(made, name=spec.name, origin=spec.cwd)


def cache(kind: str = "builds") -> Path:
    """Return where things are kept that can be made again.

    Raises:
        ArenaError: if there is no home to keep them in.
    """
    if given := os.environ.get("XDG_CACHE_HOME"):
        return Path(given) / "trianon-arena" / kind
    home = home_folder()
    if home is None:
        raise ArenaError(
            "no home folder to keep what is built in; set HOME or XDG_CACHE_HOME"
        )
    return home / ".cache" / "trianon-arena" / kind


def _key(spec: BotSpec, level: Level) -> str:
    """Return the hash of all that the result depends on.

    Raises:
        BuildError: if there is more than can be built, or something cannot be read.
    """
    try:
        return _hash(spec, level, _files(spec.cwd))
    except OSError as error:
        why = f"{error.filename}: {error.strerror}; let it be read"
    except OverflowError as error:
        why = f"its folder holds {error}; take out what is not needed"
    raise BuildError(f"bot {spec.name!r}: {why}", "")


def fingerprint(spec: BotSpec) -> str:
    """Return by what a changed program is known; empty where nothing is.

    The hash of a bot's folder as its author left it, built or not, or of the files that
    a command line names.
    """
    try:
        if spec.is_folder:
            folder = spec.origin or spec.cwd
            files = [path for path in _files(folder) if CACHED not in path.parts]
        else:
            named = [spec.cwd / word for word in spec.argv[1:]]
            files = [path for path in named if os.path.isfile(path)]  # noqa: PTH113
        whole = hashlib.sha256()
        for path in files:
            if path.is_file() and not path.is_symlink():
                with path.open("rb") as file:
                    whole.update(hashlib.file_digest(file, "sha256").digest())
    except (OSError, OverflowError):
        return ""
    return whole.hexdigest() if files else ""


def _files(folder: Path) -> list[Path]:
    """Return what a folder holds.

    Raises:
        OverflowError: if it is more than a result may be.
    """
    found = []
    size = 0
    for path in folder.rglob("*"):
        found.append(path)
        size += path.lstat().st_size
        if len(found) > BOUNDS.entries:
            raise OverflowError(f"more than {BOUNDS.entries} files and folders")
        if size > BOUNDS.unpacked:
            raise OverflowError(f"more than {BOUNDS.unpacked // (1024 * 1024)} MiB")
    return sorted(found)


def _hash(spec: BotSpec, level: Level, files: Sequence[Path]) -> str:
    whole = hashlib.sha256()

    def add(*words: str) -> None:
        for word in words:
            raw = word.encode("utf-8", "surrogateescape")
            whole.update(len(raw).to_bytes(8, "big") + raw)

    add(FORM, platform.machine(), level.value, *spec.build)
    for path in files:
        mode = path.lstat().st_mode
        name = str(path.relative_to(spec.cwd))
        if stat.S_ISLNK(mode):
            add("link", name, str(path.readlink()))
        elif stat.S_ISREG(mode):
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            add("program" if mode & stat.S_IXUSR else "file", name, content)
    return whole.hexdigest()


def _build(spec: BotSpec, level: Level, folder: Path) -> None:
    tool = command_bot(list(spec.build), spec.cwd, is_authors=True)
    part = folder.with_name(f"{folder.name}.{os.getpid()}.part")
    shutil.rmtree(part, ignore_errors=True)
    with tempfile.TemporaryFile() as out, _work_place(level) as work:
        argv = ("/bin/sh", "-c", SCRIPT, "build", str(work / "bot"), *tool.argv)
        errand = replace(
            tool, argv=argv, env={"HOME": str(work)}, is_folder=spec.is_folder
        )
        try:
            done = run_errand(errand, level, LIMITS, WITHIN_S, out, MAX_TAR)
        except BoxError as error:
            if not error.blames(spec.cwd):
                raise
            done = Done(error.text, "")
        failure = done.failure
        if failure is None:
            failure = _take_out(out, part)
    if failure is not None:
        raise BuildError(
            f"bot {spec.name!r}: its build failed: {shown(failure, 'simple')}; mend "
            f"`build` in {spec.cwd / 'bot.toml'}, or the code",
            done.log,
        )
    try:
        part.rename(folder)
    except OSError:
        shutil.rmtree(part)
        if not folder.is_dir():  # else another has made the same meanwhile
            raise


def _take_out(out: IO[bytes], folder: Path) -> str | None:
    """Unpack what the build has handed out; return what is wrong with it."""
    out.seek(0)
    try:
        unpack_tar(out, folder, BOUNDS)
    except ArchiveError as error:
        return f"what it made: {error}"
    return None


@contextmanager
def _work_place(level: Level) -> Iterator[Path]:
    """Yield where the build works: in the box a place that goes with it."""
    if level is Level.BWRAP:
        yield Path("/tmp")  # noqa: S108 -- the box's own
    else:
        with tempfile.TemporaryDirectory(prefix="trianon-build-") as folder:
            yield Path(folder)


def tidy(folder: Path) -> None:
    """Throw away of a cache what was not used for long, and what a kill has left."""
    now = time.time()
    for path in folder.iterdir():
        try:
            age_s = now - path.stat().st_mtime
        except FileNotFoundError:  # another is tidying up, too
            continue
        is_part = path.name.endswith(".part")
        if age_s > (WITHIN_S + 60 if is_part else UNUSED_S):
            shutil.rmtree(path, ignore_errors=True)
