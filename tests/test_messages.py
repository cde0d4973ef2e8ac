"""The protocol page's examples are what the models say, byte for byte."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from arena.dealing import bot_seed, commitment, deal, shuffled
from arena.games import GAMES
from protocol.events import EVENT
from protocol.messages import (
    REQUEST,
    Act,
    End,
    Hello,
    HelloAnswer,
    MoveAnswer,
    PlainAnswer,
    Start,
)
from protocol.notation import SEATS, read_cards, spell
from protocol.records import RecordHeader
from protocol.schema import schemas
from protocol.snapshots import LoyataisSnapshot, TrianonSnapshot

PAGE = Path(__file__).parent.parent / "docs" / "protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")
TAGGED = re.compile(r"<!-- ([^\n]*) -->\n```json\n(.*?)```\n", re.DOTALL)
BLOCKS = [(tag, block.splitlines()) for tag, block in TAGGED.findall(TEXT)]
EXAMPLES = [(tag, line) for tag, lines in BLOCKS for line in lines]

REQUESTS: dict[str, Any] = {"hello": Hello, "start": Start, "act": Act, "end": End}
ANSWERS: dict[str, Any] = {
    "hello": HelloAnswer,
    "start": PlainAnswer,
    "act": MoveAnswer,
    "end": PlainAnswer,
}
SNAPSHOTS: dict[str, Any] = {"trianon": TrianonSnapshot, "loyatais": LoyataisSnapshot}


def examples(*prefixes):
    chosen = [item for item in EXAMPLES if item[0].startswith(prefixes)]
    return pytest.mark.parametrize(
        ("tag", "line"), chosen, ids=[f"{tag}-{k}" for k, (tag, _) in enumerate(chosen)]
    )


def test_every_json_block_of_the_page_is_tagged():
    assert TEXT.count("```json\n") == len(BLOCKS)
    tags = {tag for tag, _ in BLOCKS}
    assert tags == {
        *(f"to bot: {name}" for name in REQUESTS),
        *(f"from bot: {name}" for name in ANSWERS),
        *(f"deal: {game}" for game in SNAPSHOTS),
        "events",
        "record",
    }


@pytest.mark.parametrize(("tag", "line"), EXAMPLES)
def test_examples_are_ascii_and_compact(tag, line):
    assert line.isascii()
    assert json.dumps(json.loads(line), separators=(",", ":")) == line


@examples("to bot: ")
def test_what_the_arena_sends_is_the_models_own_dump(tag, line):
    request = REQUEST.validate_json(line)
    assert type(request) is REQUESTS[tag.removeprefix("to bot: ")]
    assert request.wire() == line
    keys = list(json.loads(line))
    assert keys[:2] == ["id", "type"]
    if isinstance(request, Act):
        assert keys[2:4] == ["ask", "legal"]


@examples("from bot: ")
def test_what_a_bot_may_send_is_taken_without_a_word(tag, line):
    kind = ANSWERS[tag.removeprefix("from bot: ")]
    answer = kind.model_validate_json(line)
    assert answer.model_dump(exclude_unset=True) == json.loads(line)


@examples("deal: ")
def test_snapshots_are_the_models_own_dump(tag, line):
    kind = SNAPSHOTS[tag.removeprefix("deal: ")]
    assert kind.model_validate_json(line).wire() == line


@examples("events", "record")
def test_events_and_records_are_the_models_own_dump(tag, line):
    if line.startswith('{"record":'):
        assert RecordHeader.model_validate_json(line).wire() == line
    else:
        assert EVENT.validate_json(line).wire() == line


def test_the_page_shows_every_kind_of_event_and_of_question():
    kinds = {json.loads(line)["e"] for tag, line in EXAMPLES if tag == "events"}
    assert kinds == set(EVENT.json_schema()["discriminator"]["mapping"])
    asks = {json.loads(line)["ask"] for tag, line in EXAMPLES if tag == "to bot: act"}
    assert asks == {"bid", "raise", "play", "show", "partner"}


# --- what the page says of itself ---------------------------------------------------


def record_header():
    line = next(line for tag, line in EXAMPLES if tag == "record")
    return RecordHeader.model_validate_json(line)


def test_section_3_the_commitments_and_seeds_are_right():
    header = record_header()
    starts = [
        Start.model_validate_json(line)
        for tag, line in EXAMPLES
        if tag == "to bot: start"
    ]
    for start, cup_seed in zip(starts, ("4260404", "89949"), strict=True):
        assert start.seed == bot_seed(cup_seed, start.match, start.you)
    assert starts[0].commit == header.commit
    assert header.commit == commitment(header.match, header.deal_seed)
    for seat, player in enumerate(header.players):
        assert player.seed == bot_seed("4260404", header.match, seat)


def test_section_7_the_deck_is_the_one_that_is_dealt():
    header = record_header()
    deck = " ".join(spell(shuffled(GAMES["trianon"], header.deal_seed, 1)))
    assert deck in TEXT
    position = deal(GAMES["trianon"], header.deal_seed, 1)
    first = next(line for tag, line in EXAMPLES if tag == "record" and '"deal"' in line)
    hands = json.loads(first)["hands"]
    assert [spell(position.hand(seat)) for seat in SEATS] == hands
    assert set(read_cards(deck)) == set(range(36))


def test_section_4_the_fields_of_each_event_are_in_the_tables_order():
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*)\|", TEXT.split("## 4.")[1], re.MULTILINE)
    listed = {name: re.findall(r"`(\w+)`", fields) for name, fields in rows[1:13]}
    for tag, line in EXAMPLES:
        if tag != "events":
            continue
        keys = list(json.loads(line))
        assert keys[:2] == ["n", "e"]
        kind = json.loads(line)["e"]
        assert [key for key in listed[kind] if key in keys] == keys[2:]


def test_section_6_the_codes_are_those_of_the_models():
    section = TEXT.split("## 6.")[1].split("## 7.")[0]
    text = json.dumps(schemas()["event"])
    told = set(re.findall(r"(?:fault|warning),? `(\w+)`", section))
    assert told >= {
        "too_long",
        "bad_encoding",
        "not_json",
        "bad_message",
        "wrong_id",
        "illegal_move",
        "timeout",
    }
    for code in (
        told
        - {"bom", "stray_line", "late_answer", "move_form"}
        - {
            "unknown_field",
            "id_form",
        }
    ):
        assert f'"{code}"' in text
    for code in re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ", section, re.MULTILINE):
        for name in re.findall(r"\w+", code):
            assert f'"{name}"' in text


@pytest.mark.parametrize("name", sorted(schemas()))
def test_every_schema_is_json_and_names_its_dialect(name):
    schema = json.loads(json.dumps(schemas()[name]))
    assert "2020-12" in schema["$schema"]


@pytest.mark.parametrize("tag", ["request", "event", "record_line"])
def test_a_field_that_is_not_of_the_wire_is_refused(tag):
    for example, line in EXAMPLES:
        value = json.loads(line) | {"unheard_of": 1}
        if example.startswith("to bot"):
            with pytest.raises(ValueError, match="unheard_of"):
                REQUEST.validate_python(value)
        elif example == "events":
            with pytest.raises(ValueError, match="unheard_of"):
                EVENT.validate_python(value)
