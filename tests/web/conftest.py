"""Records to replay, and a page to replay them on."""

import random

import pytest

from tests.browser import open_page, serving
from tests.scripted import Hand, playout, setup
from tests.web.looking import opened, saved


@pytest.fixture(scope="module")
def replays():
    """Return the address of a server without a tournament.

    Not for all files: some bury whatever their process has started and does not know.
    """
    with serving() as where:
        yield where


@pytest.fixture(scope="session")
def trianon_path(tmp_path_factory):
    """A match with a contract, a fault of seat 0, a note at each card, and times."""
    hand = Hand(setup("trianon", {"deals": 2}, strikes=9)).begin()
    hand.until(1, "bid").move("7D")
    hand.until(0, "play").move().fault("not_json")

    def note(_header, events):
        for event in events:
            if event["e"] == "play":
                event["note"] = f"note of {event['seat']}"

    folder = tmp_path_factory.mktemp("record")
    return saved(folder, "trianon", hand.rest().played, note)


@pytest.fixture(scope="session")
def loyatais_path(tmp_path_factory):
    """A match without a fault."""
    played = playout(setup("loyatais", {"deals": 3}), random.Random(5))
    return saved(tmp_path_factory.mktemp("record"), "loyatais", played)


@pytest.fixture(scope="module")
def desk(chromium):
    """A page for all tests of a file that only look; each opens what it looks at."""
    with open_page(chromium, reduced_motion="reduce") as found:
        yield found


@pytest.fixture
def at(desk, replays):
    """Return what opens a record at a moment of it."""
    return lambda path, place="": opened(desk, replays, path, place)
