"""A TOML file with its lines: whatever is wrong in it can be pointed at.

The parser gives values without places, so a key's line is searched for in the text;
where that finds nothing, the error does without a line.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from arena.errors import ArenaError
from arena.naming import shown

MAX_BYTES: Final = 1024 * 1024
"""Bytes of a file that is read at all; a hundred bots need some 10 KiB."""
MAX_ERROR = 600  # characters of an error line

Loc: TypeAlias = Sequence[str | int]
"""Where a value stands, as pydantic has it: ``("bots", 2, "name")``, from 0."""

_WORD = re.compile(r""""([^"]*)"|'([^']*)'|([\w\-]+)""")
_PLACE = re.compile(r" \((?:at line (\d+), column \d+|at end of document)\)$")

_REMEDIES = {
    "Invalid value": 'a text stands in quotes, such as  name = "demo"',
    "Cannot overwrite a value": "the key stands here twice; keep one",
    "Cannot declare": "the table stands here twice; keep one",
}


@dataclass(frozen=True, slots=True)
class TomlText:
    """What a TOML file says, and where."""

    path: Path
    text: str
    values: dict[str, Any]

    def error(self, loc: Loc, problem: str) -> ArenaError:
        """Return the error that says what is wrong with the value at ``loc``."""
        return error_at(self.path, self.line_of(loc), problem)

    def line_of(self, loc: Loc) -> int | None:
        """Return the line, from 1, of the key at ``loc``, or of the table around it."""
        best, found = 0, None
        for line, path in _places(self.text):
            if len(path) > best and tuple(loc[: len(path)]) == path:
                best, found = len(path), line
        return found


def read_toml(path: Path) -> TomlText:
    """Return what the file says; CRLF and a byte order mark are taken.

    Raises:
        ArenaError: if it cannot be read, is too large, or is not TOML in UTF-8.
    """
    raw = _read_bytes(path)
    if b"\0" in raw:
        raise error_at(path, None, "a binary file, or UTF-16; save it as text in UTF-8")
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise error_at(path, line, "not UTF-8; save the file as UTF-8") from None
    try:
        return TomlText(path, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(path, text, str(error)) from None
    except RecursionError:
        raise error_at(path, None, "nested too deep; no key needs that") from None
    except ValueError as error:  # a number of thousands of digits
        raise error_at(path, None, f"{error}; write a smaller number") from None


def error_at(path: Path, line: int | None, problem: str) -> ArenaError:
    """Return an error of one line, whatever the file's name and keys hold."""
    place = f"{path}:" if line is None else f"{path}:{line}:"
    return ArenaError(shown(f"{place} {problem}", limit=MAX_ERROR))


def spelt(value: object) -> str:
    """Return a value as TOML has it, near enough for an error line."""
    if isinstance(value, dict):
        return "a table"
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return str(value)  # a date, or a list with one


def _read_bytes(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise error_at(path, None, "not a file; give the path of a .toml file")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise error_at(path, None, "no such file; check the path") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise error_at(path, None, f"cannot be read: {reason}; check it") from None
    if len(raw) > MAX_BYTES:
        raise error_at(path, None, "larger than 1 MiB; is that the right file?")
    return raw


def _not_toml(path: Path, text: str, message: str) -> ArenaError:
    place = _PLACE.search(message)
    line = None
    if place is not None:
        message = message[: place.start()]
        line = int(place[1]) if place[1] else text.rstrip().count("\n") + 1
    remedies = (text for start, text in _REMEDIES.items() if message.startswith(start))
    remedy = next(remedies, "write  key = value  under a [table]")
    return error_at(path, line, f"not TOML: {message}; {remedy}")


def _places(text: str) -> Iterator[tuple[int, tuple[str | int, ...]]]:
    """Yield each line that holds a header or a key, with the path it leads to."""
    table: tuple[str | int, ...] = ()
    entries: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        key, equals, _ = stripped.partition("=")
        if stripped.startswith("["):
            words = _words(stripped.lstrip("[").partition("]")[0])
            table = words
            if stripped.startswith("[["):
                entries[words] = entries.get(words, -1) + 1
                table = (*words, entries[words])
            yield number, table
        elif equals and not stripped.startswith("#"):
            yield number, (*table, *_words(key))


def _words(dotted: str) -> tuple[str, ...]:
    return tuple("".join(groups) for groups in _WORD.findall(dotted))
