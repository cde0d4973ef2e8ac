"""The page of a replay: views, links, keys, play, screens, languages."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from tests.browser import open_page
from tests.scripted import Hand, playout, setup
from tests.web.looking import events_of, open_record, saved, step_of
from tournaments.web.words import language

pytestmark = pytest.mark.processes


def hand(page, seat):
    return page.locator(f'[data-hand="{seat}"]')


# --- views --------------------------------------------------------------------------


def test_the_view_of_a_seat_shows_its_hand_alone(at, trianon_path):
    page = at(trianon_path)
    for seat in range(3):
        assert hand(page, seat).locator(".face").count() == 12
    page.get_by_label("View").select_option("1")
    assert hand(page, 1).locator(".face").count() == 12
    for seat in (0, 2):
        assert hand(page, seat).locator(".face").count() == 0
        assert hand(page, seat).locator(".back").count() == 12
    assert page.locator(".place.me [data-hand]").get_attribute("data-hand") == "1"
    # The table is seen from that seat: its left-hand neighbour sits on the left.
    assert page.locator(".place.left [data-hand]").get_attribute("data-hand") == "2"


def test_notes_and_times_are_for_all_hands_and_their_own_seat(at, trianon_path):
    place = step_of(trianon_path, "play", 4)
    seat = [e for e in events_of(trianon_path) if e["e"] == "play"][4]["seat"]
    caption = at(trianon_path, place).locator(".caption")
    assert f"note of {seat}" in caption.inner_text()
    assert " ms" in caption.inner_text()
    at(trianon_path, f"{place}/{seat}")
    assert f"note of {seat}" in caption.inner_text()
    at(trianon_path, f"{place}/{(seat + 1) % 3}")
    assert "note of" not in caption.inner_text()
    assert " ms" not in caption.inner_text()


def test_a_fault_is_told_where_it_happened_and_at_its_move(at, trianon_path):
    fault = next(e for e in events_of(trianon_path) if e["e"] == "fault")
    place = step_of(trianon_path, "fault")
    caption = at(trianon_path, place).locator(".caption")
    for part in (language("en").text("fault.not_json"), fault["text"], "text of"):
        assert part in caption.inner_text()
    at(trianon_path, place).keyboard.press("ArrowRight")
    assert fault["text"] in caption.inner_text()
    assert "plays" in caption.inner_text()
    marked = caption.page.locator('.sheet button[aria-current="step"] .fault-mark')
    assert marked.count() == 1


def test_shown_cards_stay_in_the_hand_for_all_to_see(at, loyatais_path):
    first, second = (e for e in events_of(loyatais_path)[:4] if e["e"] == "show")
    page = at(loyatais_path, f"#1/2/{first['seat']}")
    other = hand(page, second["seat"])
    assert other.locator(".face").count() == 2
    assert other.locator(".back").count() == 8
    assert {
        card.get_attribute("data-card") for card in other.locator("[data-card]").all()
    } == set(second["cards"])
    assert other.locator(".is-shown").count() == 2


def test_taker_and_partner_bear_their_names(at, tmp_path):
    hand_ = Hand(setup("loyatais", {"deals": 3})).begin()
    hand_.until(0, "partner").move("with 2")
    path = saved(tmp_path, "partner", hand_.rest().played)
    page = at(path, step_of(path, "play"))
    seats = page.locator(".place")
    assert seats.filter(has_text="taker").locator('[data-hand="0"]').count() == 1
    assert seats.filter(has_text="partner").locator('[data-hand="2"]').count() == 1
    assert "a with c" in page.locator(".state").inner_text()


@pytest.mark.parametrize("game", ["trianon", "loyatais"])
def test_the_score_of_a_deal_is_explained(game, at, trianon_path, loyatais_path):
    path = {"trianon": trianon_path, "loyatais": loyatais_path}[game]
    score = next(e for e in events_of(path) if e["e"] == "score")
    result = at(path, step_of(path, "score")).locator(".result")
    told = result.inner_text().replace(",", "")
    most = max(score["points"])
    assert str(most) in told
    assert result.is_visible()


# --- ways through it ----------------------------------------------------------------


def is_at(page, place):
    """Wait until the address says where the page is."""
    page.wait_for_url(f"**/replay.html{place}")
    return True


def test_a_link_leads_to_its_moment(at, trianon_path):
    place = step_of(trianon_path, "trick", 14)
    page = at(trianon_path, place)
    assert page.locator(".caption").inner_text().endswith("wins trick 3")
    assert page.get_by_label("Deal", exact=True).input_value() == "1"


@pytest.mark.parametrize("place", ["#99/1", "#1/99999", "#0/0", "#x", "#1/1/7"])
def test_a_link_to_no_moment_leads_to_one_near_it(place, at, trianon_path):
    assert at(trianon_path, place).locator(".caption p").count() >= 1


def test_the_keyboard_alone_is_enough(at, trianon_path):
    page = at(trianon_path)
    press = page.keyboard.press
    press("ArrowRight")
    press("ArrowRight")
    press("ArrowLeft")
    assert is_at(page, "#1/1")
    press("Shift+ArrowRight")
    contract = step_of(trianon_path, "contract")
    assert is_at(page, contract)
    press("Shift+ArrowRight")
    assert is_at(page, step_of(trianon_path, "trick"))
    press("n")
    press("3")
    assert is_at(page, "#2/0/2")
    press("p")
    press("0")
    assert is_at(page, "#1/0")


def test_every_control_is_reached_by_tab_and_shows_the_focus(at, trianon_path):
    page = at(trianon_path)
    wanted = {
        control.evaluate("e => e.getAttribute('aria-label') ?? e.textContent")
        for control in page.locator(".controls :is(button, input, select)").all()
    }
    seen = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        label, outline = page.evaluate(
            "() => { const e = document.activeElement; return [e.getAttribute("
            "'aria-label') ?? e.textContent, getComputedStyle(e).outlineStyle]; }"
        )
        seen.add(label)
        assert outline != "none", label
    assert wanted <= seen


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_it_plays_by_itself_at_a_speed_and_stops_at_the_end(
    chromium, replays, tmp_path
):
    path = saved(tmp_path, "short", playout(setup("loyatais"), random.Random(1)))
    with open_page(chromium) as page:
        page.clock.install(time=NOON)
        page.goto(f"{replays}en/replay.html")
        open_record(page, path)
        page.clock.pause_at(NOON + timedelta(hours=1))
        count = page.locator(".count")
        page.get_by_role("button", name="Play", exact=True).click()
        page.clock.run_for(3_100)
        assert count.inner_text().startswith("4 /")
        page.get_by_label("Speed").select_option(label="fast")
        page.clock.run_for(2_100)
        assert count.inner_text().startswith("9 /")
        page.get_by_label("Deal", exact=True).select_option("2")
        page.get_by_label("Speed").select_option(label="rapid")
        page.get_by_role("button", name="Play", exact=True).click()
        page.clock.run_for(7_000)
        assert page.get_by_role("button", name="Play", exact=True).count() == 1
        assert page.locator(".places li").count() == 3


# The key and the look at what moves are one task: no machine is too slow for it.
STEP_ON = """
() => {
  const init = {key: 'ArrowRight', bubbles: true};
  document.body.dispatchEvent(new KeyboardEvent('keydown', init));
  return document.getAnimations().map((a) => a.effect.target.dataset.card);
}
"""


def test_a_card_flies_from_its_hand_to_the_table_and_on_to_who_wins(
    chromium, replays, loyatais_path
):
    with open_page(chromium) as page:
        page.goto(f"{replays}en/replay.html{step_of(loyatais_path, 'partner')}")
        open_record(page, loyatais_path)
        played = [e["card"] for e in events_of(loyatais_path) if e["e"] == "play"][:3]
        for card in played:
            assert card in page.evaluate(STEP_ON)
        assert set(played) <= set(page.evaluate(STEP_ON))


SWIPE = """
([from, to]) => {
  const board = document.querySelector('.table');
  const touch = (x) =>
    new Touch({identifier: 1, target: board, clientX: x, clientY: 9});
  const tell = (kind, x, open) => board.dispatchEvent(new TouchEvent(kind, {
    touches: open ? [touch(x)] : [], changedTouches: [touch(x)], bubbles: true}));
  tell('touchstart', from, true);
  tell('touchend', to, false);
}
"""


def test_a_finger_swipes_on_and_back(at, trianon_path):
    page = at(trianon_path)
    page.evaluate(SWIPE, [300, 100])
    page.evaluate(SWIPE, [300, 100])
    page.evaluate(SWIPE, [100, 300])
    page.evaluate(SWIPE, [100, 110])  # a tap
    assert page.locator(".count").inner_text().startswith("2 /")


# --- screens ------------------------------------------------------------------------

SIZES = [(360, 740), (800, 1000), (1280, 800), (2560, 1440)]

CORNERS = """
() => [...document.querySelectorAll('[data-hand] svg.face text')].filter((text) => {
  const {left, right, top, bottom} = text.getBoundingClientRect();
  scrollTo(0, 0);
  const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return found?.closest('svg') !== text.closest('svg');
}).map((text) => text.closest('[data-card]').dataset.card)
"""

HEIGHTS = """
() => {
  const next = document.querySelector('[aria-label="One step forward"]');
  const found = new Set();
  while (next.getAttribute('aria-disabled') !== 'true') {
    next.click();
    found.add(document.querySelector('.controls').getBoundingClientRect().top);
  }
  return [...found];
}
"""


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", ["trianon", "loyatais"])
def test_it_fits_and_every_corner_can_be_read(
    size, game, at, trianon_path, loyatais_path
):
    path = {"trianon": trianon_path, "loyatais": loyatais_path}[game]
    page = at(path)
    page.set_viewport_size({"width": size[0], "height": max(size[1], 1000)})
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.evaluate(CORNERS) == []
    assert page.locator("[data-hand] svg.face").first.bounding_box()["width"] >= 40


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_moves_under_the_finger_while_cards_do(width, at, loyatais_path):
    page = at(loyatais_path)
    page.set_viewport_size({"width": width, "height": 1000})
    assert len(page.evaluate(HEIGHTS)) == 1


# --- languages ----------------------------------------------------------------------


def test_the_language_is_the_browsers_and_its_own_words_are_used(
    chromium, replays, trianon_path
):
    with open_page(chromium, locale="fr-FR", reduced_motion="reduce") as page:
        page.goto(replays)
        page.goto(f"{page.url}replay.html")
        open_record(page, trianon_path)
        assert page.locator("html").get_attribute("lang") == "fr"
        names = page.locator(".hand svg").evaluate_all(
            "all => all.map(svg => svg.getAttribute('aria-label'))"
        )
        assert {"roi de pique", "dame de cœur", "valet de trèfle"} <= set(names)
        assert "0 pli" in page.locator(".plate").first.inner_text()
        page.get_by_role("link", name="English").click()
        assert page.locator("html").get_attribute("lang") == "en"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["trianon", "loyatais"])
def test_axe_finds_nothing(scheme, game, at, trianon_path, loyatais_path):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    path = {"trianon": trianon_path, "loyatais": loyatais_path}[game]
    place = step_of(path, "fault") if game == "trianon" else "#1/3"
    page = at(path, place)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for keys in ("0", "1", "nnn"):  # all hands, those of a seat, the end of the match
        for key in keys:
            page.keyboard.press(key)
        assert axe.run(page).response["violations"] == [], keys


def test_axe_finds_nothing_before_a_record_is_opened(page, replays):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.goto(f"{replays}en/replay.html")
    page.locator("input[type=file]").wait_for()
    assert axe.run(page).response["violations"] == []
