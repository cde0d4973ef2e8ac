"""``trianon new``: what it makes, and what it refuses."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from arena.botspec import read_folder
from arena.errors import ArenaError
from arena.starter import languages, make_starter
from tests.command import trianon
from tests.pages import ROOT


@pytest.mark.parametrize("language", languages())
def test_a_starter_is_the_sample_with_a_name_a_page_and_a_test(language, tmp_path):
    folder = tmp_path / "mine"
    told = "\n".join(make_starter(language, folder))
    sample = languages()[language]
    for path in sample.folder.iterdir():
        if path.is_file() and path.name != "bot.toml":
            assert (folder / path.name).read_bytes() == path.read_bytes()
    made = tomllib.loads((folder / "bot.toml").read_text())
    shipped = tomllib.loads((sample.folder / "bot.toml").read_text())
    assert made == shipped | {"name": "mine"}
    assert f"trianon check {folder}" in told
    assert (sample.needs is None) or sample.needs in told


def test_the_page_names_the_program_and_three_commands(tmp_path):
    folder = tmp_path / "mine"
    list(make_starter("python", folder))
    text = (folder / "README.md").read_text()
    assert "`bot.py`" in text
    commands = text.partition("```sh\n")[2].partition("```")[0].splitlines()
    assert [" ".join(line.split()[:2]) for line in commands] == [
        "trianon check",
        "trianon play",
        f"sh {folder}/test.sh",
    ]


@pytest.mark.processes
def test_the_test_of_a_starter_passes(tmp_path):
    folder = tmp_path / "mine"
    code, _, err = trianon("new", "python", folder)
    assert code == 0, err
    assert read_folder(folder).name == "mine"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", str(folder / "test.sh")],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text("precious")
    with pytest.raises(ArenaError, match="not empty"):
        list(make_starter("python", tmp_path / "mine"))
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["bot.py"]


def test_an_empty_folder_will_do(tmp_path):
    list(make_starter("python", tmp_path))
    assert (tmp_path / "bot.py").is_file()


@pytest.mark.parametrize(
    ("language", "place", "words"),
    [
        ("cobol", "mine", "there are .*python"),
        ("python", "file", "is a file"),
        ("python", "file/below", "choose another place"),
    ],
)
def test_what_cannot_be_made_is_said(language, place, words, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ArenaError, match=words):
        list(make_starter(language, tmp_path / place))


def test_the_quickstart_names_every_language():
    text = " ".join((ROOT / "docs/quickstart.md").read_text().split())
    listed = text.partition("instead of `python`: ")[2].partition(".")[0]
    assert listed.split(", ") == list(languages())
