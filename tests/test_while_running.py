"""What a tournament tells while it runs: events by their schema, a table, a line."""

import json

import pytest

from protocol.model import Model
from tests.command import start, trianon
from tests.processes import wait_until
from tests.test_benched import lay_out
from tournaments.events import DIALECT, run_event, schemas

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The events of a cup with a bot that crashes and one that hangs."""
    folder = tmp_path_factory.mktemp("told")
    code, out, err = trianon("run", lay_out(folder, 4), "--json-events", cwd=folder)
    assert code == 0, err
    return out.splitlines()


def test_every_event_obeys_the_schema(told):
    events = [run_event().validate_json(line, strict=True) for line in told]
    assert {event.event for event in events} == {
        "match_started",
        "match_finished",
        "standings",
        "done",
    }
    faulty = [e for e in events if e.event == "match_finished" and not _is_clean(e)]
    assert faulty, "a schema that no fault was held to"


def _is_clean(event):
    return not any(player.faults or player.out for player in event.players)


def test_the_events_have_nothing_that_the_schema_leaves_out(told):
    for line in told:
        event = run_event().validate_json(line)
        dump = event.model_dump(mode="json")
        assert {key: dump[key] for key in json.loads(line)} == json.loads(line)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda event: event | {"event": "finished"},
        lambda event: event | {"deals": "many"},
        lambda event: event | {"players": event["players"][:2]},
        lambda event: {key: event[key] for key in event if key != "match"},
        lambda event: event | {"extra": 1},
    ],
)
def test_the_schema_refuses_what_is_no_event(told, spoil):
    lines = [json.loads(line) for line in told]
    event = next(line for line in lines if line["event"] == "match_finished")
    with pytest.raises(ValueError):
        run_event().validate_python(spoil(event))


def test_the_schemas_are_json_and_keep_to_the_dialect():
    for name, schema in schemas().items():
        assert schema["$schema"] == DIALECT, name
        assert json.loads(json.dumps(schema)) == schema
    assert set(schemas()["run_event"]["discriminator"]["mapping"]) == {
        "match_started",
        "match_finished",
        "standings",
        "done",
    }
    assert issubclass(run_event().validate_json(_STARTED).__class__, Model)


_STARTED = '{"event":"match_started","match":"cup/a+b+c/1/012"}'


def test_the_table_can_be_read_while_it_runs(tmp_path):
    process = start("run", lay_out(tmp_path, 5), cwd=tmp_path)
    records = tmp_path / "cup/records"
    try:
        assert wait_until(lambda: records.is_dir() and len(list(records.iterdir())) > 2)
        code, out, err = trianon("table", "cup", "--json", cwd=tmp_path)
        assert process.poll() is None, "it was over before it was read"
    finally:
        process.terminate()
        _, said = process.communicate(timeout=30)
    assert code == 0, err
    table = json.loads(out)
    assert 2 <= table["finished"] < table["scheduled"] == 60
    assert "0/60 matches" in said


def test_the_progress_tells_of_leaders_faults_and_outs(tmp_path):
    code, _, err = trianon("run", lay_out(tmp_path, 4), cwd=tmp_path)
    assert code == 0
    last = [line for line in err.splitlines() if "24/24 matches" in line][-1]
    assert "wins: bot" in last
    assert " %" in last
    assert last.endswith("outs 6")
