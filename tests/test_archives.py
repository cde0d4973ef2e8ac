"""Archives of strangers: what is good is unpacked, what is crafted is refused."""

import gzip
import io
import os
import stat
import tarfile
import zipfile

import pytest

from arena.archives import ArchiveError, Bounds, unpack

SMALL = Bounds(packed=2_000_000, unpacked=1_000_000, entries=50)


class Zeros(io.RawIOBase):
    """Zeros without end."""

    def read(self, size=-1):
        return bytes(size)


def tar_of(path, *members):
    """Write a tar of (name, bytes or a TarInfo's fields)."""
    with tarfile.open(path, "w:gz") as tar:
        for name, what in members:
            info = tarfile.TarInfo(name)
            if isinstance(what, bytes):
                info.size = len(what)
                tar.addfile(info, io.BytesIO(what))
            else:
                for key, value in what.items():
                    setattr(info, key, value)
                tar.addfile(info, Zeros())
    return path


def zip_of(path, *members):
    """Write a zip of (name, bytes) or (name, bytes, mode)."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, *mode in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (mode[0] if mode else stat.S_IFREG | 0o644) << 16
            archive.writestr(info, data)
    return path


def link(target, kind=tarfile.SYMTYPE):
    return {"type": kind, "linkname": target}


def ten_gigabytes(path):
    """Write a tar with a file of ten gigabytes, of which ten megabytes are there."""
    info = tarfile.TarInfo("zeros")
    info.size = 10 * 2**30
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(info.tobuf())
        for _ in range(10):
            file.write(bytes(2**20))
    return path


def long_description(path):
    """Write a tar in which an entry's name alone has ten megabytes."""
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 10 * 2**20
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(info.tobuf() + bytes(info.size))
    return path


def lying_zip(path):
    """Write a zip whose entry says that it is smaller than it is."""
    zip_of(path, ("a", bytes(5_000_000)))
    raw = path.read_bytes()
    path.write_bytes(raw.replace((5_000_000).to_bytes(4, "little"), b"\x0a\0\0\0"))
    return path


def million_entries(path):
    """Write the directory of a zip with a million entries, and nothing else."""
    entry = b"PK\1\2" + bytes(42)
    end = b"PK\5\6" + bytes(4) + b"\xff\xff\xff\xff"
    size = 1_000_000 * len(entry)
    with path.open("wb") as file:
        file.write(entry * 40_000)  # what is not there is not read
        file.write(end + size.to_bytes(4, "little") + bytes(6))
    return path


def million_files(path):
    """Write a tar of empty files."""
    block = tarfile.TarInfo("a").tobuf()
    with gzip.open(path, "wb", compresslevel=1) as file:
        for number in range(5_000):
            file.write(tarfile.TarInfo(f"{number}").tobuf())
        file.write(block)
    return path


def encrypted(path):
    zip_of(path, ("a", b"x"))
    raw = bytearray(path.read_bytes())
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        raw[raw.find(mark) + at] |= 1
    path.write_bytes(raw)
    return path


def written(path, data):
    path.write_bytes(data)
    return path


FILE = b"hello"


def words_of_a_tar(words):
    """Return what makes a tar with such words of its own, and zeros behind them."""

    def make(path):
        liar = {"pax_headers": words, "size": 5_120}
        return tar_of(path, ("liar", liar), ("zeros", bytes(1_000_001)))

    return make


def packed(method):
    """Return what makes a zip that is packed otherwise."""

    def make(path):
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("a", FILE)
        return path

    return make


def far_directory(path):
    """Write a zip whose directory is said to be before its beginning."""
    raw = bytearray(zip_of(path, ("a", FILE)).read_bytes())
    at = raw.rfind(b"PK\5\6")
    raw[at + 16 : at + 20] = b"\xff\xff\xff\x7f"
    return written(path, bytes(raw))


FAR = "/".join(["a" * 199] * 29)
CRAFTED = {
    "climbing.tar.gz": (lambda p: tar_of(p, ("../out", FILE)), "climbs out"),
    "climbing.zip": (lambda p: zip_of(p, ("a/../../out", FILE)), "climbs out"),
    "absolute.tar.gz": (lambda p: tar_of(p, ("/tmp/out", FILE)), "absolute path"),
    "absolute.zip": (lambda p: zip_of(p, ("/tmp/out", FILE)), "absolute path"),
    "drive.zip": (lambda p: zip_of(p, ("C:/out", FILE)), "absolute path"),
    "backslash.zip": (lambda p: zip_of(p, ("..\\out", FILE)), "characters"),
    "control.zip": (lambda p: zip_of(p, ("a\x1b[2J", FILE)), "characters"),
    "link.tar.gz": (
        lambda p: tar_of(p, ("d", link("..")), ("d/out", FILE)),
        "a link to '..'",
    ),
    "link.zip": (
        lambda p: zip_of(p, ("d", b"..", stat.S_IFLNK | 0o777), ("d/out", FILE)),
        "a link",
    ),
    "hard_link.tar.gz": (
        lambda p: tar_of(p, ("passwd", link("/etc/passwd", tarfile.LNKTYPE))),
        "a hard link",
    ),
    "device.tar.gz": (
        lambda p: tar_of(
            p, ("disk", {"type": tarfile.BLKTYPE, "devmajor": 8, "devminor": 0})
        ),
        "a device",
    ),
    "pipe.tar.gz": (lambda p: tar_of(p, ("pipe", {"type": tarfile.FIFOTYPE})), "pipe"),
    "device.zip": (lambda p: zip_of(p, ("disk", b"", stat.S_IFBLK)), "a device"),
    "zeros.tar.gz": (ten_gigabytes, "unpacked"),
    "zeros.zip": (lambda p: zip_of(p, ("zeros", bytes(5_000_000))), "unpacked"),
    "lying.zip": (lying_zip, "damaged"),
    "description.tgz": (long_description, "without end"),
    "million.tar.gz": (million_files, "more than 50 entries"),
    "million.zip": (million_entries, "more than 50 entries"),
    "twice.tar.gz": (lambda p: tar_of(p, ("a", FILE), ("./a", FILE)), "clashes"),
    "cases.zip": (lambda p: zip_of(p, ("bot.py", FILE), ("BOT.py", FILE)), "clashes"),
    "forms.zip": (lambda p: zip_of(p, ("\u00e9", FILE), ("e\u0301", FILE)), "clashes"),
    "folder.zip": (lambda p: zip_of(p, ("a", FILE), ("a/b", FILE)), "clashes"),
    "folder.tgz": (lambda p: tar_of(p, ("a/b", FILE), ("a", FILE)), "clashes"),
    "deep.zip": (lambda p: zip_of(p, ("a/" * 60 + "b", FILE)), "folders deep"),
    "long.zip": (lambda p: zip_of(p, ("a" * 300, FILE)), "more than 200 bytes"),
    "latin1.tar.gz": (lambda p: tar_of(p, ("\udce9", FILE)), "characters"),
    "encrypted.zip": (encrypted, "encrypted"),
    "huge.zip": (lambda p: written(p, bytes(2_000_001)), "larger than"),
    "torn.tar.gz": (
        lambda p: written(p, tar_of(p, ("a", os.urandom(9_000))).read_bytes()[:4_000]),
        "damaged",
    ),
    "self.zip": (lambda p: zip_of(p, (".", FILE)), "without a name"),
    "self.tgz": (lambda p: tar_of(p, ("./.", FILE)), "without a name"),
    "nameless.tgz": (lambda p: tar_of(p, ("", FILE)), "without a name"),
    "far.zip": (lambda p: zip_of(p, (FAR, FILE)), "a path of more than"),
    "far.tgz": (lambda p: tar_of(p, (FAR, FILE)), "a path of more than"),
    "directory.zip": (far_directory, "damaged"),
    "bzip2.zip": (packed(zipfile.ZIP_BZIP2), "a way of its own"),
    "lzma.zip": (packed(zipfile.ZIP_LZMA), "a way of its own"),
    "map.tgz": (words_of_a_tar({"GNU.sparse.map": "x,y"}), "damaged"),
    "holes.tgz": (
        words_of_a_tar({"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}),
        "damaged",
    ),
    "less.tgz": (words_of_a_tar({"size": "-5"}), "than nothing"),
    "text.zip": (lambda p: written(p, b"no archive at all"), "no zip"),
    "text.tar.gz": (lambda p: written(p, b"no archive at all"), "damaged"),
    "bot.rar": (lambda p: written(p, b"Rar!"), "not one of"),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_a_crafted_archive_is_refused_and_nothing_is_written(name, tmp_path):
    make, words = CRAFTED[name]
    inner = tmp_path / "inner"
    inner.mkdir()
    archive = make(tmp_path / name)
    with pytest.raises(ArchiveError) as caught:
        unpack(archive, inner / "new", SMALL)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert list(inner.iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {"inner", name}


@pytest.mark.parametrize("name", ["good.zip", "good.tar.gz", "good.tgz"])
def test_a_good_archive_is_unpacked(name, tmp_path):
    source = tmp_path / "source" / "bot"
    (source / "data").mkdir(parents=True)
    (source / "bot.py").write_bytes(FILE)
    (source / "bot.py").chmod(0o4755)
    (source / "data" / "wörter.txt").write_bytes(FILE * 1000)
    (source / "empty").mkdir()
    archive = tmp_path / name
    if name.endswith(".zip"):
        with zipfile.ZipFile(archive, "w") as file:
            for path in sorted(source.rglob("*")):
                file.write(path, path.relative_to(source.parent))
    else:
        with tarfile.open(archive, "w:gz") as file:
            file.add(source, "bot")
    unpack(archive, tmp_path / "new", SMALL)
    found = {
        str(path.relative_to(tmp_path / "new")): path.read_bytes()
        for path in (tmp_path / "new").rglob("*")
        if path.is_file()
    }
    assert found == {"bot/bot.py": FILE, "bot/data/wörter.txt": FILE * 1000}
    assert (tmp_path / "new/bot/empty").is_dir()
    assert stat.S_IMODE((tmp_path / "new/bot/bot.py").stat().st_mode) == 0o755
    mode = (tmp_path / "new/bot/data/wörter.txt").stat().st_mode
    assert stat.S_IMODE(mode) == 0o644


def test_a_long_name_of_a_good_archive_is_no_bomb(tmp_path):
    name = "/".join(["a" * 150] * 4)
    archive = tar_of(tmp_path / "a.tgz", (name, FILE))
    unpack(archive, tmp_path / "new", SMALL)
    assert (tmp_path / "new" / name).read_bytes() == FILE
