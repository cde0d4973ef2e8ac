import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.naming import MAX_NAME, clean_name, is_name, numbered, shown

FORMATS = ["simple", "github", "pipe", "rst", "html", "csv", "jira", "latex_raw"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("careful", "careful"),
        ("Zoé 2.1_b-c", "Zoé 2.1_b-c"),
        ("Зоя 四 ๓", "Зоя 四 ๓"),
        ("हिन्दी", "हिन्दी"),  # vowel signs are marks, and belong to their letters
        ("  a \t b  ", "a b"),
        ("a/../b", "a..b"),
        ("a+b#2|c", "ab2c"),  # what divides names in a match or a table
        ("\x1b[31mred\x1b[0m", "31mred0m"),
        ("ab\u202edc", "abdc"),
        ("a\u200bb\ufe0f\u3164", "ab"),
        ("e\u0301", "é"),
        ("e\u200b\u0301", "é"),  # composed only once the blank between is dropped
        ("\u0301a", "a"),
        ("a" + "\u0301\u0302\u0303\u0304\u0305" * 3, "á\u0302\u0303\u0304"),
        ("\ud800", "bot"),
        ("", "bot"),
        (" +/", "bot"),
        ("x" * 70, "x" * 64),
        ("x" * 63 + " y", "x" * 63),
    ],
)
def test_any_text_becomes_a_name(text, name):
    assert clean_name(text) == name
    assert is_name(name)


@given(st.text(max_size=200))
@example("e\u0327\u200b\u0301\u0302\u0303")
def test_a_clean_name_is_a_name_and_stays_itself(text):
    name = clean_name(text)
    assert is_name(name)
    assert 1 <= len(name) <= MAX_NAME
    assert unicodedata.is_normalized("NFC", name)
    assert not set(name) & set("+/#|\\<>\n\x1b")


@pytest.mark.parametrize("text", ["", " a", "a ", "a  b", "a/b", "a+b", "e\u0301"])
def test_some_texts_are_no_names(text):
    assert not is_name(text)


def test_equal_names_are_numbered_by_position():
    names = ["a", "b", "a", "a", "b"]
    assert numbered(names) == ["a", "b", "a#2", "a#3", "b#2"]


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[2J", "x1b"),
        ("\n", "x0a"),
        ("\u202e", "u202e"),
        ("\u200b", "u200b"),
        ("\ufe0f", "ufe0f"),
        ("\u3164", "u3164"),
        ("\U000e0041", "U000e0041"),
        ("\ud800", "ud800"),
    ],
)
def test_what_steers_or_hides_is_visible_in_every_format(text, seen, fmt):
    escaped = shown(f"a{text}b", fmt)
    assert seen in escaped
    assert escaped.isprintable()


@pytest.mark.parametrize(
    ("fmt", "text", "seen"),
    [
        ("simple", "a|b", "a|b"),
        ("github", "a|b", "a\\|b"),
        ("pipe", "a\\|b", "a\\\\\\|b"),
        ("github", "<b>&", "&lt;b>&amp;"),
        ("rst", "bot_", "bot\\_"),  # a reference otherwise
        ("html", "<b>", "<b>"),  # tabulate's own work
        ("unsafehtml", "<b>", "&lt;b&gt;"),
        ("latex_raw", "a_b%", "a\\_b\\%"),
        ("mediawiki", "a|b", "a\\x7cb"),
        ("csv", "=1+1", "'=1+1"),
        ("csv", "+a", "'+a"),
        ("csv", "-a", "'-a"),
        ("csv", "@a", "'@a"),
        ("tsv", " =a", "' =a"),
        ("csv", "a=b", "a=b"),
    ],
)
def test_each_format_has_its_own_escapes(fmt, text, seen):
    assert shown(text, fmt) == seen


@pytest.mark.parametrize("text", ["x" * 10_000, "\x1b" * 10_000])
def test_what_is_shown_is_bounded(text):
    assert len(shown(text)) == 1000
    assert len(shown(text, limit=10)) == 10


def test_a_valid_name_is_shown_as_it_is():
    assert shown("Zoé 2.1_b-c", "github") == "Zoé 2.1_b-c"
