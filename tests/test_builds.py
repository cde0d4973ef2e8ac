"""Bots that are built: once for each content, in the box, and never where they lie."""

import shutil
from pathlib import Path

import pytest

from arena import builds
from arena.botspec import find_bot
from arena.builds import BuildError, built, cache, fingerprint
from arena.errors import ArenaError
from arena.host import find_runtime
from arena.sandbox import Level
from tests.command import trianon
from tests.processes import LEVELS, needs_box

pytestmark = pytest.mark.processes

FIRST = Path(__file__).parents[1] / "sample_bots/python/first/bot.py"


@pytest.fixture(autouse=True)
def new_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def said():
    return []


def folder_of(tmp_path, script, command="./made"):
    """Write a bot that a shell script makes."""
    folder = tmp_path / "bot"
    folder.mkdir(exist_ok=True)
    (folder / "make.sh").write_text(script)
    (folder / "bot.toml").write_text(
        f'name = "made"\nbuild = "sh make.sh"\ncommand = "{command}"\n'
    )
    return folder


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_is_built_once_for_each_content(tmp_path, said, level):
    folder = folder_of(tmp_path, "echo '#!/bin/sh' > made; chmod +x made; echo noise")
    before = {path.name for path in folder.iterdir()}
    spec = find_bot(str(folder))
    ready = built(spec, Level(level), said.append)
    assert ready.argv == (str(ready.cwd / "made"),)
    assert ready.cwd.parent == cache()
    assert (ready.name, ready.build, ready.is_folder) == ("made", (), True)
    assert {path.name for path in folder.iterdir()} == before
    assert built(spec, Level(level), said.append) == ready
    assert said == ["building made"]
    (folder / "made.txt").write_text("something new")
    assert built(find_bot(str(folder)), Level(level), said.append).cwd != ready.cwd
    assert said == ["building made"] * 2


@pytest.mark.parametrize("level", LEVELS)
def test_a_failed_build_shows_its_log_and_leaves_nothing(tmp_path, said, level):
    spec = find_bot(str(folder_of(tmp_path, "echo so; echo 'no \x1b[2J' >&2; exit 3")))
    with pytest.raises(BuildError, match="status 3") as caught:
        built(spec, Level(level), said.append)
    assert caught.value.lines() == ["so", "no \\x1b[2J"]
    assert list(cache().iterdir()) == []


@pytest.mark.parametrize("level", LEVELS)
def test_a_build_without_end_is_ended(tmp_path, said, level, monkeypatch):
    monkeypatch.setattr(builds, "WITHIN_S", 0.5)
    spec = find_bot(str(folder_of(tmp_path, "sleep 1000 & sleep 1000")))
    with pytest.raises(BuildError, match="too long"):
        built(spec, Level(level), said.append)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("head -c 300000000 /dev/zero > big", "status 1"),  # its /tmp is full
        ("ln -s /etc/passwd made", "status"),
        ("true", "no such program"),
        ("mkfifo made", "named pipe"),
    ],
    ids=["too large", "a link out", "nothing made", "a pipe"],
)
@needs_box
def test_what_a_build_makes_is_not_trusted(tmp_path, said, script, words, monkeypatch):
    monkeypatch.setattr(
        builds, "LIMITS", builds.LIMITS.model_copy(update={"tmp_mb": 64})
    )
    spec = find_bot(str(folder_of(tmp_path, script)))
    with pytest.raises(ArenaError, match=words):
        built(spec, Level.BWRAP, said.append)


@needs_box
def test_a_forged_result_of_a_build_is_refused(tmp_path, said, monkeypatch):
    """It may write to what we read: the descriptor that its own shell has."""
    monkeypatch.setattr(builds, "SCRIPT", "exec tar -cPhf - /bin/sh")
    folder = folder_of(tmp_path, "true")
    (folder / "bot.toml").write_text('build = "/bin/sh x"\ncommand = "./made"\n')
    with pytest.raises(BuildError, match="absolute path"):
        built(find_bot(str(folder)), Level.BWRAP, said.append)


@needs_box
def test_a_build_has_no_network_and_no_other_files(tmp_path, said):
    secret = tmp_path / "secret"
    secret.write_text("s")
    script = f"cat /proc/net/dev | grep -vc lo: > made; ls {secret} >> made; :"
    ready = built(
        find_bot(str(folder_of(tmp_path, script, "/bin/cat made"))),
        Level.BWRAP,
        said.append,
    )
    assert (ready.cwd / "made").read_text() == "2\n"  # the heads of the table


def test_a_bot_is_known_by_what_its_author_wrote_wherever_it_is_built(tmp_path, said):
    folder = folder_of(tmp_path, "date +%N > made; chmod +x made")
    spec = find_bot(str(folder))
    known = fingerprint(spec)
    assert known == fingerprint(built(spec, Level.LIMITS, said.append)) != ""
    (folder / "made.txt").write_text("something new")
    assert fingerprint(built(find_bot(str(folder)), Level.LIMITS, said.append)) != known


@needs_box
def test_a_built_bot_plays(tmp_path):
    folder = folder_of(tmp_path, "mv bot.py made.py", "python3 made.py")
    shutil.copy(FIRST, folder / "bot.py")
    code, out, err = trianon("play", str(folder), "first", "random", "--deals", "1")
    assert (code, "building made" in err) == (0, True), err
    assert "made" in out


def test_a_user_without_a_home_is_told_where_to_build(monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(ArenaError, match="set HOME or XDG_CACHE_HOME"):
        cache()


@needs_box
def test_a_user_without_a_home_can_play(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", homeless)
    (tmp_path / "bot.py").touch()
    spec = find_bot(f"/usr/bin/env python3 {tmp_path}/bot.py", tmp_path / "else")
    assert str(tmp_path) in {mount.source for mount in find_runtime(spec).mounts}


def homeless():
    """Fail as for a user whom nobody has entered anywhere, with HOME unset."""
    raise RuntimeError("Could not determine home directory.")


def test_a_command_that_cannot_be_split_is_refused_in_words(tmp_path):
    folder = folder_of(tmp_path, "true")
    (folder / "bot.toml").write_text("build = \"'\"\ncommand = 'x'\n")
    with pytest.raises(ArenaError, match="check its quotes"):
        find_bot(str(folder))
    (folder / "bot.toml").write_text("build = ''\ncommand = 'x'\n")
    with pytest.raises(ArenaError, match="'build' is empty"):
        find_bot(str(folder))
