"""A person at the table in a browser: whole matches by clicks, by keys, on a phone."""

import pytest

from arena.record import read_record
from arena.verify import verify
from tests.browser import open_page
from tests.web.seats import sit_down, table, wait_ready

pytest.importorskip("starlette", reason="needs the extra web")
pytestmark = pytest.mark.processes

PHONE = {"width": 360, "height": 740}
LENGTHS = {"trianon": '{"deals":3}', "loyatais": '{"deals":3}'}


@pytest.fixture(scope="module")
def where(tmp_path_factory):
    return tmp_path_factory.mktemp("table")


@pytest.fixture(scope="module")
def served(where):
    with table("careful", "careful", cwd=where, options=("--seed", "5")) as served:
        yield served


@pytest.fixture
def free(served):
    """A table where nobody plays."""
    yield served
    match = served.state()["match"]
    if match is not None:
        served.say("stop", match=match["name"])


def hand(page):
    """Return the person's cards as they are drawn, and those that are lit."""
    cards = page.locator(".place.me .hand [data-card]")
    lit = page.locator(".place.me .hand button[data-card]")
    names = "cards => cards.map(card => card.dataset.card)"
    return cards.evaluate_all(names), lit.evaluate_all(names)


def click_move(page, ask, match):
    """Make a move by clicks: the last that is legal, or the last lit cards."""
    if ask == "play":
        page.locator(".is-lit").last.click()
    elif ask == "show":
        page.locator(".is-lit").first.click()
        page.locator(".is-lit").last.click()
        page.locator(".asked button").click()
    elif ask in ("bid", "raise"):
        # A bid every now and then, so that there are contracts of the person's own.
        bids = page.locator(".level button:visible")
        is_bidding = match["id"] % 3 == 0 and bids.count()
        (bids if is_bidding else page.locator(".asked button")).first.click()
    else:
        page.locator(".asked button").last.click()


def play_by_clicks(page, served, seen):
    """Play to the end; ``seen`` is told what is asked and how the table stands."""
    while (ask := wait_ready(page)) != "over":
        if ask == "score":
            seen("score", None)
            page.locator(".go-on").click()
            continue
        match = served.state()["match"]
        asked = page.locator(".playing").get_attribute("data-request")
        assert asked == str(match["id"])
        seen(ask, match)
        click_move(page, ask, match)


@pytest.mark.parametrize(("game", "language"), [("trianon", "en"), ("loyatais", "fr")])
def test_a_whole_match_is_played_by_clicks(chromium, free, where, game, language):
    asked = []

    def look(page):
        def seen(ask, match):
            asked.append(ask)
            if match is None:
                assert page.locator(".result p").count()
                return
            cards, lit = hand(page)
            held = match_hand(match)
            assert sorted(cards) == sorted(held)
            if ask == "play":
                assert sorted(lit) == sorted(match["legal"])
            if ask == "show":
                assert sorted(lit) == sorted(held)

        return seen

    with open_page(chromium, locale=f"{language}-{language.upper()}") as page:
        sit_down(page, free, game, LENGTHS[game])
        play_by_clicks(page, free, look(page))
        assert page.locator("html").get_attribute("lang") == language
        state = free.wait(lambda state: state["match"]["phase"] == "over")["match"]
        assert page.locator(".result .places li").count() == 3
    assert asked.count("score") == 2  # of three deals; the last is told with the end
    assert {"play", "bid" if game == "trianon" else "show"} <= set(asked)
    record = read_record(where / "table" / state["record"])
    assert verify(record) is None


def match_hand(match):
    """Return what the seat holds, by the events that it was told."""
    held = []
    for event in match["events"]:
        if event["e"] == "deal":
            held = list(event["hands"][match["you"]])
        elif event["e"] == "play" and event["seat"] == match["you"]:
            held.remove(event["card"])
    return held
