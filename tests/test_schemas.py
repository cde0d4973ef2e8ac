"""The schemas in docs/schemas are those that ``trianon schema`` prints."""

import json

import pytest

from protocol.schema import schemas
from tests.pages import ROOT
from tournaments.events import schemas as more_schemas

FOLDER = ROOT / "docs" / "schemas"
SCHEMAS = schemas() | more_schemas()
CHANGED = """
docs/schemas/{name}.json is not what `trianon schema` says.
If a text, a field, a kind of event or a type of request was added, run
`pytest tests/test_schemas.py --accept`, review the difference and write a line into the
changelog. If anything else has changed, programs that rely on it will break: for a
message or a record the protocol needs a new version (docs/protocol.md, section 9)."""


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_changed_on_purpose(name, request):
    path = FOLDER / f"{name}.json"
    if request.config.getoption("--accept"):
        text = json.dumps(SCHEMAS[name], indent=2) + "\n"
        path.write_text(text, encoding="ascii")
    is_same = path.is_file() and json.loads(path.read_text()) == SCHEMAS[name]
    assert is_same, CHANGED.format(name=name)


def test_no_schema_is_left_of_what_is_no_more():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(SCHEMAS)
