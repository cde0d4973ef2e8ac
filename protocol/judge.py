"""A bot's line and what it is worth: the table of the protocol page's section 6.

Rows are tried from the top; the first that applies decides.  A line that is judged
has at most 4,096 bytes, so nothing here needs a bound of its own but nesting.
"""

import difflib
import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from pydantic import ValidationError

from protocol.codec import SHOWN_BYTES
from protocol.events import FaultCode, WarningCode
from protocol.hints import (
    COPY_ID,
    FORGIVEN,
    cut,
    json_hint,
    latin_1,
    stray_hint,
    timeout_hint,
    typo,
)
from protocol.messages import (
    MAX_ANSWER,
    Answer,
    HelloAnswer,
    MoveAnswer,
    PlainAnswer,
)
from protocol.model import MAX_NOTE

MAX_DEPTH: Final = 64
"""Nesting of brackets; what is deeper is not taken for JSON."""

STRAY_OBJECT: Final = (
    "an object with neither 'id' nor 'move'; an answer has both, as in "
    '{"id":7,"move":"KH"}'
)

AnswerKind: TypeAlias = type[HelloAnswer] | type[PlainAnswer] | type[MoveAnswer]


class Asked(NamedTuple):
    """The request that is open: its id, and what an answer to it must hold.

    ``plain_ids`` are the settled ids whose answers needed no move.
    """

    id: int
    kind: AnswerKind
    plain_ids: Collection[int] = ()


class Good(NamedTuple):
    """An answer to the open request; ``warnings`` tell what was forgiven in it."""

    answer: Answer
    warnings: tuple[WarningCode, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A line that settles nothing; the clock runs on.  ``warning`` None: blank."""

    warning: WarningCode | None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Bad:
    """A fault: its code, what came and was expected, the usual cause."""

    code: FaultCode
    text: str
    hint: str
    warnings: tuple[WarningCode, ...] = ()


Verdict: TypeAlias = Good | Dropped | Bad

_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\v\f"


def judge(raw: bytes, asked: Asked) -> Verdict:
    """Judge one line of at most 4,096 bytes that came while ``asked`` is open."""
    answer = plain_answer(raw, asked.id, asked.kind)
    return _diagnose(raw, asked) if answer is None else Good(answer)


def plain_answer(raw: bytes, number: int, kind: AnswerKind) -> Answer | None:
    """Return the answer that a line holds, where there is nothing to forgive in it.

    The fast way of ``judge``: almost every line is a plain good answer.
    """
    if raw.startswith(b"{"):
        try:
            # What ``kind.model_validate_json`` calls, after a look at each argument.
            answer: Answer = kind.__pydantic_validator__.validate_json(raw)
        except ValidationError:
            return None
        if answer.id == number:
            return answer
    return None


def judge_unasked(raw: bytes, next_id: int) -> Dropped:
    """Judge a line that came while nothing was asked: never a fault.

    Args:
        raw: the line.
        next_id: the id that the next request will have.
    """
    verdict = _diagnose(raw, Asked(next_id, PlainAnswer))
    match verdict:
        case Dropped(warning="late_answer" | None):
            return verdict
        case _:
            return Dropped(
                "stray_line",
                "this line came while nothing was asked; send one line for each "
                "request, and debug text to stderr",
            )


def too_long(raw: bytes) -> Bad:
    """Return the fault of a line that passed the limit."""
    return Bad(
        "too_long",
        f"the line has more than {MAX_ANSWER:,} bytes",
        "an answer is one short line; send debug text to stderr, and end each "
        "answer with a newline",
    )


def timeout(limit_ms: int, cpu_ms: int | None, *, cause: str | None = None) -> Bad:
    """Return the fault of an answer that did not come by the deadline.

    Args:
        limit_ms: how long the bot had.
        cpu_ms: the processor time that it used of it; None where that is not known.
        cause: why it did not, where that is known.
    """
    used = "" if cpu_ms is None else f"; {cpu_ms} ms of processor time were used"
    return Bad(
        "timeout",
        f"no answer within {limit_ms} ms{used}",
        cause or timeout_hint(limit_ms, cpu_ms),
    )


def illegal(move: str, legal: list[str]) -> Bad:
    """Return the fault of a move that is not among the legal ones."""
    near = difflib.get_close_matches(move, legal, n=1, cutoff=0.6)
    meant = f"did you mean '{near[0]}'? " if near else ""
    shown = " ".join(legal)
    return Bad(
        "illegal_move",
        cut(f"'{cut(move, 60)}' is not legal; legal were {shown}"),
        f"{meant}answer with one of the strings in 'legal', as it stands there",
    )


def _diagnose(raw: bytes, asked: Asked) -> Verdict:
    """Go down the table of section 6, row by row."""
    warnings: list[WarningCode] = []
    line = raw.strip(_BLANK)
    if line.startswith(_BOM):
        warnings.append("bom")
        line = line.removeprefix(_BOM).strip(_BLANK)
    if not line:
        if not warnings:
            return Dropped(None)
        return Dropped("bom", FORGIVEN["bom"])
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"byte {error.start + 1} is not UTF-8{latin_1(line[error.start])}"
        return _bad_encoding(line, what, warnings)
    if "\0" in text:
        return _bad_encoding(line, "it holds NUL bytes", warnings)
    if text[0] not in "{[":
        return Dropped("stray_line", stray_hint(text))
    value = _parse(text)
    if isinstance(value, _NotJson):
        return Bad("not_json", value.text, value.hint, tuple(warnings))
    if not isinstance(value, dict):
        return Bad(
            "not_json",
            "an array came, an object was expected",
            f'answer with one object, such as {{"id":{asked.id},"move":"..."}}',
            tuple(warnings),
        )
    if _has_lone_surrogate(value):
        return _bad_encoding(line, "it holds half a surrogate pair", warnings)
    present = {key: item for key, item in value.items() if item is not None}
    if "id" not in present and "move" not in present:
        return Dropped("stray_line", STRAY_OBJECT)
    return _judge_object(present, asked, warnings)


def _judge_object(
    value: dict[str, Any], asked: Asked, warnings: list[WarningCode]
) -> Verdict:
    """Judge an object's fields; nulls are gone already."""

    def bad(code: FaultCode, text: str, hint: str) -> Bad:
        return Bad(code, cut(text), hint, tuple(warnings))

    number = _read_id(value.get("id"), warnings)
    if number is None:
        came = f"'id' is {_show(value['id'])}" if "id" in value else "'id' is missing"
        return bad(
            "bad_message",
            f"{came}, {asked.id} was expected",
            f"copy the request's id into the answer, as a number; {typo(value)}",
        )
    wants_move = asked.kind is MoveAnswer and number not in asked.plain_ids
    if wants_move and not isinstance(value.get("move"), str):
        came = (
            f"'move' is {_show(value['move'])}"
            if "move" in value
            else "'move' is missing"
        )
        return bad("bad_message", f"{came}, a string was expected", typo(value))
    note = value.get("note")
    if wants_move and note is not None and not isinstance(note, str):
        return bad(
            "bad_message",
            f"'note' is {_show(note)}, a string was expected",
            "leave 'note' out, or make it a string",
        )
    if 0 <= number < asked.id:
        return Dropped(
            "late_answer", f"an answer to {number} came while {asked.id} is open"
        )
    if number != asked.id:
        return bad(
            "wrong_id",
            f"an answer to {_show(number)} came, which was not asked; "
            f"{asked.id} is open",
            COPY_ID,
        )
    return _build(value, asked, warnings, bad)


def _build(
    value: dict[str, Any], asked: Asked, warnings: list[WarningCode], bad: Any
) -> Verdict:
    """Make the answer, forgiving unknown fields and a note that is too long."""
    known = {key: item for key, item in value.items() if key in asked.kind.model_fields}
    if len(known) < len(value):
        warnings.append("unknown_field")
    known["id"] = asked.id
    note = known.get("note")
    if isinstance(note, str) and len(note) > MAX_NOTE:
        known["note"] = note[:MAX_NOTE]
        warnings.append("note_cut")
    try:
        answer = asked.kind.model_validate(known)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        verdict: Bad = bad(
            "bad_message",
            f"'{name}': {first['msg']}",
            "see the protocol page, section 3",
        )
        return verdict
    return Good(answer, tuple(warnings))


def _read_id(value: object, warnings: list[WarningCode]) -> int | None:
    match value:
        case bool():
            return None
        case int():
            return value
        case float() if value.is_integer():
            warnings.append("id_form")
            return int(value)
        case str() if value.isascii() and value.removeprefix("-").isdecimal():
            warnings.append("id_form")
            return int(value)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class _NotJson:
    text: str
    hint: str


def _parse(text: str) -> Any:
    """Return what JSON says, or why it is none."""
    if _depth(text) > MAX_DEPTH:
        return _NotJson(
            f"brackets are nested more than {MAX_DEPTH} deep", "send a flat object"
        )
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        what = str(error)
        if isinstance(error, json.JSONDecodeError):
            what = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        return _NotJson(cut(f"not JSON: {what}"), json_hint(text))


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _depth(text: str) -> int:
    """Return how deep brackets outside strings are nested; 0 if surely not too deep."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return 0  # cannot be deeper, however they are arranged
    deepest = depth = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _bad_encoding(line: bytes, what: str, warnings: list[WarningCode]) -> Bad:
    utf16 = line[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in line[:4]
    text = "the line is UTF-16" if utf16 else f"the line is not UTF-8: {what}"
    hint = (
        "write UTF-8 to stdout; on some systems the standard encoding must be set"
        if utf16
        else "write UTF-8 (plain ASCII is always safe) to stdout"
    )
    return Bad("bad_encoding", f"{text}; UTF-8 was expected", hint, tuple(warnings))


def _has_lone_surrogate(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _show(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 200:
        return "a number of more than 60 digits"
    return cut(json.dumps(value), 60)


def show_line(raw: bytes) -> str:
    """Return the first 400 bytes of a raw line, what cannot be printed escaped."""
    text = raw[:SHOWN_BYTES].decode("utf-8", "backslashreplace")
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


# --- moves ------------------------------------------------------------------------


def find_move(move: str, ask: str, legal: list[str]) -> tuple[int | None, bool]:
    """Return which of ``legal`` is meant, and whether it was spelt as it stands there.

    Forgiven (section 6, ``move_form``): the wrong case; ``10H`` for ``TH`` where cards
    are named; a pair in the other order.
    """
    try:
        return legal.index(move), True
    except ValueError:
        pass
    wanted = move.casefold()
    spellings = {wanted}
    if ask in ("play", "show"):
        words = wanted.replace("10", "t").split(" ")
        spellings = {" ".join(words), " ".join(reversed(words))}
    for index, name in enumerate(legal):
        if name.casefold() in spellings:
            return index, False
    return None, False
