"""Running the command as a user does, in a process of its own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

TRIANON = (sys.executable, "-m", "tournaments.cli")
FIRST = "first"


def start(*args, cwd=None, env=None, **given):
    """Start ``trianon`` with its own group; both outputs are pipes."""
    return subprocess.Popen(
        [*TRIANON, *map(str, args)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
        **given,
    )


def trianon(*args, cwd=None, env=None, **given):
    """Run ``trianon`` to its end; return (exit code, stdout, stderr)."""
    with start(*args, cwd=cwd, env=env, **given) as process:
        try:
            out, err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # or it would be waited for
            raise
    return process.returncode, out, err


def comparable_table(folder, name="cup"):
    """Return what must be equal wherever a cup is played: all but times and voids."""
    code, out, err = trianon("table", name, "--json", cwd=folder)
    assert code == 0, err
    table = json.loads(out)
    for row in table["rows"]:
        del row["mean_ms"], row["slowest_ms"]
    return table | {"void": 0}


def cup(folder: Path, bots=("first", "first", "first"), **keys) -> Path:
    """Write a cup of short matches and return its path; ``keys`` go on top."""
    top = {"name": "cup", "game": "loyatais", "seed": "s", "jobs": 2, **keys}
    lines = [f"{key} = {_toml(value)}" for key, value in top.items()]
    if top["game"] == "loyatais":
        lines += ["[options]", "deals = 3"]
    for number, bot in enumerate(bots):
        lines += ["[[bots]]", f'name = "bot{number}"', f"bot = {_toml(bot)}"]
    path = folder / "cup.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def _toml(value):
    return (
        str(value) if isinstance(value, int) else '"' + value.replace('"', '\\"') + '"'
    )
