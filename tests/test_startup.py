"""What a command imports before it does its work: a heavy library is a slow start."""

import subprocess
import sys

import pytest

HEAVY = {
    "anyio",
    "asyncio",
    "distributed",
    "hypercorn",
    "hypothesis",
    "jinja2",
    "mypy",
    "rich",
    "sqlalchemy",
    "starlette",
    "tabulate",
}


def imported_by(code):
    """Return all modules that are there after ``code`` has run in a fresh process."""
    code += "\nimport sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


HELP = """
import sys
sys.argv = ["trianon", "--help"]
from tournaments.cli import main
try:
    main()
except SystemExit:
    pass
"""


def test_help_needs_click_and_nothing_of_weight():
    found = imported_by(HELP)
    assert "click" in found
    assert not found & (HEAVY | {"pydantic", "trio", "attr", "ssl", "tomllib"})
    ours = {name for name in found if name.split(".")[0] in ("arena", "protocol")}
    assert ours == {"arena", "arena.cli", "arena.errors", "arena.naming"}


def test_the_front_of_a_match_starts_no_loop_and_reads_no_archive():
    found = imported_by("import tournaments.cli, arena.play")
    assert "arena.link" in found
    assert not found & (HEAVY | {"trio", "ssl", "tarfile"})
    assert not found & {"arena.archives", "arena.builds", "arena.check_exam"}


def test_an_engine_knows_of_checks_only_when_it_is_asked_for_one():
    found = imported_by("import arena.engine")
    assert "trio" in found
    assert not found & HEAVY
    checks = {name for name in found if name.startswith("arena.check")}
    assert checks == {"arena.check_report"}  # what an engine may be asked to send
    assert not found & {"arena.resend", "arena.archives", "tarfile"}


@pytest.mark.parametrize("module", ["arena.games", "arena.games.rollouts"])
def test_the_games_can_be_had_without_the_arena_around_them(module):
    found = imported_by(f"import {module}")
    assert not found & (HEAVY | {"trio", "click", "subprocess"})
    assert not found & {"arena.match", "arena.referee", "arena.link"}
