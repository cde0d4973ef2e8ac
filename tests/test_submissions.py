"""A folder of strangers' bots: those that can play do, and the others are told."""

import io
import json
import os
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from arena import builds
from arena.archives import unpack
from arena.errors import ArenaError
from arena.sandbox import Level
from tests.command import cup, trianon
from tests.processes import LEVELS, needs_box
from tournaments import submissions
from tournaments.config import load_cup
from tournaments.field import find_field
from tournaments.submissions import gather

pytestmark = pytest.mark.processes
FIRST = Path(__file__).parents[1] / "sample_bots" / "python" / "first"


@pytest.fixture(autouse=True)
def new_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def entries(tmp_path):
    """A folder with good and bad entrants of all kinds."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / ".DS_Store").write_text("not for us")
    shutil.copytree(FIRST, folder / "plain")
    shutil.make_archive(str(folder / "inner"), "zip", FIRST)
    shutil.make_archive(str(folder / "outer"), "gztar", FIRST.parent, "first")
    (folder / "made").mkdir()
    (folder / "made" / "bot.toml").write_text(
        'name = "careful"\nbuild = "cp code bot.py"\ncommand = "python3 bot.py"\n'
    )
    shutil.copy(FIRST / "bot.py", folder / "made" / "code")
    (folder / "empty").mkdir()
    shutil.copytree(FIRST, folder / "unmade")
    (folder / "unmade" / "bot.toml").write_text(
        'build = "sh -c \'echo no compiler; exit 1\'"\ncommand = "./bot"\n'
    )
    (folder / "notes.txt").write_text("not a bot")
    with zipfile.ZipFile(folder / "climber.zip", "w") as archive:
        archive.writestr("../../out", "x")
    with tarfile.open(folder / "linker.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("bot.toml")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(info, io.BytesIO())
    (folder / "secret").mkdir()
    (folder / "secret" / "bot.toml").symlink_to("/etc/passwd")
    return folder


@pytest.mark.parametrize("level", LEVELS)
def test_who_can_be_built_is_in_and_the_others_are_told(entries, level):
    said: list[str] = []
    found = gather(entries, Level(level), said.append)
    assert [bot.name for bot in found.bots] == ["inner", "made", "outer", "plain"]
    assert all(bot.is_folder and not bot.build for bot in found.bots)
    assert said == ["building made", "building unmade"]
    why = {out.name: out.why for out in found.left_out}
    assert why.keys() == {
        *("climber", "empty", "linker", "notes.txt", "secret", "unmade")
    }
    assert "climbs out" in why["climber"]
    assert "no bot.toml" in why["empty"]
    assert "a link to" in why["linker"]
    assert "neither a folder" in why["notes.txt"]
    assert "link to elsewhere" in why["secret"]
    logs = {out.name: out.log for out in found.left_out if out.log}
    assert logs == {"unmade": ("no compiler",)}
    assert not list(entries.parent.glob("out*"))


def entry(folder, toml='command = "python3 bot.py"\n'):
    """Lay out an entrant that can play."""
    shutil.copytree(FIRST, folder)
    (folder / "bot.toml").write_text(toml)
    return folder


def unreadable_archive(into):
    os.mkfifo(into / "pipe.zip")


def endless_archive(into):
    (into / "zeros.tgz").symlink_to("/dev/zero")


def huge_archive(into):
    (into / "huge.tgz").touch()
    os.truncate(into / "huge.tgz", 1 << 42)


def link_to_itself(into):
    (into / "loop").mkdir()
    (into / "loop" / "bot.toml").symlink_to("bot.toml")


def link_to_a_bot_elsewhere(into):
    (into / "thief").mkdir()
    (into / "thief" / "x").symlink_to(entry(into.parent / "victim"))


def name_in_no_encoding(into):
    entry(into / os.fsdecode(b"by\xff\xfetes"))


def huge_folder_to_build(into):
    entry(into / "huge", 'build = "true"\ncommand = "python3 bot.py"\n')
    (into / "huge" / "holes").touch()
    os.truncate(into / "huge" / "holes", 1 << 42)


HOSTILE = {
    unreadable_archive: "neither a folder nor",
    endless_archive: "neither a folder nor",
    huge_archive: "larger than 64 MiB",
    link_to_itself: "no bot.toml",
    link_to_a_bot_elsewhere: "no bot.toml",
    name_in_no_encoding: "not in UTF-8",
    huge_folder_to_build: "holds more than 256 MiB",
}


@pytest.mark.parametrize("lay", HOSTILE)
def test_a_hostile_entry_is_left_out_and_stops_nobody(lay, tmp_path):
    into = tmp_path / "in"
    entry(into / "honest")
    lay(into)
    found = gather(into, Level.LIMITS, print)
    assert [bot.name for bot in found.bots] == ["honest"]
    assert [HOSTILE[lay] in out.why for out in found.left_out] == [True]


@needs_box
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_entries_that_their_owners_have_closed_are_left_out(tmp_path):
    into = tmp_path / "in"
    for name in ("a", "b", "c", "closed"):
        entry(into / name)
    entry(into / "unbuilt", 'build = "true"\ncommand = "python3 bot.py"\n')
    for name in ("closed", "unbuilt"):
        os.chown(into / name, 12_345, 12_345)
        (into / name).chmod(0o700)
    path = cup(tmp_path, bots=(), submissions="in", sandbox="bwrap")
    code, table, err = table_of(tmp_path, path)
    assert code == 0, err
    assert [row["bot"] for row in table["rows"]] == ["a", "b", "c"]
    assert "entrant 'closed' is left out: cannot be started" in err
    assert "entrant 'unbuilt' is left out" in err


def test_two_tournaments_may_unpack_the_same_at_once(tmp_path, monkeypatch):
    into = tmp_path / "in"
    into.mkdir()
    shutil.make_archive(str(into / "one"), "zip", FIRST)

    def unpack_late(archive, part):
        unpack(archive, part)
        shutil.copytree(part, part.with_name(part.name.partition(".")[0]))

    monkeypatch.setattr(submissions, "unpack", unpack_late)
    found = gather(into, Level.LIMITS, print)
    assert [bot.name for bot in found.bots] == ["one"]
    assert len(list(builds.cache("entrants").iterdir())) == 1


def test_two_of_one_name_are_the_organisers_to_mend(entries):
    shutil.copytree(FIRST, entries / "inner")
    with pytest.raises(ArenaError, match=r"'inner' and 'inner.zip'.*rename"):
        gather(entries, Level.LIMITS, print)


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ArenaError, match="name a folder"):
        gather(tmp_path / "no", Level.LIMITS, print)


def table_of(folder, path, *args):
    code, out, err = trianon("run", str(path), "--json", *args, cwd=folder)
    return code, json.loads(out) if out else None, err


@pytest.mark.parametrize("key", ["submissions", "runtimes"])
def test_a_folder_in_the_home_of_nobody_is_said(key, tmp_path):
    path = cup(tmp_path, bots=("first",) * 3)
    value = '"~nosuchuser/x"' if key == "submissions" else '["~nosuchuser/x"]'
    path.write_text(f"{key} = {value}\n{path.read_text()}")
    loaded = load_cup(path)
    with pytest.raises(ArenaError, match=r"~nosuchuser/x.*(name|correct)"):
        find_field(path, loaded, Level.NONE, print)


def test_a_cup_of_submissions_goes_on_without_the_broken_ones(entries, tmp_path):
    (entries / "crash").mkdir()
    (entries / "crash" / "bot.toml").write_text('command = "python3 bot.py"\n')
    (entries / "crash" / "bot.py").write_text("raise SystemExit('no model')\n")
    path = cup(tmp_path, bots=(), submissions="in")
    code, table, err = table_of(tmp_path, path)
    assert code == 0, err
    assert sorted(row["bot"] for row in table["rows"]) == [
        *("inner", "made", "outer", "plain")
    ]
    assert table["finished"] == table["scheduled"] == 24
    for name in ("climber", "crash", "empty", "linker", "notes.txt", "unmade"):
        assert f"entrant '{name}' is left out" in err
    assert "unmade | no compiler" in err
    assert "  crash | no model" in err.splitlines()
    # Later another one comes; who has played stays.
    shutil.copytree(FIRST, entries / "late")
    code, table, err = table_of(tmp_path, path)
    assert (code, table["finished"]) == (0, 60), err
    shutil.rmtree(entries / "late")
    code, table, err = table_of(tmp_path, path)
    assert (code, table) == (2, None)
    assert '`bots` had "late", which is gone' in err


def test_an_entrant_may_not_take_the_name_of_a_bot_of_the_cup(entries, tmp_path):
    shutil.copytree(FIRST, entries / "bot0")
    path = cup(tmp_path, bots=("first",), submissions="in")
    code, _, err = table_of(tmp_path, path)
    assert code == 2
    assert "an entrant is called 'bot0', as a bot of the cup file" in err


def test_too_few_entrants_are_said(tmp_path):
    (tmp_path / "in").mkdir()
    path = cup(tmp_path, bots=("first",), submissions="in")
    code, _, err = table_of(tmp_path, path)
    assert code == 2
    assert "1 bots can play, a table needs 3" in err
