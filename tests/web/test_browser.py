"""The pages in a browser: they move by themselves, for everybody, in both languages."""

import json
import signal
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.browser import open_page, serving
from tests.command import cup, start, trianon
from tests.processes import wait_until
from tests.web.folders import Told, fault, played
from tournaments.web.shelf import Shelf
from tournaments.web.site import write_site

pytestmark = pytest.mark.processes
PATIENCE_MS = 60_000
HOSTILE = '<img src=x onerror="document.title=1"> \u202egnp'


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A tournament with all there is to show, one block of it still open."""
    folder = tmp_path_factory.mktemp("told") / "cup"
    told = Told(folder, bots=("a", "Bé b", "c", "d" * 30), rounds=20)
    for number in range(10):
        told.tell(6, scores=(30 + number % 3, 20, 10))
    told.tell(5, faults={"a": [fault(HOSTILE, HOSTILE)]})
    told.tell(6, faults={"Bé b": [fault(code="timeout")]}, out="strikes")
    told.tell(2)
    return told


@pytest.fixture(scope="module")
def address(told):
    with serving(told.folder) as found:
        yield found


PAGES = [
    "",
    "t/cup/",
    "t/cup/heads.html",
    "t/cup/ratings.html",
    "t/cup/bot/a.html",
    "t/cup/matches/-/-/-/1.html",
    "t/cup/matches/a/-/faults/1.html",
    "nothing.html",
]


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(chromium, address, path):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    for code, scheme, width in (("en", "light", 1280), ("fr", "dark", 360)):
        size = {"width": width, "height": 800}
        with open_page(chromium, color_scheme=scheme, viewport=size) as page:
            page.goto(f"{address}{code}/{path}")
            found = axe.Axe().run(page)
            assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_a_phone_and_a_wall(chromium, address, path):
    for width in (360, 3840):
        with open_page(chromium, viewport={"width": width, "height": 700}) as page:
            page.goto(f"{address}en/{path}")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width


def test_the_language_is_the_browsers_and_can_be_changed(chromium, address):
    with open_page(chromium, locale="fr-FR") as page:
        page.goto(address)
        assert page.locator("html").get_attribute("lang") == "fr"
        page.get_by_role("link", name="cup").click()
        page.get_by_role("link", name="Face à face").click()
        assert page.get_by_role("heading", name="Face à face").is_visible()
        page.get_by_role("link", name="English").click()
        page.get_by_role("heading", name="Who beats whom").wait_for()


def test_a_change_of_language_keeps_the_moment_that_is_shown(page, address):
    page.goto(f"{address}en/t/cup/replay.html?match=none#2/7")
    page.get_by_role("link", name="Français").click()
    page.wait_for_url("**/fr/t/cup/replay.html?match=none#2/7")


def test_the_keyboard_alone_leads_from_the_start_to_a_bot(page, address):
    page.goto(address)
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the contents"
    page.keyboard.press("Enter")
    for name in ("cup", "a"):
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.locator(":focus").inner_text() == name:
                break
        page.keyboard.press("Enter")
        page.get_by_role("heading", level=1, name=name).wait_for()


def test_matches_are_chosen_by_what_they_are(page, address):
    page.goto(f"{address}en/t/cup/matches/-/-/-/1.html")
    page.locator("[name=bot]").select_option("a")
    page.locator("[name=wanted]").select_option("with faults or outs")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/matches/a/-/faults/1.html")
    assert page.locator("tbody tr").count() >= 5


def test_what_a_bot_wrote_is_shown_as_text(page, address):
    page.goto(f"{address}en/t/cup/bot/a.html")
    assert page.locator("img").count() == 0
    told = page.locator(".faults pre").first.inner_text()
    assert told == HOSTILE.replace("\u202e", "\\u202e")


# --- what moves ---------------------------------------------------------------------


def test_standings_move_while_a_real_tournament_is_played(page, tmp_path):
    with playing(tmp_path, "live") as (run, folder), serving(folder) as found:
        page.goto(f"{found}en/t/live/")
        page.get_by_text("Playing").wait_for(timeout=PATIENCE_MS)
        page.evaluate(
            """() => {
                window.mark = "as it was loaded";
                window.shifts = 0;
                new PerformanceObserver((list) => {
                    for (const entry of list.getEntries()) shifts += entry.value;
                }).observe({type: "layout-shift", buffered: false});
                window.row = document.querySelector("tbody tr");
            }"""
        )
        seen = {done(page)}
        for _ in range(3):
            page.wait_for_function(
                "seen => !seen.includes(document.querySelector('.said').innerText)",
                arg=list(seen),
                timeout=PATIENCE_MS,
            )
            seen.add(done(page))
        run.send_signal(signal.SIGINT)
        run.communicate()
        page.get_by_text("Stopped").wait_for(timeout=PATIENCE_MS)
        _, out, _ = trianon("table", folder, "--json")
        page.get_by_text(f"{json.loads(out)['finished']} of 2,400").wait_for()
        assert page.evaluate("mark") == "as it was loaded"
        assert page.evaluate("row.isConnected"), "a row was made anew"
        assert page.evaluate("shifts") < 0.05


def test_the_page_goes_on_by_itself_after_the_server_was_away(chromium, tmp_path):
    told = Told(tmp_path / "cup", rounds=2)
    told.tell(6)
    with open_page(chromium, may_lose_server=True) as page:
        with serving(told.folder) as found:
            page.goto(f"{found}en/t/cup/")
            page.get_by_text("6 of 12").wait_for()
        page.get_by_text("The server does not answer").wait_for(timeout=PATIENCE_MS)
        told.tell(1)
        port = found.rstrip("/").rpartition(":")[2]
        with serving(told.folder, port=port):
            page.get_by_text("7 of 12").wait_for(timeout=PATIENCE_MS)
            assert page.get_by_text("The server does not answer").is_hidden()
            page.goto("about:blank")


def test_the_page_goes_on_after_the_tournament_was_killed(page, tmp_path):
    with playing(tmp_path, "killed") as (run, folder), serving(folder) as found:
        page.goto(f"{found}en/t/killed/")
        page.get_by_text("Playing").wait_for(timeout=PATIENCE_MS)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        page.get_by_text("Stopped").wait_for(timeout=PATIENCE_MS)
        before = done(page)
        with playing(tmp_path, "killed"):
            page.get_by_text("Playing").wait_for(timeout=PATIENCE_MS)
            page.wait_for_function(
                "before => document.querySelector('.said').innerText !== before",
                arg=before,
                timeout=PATIENCE_MS,
            )


def test_a_folder_needs_no_server_of_ours(chromium, tmp_path):
    folder = played(tmp_path, name="cup")
    out = tmp_path / "out"
    write_site(Shelf([folder]), out, lambda _line: None)
    with hosting(out) as found, open_page(chromium, locale="fr-FR") as page:
        page.goto(f"{found}index.html")
        page.get_by_role("heading", name="Tournois").wait_for()
        page.get_by_role("link", name="cup").click()
        page.get_by_role("link", name="Parties").click()
        page.locator("[name=bot]").select_option("bot1")
        page.get_by_role("button").click()
        page.wait_for_url("**/matches/bot1/-/-/1.html")
        page.locator("tbody a").first.click()
        page.locator("#replay").get_by_text("bot1").first.wait_for()


@contextmanager
def playing(where, name):
    """Run a tournament that is not over soon; yield its process and its folder."""
    path = cup(where, name=name, rounds=400, sandbox="none")
    run = start("run", path, cwd=where)
    try:
        assert wait_until((where / name / "cup.toml").exists)
        yield run, where / name
    finally:
        run.send_signal(signal.SIGINT)
        run.communicate()


def done(page):
    return page.locator(".said").inner_text()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_args):
        pass


@contextmanager
def hosting(folder):
    """Serve a folder as any web host does; yield the address."""
    handler = partial(_Quiet, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
