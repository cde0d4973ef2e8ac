"""The README's promises; that its sessions come out as shown is tests/test_pages.py."""

import tomllib

import pytest

from tests import pages
from tests.command import trianon
from tests.pages import README
from tournaments.config import load_cup


def only(kind):
    (block,) = pages.blocks(README, kind)
    return block.text


def test_the_first_block_is_the_two_commands():
    commands = [line.split("#")[0].strip() for line in only("sh").splitlines()]
    assert commands == ["make demo", "make test"]


@pytest.mark.processes
def test_the_bot_in_ten_lines_plays_both_games(tmp_path):
    bot = only("python")
    code_lines = [line for line in bot.splitlines() if line.strip()]
    assert len(code_lines) <= 10
    (tmp_path / "mybot.py").write_text(bot, encoding="utf-8")
    for game in ("trianon", "loyatais"):
        code, out, err = trianon(
            "play", "python3 mybot.py", "first", "first", "--game", game, cwd=tmp_path
        )
        assert code == 0, out + err


def test_the_cup_loads(tmp_path):
    text = only("toml")
    assert tomllib.loads(text)["name"] == "spring"
    path = tmp_path / "spring.toml"
    path.write_text(text, encoding="utf-8")
    assert load_cup(path).rounds == 20
