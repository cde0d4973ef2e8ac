"""Both languages say the same things, and numbers look as each writes them."""

import re
from string import Formatter

import pytest

from tournaments.web.pages import STATIC, TEMPLATES
from tournaments.web.words import LANGUAGES, language, preferred


def fields(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


def test_every_language_has_every_sentence_with_the_same_values():
    first, *others = (language(code).catalogue for code in LANGUAGES)
    for other in others:
        assert other.keys() == first.keys()
        assert [key for key in first if fields(first[key]) != fields(other[key])] == []


def test_every_sentence_that_a_page_names_is_there():
    catalogue = language("en").catalogue
    named = set()
    for path in TEMPLATES.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        named |= {
            (call.endswith(("n", "count")), key)
            for call, key in re.findall(r'\b(t|n|text|count)\("([a-z_.]+)"[,)]', text)
        }
    assert len(named) > 50
    for is_count, key in named:
        assert (f"{key}.one" if is_count else key) in catalogue


def test_every_sentence_is_said_somewhere():
    texts = "".join(
        path.read_text(encoding="utf-8")
        for folder in (TEMPLATES, STATIC, STATIC.parent)
        for path in folder.iterdir()
        if path.suffix in (".html", ".js", ".py")
    )
    stems = {key.removesuffix(".one").removesuffix(".other") for key in _catalogue()}
    unsaid = [
        key
        for key in stems
        if f'"{key}"' not in texts
        and f'"{key.rpartition(".")[0]}.' not in texts
        and f"`{key.rpartition('.')[0]}." not in texts
    ]
    assert unsaid == []


def _catalogue():
    return language("en").catalogue


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("fr", "fr"),
        ("fr-CA, en;q=0.8", "fr"),
        ("en;q=0.5, fr;q=0.7", "fr"),
        ("de, fr;q=0.1", "fr"),
        ("de", "en"),
        ("", "en"),
        ("*", "en"),
        ("fr;q=0", "en"),
        (";;;q=x,,fr;q=nan", "en"),
        ("fr," * 10_000, "fr"),
    ],
)
def test_the_language_is_what_the_reader_wants(header, code):
    assert preferred(header) == code


def test_numbers_look_as_each_language_writes_them():
    english, french = map(language, LANGUAGES)
    assert english.number(1234.56, 1) == "1,234.6"
    assert french.number(1234.56, 1) == "1\u202f234,6"
    assert english.number(-3, is_signed=True) == "\u22123"
    assert french.number(2.25, 2, is_signed=True) == "+2,25"
    assert english.number(-0.04, 1, is_signed=True) == "0.0"
    assert english.per_cent(0.5) == "50%"
    assert french.per_cent(0.5) == "50\u202f%"
    assert english.duration(3725) == "1 h 2 min"
    assert english.duration(59.7) == "1 min 0 s"


def test_one_is_not_many():
    english, french = map(language, LANGUAGES)
    assert english.count("list.matches", 1) == "1 match"
    assert english.count("list.matches", 0) == "0 matches"
    assert french.count("list.matches", 0) == "0 partie"
    assert french.count("list.matches", 2) == "2 parties"
