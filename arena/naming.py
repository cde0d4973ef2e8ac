"""Names of bots: what is one, how any text becomes one, and how one is shown.

A name is cleaned once, where it comes in, and escaped once, where it goes out.  What
a bot says of itself is the one text in a table that somebody else has written.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

MAX_NAME: Final = 64
"""Characters of a bot's name."""
MAX_SHOWN: Final = 1000
"""Characters of a text that is shown; a fault's text has at most 300."""
MAX_MARKS = 3  # in a row: the most that living scripts stack on a letter
MAX_READ = 1024  # characters looked at: a name is in the first of them or nowhere

# What is counted as a letter or as printable and yet shows nothing: Unicode's
# Default_Ignorable_Code_Point, and the empty pattern of Braille.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def clean_name(text: str) -> str:
    """Return ``text`` as a valid name: what no name may hold is dropped.

    A name has 1 to 64 letters and digits of any script, blanks, ``.``, ``_`` and
    ``-``, in normal form C; blanks are single and inside.  ``bot`` if nothing is left.
    """
    kept: list[str] = []
    marks = MAX_MARKS  # a mark needs a letter to stand on
    for character in unicodedata.normalize("NFC", text[:MAX_READ]):
        if _INVISIBLE.match(character):
            continue
        if unicodedata.category(character) in ("Mn", "Mc"):
            marks += 1
            if marks > MAX_MARKS:
                continue
        elif character.isalnum():
            marks = 0
        elif character in " ._-":
            marks = MAX_MARKS
        else:
            continue
        kept.append(character)
    # What was dropped may have stood between two characters that make one.
    name = unicodedata.normalize("NFC", "".join(kept))
    return " ".join(name.split())[:MAX_NAME].rstrip() or "bot"


def is_name(text: str) -> bool:
    """Tell whether ``text`` is a valid name as it stands."""
    return clean_name(text) == text


def numbered(names: Sequence[str]) -> list[str]:
    """Return the names made distinct: equal ones get ``#2``, ``#3`` by position.

    No valid name has a ``#``, so a number never makes a new clash.
    """
    seen: Counter[str] = Counter()
    distinct = []
    for name in names:
        seen[name] += 1
        distinct.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return distinct


def shown(text: str, fmt: str = "plain", limit: int = MAX_SHOWN) -> str:
    r"""Return ``text`` as it can stand in a table of the format ``fmt``.

    In every format what steers a terminal, turns the direction of writing or shows
    nothing becomes visible, as ``\x1b`` or ``\u202e``.

    Args:
        text: anything, also what a bot has written.
        fmt: a name of tabulate's, or ``csv``.  Tabulate escapes ``html``, ``latex``,
            ``latex_booktabs`` and ``latex_longtable`` itself; the others are done here.
        limit: characters kept, counted before the format's own escapes; what is cut
            ends in an ellipsis.
    """
    visible = "".join(map(_visible, text[: limit + 1]))
    if len(visible) > limit:
        visible = visible[: limit - 1] + "…"
    if fmt in _SPREADSHEETS and visible.lstrip().startswith(("=", "+", "-", "@")):
        return "'" + visible
    return visible.translate(_ESCAPES.get(fmt, {}))


def _visible(character: str) -> str:
    if character.isprintable() and not _INVISIBLE.match(character):
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_SPREADSHEETS = frozenset({"csv", "tsv"})
"""Formats that are opened in a program which takes some texts for formulas."""

_MARKDOWN = {ord(c): "\\" + c for c in "\\|`*["} | {
    ord(c): html.escape(c) for c in "<&"
}
_RST = {ord(c): "\\" + c for c in "\\|`*_"}
_HTML = {ord(c): html.escape(c) for c in "<>&\"'"}
_LATEX = {ord(c): "\\" + c for c in "&%$#_{}"} | {
    ord("^"): r"\^{}",
    ord("~"): r"\textasciitilde{}",
    ord("\\"): r"\textbackslash{}",
    ord("<"): r"\ensuremath{<}",
    ord(">"): r"\ensuremath{>}",
}
# Each of these escapes differently, some not at all; no name has such characters.
_WIKI = {ord(c): f"\\x{ord(c):02x}" for c in "|<>[]{}"}

_ESCAPES: Mapping[str, Mapping[int, str]] = {
    "github": _MARKDOWN,
    "pipe": _MARKDOWN,
    "rst": _RST,
    "unsafehtml": _HTML,
    "latex_raw": _LATEX,
    "asciidoc": _WIKI,
    "jira": _WIKI,
    "mediawiki": _WIKI,
    "moinmoin": _WIKI,
    "orgtbl": _WIKI,
    "textile": _WIKI,
    "youtrack": _WIKI,
}
