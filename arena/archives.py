"""Archives that strangers have made: unpacked into a new folder, or refused in words.

Nothing is taken on trust: names, kinds, sizes and counts are looked at before anything
is written, and what is read of an archive is bounded before a library parses it.  Links
are refused, inward ones too: with none of them, no name can lead out.
"""

import gzip
import io
import shutil
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Final, Protocol

SUFFIXES: Final = (".zip", ".tar.gz", ".tgz")
CHUNK: Final = 64 * 1024
HEADER_ROOM: Final = 64 * 1024
"""Bytes of a tar's own words before one entry: its block, and a long name's."""
ENTRY_ROOM: Final = 400  # bytes that a zip's directory may spend on one entry
END_OF_ZIP: Final = struct.Struct("<4s4H2LH")
BLOCK: Final = 512
MAX_PART: Final = 200  # bytes of one name
MAX_NAME: Final = 1000  # bytes of all the names on the way; systems take some 4,000
METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The only ones whose reader gives out no more at a time than it was asked for."""
MAX_DEPTH: Final = 30


class Readable(Protocol):
    """What a tar is read from."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to ``size`` bytes; fewer at the end."""


class ArchiveError(ValueError):
    """An archive that is not unpacked; the text says why, for whoever made it."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an archive may hold.

    Attributes:
        packed: bytes of the archive itself.
        unpacked: bytes of all its files.
        entries: files and folders.
    """

    packed: int = 64 * 1024 * 1024
    unpacked: int = 256 * 1024 * 1024
    entries: int = 10_000


@dataclass(frozen=True, slots=True)
class _Entry:
    """One thing in an archive, as it says of itself.

    Attributes:
        name: as it is written there.
        refusal: what it is, when it is neither a file nor a folder.
    """

    name: str
    size: int
    is_folder: bool
    is_program: bool
    refusal: str | None = None


def unpack(archive: Path, into: Path, bounds: Bounds | None = None) -> None:
    """Unpack a .zip, .tar.gz or .tgz into a new folder.

    A folder that all entries share is kept as it is.  When the archive is refused,
    ``into`` is gone again.

    Args:
        archive: the file.
        into: the folder to make; it must not exist.
        bounds: what the archive may hold.

    Raises:
        ArchiveError: if anything about it is not as it should be.
        OSError: if it cannot be read, or the disk is full.
    """
    bounds = bounds or Bounds()
    if archive.stat().st_size > bounds.packed:
        raise ArchiveError(f"larger than {_size(bounds.packed)}")
    with archive.open("rb") as file, _new_folder(into):
        if archive.name.endswith(".zip"):
            _unpack_zip(file, into, bounds)
        elif archive.name.endswith(SUFFIXES):
            with gzip.open(file) as plain:
                _unpack_tar(plain, into, bounds)
        else:
            raise ArchiveError(f"not one of {', '.join(SUFFIXES)}")


def unpack_tar(stream: Readable, into: Path, bounds: Bounds | None = None) -> None:
    """Unpack a plain tar from a stream into a new folder; else as ``unpack``."""
    with _new_folder(into):
        _unpack_tar(stream, into, bounds or Bounds())


@contextmanager
def _new_folder(path: Path) -> Iterator[None]:
    path.mkdir(mode=0o755)
    try:
        yield
    except BaseException:
        shutil.rmtree(path)
        raise


# --- tar ---


class _Rationed(io.RawIOBase):
    """A stream of which no more can be read than was granted."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._left = 0

    def grant(self, size: int) -> None:
        """Let that much be read from now on, and no more."""
        self._left = size

    def read(self, size: int = -1, /) -> bytes:
        if size < 0 or size > self._left:
            raise ArchiveError("an entry's description without end")
        data = self._stream.read(size)
        self._left -= len(data)
        return data


def _unpack_tar(stream: Readable, into: Path, bounds: Bounds) -> None:
    rationed = _Rationed(stream)
    plan = _Plan(into, bounds)
    # The library reads in blocks, up to one ahead, and skips what was not read.
    rationed.grant(HEADER_ROOM)
    try:
        with tarfile.open(
            fileobj=rationed,
            mode="r|",
            bufsize=BLOCK,
            encoding="utf-8",
            errors="surrogateescape",
        ) as tar:
            while (member := tar.next()) is not None:
                entry = _tar_entry(member)
                target = plan.admit(entry)
                rationed.grant(entry.size + 2 * BLOCK)
                if not entry.is_folder:
                    content = tar.extractfile(member)
                    assert content is not None
                    _write(target, content, entry)
                rationed.grant(HEADER_ROOM)
    except ArchiveError:
        raise
    except (
        tarfile.TarError,
        EOFError,
        zlib.error,
        gzip.BadGzipFile,
        # A tar's own words are numbers and texts, which the library takes on trust.
        ValueError,
        ArithmeticError,
        LookupError,
        RecursionError,
    ) as error:
        raise ArchiveError(f"damaged: {error}") from None


def _tar_entry(member: tarfile.TarInfo) -> _Entry:
    refusals = (
        (member.issym(), f"a link to {member.linkname!r}"),
        (member.islnk(), f"a hard link to {member.linkname!r}"),
        (member.isdev(), "a device or a named pipe"),
        (member.issparse(), "a file with holes"),
        (member.size < 0, "smaller than nothing"),
        (not (member.isreg() or member.isdir()), "of a kind of its own"),
    )
    refusal = next((text for is_so, text in refusals if is_so), None)
    size = member.size if member.isreg() else 0
    is_program = bool(member.mode & stat.S_IXUSR)
    return _Entry(member.name, size, member.isdir(), is_program, refusal)


# --- zip ---


def _unpack_zip(file: IO[bytes], into: Path, bounds: Bounds) -> None:
    _bound_directory(file, bounds)
    plan = _Plan(into, bounds)
    # In memory, so that no place that it names is an error of the disk's.
    file.seek(0)
    whole = io.BytesIO(file.read(bounds.packed))
    try:
        with zipfile.ZipFile(whole) as archive:
            entries = [(info, _zip_entry(info)) for info in archive.infolist()]
            targets = [plan.admit(entry) for _, entry in entries]
            for (info, entry), target in zip(entries, targets, strict=True):
                if not entry.is_folder:
                    with archive.open(info) as content:
                        _write(target, content, entry)
    except ArchiveError:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        struct.error,
    ) as error:
        raise ArchiveError(f"damaged: {error}") from None


def _bound_directory(file: IO[bytes], bounds: Bounds) -> None:
    """Refuse a zip whose directory is too large, before the library reads it whole."""
    file.seek(0, io.SEEK_END)
    size = file.tell()
    start = max(0, size - END_OF_ZIP.size - 0xFFFF - 20)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < END_OF_ZIP.size:
        raise ArchiveError("no zip archive, or one that breaks off")
    *_, count, length, _, _ = END_OF_ZIP.unpack_from(tail, at)
    if b"PK\6\7" in tail:
        raise ArchiveError("of the large kind (zip64); pack it as a plain zip")
    if count > bounds.entries or length > bounds.entries * ENTRY_ROOM:
        raise ArchiveError(f"more than {bounds.entries} entries")


def _zip_entry(info: zipfile.ZipInfo) -> _Entry:
    mode = info.external_attr >> 16
    kind = stat.S_IFMT(mode)
    refusals = (
        (stat.S_ISLNK(mode), "a link"),
        (kind not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK), "a device"),
        (bool(info.flag_bits & 1), "encrypted"),
        (info.compress_type not in METHODS, "packed in a way of its own"),
    )
    refusal = next((text for is_so, text in refusals if is_so), None)
    is_program = bool(mode & stat.S_IXUSR)
    # The library cuts a name at a NUL, and turns nothing else on this system.
    return _Entry(info.filename, info.file_size, info.is_dir(), is_program, refusal)


# --- both ---


class _Plan:
    """What of an archive has been admitted so far."""

    def __init__(self, into: Path, bounds: Bounds) -> None:
        self._into = into
        self._bounds = bounds
        self._unpacked = 0
        self._entries = 0
        self._files: dict[str, str] = {}  # by its name in one case and one form
        self._folders: dict[str, str] = {}

    def admit(self, entry: _Entry) -> Path:
        """Return where an entry goes; folders on the way are made.

        Raises:
            ArchiveError: if it goes nowhere.
        """
        shown = f"entry {entry.name[:MAX_PART]!r}"
        self._entries += 1
        if self._entries > self._bounds.entries:
            raise ArchiveError(f"more than {self._bounds.entries} entries")
        if entry.refusal is not None:
            raise ArchiveError(f"{shown} is {entry.refusal}; pack plain files only")
        parts = _parts(entry.name)
        if not parts and not entry.is_folder:
            raise ArchiveError(f"{shown} is a file without a name")
        self._unpacked += entry.size
        if self._unpacked > self._bounds.unpacked:
            raise ArchiveError(f"more than {_size(self._bounds.unpacked)} unpacked")
        target = self._into.joinpath(*parts)
        whole = "/".join(parts)
        for depth in range(1, len(parts)):
            self._add_folder("/".join(parts[:depth]), shown)
        if entry.is_folder:
            self._add_folder(whole, shown)
            target.mkdir(parents=True, exist_ok=True)
        else:
            key = _key(whole)
            if key in self._files or key in self._folders:
                raise ArchiveError(f"{shown} clashes with another of that name")
            self._files[key] = whole
            target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def _add_folder(self, name: str, shown: str) -> None:
        key = _key(name)
        if key in self._files or self._folders.setdefault(key, name) != name:
            raise ArchiveError(f"{shown} clashes with another of that name")


def _parts(name: str) -> list[str]:
    """Return the names on the way to an entry.

    Raises:
        ArchiveError: if the way leads out, or could not be written everywhere.
    """
    shown = f"entry {name[:MAX_PART]!r}"
    if name.startswith("/") or name[1:2] == ":":
        raise ArchiveError(f"{shown} is an absolute path; pack a folder, not a disk")
    if "\\" in name or not name.replace("/", "").isprintable():
        raise ArchiveError(f"{shown} has characters that no file should have")
    parts = [part for part in PurePosixPath(name).parts if part != "."]
    if ".." in parts:
        raise ArchiveError(f"{shown} climbs out of its folder")
    if len(parts) > MAX_DEPTH:
        raise ArchiveError(f"{shown} is more than {MAX_DEPTH} folders deep")
    for part in parts:
        try:
            is_long = len(part.encode()) > MAX_PART
        except UnicodeEncodeError:
            raise ArchiveError(f"{shown} is not in UTF-8") from None
        if is_long:
            raise ArchiveError(f"{shown} has a name of more than {MAX_PART} bytes")
    if len("/".join(parts).encode()) > MAX_NAME:
        raise ArchiveError(f"{shown} has a path of more than {MAX_NAME} bytes")
    return parts


def _key(name: str) -> str:
    """Return what two names have in common that some system takes for one."""
    return unicodedata.normalize("NFC", name.casefold())


def _write(target: Path, content: IO[bytes], entry: _Entry) -> None:
    left = entry.size
    with target.open("xb") as file:
        while left > 0:
            data = content.read(min(CHUNK, left))
            if not data:
                raise ArchiveError(f"damaged: entry {entry.name!r} breaks off")
            file.write(data)
            left -= len(data)
        if content.read(1):
            raise ArchiveError(f"damaged: entry {entry.name!r} is longer than it says")
    target.chmod(0o755 if entry.is_program else 0o644)


def _size(count: int) -> str:
    return f"{count // (1024 * 1024)} MiB"
