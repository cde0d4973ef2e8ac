"""The usual causes of wrong lines, in words: what an author is told beside the fault.

Hints are no part of the protocol, and stand in no record: they may be bettered freely.
"""

import difflib
import re
from typing import Any, Final

from protocol.events import WarningCode
from protocol.model import MAX_FAULT_TEXT, MAX_NOTE

FORGIVEN: Final[dict[WarningCode, str]] = {
    "bom": "write UTF-8 without a byte order mark to stdout",
    "id_form": "send 'id' as an integer, as it came: 17, neither \"17\" nor 17.0",
    "move_form": "spell the move as it stands in 'legal'",
    "unknown_field": "leave out fields that the protocol does not have",
    "note_cut": f"a note has at most {MAX_NOTE} characters",
}
"""What is to be mended in an answer that was taken."""


COPY_ID: Final = "copy the id of the request that is answered; do not count yourself"


def timeout_hint(limit_ms: int, cpu_ms: int | None) -> str:
    """Return what a bot was likely doing when its time was over.

    Args:
        limit_ms: how long the bot had.
        cpu_ms: the processor time that it used of it; None where that is not known.
    """
    if cpu_ms is not None and cpu_ms >= limit_ms / 2:
        return (
            "it was computing: a loop without end, or a search that does not look at "
            "the clock"
        )
    if cpu_ms is not None and cpu_ms < limit_ms / 10:
        return (
            "it was not computing: flush stdout after every line, or look for what it "
            "waits for; 'trianon check' finds out"
        )
    return (
        "flush stdout after every line; if it does, the move took too long to find; "
        "'trianon check' finds out"
    )


def stray_hint(text: str) -> str:
    """Return how a line that is no answer is to be mended."""
    if "{" in text and ("id" in text or "move" in text):
        return (
            "the answer stands behind other text; a line begins with '{', and debug "
            "text goes to stderr"
        )
    return "this is no JSON object; print debug text to stderr, answers to stdout"


def json_hint(text: str) -> str:
    """Return the usual cause of a line that is not JSON."""
    if re.search(r"[{,\[]\s*'", text):
        return (
            "single quotes: a printed dictionary? use a JSON library "
            "(json.dumps in Python), or double quotes"
        )
    if re.search(r":\s*(None|True|False)\b", text):
        return (
            "None, True and False are Python's; JSON has null, true, false: use a "
            "JSON library (json.dumps in Python)"
        )
    if re.search(r"[{,]\s*\w+\s*:", text):
        return "keys stand in double quotes; use a JSON library"
    if re.search(r",\s*[}\]]", text):
        return "a comma before a closing bracket; use a JSON library"
    if re.search(r"}\s*[^\s{},\]]", text):
        return "text after the object; a line is the object and nothing else"
    if not text.rstrip().endswith(("}", "]")):
        return "text after the object, or an object that does not end on its line"
    if "}{" in text or "} {" in text:
        return "two objects in one line; end each with a newline"
    return "write the answer with a JSON library, one object on one line"


def latin_1(byte: int) -> str:
    """Return which letter a byte is in Latin-1, where it is one."""
    letter = chr(byte)
    return f" (0x{byte:02x} is '{letter}' in Latin-1)" if letter.isalpha() else ""


def typo(value: dict[str, Any]) -> str:
    """Return which key was meant, where one is near; else what an answer looks like."""
    for name in ("move", "id"):
        if name in value:
            continue
        near = difflib.get_close_matches(name, value, n=1, cutoff=0.5)
        if not near:
            near = [key for key in value if key.lower() == name]
        if near:
            return f"did you mean '{name}' by '{cut(near[0], 40)}'?"
    return 'an answer looks like {"id":7,"move":"KH"}'


def cut(text: str, limit: int = MAX_FAULT_TEXT) -> str:
    """Return a text as it can stand in a fault."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
