"""Row 32: leaves files for its next match, and looks for those of its last."""

import os
import tempfile
from pathlib import Path

from tests.rogues._loot import steal

NAME = "trianon-rogue-keeper"


def places() -> list[Path]:
    """Return where something might survive."""
    folders = (tempfile.gettempdir(), "/dev/shm", os.environ["HOME"], ".", "/bot", "/")
    return [Path(folder) / NAME for folder in folders]


def kept() -> object:
    return [path for path in places() if path.exists()]


def left() -> None:
    for path in places():
        try:
            path.write_text("KH")
        except OSError:
            continue


steal(kept, left)
