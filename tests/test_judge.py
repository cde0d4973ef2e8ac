"""Every row of the protocol page's section 6, and the cutting of bytes into lines."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.codec import FLOOD, Flood, Line, LineBuffer, Rest, TooLong
from protocol.judge import (
    Asked,
    Bad,
    Dropped,
    Good,
    find_move,
    illegal,
    judge,
    judge_unasked,
    show_line,
    timeout,
    too_long,
)
from protocol.messages import (
    MAX_ANSWER,
    HelloAnswer,
    MoveAnswer,
    PlainAnswer,
)
from protocol.notation import BID_NAMES

ACT = Asked(17, MoveAnswer, (0, 1))
START = Asked(1, PlainAnswer, (0,))
HELLO = Asked(0, HelloAnswer)
BOM = b"\xef\xbb\xbf"
GOOD = b'{"id":17,"move":"KH"}'


def nested(depth):
    """Return an answer whose brackets are that deep, its own among them."""
    deep = b"[" * (depth - 1) + b"]" * (depth - 1)
    return b'{"id":17,"move":"KH","x":' + deep + b"}"


# --- lines that are taken -----------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "line", "warnings"),
    [
        (ACT, GOOD, ()),
        (ACT, b'{"move":"KH","id":17}', ()),
        (ACT, GOOD + b"\r", ()),
        (ACT, b" \t" + GOOD + b" \v\f", ()),
        (ACT, b'{ "id" : 17 , "move" : "KH" }', ()),
        (ACT, b'{"id":17,"move":"\\u004bH"}', ()),
        (ACT, '{"id":17,"move":"KH","note":"é\U0001f0a1"}'.encode(), ()),
        (ACT, b'{"id":17,"move":"KH","note":"\\ud83c\\udca1"}', ()),
        (ACT, b'{"id":17,"move":"KH","note":null}', ()),
        (ACT, b'{"id":17,"move":"KH","x":null}', ()),
        (ACT, BOM + GOOD, ("bom",)),
        (ACT, b'{"id":"17","move":"KH"}', ("id_form",)),
        (ACT, b'{"id":17.0,"move":"KH"}', ("id_form",)),
        (ACT, b'{"id":1.7e1,"move":"KH"}', ("id_form",)),
        (ACT, b'{"id":17,"move":"KH","x":1}', ("unknown_field",)),
        (ACT, b'{"id":17,"move":"KH","x":1,"y":{}}', ("unknown_field",)),
        (ACT, nested(64), ("unknown_field",)),
        (ACT, b'{"id":17,"move":"KH","x":"%s"}' % (b"[" * 99), ("unknown_field",)),
        (ACT, b'{"id":17,"move":"KH","note":"%s"}' % (b"n" * 400), ()),
        (ACT, b'{"id":17,"move":"KH","note":"%s"}' % (b"n" * 401), ("note_cut",)),
        (
            ACT,
            BOM + b'{"id":"17","move":"KH","x":1,"note":"%s"}' % (b"n" * 999),
            ("bom", "id_form", "unknown_field", "note_cut"),
        ),
        # Duplicate keys: the last wins.
        (ACT, b'{"id":1,"move":"ZZ","id":17,"move":"KH"}', ()),
        (ACT, b'{"id":[],"id":17,"move":"KH"}', ()),
        (START, b'{"id":1}', ()),
        (START, b'{"id":1,"move":null}', ()),
        (START, b'{"id":1,"move":"KH"}', ("unknown_field",)),
        (HELLO, b'{"id":0}', ()),
        (HELLO, b'{"id":0,"move":null}', ()),
        (HELLO, b'{"id":0,"name":"Zo\\u00e9","protocol":null}', ()),
        (HELLO, b'{"id":0,"protocol":2,"reuse":false,"games":[]}', ()),
        (HELLO, b'{"id":0,"language":"C"}', ("unknown_field",)),
    ],
)
def test_a_line_is_taken(asked, line, warnings):
    verdict = judge(line, asked)
    assert isinstance(verdict, Good)
    assert verdict.answer.id == asked.id
    assert verdict.warnings == warnings
    if isinstance(verdict.answer, MoveAnswer):
        assert verdict.answer.move == "KH"
        assert len(verdict.answer.note or "") <= 400


# --- lines that settle nothing ------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "line", "warning"),
    [
        (ACT, b"", None),
        (ACT, b"\r", None),
        (ACT, b" \t \r", None),
        (ACT, BOM, "bom"),
        (ACT, BOM + b"  ", "bom"),
        (ACT, b"thinking", "stray_line"),
        (ACT, b"17", "stray_line"),
        (ACT, b'"KH"', "stray_line"),
        (ACT, b"null", "stray_line"),
        (ACT, b"NaN", "stray_line"),
        (ACT, b"{}", "stray_line"),
        (ACT, b'{"depth":3}', "stray_line"),
        (ACT, b'{"id":null,"move":null}', "stray_line"),
        (ACT, b'{"Id":17,"Move":"KH"}', "stray_line"),
        (ACT, b'{"id":16,"move":"KH"}', "late_answer"),
        (ACT, b'{"id":"16","move":"KH"}', "late_answer"),
        (ACT, b'{"id":0}', "late_answer"),  # to hello and start: no move is needed
        (ACT, b'{"id":1}', "late_answer"),
        (ACT, b'{"id":1,"move":null}', "late_answer"),
        (ACT, b'{"id":1,"note":7}', "late_answer"),
        (START, b'{"id":0}', "late_answer"),
        (Asked(18, PlainAnswer, (0, 1)), GOOD, "late_answer"),
    ],
)
def test_a_line_is_dropped(asked, line, warning):
    verdict = judge(line, asked)
    assert isinstance(verdict, Dropped)
    assert verdict.warning == warning
    assert bool(verdict.hint) == (warning is not None)


# --- faults, the first row that applies ---------------------------------------------


@pytest.mark.parametrize(
    ("asked", "line", "code", "words"),
    [
        (ACT, b"\xff" + GOOD, "bad_encoding", "byte 1"),
        (ACT, b'{"id":17,"move":"\xe9"}', "bad_encoding", "byte 18"),
        (ACT, b"caf\xe9", "bad_encoding", "byte 4"),  # before it is a stray line
        (ACT, b"[\xc0\x80]", "bad_encoding", "byte 2"),
        (ACT, b'{"id":17,"move":"\xed\xa0\x80"}', "bad_encoding", "byte 18"),
        (ACT, b'{"id":17,"move":"\\ud800"}', "bad_encoding", "surrogate"),
        (ACT, b'{"x":"\\udfff"}', "bad_encoding", "surrogate"),
        (ACT, b'{"id":17,"move":"KH","\\ud800":1}', "bad_encoding", "surrogate"),
        (ACT, b'{"id":17,"move":"K\0H"}', "bad_encoding", "NUL"),
        (ACT, GOOD.decode().encode("utf-16"), "bad_encoding", "UTF-16"),
        (ACT, GOOD.decode().encode("utf-16-le"), "bad_encoding", "UTF-16"),
        (ACT, GOOD.decode().encode("utf-16-be"), "bad_encoding", "UTF-16"),
        (ACT, b"{", "not_json", "column 2"),
        (ACT, b'{"id":17,"move":"KH"', "not_json", "not JSON"),
        (ACT, b"{'id':17,'move':'KH'}", "not_json", "double quotes"),
        (ACT, b'{"id":17,"move":"KH",}', "not_json", "not JSON"),
        (ACT, b'{"id":17,"move":"K\tH"}', "not_json", "character at column"),
        (ACT, GOOD + GOOD, "not_json", "Extra data"),
        (ACT, GOOD + b" ok", "not_json", "Extra data"),
        (ACT, b'{"id":017,"move":"KH"}', "not_json", "not JSON"),
        (ACT, b'{"id":17,"move":NaN}', "not_json", "NaN"),
        (ACT, b'{"id":17,"move":"KH","x":Infinity}', "not_json", "Infinity"),
        (ACT, b'{"id":-Infinity,"move":"KH"}', "not_json", "-Infinity"),
        (ACT, b'{"note":NaN}', "not_json", "NaN"),
        (ACT, nested(65), "not_json", "64"),
        (ACT, b"[" * 4096, "not_json", "64"),
        (ACT, b"[]", "not_json", "array"),
        (ACT, b"[" + GOOD + b"]", "not_json", "array"),
        (ACT, b"[info] thinking", "not_json", "not JSON"),
        (ACT, b'{"move":"KH"}', "bad_message", "'id' is missing"),
        (ACT, b'{"id":null,"move":"KH"}', "bad_message", "'id' is missing"),
        (ACT, b'{"id":true,"move":"KH"}', "bad_message", "true"),
        (ACT, b'{"id":17.5,"move":"KH"}', "bad_message", "17.5"),
        (ACT, b'{"id":"x","move":"KH"}', "bad_message", '"x"'),
        (ACT, b'{"id":"","move":"KH"}', "bad_message", '""'),
        (ACT, '{"id":"١٧","move":"KH"}'.encode(), "bad_message", "'id' is"),
        (ACT, b'{"id":[17],"move":"KH"}', "bad_message", "[17]"),
        (ACT, b'{"id":1e400,"move":"KH"}', "bad_message", "'id' is"),
        (ACT, b'{"id":17}', "bad_message", "'move' is missing"),
        (ACT, b'{"id":17,"move":null}', "bad_message", "'move' is missing"),
        (ACT, b'{"id":17,"move":3}', "bad_message", "'move' is 3"),
        (ACT, b'{"id":17,"move":["KH"]}', "bad_message", '["KH"]'),
        (ACT, b'{"id":17,"move":"KH","note":7}', "bad_message", "'note' is 7"),
        (ACT, b'{"id":17,"move":"KH","move":1}', "bad_message", "'move' is 1"),
        # The row of the message stands above those of the id.
        (ACT, b'{"id":16}', "bad_message", "'move' is missing"),
        (ACT, b'{"id":99}', "bad_message", "'move' is missing"),
        (ACT, b'{"id":18,"move":"KH"}', "wrong_id", "17 is open"),
        (ACT, b'{"id":-1,"move":"KH"}', "wrong_id", "-1"),
        (ACT, b'{"id":1e300,"move":"KH"}', "wrong_id", "17 is open"),
        (ACT, b'{"id":%s,"move":"KH"}' % (b"1" + b"0" * 4000), "wrong_id", "60 digits"),
        (ACT, b'{"id":"%s","move":"KH"}' % (b"9" * 4000), "wrong_id", "60 digits"),
        (START, b'{"id":2}', "wrong_id", "1 is open"),
        (START, b'{"id":[]}', "bad_message", "'id' is []"),
        (HELLO, b'{"id":0,"name":7}', "bad_message", "'name'"),
        (HELLO, b'{"id":0,"protocol":"1"}', "bad_message", "'protocol'"),
        (HELLO, b'{"id":0,"games":"trianon"}', "bad_message", "'games'"),
        (HELLO, b'{"id":0,"games":[1]}', "bad_message", "'games.0'"),
        (HELLO, b'{"id":0,"reuse":1}', "bad_message", "'reuse'"),
    ],
)
def test_a_line_is_a_fault(asked, line, code, words):
    verdict = judge(line, asked)
    assert isinstance(verdict, Bad)
    assert verdict.code == code
    assert words in verdict.text + verdict.hint
    assert " at at " not in verdict.text
    assert verdict.hint
    assert 0 < len(verdict.text) <= 300


def test_a_fault_keeps_the_warnings_that_came_before_it():
    verdict = judge(BOM + b'{"id":"18","move":"KH"}', ACT)
    assert isinstance(verdict, Bad)
    assert verdict.warnings == ("bom", "id_form")


@pytest.mark.parametrize(
    "bad",
    [
        too_long(b"x" * 400),
        timeout(1001, 1000),
        illegal("ZZ", ["6C", "8C"]),
        illegal("\U0001f0a1" * 4000, list(BID_NAMES)),
        illegal("\n", list(BID_NAMES)),
    ],
)
def test_the_other_faults_are_told_in_words_too(bad):
    assert bad.hint
    assert 0 < len(bad.text) <= 300


def test_a_near_miss_is_named():
    assert "'10NT'" in illegal("10N", ["pass", "10NT"]).hint
    verdict = judge(b'{"id":17,"Move":"KH"}', ACT)
    assert isinstance(verdict, Bad)
    assert "'move'" in verdict.hint


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        (b"", None),
        (b"\r", None),
        (b"thinking", "stray_line"),
        (b"\xff", "stray_line"),
        (b"{", "stray_line"),
        (b'{"id":5}', "late_answer"),
        (b'{"id":5,"move":"KH"}', "late_answer"),
        (b'{"id":6}', "stray_line"),  # before it was asked
        (b'{"id":99,"move":"KH"}', "stray_line"),
    ],
)
def test_what_comes_unasked_is_never_a_fault(line, warning):
    verdict = judge_unasked(line, next_id=6)
    assert isinstance(verdict, Dropped)
    assert verdict.warning == warning
    assert bool(verdict.hint) == (warning is not None)


json_bits = st.sampled_from(
    [b'{"id":', b'"move":', b'"note":', b"17", b'"KH"', b",", b"}", b"[", b"]", b"NaN"]
)


@given(
    st.one_of(
        st.binary(max_size=300),
        st.lists(json_bits | st.binary(max_size=3), max_size=12).map(b"".join),
    ),
    st.sampled_from([ACT, START, HELLO]),
)
@example(b'{"id":17,"move":"KH"' + b',"a":1' * 600 + b"}", ACT)
@example(b'{"id":' + b"[" * 60 + b"9" * 3900 + b"]" * 60 + b"}", ACT)
def test_any_line_has_a_verdict(line, asked):
    line = line.replace(b"\n", b"")
    verdict = judge(line, asked)
    match verdict:
        case Good(answer=answer):
            assert answer.id == asked.id
            json.loads(line.strip().removeprefix(BOM))
        case Bad(text=text, hint=hint):
            assert hint
            assert 0 < len(text) <= 300
        case Dropped(warning=warning, hint=hint):
            assert bool(hint) == (warning is not None)
    assert isinstance(judge_unasked(line, 3), Dropped)
    assert show_line(line).isprintable()


# --- framing ------------------------------------------------------------------------


def frames(chunks):
    """Return what comes out, the rests of a long line added up, till a flood."""
    buffer = LineBuffer()
    out = []
    for chunk in chunks:
        for frame in buffer.feed(chunk):
            match frame:
                case Line(raw=raw):
                    out.append(("line", raw, frame.size))
                case TooLong(raw=raw, size=size):
                    out.append(("long", raw, size))
                case Rest(size=size):
                    kind, raw, before = out.pop()
                    assert kind == "long"
                    out.append((kind, raw, before + size))
                case Flood(raw=raw):
                    kind, raw, _ = out.pop()  # how much of it came is chance
                    return [*out, (kind, raw, 0), ("flood", raw, 0)]
    return out


lengths = st.one_of(
    st.integers(0, 5),
    st.integers(4094, 4099),
    st.sampled_from([FLOOD - 1, FLOOD, FLOOD + 1, FLOOD + 5000]),
)


@given(st.lists(lengths, max_size=4), st.randoms(use_true_random=False), st.booleans())
def test_bytes_may_be_split_anywhere(sizes, rng, is_ended):
    data = b"\n".join(b"x" * size for size in sizes) + b"\n" * is_ended
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.choice((1, 3, 40))))
    chunks = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    assert frames(chunks) == frames([data])


def test_byte_by_byte_it_is_the_same():
    data = b"a\n\nbb\r\n" + b"c" * 4097 + b"\nd\n"
    assert frames(data[k : k + 1] for k in range(len(data))) == frames([data])


@pytest.mark.parametrize(
    ("size", "kind"),
    [
        (0, "line"),
        (MAX_ANSWER - 1, "line"),
        (MAX_ANSWER, "line"),
        (MAX_ANSWER + 1, "long"),
        (FLOOD, "long"),
        (FLOOD + 1, "flood"),
    ],
)
def test_how_long_a_line_may_be(size, kind):
    out = frames([b"x" * size, b"\n", b"y\n"])
    assert out[0][0] == ("long" if kind == "flood" else kind)
    assert out[-1][0] == ("flood" if kind == "flood" else "line")
    if kind == "line":
        assert out == [("line", b"x" * size, size + 1), ("line", b"y", 2)]
    if kind == "long":
        assert out[0] == ("long", b"x" * 400, size)


def test_a_line_is_too_long_at_byte_4097_and_not_before_or_after():
    buffer = LineBuffer()
    assert list(buffer.feed(b"x" * 4096)) == []
    assert [type(frame) for frame in buffer.feed(b"x")] == [TooLong]


def test_a_buffer_never_holds_more_than_a_line():
    buffer = LineBuffer()
    for _ in range(15):
        list(buffer.feed(b"x" * 4096))
        assert len(buffer._part) <= MAX_ANSWER


# --- moves --------------------------------------------------------------------------

CARDS = ["6H", "TH", "KH", "TS"]
SHOWS = ["7C TC", "7C AS", "TC AS"]


@pytest.mark.parametrize(
    ("ask", "legal", "move", "found", "is_as_spelt"),
    [
        ("play", CARDS, "KH", "KH", True),
        ("play", CARDS, "kh", "KH", False),
        ("play", CARDS, "Kh", "KH", False),
        ("play", CARDS, "10H", "TH", False),
        ("play", CARDS, "10s", "TS", False),
        ("play", CARDS, "th", "TH", False),
        ("play", CARDS, "HK", None, False),
        ("play", CARDS, " KH", None, False),
        ("play", CARDS, "", None, False),
        ("play", CARDS, "K", None, False),
        ("show", SHOWS, "7C AS", "7C AS", True),
        ("show", SHOWS, "AS 7C", "7C AS", False),
        ("show", SHOWS, "as 10c", "TC AS", False),
        ("show", SHOWS, "7C 10C", "7C TC", False),
        ("show", SHOWS, "7C,AS", None, False),
        ("show", SHOWS, "7C  AS", None, False),
        ("show", SHOWS, "7C 7C", None, False),
        ("bid", ["pass", "10H", "10NT"], "10H", "10H", True),
        ("bid", ["pass", "10H", "10NT"], "10nt", "10NT", False),
        ("bid", ["pass", "10H", "10NT"], "PASS", "pass", False),
        ("bid", ["pass", "10H", "10NT"], "TH", None, False),
        ("raise", ["keep", "10H"], "Keep", "keep", False),
        ("raise", ["keep", "10H"], "10h", "10H", False),
        ("partner", ["alone", "with 1"], "Alone", "alone", False),
        ("partner", ["alone", "with 1"], "WITH 1", "with 1", False),
        ("partner", ["alone", "with 1"], "1 with", None, False),
        ("partner", ["alone", "with 1"], "with", None, False),
    ],
)
def test_which_spellings_of_a_move_are_forgiven(ask, legal, move, found, is_as_spelt):
    index, as_spelt = find_move(move, ask, legal)
    assert (None if index is None else legal[index]) == found
    assert as_spelt == is_as_spelt


def test_show_line_escapes_what_cannot_be_printed():
    assert show_line(b"a\tb\x1b[2J\xff\\") == "a\\tb\\x1b[2J\\xff\\"
    assert show_line("é\u202e".encode()) == "é\\u202e"
    assert show_line(b"x" * 9999) == "x" * 400
