"""The games as ``make compiled`` has built them: the same tests, once more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COMPILED = ROOT / ".compiled"
OF_THE_GAMES = [
    "tests/test_agree.py",
    "tests/test_rollouts.py",
    "tests/test_rulebook.py",
    "tests/test_worked_deals.py",
    "tests/test_playouts.py",
]


def is_stale():
    return any(
        (COMPILED / path).read_bytes() != (ROOT / path).read_bytes()
        for path in ("arena/games/tricks.py", "arena/games/trianon.py")
    )


@pytest.mark.skipif(not COMPILED.is_dir(), reason="needs: make compiled")
def test_the_compiled_games_pass_the_tests_of_the_games():
    assert not is_stale(), "the games have changed: make compiled"
    # -P and append: what is compiled is found before the files of this folder.
    command = [sys.executable, "-P", "-m", "pytest", "-q", "--import-mode=append"]
    command += ["-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *OF_THE_GAMES],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(COMPILED), "TRIANON_COMPILED": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "passed" in done.stdout
