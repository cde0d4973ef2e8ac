"""A folder of strangers' bots: each subfolder or archive an entrant, or left out.

Whatever is wrong with one is said, and the others go on: only two of one name are the
organiser's to mend.
"""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.archives import SUFFIXES, ArchiveError, Bounds, unpack
from arena.botspec import BotSpec, read_folder
from arena.builds import BuildError, built, cache, tidy
from arena.errors import ArenaError, CannotGoOnError
from arena.naming import clean_name, shown
from arena.sandbox import Level

BOT_TOML: Final = "bot.toml"
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An entrant that does not play: why, and the last lines of its log."""

    name: str
    why: str
    log: tuple[str, ...] = ()

    def told(self) -> Iterator[str]:
        """Yield the lines that tell of it."""
        for line in self.log:
            yield f"  {self.name} | {line}"
        yield f"entrant {self.name!r} is left out: {shown(self.why, 'simple')}"


@dataclass(frozen=True, slots=True)
class Entrants:
    """Who has come, by name: those that could be built, and the others."""

    bots: tuple[BotSpec, ...]
    left_out: tuple[LeftOut, ...]


def gather(folder: Path, level: Level, say: Say, *, is_built: bool = True) -> Entrants:
    """Unpack and build what lies in a folder.

    An entrant is called after its subfolder or archive, whatever its bot.toml says:
    that name is the organiser's.

    Args:
        folder: subfolders, .zip, .tar.gz and .tgz; hidden files are passed over.
        level: how far builds are kept apart.
        say: is told what is being built.
        is_built: whether they are built here.

    Raises:
        ArenaError: if there is no such folder, or two entrants have one name.
        CannotGoOnError: if the disk fails.
    """
    bots: list[BotSpec] = []
    left_out: list[LeftOut] = []
    for path, name in _named(folder):
        try:
            spec = replace(_read(path), name=name)
            bots.append(built(spec, level, say) if is_built else spec)
        except BuildError as error:
            left_out.append(LeftOut(name, str(error), tuple(error.lines())))
        except CannotGoOnError:
            raise
        except (ArchiveError, ArenaError) as error:
            left_out.append(LeftOut(name, str(error)))
    return Entrants(tuple(bots), tuple(left_out))


def _named(folder: Path) -> list[tuple[Path, str]]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.name[0] != ".")
    except OSError as error:
        raise ArenaError(
            f"submissions: {folder}: {error.strerror}; name a folder that holds them"
        ) from None
    named: dict[str, Path] = {}
    for path in paths:
        stem = path.name
        for suffix in SUFFIXES if not path.is_dir() else ():
            stem = stem.removesuffix(suffix)
        other = named.setdefault(clean_name(stem), path)
        if other != path:
            raise ArenaError(
                f"submissions: {other.name!r} and {path.name!r} would both be called "
                f"{clean_name(stem)!r}; rename one of them"
            )
    return [(path, name) for name, path in named.items()]


def _read(path: Path) -> BotSpec:
    """Return the bot of a subfolder or archive, not yet built.

    Raises:
        ArchiveError: if the archive is refused.
        ArenaError: if there is no bot in it.
    """
    folder = path if path.is_dir() else _unpacked(path)
    try:
        return _read_folder(folder)
    except OSError as error:
        raise ArenaError(
            f"{error.filename}: {error.strerror}; let it be read"
        ) from None


def _read_folder(folder: Path) -> BotSpec:
    if not (folder / BOT_TOML).is_file():
        inside = [child for child in folder.iterdir() if child.is_dir()]
        if len(inside) == 1 and not inside[0].is_symlink():  # it leads anywhere
            folder = inside[0]  # packed with the folder itself
    # os.path and not Path, which raises at a link to itself
    real = Path(os.path.realpath(folder / BOT_TOML))
    if not real.is_relative_to(folder.resolve()):
        raise ArenaError(
            f"{BOT_TOML} is a link to elsewhere; put the file itself there"
        )
    return read_folder(folder)


def _unpacked(archive: Path) -> Path:
    """Return where an archive is unpacked, once for each content."""
    # A pipe would be waited for, and a device read, for ever.
    if not archive.name.endswith(SUFFIXES) or not archive.is_file():
        raise ArchiveError(f"neither a folder nor one of {', '.join(SUFFIXES)}")
    key = _hash(archive)
    try:
        folder = cache("entrants") / key
        if not folder.is_dir():
            part = folder.with_name(f"{key}.{os.getpid()}.part")
            folder.parent.mkdir(parents=True, exist_ok=True)
            tidy(folder.parent)
            unpack(archive, part)
            _settle(part, folder)
        with contextlib.suppress(PermissionError):  # somebody else's cache will do
            os.utime(folder)
    except OSError as error:
        where = error.filename or archive
        raise CannotGoOnError(f"{where}: {error.strerror}; see to the disk") from error
    return folder


def _hash(archive: Path) -> str:
    """Return the hash of an archive's content.

    Raises:
        ArchiveError: if it is too large to be one, or cannot be read.
    """
    packed = Bounds().packed
    try:
        if archive.stat().st_size > packed:
            raise ArchiveError(f"larger than {packed // (1024 * 1024)} MiB")
        with archive.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ArchiveError(f"{error.strerror}; let it be read") from None


def _settle(part: Path, folder: Path) -> None:
    try:
        part.rename(folder)
    except OSError:
        shutil.rmtree(part)
        if not folder.is_dir():  # else another has unpacked the same meanwhile
            raise
