"""``trianon new``: a starter folder, made from the sample of its language.

Nothing is written twice: the bot is the shipped ``first`` of the language, copied; what
is added is a name, a page on what to do next, and a test.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.botspec import Sample, samples
from arena.errors import ArenaError
from arena.naming import clean_name

MODEL: Final = "first"  # the folder of a language's sample that is copied
LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", "*.pyc", "bot.toml")

README: Final = """# {name}

A bot for Trianon and Loyatais, in {language}. The program is `{program}`; `bot.toml`
says how it is started.

Next:

```sh
trianon check {folder}                 # does it keep to the protocol?
trianon play {folder} careful random   # a match, with every fault explained
sh {folder}/test.sh                    # both, as a test: exit code 0 if all is well
```

Each line that comes in is a request, and wants one line back with the same `id`. An
`act` lists the `legal` moves: answer with one of them as `move`. What can be seen of
the deal is in `deal`, what has happened since the last request in `events`.
"""
TEST: Final = """#!/bin/sh
# The bot keeps to the protocol, without a warning, and plays both games unfaulted.
set -e
cd "$(dirname "$0")"
trianon check . --strict --quick
trianon play . careful random --strict --deals 3
trianon play . careful random --strict --deals 3 --game loyatais
"""


ALSO: Final = {
    "c++": "cpp",
    "golang": "go",
    "js": "javascript",
    "node": "javascript",
    "py": "python",
    "ts": "typescript",
}
"""What languages are also called."""


def languages() -> dict[str, Sample]:
    """Return the samples that a starter can be made from, by language."""
    found = {
        sample.language: sample
        for sample in samples().values()
        if sample.folder.name == MODEL
    }
    return dict(sorted(found.items()))


def make_starter(language: str, folder: Path) -> Iterator[str]:
    """Make a starter folder, and yield what to tell its owner.

    Raises:
        ArenaError: if there is no such language, or the folder is not empty.
    """
    name = language.casefold()
    sample = languages().get(ALSO.get(name, name))
    if sample is None:
        known = ", ".join(languages())
        raise ArenaError(f"no starter in {language!r}; there are {known}")
    _make_room(folder)
    name = clean_name(folder.resolve().name)
    shutil.copytree(sample.folder, folder, ignore=LEFT_OUT, dirs_exist_ok=True)
    program = _program(folder)
    _write(folder / "bot.toml", _renamed(sample, name))
    _write(
        folder / "README.md",
        README.format(
            name=name, language=sample.language, folder=folder, program=program
        ),
    )
    _write(folder / "test.sh", TEST)
    (folder / "test.sh").chmod(0o755)
    yield f"{folder}: a bot in {sample.language}; the program is {folder / program}"
    if sample.needs is not None:
        yield f"it needs {sample.needs}, which is missing here: install that first"
    yield f"next:  trianon check {folder}"


def _make_room(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ArenaError(f"{folder} is a file; name a folder that is not there yet")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_empty = not any(folder.iterdir())
    except OSError as error:
        raise ArenaError(f"{folder}: {error.strerror}; choose another place") from None
    if not is_empty:
        raise ArenaError(f"{folder} is not empty; name a folder that is not there yet")


def _program(folder: Path) -> str:
    """Return the file that an author opens first."""
    names = sorted(path.name for path in folder.iterdir())
    return next((name for name in names if Path(name).stem.lower() == "bot"), names[0])


def _renamed(sample: Sample, name: str) -> str:
    text = (sample.folder / "bot.toml").read_text(encoding="utf-8")
    line = re.compile(r"^name\s*=.*$", re.MULTILINE)
    return line.sub(lambda _: f'name = "{name}"', text, count=1)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
