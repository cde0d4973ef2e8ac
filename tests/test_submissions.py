"""A folder of strangers' bots: those that can play do, and the others are told."""

import io
import json
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.sandbox import Level
from tests.command import cup, trianon
from tests.processes import LEVELS
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
    assert "crash | no model" in err
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
