"""What the README shows is what happens."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.command import trianon
from tournaments.config import load_cup

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def without_times(text):
    """Drop the columns of times, and the widths that they give to others."""
    rows = []
    for line in text.strip().splitlines():
        words = line.split()
        is_row = bool(words) and words[0].isdecimal()
        rows.append(words[:-2] if is_row else [w for w in words if set(w) != {"-"}])
    return rows


def test_the_first_block_is_the_two_commands():
    commands = [line.split("#")[0].strip() for line in blocks("sh")[0].splitlines()]
    assert commands == ["make demo", "make test"]


@pytest.mark.processes
def test_the_match_comes_out_as_shown():
    shown = next(block for block in blocks("console") if "trianon play" in block)
    command, _, output = shown.partition("\n")
    code, out, _ = trianon(*command.removeprefix("$ trianon ").split())
    assert code == 0
    assert without_times(out) == without_times(output)


@pytest.mark.processes
def test_the_demonstration_comes_out_as_shown(tmp_path):
    shown = next(block for block in blocks("console") if "trianon run" in block)
    output = shown.partition("\n")[2]
    code, out, err = trianon("run", ROOT / "sample_bots/demo.toml", cwd=tmp_path)
    assert code == 0, err
    assert without_times(out) == without_times(output)


@pytest.mark.processes
def test_the_bot_in_ten_lines_plays_both_games(tmp_path):
    bot = blocks("python")[0]
    code_lines = [line for line in bot.splitlines() if line.strip()]
    assert len(code_lines) <= 10
    (tmp_path / "mybot.py").write_text(bot, encoding="utf-8")
    for game in ("trianon", "loyatais"):
        code, out, err = trianon(
            "play", "python3 mybot.py", "first", "first", "--game", game, cwd=tmp_path
        )
        assert code == 0, out + err


def test_the_cup_loads(tmp_path):
    text = blocks("toml")[0]
    assert tomllib.loads(text)["name"] == "spring"
    path = tmp_path / "spring.toml"
    path.write_text(text, encoding="utf-8")
    assert load_cup(path).rounds == 20


def test_every_link_leads_somewhere():
    for target in re.findall(r"\]\((?!http)([^)#]+)", README):
        assert (ROOT / target).exists(), target
