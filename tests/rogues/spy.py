"""Row 28: looks for the arena's files, the seed, others' bots.  There is nothing."""

import os
import sys
import tempfile
from pathlib import Path

from tests.rogues._loot import steal

HARMLESS = {"PATH", "HOME", "LANG", "PWD", "OLDPWD", "SHLVL", "_", "TRIANON_BOT"}


def systems_files() -> object:
    places = ("/etc/passwd", "/etc/shadow", "/root/.bashrc", "/home", "/var", "/run")
    return [place for place in places if Path(place).exists()]


def others_temporary_files() -> object:
    own = (Path.cwd(), Path(sys.prefix).resolve(), Path(sys.executable).resolve())
    return [
        path
        for path in Path(tempfile.gettempdir()).iterdir()
        if not any(place.is_relative_to(path) for place in own)
    ]


def environment() -> object:
    return [
        name
        for name in os.environ
        if name not in HARMLESS and not name.startswith(("PYTHON", "LC_"))
    ]


def records() -> object:
    return list(Path.cwd().rglob("*.jsonl.part"))


steal(systems_files, others_temporary_files, environment, records)
