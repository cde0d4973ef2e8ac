"""What a bot has written stays text, whatever it is."""

import pytest

from tests.web.folders import Told, fault
from tournaments.web.book import FOLDER, LIVE, tournament_page
from tournaments.web.live import event
from tournaments.web.look import Watch
from tournaments.web.places import MAX_SLUG, slug
from tournaments.web.shelf import Tournament

TEXTS = [
    "<script>alert(1)</script>",
    "</main><main>",
    "</title><img src=x onerror=alert(1)>",
    '" autofocus onfocus="alert(1)',
    "{{ 7 * 7 }}{% raw %}",
    "\u202egnp.exe\u2066",
    "\x1b[31mred\x07",
    "&lt;b&gt;",
]


@pytest.mark.parametrize("mode", [LIVE, FOLDER])
@pytest.mark.parametrize("text", TEXTS)
def test_a_fault_that_would_be_markup_is_text(tmp_path, text, mode):
    told = Told(tmp_path / "cup")
    told.tell(6, faults={"a": [fault(text=text, line=text)]})
    look = Watch(Tournament("cup", told.folder)).look()
    page = tournament_page(look, "en/t/cup/bot/a.html", mode) or ""
    assert page.count("<script") == 1  # our own
    assert page.count("<main") == page.count("</main>") == 1
    for bad in ("<img", 'onfocus="', "49", "\u202e", "\x1b", "<b>"):
        assert bad not in page
    assert ("alert(1)" in page) == ("alert(1)" in text)
    assert event(page).count(b"\n") == 2  # one line, and the end of an event


@pytest.mark.parametrize(
    "name", ["ماذا", "עברית 2", "naïve bot", "机器人", "a-b", "A B", "x" * 64, "Ω"]
)
def test_names_of_any_script_have_pages_of_their_own(tmp_path, name):
    told = Told(tmp_path / "cup", bots=(name, "b", "c"))
    told.tell(6)
    look = Watch(Tournament("cup", told.folder)).look()
    page = tournament_page(look, f"fr/t/cup/bot/{slug(name)}.html", LIVE)
    assert page is not None
    assert f"<h1><bdi>{name}</bdi></h1>" in page


def test_different_names_have_different_addresses():
    names = ["a b", "a-b", "A b", "a_b", "a.b", "á b", "机器人", "机器", "x" * 64, "-"]
    slugs = [slug(name) for name in names]
    assert len(set(slugs)) == len(names)
    for one in slugs:
        assert len(one) <= MAX_SLUG
        assert one.isascii()
        assert one.replace("-", "").isalnum()
        assert one != "-"
