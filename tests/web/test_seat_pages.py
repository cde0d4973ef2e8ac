"""A person at the table in a browser: whole matches by clicks, by keys, on a phone."""

import re

import pytest

from arena.record import read_record
from arena.verify import verify
from tests.browser import open_page
from tests.web.seats import open_form, sit_down, table, wait_ready

pytest.importorskip("starlette", reason="needs the extra web")
pytestmark = pytest.mark.processes

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
SHORT = '{"deals":3}'


@pytest.fixture(scope="module")
def where(tmp_path_factory):
    return tmp_path_factory.mktemp("table")


@pytest.fixture(scope="module")
def running(where):
    with table("careful", "careful", cwd=where, options=("--seed", "5")) as served:
        yield served


@pytest.fixture
def served(running):
    """A table where nobody plays."""
    match = running.state()["match"]
    if match is not None:
        running.say("stop", match=match["name"])
    return running


# --- what the page shows --------------------------------------------------------------


def hand(page):
    """Return the person's cards as they are drawn, and those that are lit."""
    names = "cards => cards.map(card => card.dataset.card).sort()"
    cards = page.locator(".place.me .hand [data-card]")
    lit = page.locator(".place.me .hand button[data-card]")
    return cards.evaluate_all(names), lit.evaluate_all(names)


def held(match):
    """Return what the seat holds, by the events that it was told."""
    cards = []
    for event in match["events"]:
        if event["e"] == "deal":
            cards = list(event["hands"][match["you"]])
        elif event["e"] == "play" and event["seat"] == match["you"]:
            cards.remove(event["card"])
    return sorted(cards)


def scores(page):
    """Return the scores that stand at the three places, from the person's on."""
    numbers = page.evaluate(
        "[...document.querySelectorAll('.place .score')].map(one => one.textContent)"
    )
    return [int(re.findall(r"\d+", text)[-1]) for text in numbers]


def check(page, served, ask):
    """See that cards, lights and scores are what the seat was told."""
    match = served.state()["match"]
    if ask in ("score", "over"):
        told = [event for event in match["events"] if event["e"] == "score"]
        numbers = re.findall(r"\d+", page.locator(".prompt").inner_text())
        last = told[int(numbers[0]) - 1] if numbers else told[-1]  # "Deal 2 is over"
        assert scores(page) == last["scores"]
        assert page.locator(".result p").count()
        return
    assert page.locator(".playing").get_attribute("data-request") == str(match["id"])
    cards, lit = hand(page)
    assert cards == held(match)
    wanted = {"play": sorted(match["legal"]), "show": cards}
    assert lit == wanted.get(ask, [])


# --- how the person plays -------------------------------------------------------------


def click_move(page, ask, number):
    match ask:
        case "score":
            page.locator(".go-on").click()
        case "play":
            page.locator(".is-lit").last.click()
        case "show":
            page.locator(".is-lit").first.click()
            page.locator(".is-lit").last.click()
            page.locator(".asked button").click()
        case "bid" | "raise":
            # A bid now and then, so that some contracts are the person's own.
            bids = page.locator(".level button:visible")
            calls = page.locator(".asked button")
            (bids if number % 3 == 0 and bids.count() else calls).first.click()
        case _:
            page.locator(".asked button").last.click()


def play(page, served, moves=1000, make=click_move):
    """Make so many moves, or all to the end; return what was asked."""
    asked: list[str] = []
    while len(asked) < moves and (ask := wait_ready(page)) != "over":
        check(page, served, ask)
        make(page, ask, len(asked))
        asked.append(ask)
    return asked


@pytest.mark.parametrize(("game", "language"), [("trianon", "en"), ("loyatais", "fr")])
def test_a_whole_match_is_played_by_clicks(chromium, served, where, game, language):
    with open_page(chromium, locale=f"{language}-{language.upper()}") as page:
        sit_down(page, served, game, SHORT)
        asked = play(page, served)
        assert page.locator("html").get_attribute("lang") == language
        check(page, served, "over")
        assert page.locator(".result .places li").count() == 3
    assert asked.count("score") == 2  # of three deals; the last is told with the end
    assert {"play", "bid" if game == "trianon" else "show"} <= set(asked)
    over = served.wait(lambda state: state["match"]["phase"] == "over")["match"]
    assert verify(read_record(where / "table" / over["record"])) is None


def test_a_deal_is_played_by_the_keyboard_alone(served, page):
    open_form(page, served)
    reach(page, "input[value=trianon]")
    page.keyboard.press("ArrowDown")
    reach(page, "#seat-length")
    page.keyboard.press("End")
    reach(page, "form button[type=submit]")
    page.keyboard.press("Enter")
    asked = play(page, served, 12, type_move)
    assert asked == ["partner", *["play"] * 10, "score"]


def reach(page, selector):
    """Press Tab until an element has the focus."""
    for _ in range(40):
        if page.evaluate("s => document.activeElement?.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{selector} cannot be reached")


def type_move(page, ask, _number):
    if ask == "play":  # the focus is where the cards are
        assert page.evaluate("document.activeElement?.matches('.is-lit')")
        page.keyboard.press("End")
    elif ask == "score":
        assert page.evaluate("document.activeElement?.matches('.go-on')")
    else:
        reach(page, ".asked button")
    page.keyboard.press("Enter")


def test_the_table_fits_a_phone(chromium, served):
    with open_page(chromium, **PHONE) as page:
        sit_down(page, served, "trianon", SHORT)

        def tap_move(page, ask, number):
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            widths = page.locator("#seat button:visible").evaluate_all(
                "all => all.map(one => one.getBoundingClientRect()).map(r => r.right)"
            )
            assert max(widths) <= 360
            click_move(page, ask, number)

        play(page, served, 15, tap_move)


def test_a_page_loaded_anew_goes_on_where_it_was(served, page):
    sit_down(page, served, "loyatais", SHORT)
    play(page, served, 5)
    ask = wait_ready(page)
    before = hand(page), scores(page), page.locator(".log").inner_text()
    page.reload()
    assert wait_ready(page) == ask
    assert (hand(page), scores(page), page.locator(".log").inner_text()) == before
    play(page, served, 6)  # to the end of the deal
    assert wait_ready(page) == "score"
    page.reload()
    assert wait_ready(page) == "score"
    check(page, served, "score")


def test_of_two_windows_both_go_on_and_one_move_counts(chromium, served, page):
    sit_down(page, served, "loyatais", SHORT)
    with open_page(chromium, locale="fr-FR") as other:
        other.goto(served.address)
        for _ in range(2):
            for here, there in ((page, other), (other, page)):
                ask = wait_ready(here)
                assert wait_ready(there) == ask
                assert hand(here) == hand(there)
                click_move(here, ask, 1)
                request = str(served.wait_turn()["match"]["id"])
                for window in (here, there):
                    window.locator(f"[data-request='{request}']").wait_for()
                check(there, served, wait_ready(there))


def test_the_moves_of_the_others_are_shown_one_after_the_other(served, page):
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # from here on time passes only as it is told to
    sit_down(page, served, "trianon", SHORT, pace="normal")
    log = page.locator(".log p")
    asked = page.locator(".asked[data-ask]")
    for told in (1, 2, 3):  # the deal, and two who speak before the dealer
        page.wait_for_function(
            "n => document.querySelectorAll('.log p').length === n", arg=told
        )
        assert (log.count(), asked.count()) == (told, 1 if told == 3 else 0)
        page.clock.run_for(650)
    assert wait_ready(page) == "bid"


def test_a_hint_marks_a_move_and_makes_none(served, page):
    sit_down(page, served, "loyatais", SHORT)
    play(page, served, 2)
    wait_ready(page)
    before = served.state()
    page.get_by_role("button", name="Hint").click()
    marked = page.locator(".is-lit.is-hinted")
    marked.wait_for()
    assert "careful would choose" in page.locator(".advice").inner_text()
    assert marked.get_attribute("data-card") in before["match"]["legal"]
    assert served.state() == before
    marked.click()
    play(page, served, 1)


def test_the_last_trick_can_be_looked_at_again(served, page):
    sit_down(page, served, "loyatais", SHORT)
    play(page, served, 2)
    wait_ready(page)
    events = served.state()["match"]["events"]
    last = max(k for k, event in enumerate(events) if event["e"] == "trick")
    wanted = sorted(event["card"] for event in events[last - 3 : last])
    page.get_by_role("button", name="Last trick").click()
    names = "cards => cards.map(card => card.dataset.card).sort()"
    assert page.locator(".spot [data-card]").evaluate_all(names) == wanted


def test_who_leaves_chooses_between_an_end_and_none(served, page):
    sit_down(page, served, "loyatais", SHORT)
    wait_ready(page)
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Give up my seat").click()
    page.locator(".again").wait_for()
    assert page.locator(".after .places li").count() == 3
    page.get_by_role("button", name="Look at it again").click()
    page.locator(".replay .controls").wait_for()
    page.get_by_role("button", name="Back to the table").click()
    page.locator(".again").click()
    page.locator("form.opening button[type=submit]").click()
    wait_ready(page)
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Stop the match").click()
    page.locator(".again").wait_for()
    assert "without a result" in page.locator(".prompt").inner_text()


def test_the_rules_are_a_click_away_in_both_languages(chromium, served, page):
    open_form(page, served)
    page.get_by_role("button", name="Rules of Loyatais").click()
    assert "capot" in page.get_by_role("dialog", name="Loyatais").inner_text()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Français").click()
    page.locator("form.opening:visible, .again:visible").wait_for()
    if page.locator(".again:visible").count():
        page.locator(".again").click()
    page.get_by_role("button", name="Règles : Trianon").click()
    assert "pli" in page.get_by_role("dialog", name="Trianon").inner_text()


def test_a_name_of_markup_stays_text(served, page):
    open_form(page, served)
    page.locator("#seat-name").fill("<b>Zoé</b>\u202e")
    page.locator("form.opening button[type=submit]").click()
    page.locator(".place.me .name").wait_for()
    wait_ready(page)
    assert page.locator("#seat b").count() == 0
    assert "Zoé" in page.locator(".place.me .name").inner_text()


@pytest.mark.parametrize("key", ["", "#AAAAAAAAAAAAAAAAAAAAAA"])
def test_without_the_key_there_is_nothing_to_see(served, page, key):
    served.open("loyatais", deals=3)
    page.goto(f"{served.root}en/table/{key}")
    page.get_by_role("alert").filter(has_text="It has a key in it").wait_for()
    assert page.locator(".card").count() == 0


def test_when_the_server_goes_the_page_says_so(tmp_path, chromium):
    page = chromium.new_page(locale="en-GB")
    with table("first", "first", cwd=tmp_path) as served:
        page.goto(served.address)
        page.locator("form.opening").wait_for()
    page.get_by_role("alert").filter(has_text="does not answer").wait_for()
    page.close()


# --- for everybody --------------------------------------------------------------------


def violations(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page).response["violations"]
    return [(item["id"], [node["html"] for node in item["nodes"]]) for item in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_at_the_table(chromium, served, scheme):
    with open_page(chromium, color_scheme=scheme, bypass_csp=True) as page:
        open_form(page, served)
        assert violations(page) == []
        page.get_by_role("button", name="Rules of Trianon").click()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.locator("form.opening button[type=submit]").click()
        seen = set()
        while wait_ready(page) != "over" and "score" not in seen:
            ask = wait_ready(page)
            if ask not in seen:
                assert violations(page) == [], ask
                seen.add(ask)
            click_move(page, ask, 1)
        page.get_by_role("button", name="Last score").click()
        assert violations(page) == []
