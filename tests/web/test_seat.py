"""A seat for a person from the web: over HTTP, with an engine and real bots."""

import json
import os
import signal

import pytest

from arena.record import read_record
from arena.verify import verify
from tests.command import trianon
from tests.processes import below, orphanage, strays, wait_until
from tests.rogues import HONEST
from tests.web.seats import table

pytest.importorskip("starlette", reason="needs the extra web")
pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def where(tmp_path_factory):
    return tmp_path_factory.mktemp("table")


@pytest.fixture(scope="module")
def seat(where):
    with table("first", "careful", cwd=where, options=("--seed", "5")) as served:
        yield served


@pytest.fixture
def match(seat):
    """A match in which the person is asked for the first time."""
    match = seat.open("loyatais", deals=3)
    yield match
    seat.say("stop", match=match["name"])


def act(seat, match, move=None, number=None):
    return seat.say(
        "move",
        match=match["name"],
        id=match["id"] if number is None else number,
        move=move or match["legal"][-1],
    )


def play_out(seat, match):
    while match["phase"] == "asked":
        status, value = act(seat, match)
        assert status == 200, value
        match = seat.wait_turn()["match"]
    return match


@pytest.mark.parametrize(
    ("game", "options"),
    [("trianon", {"deals": 2}), ("loyatais", {"deals": 3})],
)
def test_a_whole_match_is_played_and_its_record_verifies(seat, where, game, options):
    match = seat.open(game, person="Zoé", **options)
    assert (match["you"], match["players"]) == (0, ["Zoé", "first", "careful"])
    assert match["clock"] is None
    over = play_out(seat, match)
    assert (over["phase"], over["reason"]) == ("over", "deals")
    record = read_record(where / "table" / over["record"])
    assert verify(record) is None
    assert record.header.clock is None
    mine = [event for event in over["events"] if event["e"] == "deal"]
    assert all(event["hands"][1:] == [None, None] for event in mine)
    assert [event["n"] for event in over["events"]] == list(range(len(record.events)))
    _, text = seat.ask("GET", f"record?match={over['name']}")
    assert text == "".join(f"{line}\n" for line in record.lines)


def test_nothing_but_what_the_seat_was_sent_is_told(seat, match):
    state = json.dumps(seat.state())
    _, status = seat.ask("GET", f"record?match={match['name']}")
    assert "error" in status
    assert "deal_seed" not in state


def test_a_move_that_is_not_legal_is_no_fault_and_not_sent(seat, match):
    assert act(seat, match, "ZZ")[0] == 422
    assert seat.state()["match"]["id"] == match["id"]


def test_the_second_of_two_windows_that_answer_is_told_it_is_late(seat, match):
    assert act(seat, match)[0] == 200
    assert act(seat, match)[0] == 409


def test_a_second_match_waits_for_the_end_of_the_first(seat, match):
    assert seat.say("open", game="trianon")[0] == 409


def test_a_hint_is_a_legal_move_and_changes_nothing(seat, match):
    before = seat.state()
    status, hint = seat.say("hint", match=match["name"], id=match["id"])
    assert (status, hint["move"] in match["legal"]) == (200, True)
    assert seat.state() == before


def test_a_hint_is_what_the_bot_would_do_at_that_seat(seat, match):
    # ``first`` sits at seat 1 and plays what is mildest; ``careful`` does not always.
    wanted = set()
    while match["phase"] == "asked":
        status, hint = seat.say("hint", match=match["name"], id=match["id"])
        assert status == 200, hint
        wanted.add(hint["move"] == match["legal"][0])
        act(seat, match, hint["move"])
        match = seat.wait_turn()["match"]
    assert wanted == {True, False}


def test_who_resigns_is_out_and_the_match_is_played_to_its_end(seat, where):
    match = seat.open("loyatais", deals=3)
    assert seat.say("resign", match=match["name"])[0] == 200
    over = seat.wait(lambda state: state["match"]["phase"] == "over")["match"]
    assert (over["outs"], over["places"][0]) == (["exited", None, None], 3)
    assert verify(read_record(where / "table" / over["record"])) is None


def test_a_match_that_is_stopped_leaves_no_record(seat, where):
    before = sorted((where / "table").iterdir())
    match = seat.open("trianon")
    assert seat.say("stop", match=match["name"])[0] == 200
    assert seat.state()["match"]["phase"] == "stopped"
    assert sorted((where / "table").iterdir()) == before
    assert act(seat, match)[0] == 409


def test_only_what_is_new_is_told_again(seat, match):
    known = len(match["events"])
    act(seat, match)
    seat.wait_turn()
    news = seat.state(since=known, match=match["name"])["match"]
    assert news["events"][0]["n"] == known == news["since"]
    of_another = seat.state(since=known, match="another")["match"]
    assert of_another["events"][0]["n"] == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": ""},
        {"Authorization": "Bearer wrong"},
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
    ],
)
def test_who_has_no_key_or_comes_from_another_page_is_refused(seat, headers):
    assert seat.ask("GET", "state", **headers)[0] == 403
    assert seat.ask("POST", "open", {"game": "trianon"}, **headers)[0] == 403


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"[",
        b"[" * 2000,
        b"{}",
        b'{"game":"trianon","more":1}',
        b'{"game":"trianon","deals":"2"}',
        b'{"game":"bridge"}',
        b'{"game":"loyatais","deals":4}',
        b'{"game":"' + b"x" * 3000 + b'"}',
        b'{"game":"\xff"}',
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(seat, said):
    status, value = seat.ask("POST", "open", said)
    assert status == 422
    assert "\n" not in value["error"]


def test_with_a_clock_who_is_late_is_played_for(where):
    options = ("--move-ms", "100", "--bank-ms", "0")
    with table("first", "first", cwd=where, options=options) as served:
        assert served.say("open", game="loyatais", deals=3)[0] == 200
        over = served.wait(
            lambda state: state["match"] and state["match"]["phase"] == "over"
        )["match"]
    assert over["outs"] == ["strikes", None, None]
    assert {fault["code"] for fault in over["faults"]} == {"timeout"}


def test_when_the_engine_goes_the_server_says_so_in_a_line(tmp_path):
    with table("first", "first", cwd=tmp_path) as served:
        served.open("loyatais", deals=3)
        (warden,) = below(served.process.pid)
        (engine,) = below(warden)
        os.kill(engine, signal.SIGKILL)
        _, err = served.process.communicate(timeout=60)
    assert served.process.returncode == 4
    assert "Traceback" not in err
    assert "trianon: the engine has gone" in err


@pytest.mark.parametrize(
    ("bots", "words"),
    [
        (("human", "first"), "the third seat at the table is yours"),
        (("nobody-here", "first"), "BOT 'nobody-here' is no sample"),
    ],
)
def test_bots_that_cannot_sit_there_are_refused_in_a_line(tmp_path, bots, words):
    code, out, err = trianon("serve", "--table", *bots, cwd=tmp_path)
    assert (code, out) == (2, "")
    assert words in err


# --- nothing is left behind ----------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_stop_in_mid_match_leaves_no_process_and_no_folder(tmp_path, number):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    bots = (f"{HONEST} seat-{number}", "first")
    with orphanage():
        os.environ["TMPDIR"] = str(temporary)
        try:
            with table(*bots, cwd=tmp_path) as served:
                served.open("trianon")
                assert strays(f"seat-{number}")
                served.process.send_signal(number)
                served.process.wait(timeout=60)
                assert wait_until(lambda: not strays(f"seat-{number}"))
                assert wait_until(lambda: not strays("arena.relay"))
        finally:
            del os.environ["TMPDIR"]
    assert list(temporary.iterdir()) == []
