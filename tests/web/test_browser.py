"""The pages in a browser: they move by themselves, for everybody, in both languages."""

import signal
import time

import pytest

from tests.browser import open_page, serving
from tests.command import cup, start
from tests.web.folders import Told, fault
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
    path = cup(tmp_path, name="live", rounds=6, sandbox="none")
    run = start("run", path, cwd=tmp_path)
    try:
        wait_for((tmp_path / "live" / "results.sqlite").exists)
        with serving(tmp_path / "live") as found:
            page.goto(f"{found}en/t/live/")
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
            page.get_by_text("Playing").wait_for()
            for _ in range(3):
                page.wait_for_function(
                    "seen => !seen.includes(document.querySelector('.said').innerText)",
                    arg=list(seen),
                    timeout=PATIENCE_MS,
                )
                seen.add(done(page))
            run.wait(120)
            page.get_by_text("Over").wait_for(timeout=PATIENCE_MS)
            assert "36 of 36" in done(page)
            assert page.evaluate("window.mark") == "as it was loaded"
            assert page.evaluate("row.isConnected"), "a row was made anew"
            assert page.evaluate("shifts") < 0.05
    finally:
        run.kill()
        run.communicate()


def test_the_page_goes_on_by_itself_after_the_server_was_away(chromium, tmp_path):
    told = Told(tmp_path / "cup", rounds=2)
    told.tell(6)
    with open_page(chromium) as page:
        with serving(told.folder) as found:
            page.goto(f"{found}en/t/cup/")
            page.get_by_text("6 of 12").wait_for()
        page.get_by_text("The server does not answer").wait_for(timeout=PATIENCE_MS)
        told.tell(1)
        port = found.rstrip("/").rpartition(":")[2]
        with serving(told.folder, port=port):
            page.get_by_text("7 of 12").wait_for(timeout=PATIENCE_MS)
            assert page.get_by_text("The server does not answer").is_hidden()


def test_the_page_goes_on_after_the_tournament_was_killed(page, tmp_path):
    path = cup(tmp_path, name="killed", rounds=6, sandbox="none")
    run = start("run", path, cwd=tmp_path)
    wait_for((tmp_path / "killed" / "results.sqlite").exists)
    with serving(tmp_path / "killed") as found:
        page.goto(f"{found}en/t/killed/")
        page.wait_for_function(
            "!document.querySelector('.said').innerText.includes('0 of')",
            timeout=PATIENCE_MS,
        )
        run.send_signal(signal.SIGKILL)
        run.communicate()
        page.get_by_text("Stopped").wait_for(timeout=PATIENCE_MS)
        again = start("run", path, cwd=tmp_path)
        again.communicate()
        page.get_by_text("Over").wait_for(timeout=PATIENCE_MS)
        assert "36 of 36" in done(page)


def test_a_folder_needs_no_server_of_ours(chromium, told, tmp_path, static_host):
    out = tmp_path / "out"
    write_site(Shelf([told.folder]), out, lambda _line: None)
    with static_host(out) as found, open_page(chromium, locale="fr-FR") as page:
        page.goto(f"{found}index.html")
        page.get_by_role("heading", name="Tournois").wait_for()
        page.get_by_role("link", name="cup").click()
        page.get_by_role("link", name="Parties").click()
        page.get_by_role("combobox").first.select_option("a")
        page.get_by_role("button").click()
        page.wait_for_url("**/matches/a/-/-/1.html")


def done(page):
    return page.locator(".said").inner_text()


def wait_for(is_so):
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture
def static_host():
    """Any web host: the standard library's."""
    from contextlib import contextmanager
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
    from threading import Thread

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_args):
            pass

    @contextmanager
    def host(folder):
        handler = partial(Quiet, directory=folder)
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            thread = Thread(target=server.serve_forever)
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/"
            finally:
                server.shutdown()
                thread.join()

    return host
