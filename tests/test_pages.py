"""What the README and docs show is what happens, and their links lead somewhere."""

import ast
import json
import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest

from tests import pages
from tests.pages import PAGES, README, ROOT
from tournaments.cli import cli

WITH_SESSIONS = [page for page in PAGES if pages.blocks(page, "console")]


@pytest.mark.parametrize("page", PAGES, ids=pages.name)
def test_every_link_leads_somewhere(page):
    dead = [
        f"{target}#{anchor}"
        for target, anchor in pages.links(page)
        if not target.exists() or (anchor and anchor not in pages.anchors(target))
    ]
    assert dead == []


def test_every_page_can_be_reached_from_the_readme():
    reached, new = set(), {README}
    while new:
        reached |= new
        targets = {target for page in new for target, _ in pages.links(page)}
        targets |= {
            path for folder in targets if folder.is_dir() for path in folder.iterdir()
        }
        new = {target for target in targets if target.suffix == ".md"} - reached
    assert [pages.name(page) for page in PAGES if page not in reached] == []


@pytest.mark.processes
@pytest.mark.parametrize("page", WITH_SESSIONS, ids=pages.name)
def test_sessions_come_out_as_shown(page, tmp_path):
    if page == README:  # beside the cup that it plays, as a reader is
        (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    code = 0
    for block in pages.blocks(page):
        if block.note.startswith("file: "):
            path = tmp_path / block.note.removeprefix("file: ")
            path.write_text(block.text, encoding="utf-8")
        if block.kind != "console":
            continue
        for command, shown in pages.commands(block.text):
            assert code == 0 or command == "echo $?", "an exit code goes unsaid"
            code, out, err = pages.run(command, tmp_path, code)
            assert pages.is_shown(out, shown), f"$ {command}\n{out}{err}"


def trianon_lines():
    for page in PAGES:
        for block in pages.blocks(page):
            if block.kind not in ("sh", "console"):
                continue
            for line in block.text.splitlines():
                command = line.removeprefix("$ ")
                if command.startswith("trianon "):
                    yield pytest.param(command, id=f"{pages.name(page)}: {command}")


@pytest.mark.parametrize("line", list(trianon_lines()))
def test_every_command_that_is_shown_exists_with_its_options(line):
    line = line.partition(" > ")[0]
    name, *args = shlex.split(line, comments=True)[1:]
    command = cli.commands[name]
    # Parsed alone, so that no file need be there.
    parser = command.make_parser(click.Context(command))
    parser.parse_args(args)


@pytest.mark.parametrize("page", PAGES, ids=pages.name)
def test_data_and_programs_can_be_read(page):
    for block in pages.blocks(page):
        match block.kind:
            case "json":
                read_json(block.text)
            case "toml":
                tomllib.loads(block.text)
            case "python":
                ast.parse(block.text)
            case _:
                pass  # nothing to read in it


def read_json(text):
    """Read one value, or one in each line."""
    try:
        json.loads(text)
    except ValueError:
        for line in text.splitlines():
            json.loads(line)


def test_every_make_target_that_is_shown_exists():
    made = re.findall(r"^(\S+):", pages.read(ROOT / "Makefile"), re.MULTILINE)
    for page in PAGES:
        for block in pages.blocks(page, "sh"):
            for target in re.findall(r"^make (\S+)", block.text, re.MULTILINE):
                assert target in made, pages.name(page)


@pytest.mark.parametrize(
    ("shown", "is_so"),
    [
        ("a\nb\nc\nd\n", True),
        ("a\n...\nd\n", True),
        ("a\n...\nc\n...\n", True),
        ("...\n", True),
        ("a\nb\nc\n", False),
        ("a\n...\nc\n", False),
        ("...\nc\n...\nb\n...\n", False),
        ("a\nb\n...\nb\nc\nd\n", False),
    ],
)
def test_lines_left_out_are_any_lines(shown, is_so):
    assert pages.is_shown("a\nb\nc\nd\n", shown) == is_so


def test_a_broken_link_and_a_missing_anchor_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# One: `two`\n[a](gone.md) [b](#one-two) [c](#three)\n")
    (gone, _), (_, there), (_, missing) = pages.links(page)
    assert not gone.exists()
    assert there in pages.anchors(page)
    assert missing not in pages.anchors(page)


def test_a_page_is_where_it_is_looked_for():
    assert Path(ROOT / "docs/protocol.md") in PAGES
