"""What the keys of the cup file are, in words: for errors and for the docs.

Both come from the models, so that what is refused is what the docs say is refused.
"""

import difflib
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias, Union

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from arena.errors import ArenaError
from tournaments.toml_text import Loc, TomlText, spelt

Tables: TypeAlias = Mapping[str, type[BaseModel]]
"""The model of each table of the file by its name; that of the top is ``""``."""

_KINDS: Final[Mapping[object, str]] = {
    int: "whole number",
    str: "text",
    bool: "true or false",
    tuple: "list",
}


@dataclass(frozen=True, slots=True)
class Says:
    """What a key may hold, in words, where its type does not say it."""

    text: str


def explain(
    source: TomlText, tables: Tables, error: ValidationError, within: Loc = ()
) -> ArenaError:
    """Return the first thing that is wrong with the file, as one line.

    Args:
        source: the file.
        tables: its models.
        error: what pydantic found.
        within: the table that was looked at, when it was not the whole file.
    """

    def rank(found: ErrorDetails) -> tuple[bool, int]:
        # A misspelt key is often the cause of one that is missing: it goes first.
        line = source.line_of((*within, *found["loc"]))
        return found["type"] != "extra_forbidden", line or 0

    details = error.errors(include_url=False)
    first = min(details, key=rank)
    loc = (*within, *first["loc"])
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    return source.error(loc, _problem(tables, first, loc) + more)


def markdown(tables: Tables) -> str:
    """Return a Markdown table of every key: type, range, default, meaning."""
    lines = ["| key | type | range | default | meaning |", "|---|---|---|---|---|"]
    for table, model in tables.items():
        for key, field in model.model_fields.items():
            if key in tables:
                continue
            cells = [
                f"`{_header(table)} {key}`" if table else f"`{key}`",
                _kind(field),
                _range(field),
                _default(field),
                field.description or "",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _problem(tables: Tables, found: ErrorDetails, loc: Loc) -> str:
    key = _dotted(loc)
    if found["type"] == "extra_forbidden":
        return _unknown(tables, loc)
    if found["type"] == "missing":
        return f"`{key}` is missing; write  {_example(tables, loc)}"
    if found["type"] == "multiple_of":
        factor = found["ctx"]["multiple_of"]
        return f"`{key}` is {spelt(found['input'])}; write a multiple of {factor}"
    if found["type"] == "value_error":
        text = str(found["ctx"]["error"])
        return f"`{key}`: {text}" if key else text
    if str(loc[-1]) in tables or isinstance(loc[-1], int):
        brackets = _header(str(loc[0]))
        return f"`{key}` is {spelt(found['input'])}; write its keys under {brackets}"
    field = _field(tables, loc)
    wanted = found["msg"] if field is None else _wanted(field)
    return f"`{key}` is {spelt(found['input'])}; write {wanted}"


def _unknown(tables: Tables, loc: Loc) -> str:
    """Return what to do about the unknown key at ``loc``."""
    *_, key = map(str, loc)
    table = str(loc[0]) if len(loc) > 1 else ""
    here = list(tables[table].model_fields) if table in tables else []
    text = f"unknown key `{_dotted(loc)}`; "
    # Keys of the top that are written below a [table] belong to that table.
    for other, model in tables.items():
        if other != table and key in model.model_fields:
            where = f"under {_header(other)}" if other else "above the first [table]"
            return f"{text}`{key}` stands {where}"
    close = difflib.get_close_matches(key, here, n=1)
    if close:
        return f"{text}did you mean `{close[0]}`?"
    return f"{text}allowed here: {', '.join(here)}"


def _field(tables: Tables, loc: Loc) -> FieldInfo | None:
    words = [part for part in loc if isinstance(part, str)]
    model = tables.get(words[0]) if len(words) > 1 else tables[""]
    return model.model_fields.get(words[min(1, len(words) - 1)]) if model else None


def _dotted(loc: Loc) -> str:
    """Return the key as people write it; bots are counted from 1."""
    return ".".join(str(part + 1 if isinstance(part, int) else part) for part in loc)


def _header(table: str) -> str:
    return "[[bots]]" if table == "bots" else f"[{table}]"


def _example(tables: Tables, loc: Loc) -> str:
    if str(loc[-1]) in tables:
        return _header(str(loc[-1]))
    field = _field(tables, loc)
    return f"{loc[-1]} = ...  ({_wanted(field) if field else 'a value'})"


def _wanted(field: FieldInfo) -> str:
    kind, allowed = _kind(field), _range(field)
    if kind == "text" and not allowed:
        return "a text in quotes"
    kind = kind if kind == "true or false" else f"a {kind}"
    if _choices(field):
        return allowed
    return f"{kind}: {allowed}" if allowed else kind


def _parts(annotation: Any) -> Iterator[Any]:
    """Yield the plain types and the notes in an annotation, ``None`` left out."""
    origin = typing.get_origin(annotation)
    if origin in (Union, types.UnionType, Annotated):
        for part in typing.get_args(annotation):
            yield from _parts(part)
    elif annotation is not types.NoneType:
        yield annotation


def _kind(field: FieldInfo) -> str:
    for part in _parts(field.annotation):
        kind = _KINDS.get(typing.get_origin(part) or part)
        if kind is not None:
            return kind
    return "text"


def _choices(field: FieldInfo) -> tuple[str, ...]:
    if typing.get_origin(field.annotation) is Literal:
        return typing.get_args(field.annotation)
    return ()


def _range(field: FieldInfo) -> str:
    choices = [f"`{choice}`" for choice in _choices(field)]
    if choices:
        return f"{', '.join(choices[:-1])} or {choices[-1]}"
    least = most = None
    for note in (*field.metadata, *_parts(field.annotation)):
        if isinstance(note, Says):
            return note.text
        for part in getattr(note, "metadata", (note,)):
            least = getattr(part, "ge", least)
            most = getattr(part, "le", most)
    return "" if least is None else f"{least} to {most}"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    return "" if field.default is None else f"`{spelt(field.default)}`"
