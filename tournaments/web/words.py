"""What the pages say, in each language: catalogues of sentences, and how numbers look.

A language is a folder of TOML files in ``words/``, one for each part of the pages; each
key of them is ``section.name``, and the value a sentence with ``{names}`` to fill in.
A count has two sentences, ``name.one`` and ``name.other``.  The scripts get the same
catalogues as JSON.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

WORDS: Final = Path(__file__).parent / "words"
LANGUAGES: Final = ("en", "fr")
NAMES: Final = {"en": "English", "fr": "Français"}
"""What each language calls itself."""

_MINUS = "\N{MINUS SIGN}"
_DECIMAL = {"en": ".", "fr": ","}
_THOUSANDS = {"en": ",", "fr": "\N{NARROW NO-BREAK SPACE}"}
_PER_CENT = {"en": "%", "fr": "\N{NARROW NO-BREAK SPACE}%"}


@dataclass(frozen=True, slots=True)
class Language:
    """One language: its code, such as ``en``, and its catalogue by key."""

    code: str
    catalogue: dict[str, str]

    def text(self, key: str, **values: object) -> str:
        """Return the sentence of a key.

        Raises:
            KeyError: if there is no such key, or a value to fill in is missing.
        """
        return self.catalogue[key].format(**values)

    def count(self, key: str, number: int, **values: object) -> str:
        """Return the sentence of so many things; ``{n}`` is their number."""
        form = "one" if self._is_single(number) else "other"
        return self.text(f"{key}.{form}", n=self.number(number), **values)

    def _is_single(self, number: int) -> bool:
        return number == 1 or (self.code == "fr" and number == 0)

    def number(self, value: float, digits: int = 0, *, is_signed: bool = False) -> str:
        """Return a number as this language writes it."""
        text = f"{abs(value):,.{digits}f}"
        text = text.replace(",", "\0").replace(".", _DECIMAL[self.code])
        text = text.replace("\0", _THOUSANDS[self.code])
        # What rounds to zero has no sign.
        if not any(digit in "123456789" for digit in text):
            return text
        return f"{_MINUS if value < 0 else '+' if is_signed else ''}{text}"

    def per_cent(self, share: float) -> str:
        """Return a share, of 0 to 1, in per cent."""
        return self.number(100 * share) + _PER_CENT[self.code]

    def duration(self, seconds: float) -> str:
        """Return a time in hours and minutes, or minutes and seconds."""
        minutes, rest = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        if hours:
            return self.text("time.hours", hours=self.number(hours), minutes=minutes)
        if minutes:
            return self.text("time.minutes", minutes=minutes, seconds=rest)
        return self.text("time.seconds", seconds=rest)


@cache
def language(code: str) -> Language:
    """Return one of ``LANGUAGES``."""
    catalogue: dict[str, str] = {}
    for path in sorted((WORDS / code).glob("*.toml")):
        part = _flat(tomllib.loads(path.read_text(encoding="utf-8")))
        twice = catalogue.keys() & part.keys()
        assert not twice, f"{path}: said twice: {', '.join(sorted(twice))}"
        catalogue |= part
    return Language(code, catalogue)


def _flat(table: dict[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def preferred(accept_language: str, kept: str | None = None) -> str:
    """Return the code of the language that a reader wants.

    Args:
        accept_language: the header of that name; it may be anything.
        kept: what the reader chose before, which goes first.
    """
    if kept in LANGUAGES:
        return kept
    wanted = sorted(_wishes(accept_language[:1024]), reverse=True)
    for _, _, code in wanted:
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]


def _wishes(header: str) -> Sequence[tuple[float, int, str]]:
    """Return each language with its weight, and its place as a negative number."""
    wishes = []
    for place, item in enumerate(header.split(",")):
        tag, _, weight = item.strip().partition(";q=")
        try:
            value = float(weight) if weight else 1.0
        except ValueError:
            continue
        if value > 0:
            wishes.append((value, -place, tag.split("-")[0].strip().lower()))
    return wishes
