"""What a replay does with records: hostile, broken, cut, closed, from an address."""

import json
import random

import pytest

from arena.record import masked, read_record
from tests.browser import serving
from tests.scripted import Hand, playout, setup
from tests.web.derived import tables
from tests.web.folders import played
from tests.web.looking import all_steps, differences, open_record, saved, step_of

pytestmark = pytest.mark.processes

HOSTILE = '<img src=x onerror="document.title=1"> \u202e\x1b[31m{who}'


def hostile(header, events):
    header["match"] = HOSTILE
    for player in header["players"]:
        player["name"] = HOSTILE
    for event in events:
        if event["e"] in ("bid", "play"):
            event["note"] = HOSTILE
        if event["e"] == "fault":
            event.update(text=HOSTILE, line=HOSTILE, played=HOSTILE)


def test_names_and_notes_stay_text(at, tmp_path):
    hand = Hand(setup("trianon", {"deals": 1}, strikes=9)).begin()
    hand.until(0, "play").move().fault("not_json")
    path = saved(tmp_path, "hostile", hand.rest().played, hostile)
    page = at(path, step_of(path, "fault"))
    assert page.locator("img").count() == 0
    assert not page.title().startswith("1")
    for place in (".caption", ".plate >> nth=0", "#replay-title", ".facts"):
        text = page.locator(place).inner_text()
        assert "<img src=x onerror=" in text
        assert "\\u202e\\x1b[31m{who}" in text
        assert "\u202e" not in text
        assert "\x1b" not in text


# --- records that are none, or not all ----------------------------------------------


def lines_with(folder, name, *lines):
    path = folder / f"{name}.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


BROKEN: dict[str, tuple[list[bytes | None], str]] = {
    "nothing": ([], "no record"),
    "a picture": ([b"\x89PNG\r\n\x1a\n\x00"], "no record"),
    "a number": ([b"1"], "no record"),
    "no header": ([b'{"n":0,"e":"trick","no":1,"winner":0}'], "no record"),
    "no json": ([None, b"{"], "Line 2"),
    "no seat": ([None, b'{"n":0,"e":"play","seat":3,"card":"AS"}'], "Line 2"),
    "no card": ([None, b'{"n":0,"e":"play","seat":0,"card":"1S"}'], "Line 2"),
    "a bid of loyatais": ([None, b'{"n":0,"e":"show","seat":0}'], "Line 2"),
    "an unknown code": ([None, b'{"n":0,"e":"out","seat":0,"code":"x"}'], "Line 2"),
    "a proto": ([None, b'{"n":0,"e":"__proto__"}', b"["], "Line 3"),
    "a long line": ([None, b'"' + b"x" * 70_000 + b'"'], "line 2"),
    "a long deal": ([None, *[b'{"n":0,"e":"trianon"}'] * 600], "too long"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_record_is_said_with_its_line(
    name, desk, replays, trianon_path, tmp_path
):
    lines, words = BROKEN[name]
    header = trianon_path.read_bytes().splitlines()[0]
    path = lines_with(tmp_path, name, *(line or header for line in lines))
    desk.goto(f"{replays}en/replay.html")
    desk.locator("input[type=file]").set_input_files(path)
    assert words in desk.get_by_role("alert").inner_text()
    open_record(desk, trianon_path)  # and another may be opened at once


def test_of_two_records_the_second_alone_is_shown(at, trianon_path, loyatais_path):
    page = at(trianon_path, "#2/5/1")
    open_record(page, loyatais_path)
    page.locator('.table[data-game="loyatais"]').wait_for()
    page.wait_for_url("**/replay.html#1/0")
    page.keyboard.press("ArrowRight")
    assert page.locator(".count").inner_text().startswith("2 /")
    page.wait_for_url("**/replay.html#1/1")


def test_events_of_kinds_yet_to_come_are_passed_over(at, trianon_path, tmp_path):
    first, *rest = trianon_path.read_bytes().splitlines()
    path = lines_with(tmp_path, "new", first, b'{"n":0,"e":"applause"}', *rest)
    assert at(path).locator('.hand [data-card="AS"]').count() == 1


def test_hands_that_are_not_open_yet_lie_face_down(at, tmp_path):
    match = playout(setup("trianon", {"deals": 2}), random.Random(2))
    lines = match.lines
    cut = next(k for k, line in enumerate(lines) if '"e":"score"' in line) - 3
    match.lines = lines[:cut]
    public = list(masked(match.record(tmp_path), is_seed_open=False))
    path = lines_with(tmp_path, "public", *(line.encode() for line in public))
    page = at(path, "#1/0")
    assert page.locator(".hand .face").count() == 0
    assert page.locator(".hand .back").count() == 36
    assert "ends before its match" in page.locator(".notice").inner_text()
    page.get_by_label("Step in the deal").fill("1000")
    left = json.loads(public[-1]) and sum('"play"' in line for line in public)
    assert page.locator(".hand .back").count() == 36 - left


def test_a_record_may_be_dropped_anywhere(page, replays, trianon_path):
    page.goto(f"{replays}en/replay.html")
    page.locator("#replay[aria-busy=false]").wait_for()
    page.evaluate(
        """(text) => {
          const moved = new DataTransfer();
          moved.items.add(new File([text], 'match.jsonl'));
          document.body.dispatchEvent(
            new DragEvent('drop', {dataTransfer: moved, bubbles: true}));
        }""",
        trianon_path.read_text(),
    )
    page.locator(".table").wait_for()


def test_a_match_that_never_began_has_no_deal_and_an_end(at, tmp_path):
    lines = [
        '{"n":0,"e":"out","seat":0,"code":"no_start"}',
        '{"n":1,"e":"out","seat":2,"code":"no_start"}',
        '{"n":2,"e":"end","reason":"walkover","scores":[0,0,0],"places":[3,1,3]}',
    ]

    def end_at_once(header, events):
        events[:] = map(json.loads, lines)

    match = playout(setup("loyatais"), random.Random(2))
    page = at(saved(tmp_path, "none", match, end_at_once), "#0/1")
    assert page.locator(".badge.out").count() == 2
    assert "no answer to start" in page.locator(".caption").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator(".places li").first.inner_text().startswith("1.")


# --- records by their address -------------------------------------------------------


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """Serve a tournament that has been played; return its address and its records."""
    folder = played(tmp_path_factory.mktemp("cup"), name="small")
    with serving(folder) as where:
        yield f"{where}en/t/small/", sorted((folder / "records").iterdir())


def test_a_match_of_a_tournament_is_shown_as_it_was_played(tournament, page):
    where, records = tournament
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{where}replay.html?match={records[0].stem}#1/0")
    page.locator(".table").wait_for()
    assert differences(all_steps(page), tables(read_record(records[0]))) == []


@pytest.mark.parametrize(
    ("status", "words"),
    [(403, "still to be played"), (404, "no such"), (500, "moment")],
)
def test_why_a_record_is_not_shown_is_said(status, words, tournament, page):
    where, records = tournament
    page.route("**/records/*", lambda route: route.fulfill(status=status))
    page.goto(f"{where}replay.html?match={records[0].stem}")
    alert = page.get_by_role("alert")
    assert words in alert.inner_text()
    page.unroute("**/records/*")
    alert.get_by_role("button", name="Try again").click()
    page.locator(".table").wait_for()


def test_a_name_of_a_record_never_leads_out_of_its_folder(tournament, page):
    where, _ = tournament
    with page.expect_request("**/records/**") as asked:
        page.goto(f"{where}replay.html?match=../../../words/en.json%3F")
    assert asked.value.url.endswith("/records/..%2F..%2F..%2Fwords%2Fen.json%3F.jsonl")
    page.get_by_role("alert").wait_for()
