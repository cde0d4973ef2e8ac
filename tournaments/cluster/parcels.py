"""A bot on its way to another machine: its folder as a tar, known by its hash.

The same folder makes the same bytes, so a machine that has them needs them once.  What
arrives is unpacked like any stranger's archive, and built in the box where it runs.
"""

import hashlib
import io
import os
import shutil
import stat
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.archives import Bounds, unpack_tar
from arena.botspec import BotSpec, command_bot, read_folder
from arena.builds import CACHED, Say, built, cache, tidy
from arena.errors import ArenaError
from arena.orders import Order, PlayOrder, ProbeOrder
from arena.sandbox import Level
from protocol.model import Model

BOUNDS: Final = Bounds(packed=64 * 1024 * 1024, unpacked=64 * 1024 * 1024)
"""Of one bot's folder: it passes through the memory of front, scheduler and worker."""
OWN_FOLDER: Final = "give it a folder of its own, with a bot.toml or by  dir = ..."


class FarBot(Model):
    """A bot as another machine finds it.

    Attributes:
        digest: the SHA-256 of its folder's tar.
        words: its command, paths in its folder relative; empty where a ``bot.toml`` in
            the folder says it.
        runtimes: folders that it may read, which every machine must have.
    """

    name: str
    digest: str
    words: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parcel:
    """A bot and the bytes of its folder."""

    bot: FarBot
    content: bytes


def wrap(spec: BotSpec) -> Parcel:
    """Return the parcel of a bot that is not built yet.

    Raises:
        ArenaError: if its folder holds too much, or what cannot be copied.
    """
    try:
        content = _tar(spec)
    except OSError as error:
        raise ArenaError(
            f"bot {spec.name!r}: {error.filename}: {error.strerror}; let it be read"
        ) from None
    bot = FarBot(
        name=spec.name,
        digest=hashlib.sha256(content).hexdigest(),
        words=() if spec.is_folder else tuple(_words(spec)),
        runtimes=tuple(map(str, spec.runtimes)),
    )
    return Parcel(bot, content)


def _words(spec: BotSpec) -> Iterator[str]:
    inside = f"{spec.cwd}{os.sep}"
    for word in spec.argv:
        yield (
            f".{os.sep}{word.removeprefix(inside)}" if word.startswith(inside) else word
        )


def _tar(spec: BotSpec) -> bytes:
    whole = io.BytesIO()
    count = size = 0
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in _files(spec):
            content = path.read_bytes()
            count += 1
            size += len(content)
            if count > BOUNDS.entries or size > BOUNDS.unpacked:
                raise ArenaError(
                    f"bot {spec.name!r}: {spec.cwd} holds more than a bot needs "
                    f"({BOUNDS.entries} files, {BOUNDS.unpacked // 1024**2} MiB); "
                    f"{OWN_FOLDER}"
                )
            entry = tarfile.TarInfo(str(path.relative_to(spec.cwd)))
            entry.size = len(content)
            entry.mode = 0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644
            tar.addfile(entry, io.BytesIO(content))
    return whole.getvalue()


def _files(spec: BotSpec) -> Iterator[Path]:
    """Yield what of a bot's folder travels: not what is hidden from it here.

    Raises:
        ArenaError: if a link leads out of the folder, or to a folder.
    """
    root = spec.cwd.resolve()
    for at, folders, files in os.walk(root):
        here = Path(at)
        kept = [f for f in folders if f != CACHED and here / f not in spec.hidden]
        for name in sorted([*files, *(f for f in kept if (here / f).is_symlink())]):
            path = here / name
            if path in spec.masked:
                continue
            if path.is_symlink():
                real = Path(os.path.realpath(path))
                if not real.is_relative_to(root) or not real.is_file():
                    raise ArenaError(
                        f"bot {spec.name!r}: {path} is a link out of its folder, or to "
                        "a folder; to travel it must be a file"
                    )
            if path.is_file():
                yield path
        folders[:] = sorted(f for f in kept if not (here / f).is_symlink())


# --- orders -------------------------------------------------------------------------


def bots_of(order: Order) -> tuple[BotSpec, ...]:
    """Return the bots of a match, or the one that is tried.

    Raises:
        ValueError: if it is an order of another kind: those do not travel.
    """
    match order:
        case PlayOrder(bots=bots):
            return bots
        case ProbeOrder(bot=bot):
            return (bot,)
        case _:
            raise ValueError(order)


def plain(order: Order) -> Order:
    """Return an order without what is of this machine alone."""
    match order:
        case PlayOrder(bots=(one, two, three)):
            bots = (_far(one), _far(two), _far(three))
            return order.model_copy(update={"bots": bots, "record": None})
        case ProbeOrder(bot=bot):
            return order.model_copy(update={"bot": _far(bot)})
        case _:
            raise ValueError(order)


def _far(bot: BotSpec) -> BotSpec:
    return BotSpec(bot.name, ("",), Path(), games=bot.games)


# --- where it arrives ---


def is_here(digest: str) -> bool:
    """Tell whether this machine has the folder."""
    return _folder(digest).is_dir()


def unwrap(digest: str, content: bytes) -> None:
    """Unpack a bot's folder, once for each content.

    Raises:
        ArenaError: if it is not what it is said to be.
        ArchiveError: if anything in it is not as it should be.
        OSError: if the disk is full.
    """
    if hashlib.sha256(content).hexdigest() != digest:
        raise ArenaError("a bot's folder has arrived damaged; run the command again")
    folder = _folder(digest)
    folder.parent.mkdir(parents=True, exist_ok=True)
    tidy(folder.parent)
    part = folder.with_name(f"{digest}.{os.getpid()}.part")
    shutil.rmtree(part, ignore_errors=True)
    unpack_tar(io.BytesIO(content), part, BOUNDS)
    try:
        part.rename(folder)
    except OSError:
        shutil.rmtree(part)
        if not folder.is_dir():  # else another worker of this machine was faster
            raise


def settle(bot: FarBot, level: Level, say: Say) -> BotSpec:
    """Return a bot as it is started on this machine, built that is to be.

    Raises:
        ArenaError: if its program or a runtime is not here, or its build fails.
    """
    folder = _folder(bot.digest)
    os.utime(folder)
    if bot.words:
        spec = command_bot(_words_here(bot.words), folder, bot.name)
    else:
        spec = replace(read_folder(folder), name=bot.name)
    runtimes = tuple(map(Path, bot.runtimes))
    for path in runtimes:
        if not path.is_dir():
            raise ArenaError(f"runtimes: no folder {str(path)!r} on this machine")
    return replace(built(spec, level, say), runtimes=runtimes)


def _words_here(words: tuple[str, ...]) -> list[str]:
    """Return a command whose program is looked for by its name if not by its path."""
    program = words[0]
    if program.startswith(os.sep) and not os.access(program, os.X_OK):
        program = Path(program).name
    return [program, *words[1:]]


def _folder(digest: str) -> Path:
    return cache("parcels") / digest
