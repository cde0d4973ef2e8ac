"""What a BOT on the command line is: a sample, a folder, or a command line.

docs/commands.md, "A BOT".  Programs are found before anything is started, so that a
name that does not exist is the user's error, in one line, and not a bot's fault.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import sample_bots
from arena.errors import ArenaError
from arena.naming import clean_name
from arena.toolchains import PACKAGES, missing_packages

HUMAN = "human"
MAX_TOML = 64 * 1024  # bytes; a bot.toml has a handful of lines


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A program that plays: how it is called and how it is started.

    Attributes:
        name: what it is called unless something else names it.
        argv: the argument list; its first item is a file that exists.
        cwd: where it runs.
        path: its ``PATH``.
        games: the games it says it plays; None when it does not say.
        is_human: whether a person answers, so that no clock runs.
        is_folder: whether it is a folder of its own with a ``bot.toml``, which its
            author wrote and not the host.
        hidden: folders that are not for its eyes, wherever they come to lie.
        masked: files of that kind.
        runtimes: folders beside the system's that whoever runs it shows to it.
        build: the command that makes it, in a copy of its folder; empty when there is
            nothing to make, or when that is done (``arena.builds``).
        origin: the folder of its author, of which ``cwd`` is a built copy.
    """

    name: str
    argv: tuple[str, ...]
    cwd: Path
    path: str = "/usr/bin:/bin"
    env: Mapping[str, str] = field(default_factory=dict)
    games: tuple[str, ...] | None = None
    is_human: bool = False
    is_folder: bool = False
    hidden: tuple[Path, ...] = ()
    masked: tuple[Path, ...] = ()
    runtimes: tuple[Path, ...] = ()
    build: tuple[str, ...] = ()
    origin: Path | None = None


class BotFile(BaseModel):
    """A ``bot.toml``."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: Annotated[str, Field(min_length=1)] | None = None
    command: str | list[str]
    build: str | list[str] | None = None
    games: list[str] | None = None
    language: str | None = None
    needs: list[str] | None = None
    """Programs that it uses besides those that its command and build begin with."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A bot that is shipped with the arena."""

    name: str
    language: str
    folder: Path
    games: tuple[str, ...]
    needs: str | None
    """The Debian packages that are missing here to build and run it, with blanks
    between; None when nothing is missing."""


def find_bot(text: str, base: Path | None = None) -> BotSpec:
    """Return the bot that ``text`` names.

    Args:
        text: a sample's name, a folder with a ``bot.toml``, or a command line.
        base: the folder that relative paths start from; the current one by default.

    Raises:
        ArenaError: if there is no such bot, or its program is not there.
    """
    base = (base or Path.cwd()).resolve()
    text = text.strip()
    if not text or "\0" in text:
        raise ArenaError(
            "an empty BOT; name a sample (trianon bots), a folder or a command line"
        )
    if text == HUMAN:
        return _human()
    found = samples().get(text)
    if found is not None:
        return read_folder(found.folder)
    # os.path and not Path, which raises at words too long and at homes of nobody
    folder = base / os.path.expanduser(text)  # noqa: PTH111
    if os.path.isdir(folder):  # noqa: PTH112
        return read_folder(folder)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ArenaError(f"BOT {text!r}: {error}; check its quotes") from None
    if len(words) == 1 and "/" not in text and shutil.which(text) is None:
        known = ", ".join(sorted(samples()))
        raise ArenaError(
            f"BOT {text!r} is no sample ({known}), no folder and no program; "
            'a command line goes in quotes, such as "python3 mybot.py"'
        )
    return command_bot(words, base)


def home_folder() -> Path | None:
    """Return whose folder this is; None for a user whom nobody has entered anywhere."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def keep_apart(
    specs: Sequence[BotSpec], folders: Sequence[Path] = (), files: Sequence[Path] = ()
) -> list[BotSpec]:
    """Return the bots, each to be kept from what it could see by chance.

    That is what lies in its own folder, or in the folder of its interpreter.

    Args:
        specs: the bots; the folder of one may lie inside another's.
        folders: of the arena: results and records, which hold the seed and all hands.
        files: of the arena: a cup file, which may hold the seed.
    """
    every = sorted({spec.cwd for spec in specs})
    return [
        replace(
            spec,
            hidden=tuple(
                folder
                for folder in (*folders, *every)
                if not spec.cwd.is_relative_to(folder) and not _needs(spec, folder)
            ),
            masked=tuple(files),
        )
        for spec in specs
    ]


def _needs(spec: BotSpec, folder: Path) -> bool:
    """Tell whether whoever runs the bot has named something in a folder for it."""
    if spec.is_folder:  # its words are its author's
        return False
    names = {str(folder)}
    if folder.is_relative_to(spec.cwd):
        names.add(str(folder.relative_to(spec.cwd)))
    return any(name in word for name in names for word in spec.argv)


def _human() -> BotSpec:
    """Return the seat of the person at this terminal."""
    if not sys.stdin.isatty():
        raise ArenaError("a human needs a terminal; run this in one, not in a pipe")
    terminal = os.ttyname(sys.stdin.fileno())
    argv = (sys.executable, "-I", "-m", "arena.human", terminal, *_styles())
    return BotSpec(name="you", argv=argv, cwd=Path.cwd(), is_human=True)


def _styles() -> list[str]:
    """Return what the person's terminal can show, as ``arena.human`` takes it."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    is_dumb = os.environ.get("TERM", "dumb") == "dumb"
    styles = [] if encoding == "utf8" and not is_dumb else ["plain"]
    return styles if is_dumb or os.environ.get("NO_COLOR") else [*styles, "colour"]


def command_bot(
    words: list[str],
    cwd: Path,
    name: str | None = None,
    games: tuple[str, ...] | None = None,
    *,
    is_authors: bool = False,
) -> BotSpec:
    """Return the bot that the command line ``words`` starts in ``cwd``.

    Args:
        words: the program and its arguments.
        cwd: where it runs.
        name: what it is called; after its script by default.
        games: the games it says it plays.
        is_authors: whether the words are those of a ``bot.toml``.  A path in them is
            never taken for a version manager's shim: the manager beside it would be
            the author's own program, and be run outside of every box.
    """
    if not words:
        raise ArenaError(
            "a bot's command is empty; write the program and its arguments"
        )
    _check_text(str(cwd), *words)
    program = _find_program(words[0], cwd)
    is_asked = not is_authors or "/" not in words[0]
    argv = (*(real_interpreter(program) if is_asked else (program,)), *words[1:])
    path = os.environ.get("PATH", os.defpath)
    return BotSpec(
        name=name or _name_from(words, cwd), argv=argv, cwd=cwd, path=path, games=games
    )


def read_folder(folder: Path, *, is_built: bool = False) -> BotSpec:
    """Return the bot of a folder with a ``bot.toml``.

    Args:
        folder: where it lies.
        is_built: whether the folder is what its ``build`` has made.  Where it is to be
            made yet, its command is left as it is written.
    """
    path = folder / "bot.toml"
    if not path.is_file():
        raise ArenaError(
            f'{folder}: no bot.toml; write one with  command = "python3 bot.py"'
        )
    bot = _read_toml(path)
    command = _words(path, "command", bot.command)
    games = None if bot.games is None else tuple(bot.games)
    name = clean_name(bot.name or folder.name)
    folder = folder.resolve()
    _check_text(str(folder))
    if bot.build is None or is_built:
        spec = command_bot(command, folder, name, games, is_authors=True)
        return replace(spec, is_folder=True)
    return BotSpec(
        name=name,
        argv=tuple(command),
        cwd=folder,
        games=games,
        is_folder=True,
        build=tuple(_words(path, "build", bot.build)),
    )


def _check_text(*texts: str) -> None:
    """Refuse names of files that are no text: orders and records could not hold them.

    Raises:
        ArenaError: if there is one.
    """
    for text in texts:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise ArenaError(f"{text}: not in UTF-8; rename it") from None


def _words(path: Path, key: str, command: str | list[str]) -> list[str]:
    """Return a command as words; a string is split as a shell would."""
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise ArenaError(f"{path}: '{key}': {error}; check its quotes") from None
    if not words or not words[0]:
        raise ArenaError(f"{path}: '{key}' is empty; write a program and its arguments")
    if any("\0" in word for word in words):
        raise ArenaError(f"{path}: '{key}' has a NUL, which no program can be given")
    return words


def _read_toml(path: Path) -> BotFile:
    with path.open("rb") as file:
        raw = file.read(MAX_TOML + 1)
    if len(raw) > MAX_TOML:
        raise ArenaError(f"{path}: larger than {MAX_TOML} bytes; that is no bot.toml")
    try:
        values: dict[str, Any] = tomllib.loads(raw.decode("utf-8"))
        return BotFile.model_validate(values)
    except RecursionError:
        raise ArenaError(f"{path}: nested too deep; that is no bot.toml") from None
    except ValidationError as error:  # which is a ValueError, too
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        known = ", ".join(BotFile.model_fields)
        raise ArenaError(f"{path}: '{key}': {first['msg']}; keys are {known}") from None
    except ValueError as error:  # tomllib's own, no UTF-8, a number of 5,000 digits
        raise ArenaError(f"{path}: {error}; write it as TOML in UTF-8") from None


@cache
def samples() -> dict[str, Sample]:
    """Return the shipped bots by name."""
    found = {}
    root = Path(sample_bots.__file__).parent
    for path in sorted(root.glob("*/*/bot.toml")):
        bot = _read_toml(path)
        language = path.parent.parent.name
        name = bot.name or path.parent.name
        missing = missing_packages(_programs(path, bot))
        games = tuple(bot.games or ())
        found[name] = Sample(name, language, path.parent, games, missing)
    return found


def _programs(path: Path, bot: BotFile) -> list[str]:
    """Return the programs that a bot needs, those of its own making left out."""
    lines = {"build": bot.build, "command": bot.command}
    first = [_words(path, key, line)[0] for key, line in lines.items() if line]
    programs = [*first, *(bot.needs or [])]
    return [word for word in programs if "/" not in word and not _is_python(word)]


def _find_program(word: str, cwd: Path) -> str:
    if "/" in word:
        path = Path(os.path.normpath(cwd / os.path.expanduser(word)))  # noqa: PTH111
        if not os.path.isfile(path):  # noqa: PTH113 -- as above
            raise ArenaError(f"{path}: no such program; check the bot's command")
        if not os.access(path, os.X_OK):
            raise ArenaError(f"{path} is not executable; run  chmod +x {path}")
        return str(path)
    found = shutil.which(word)
    if found is None and _is_python(word):
        return sys.executable  # the interpreter that runs us will do
    if found is None:
        debian = f" (Debian: {PACKAGES[word]})" if word in PACKAGES else ""
        raise ArenaError(
            f"no program called {word!r} on the PATH; install it{debian}, "
            "or give its path"
        )
    return found


def _is_python(word: str) -> bool:
    return word in ("python", "python3")


@cache
def real_interpreter(program: str) -> tuple[str, ...]:
    """Return the real interpreter behind a shim, else the program itself.

    A shim of pyenv costs more than the interpreter's own start at every match, and
    its script's process stays between us and the bot.  Version managers are run
    outside of the box: no path that a bot's author has written may come here.
    """
    path = Path(program)
    if Path(os.path.realpath(path)).name == "rustup":
        return _asked("rustup", path.name) or (program,)
    if path.parent.name != "shims":
        return (program,)
    for manager in ("pyenv", "asdf", "rbenv", "nodenv"):
        tool = shutil.which(manager)
        if tool is None and (path.parent.parent / "bin" / manager).exists():
            tool = str(path.parent.parent / "bin" / manager)
        if tool is not None and (found := _asked(tool, path.name)):
            return found
    return (program,)


def _asked(manager: str, name: str) -> tuple[str, ...]:
    """Return the program that a version manager names; nothing if it names none."""
    try:
        answer = subprocess.run(
            [manager, "which", name],
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    real = answer.stdout.strip()
    is_there = answer.returncode == 0 and os.access(real, os.X_OK)
    return (real,) if is_there else ()


def _name_from(words: list[str], cwd: Path) -> str:
    """Return a name for a command line: the stem of its script, else of its program."""
    for word in words[1:]:
        script = cwd / word
        # os.path and not Path, which raises where a word is too long for a file's name
        is_file = os.path.isfile(script)  # noqa: PTH113
        if not word.startswith("-") and Path(word).suffix and is_file:
            is_common = script.stem in ("bot", "main")
            return clean_name(
                script.resolve().parent.name if is_common else script.stem
            )
    return clean_name(Path(words[0]).stem)
