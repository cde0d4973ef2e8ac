"""Row 28: looks for the arena's files, the seed, others' bots.  There is nothing."""

import os
import tempfile
from pathlib import Path

from tests.rogues._loot import steal

HARMLESS = {"PATH", "HOME", "LANG", "PWD", "OLDPWD", "SHLVL", "_", "TRIANON_BOT"}


def systems_files() -> object:
    places = ("/etc/passwd", "/etc/shadow", "/root/.bashrc", "/home", "/var", "/run")
    return [place for place in places if Path(place).exists()]


def others_temporary_files() -> object:
    return list(Path(tempfile.gettempdir()).iterdir())


def environment() -> object:
    return [
        name
        for name in os.environ
        if name not in HARMLESS and not name.startswith(("PYTHON", "LC_"))
    ]


def records() -> object:
    return list(Path.cwd().rglob("*.jsonl.part"))


steal(systems_files, others_temporary_files, environment, records)
