"""The looks follow what is played, and a page is made again only when it must be."""

import shutil

import pytest
import trio
import trio.lowlevel

from tests.web.folders import Told
from tournaments.folder import locked
from tournaments.store import Store
from tournaments.web.book import LIVE, all_paths, tournament_page
from tournaments.web.hub import Hub
from tournaments.web.look import Watch
from tournaments.web.shelf import Shelf, Tournament
from tournaments.web.words import LANGUAGES


@pytest.fixture
def told(tmp_path):
    told = Told(tmp_path / "cup", bots=("a", "b", "c", "d"), rounds=2)
    told.tell(8)
    return told


def test_a_look_reads_on_from_the_last_one(told):
    watch = Watch(Tournament("cup", told.folder))
    assert watch.look().progress.done == 8
    told.tell(10)
    again, anew = watch.look(), Watch(Tournament("cup", told.folder)).look()
    assert again.progress == anew.progress
    assert again.points == anew.points
    assert again.memories == anew.memories


def test_a_match_that_was_taken_back_is_forgotten(told):
    watch = Watch(Tournament("cup", told.folder))
    before = watch.look()
    pairing, *_ = told.tell(1)
    assert watch.look().progress.done == 9
    with Store(told.folder) as store:
        store.forget(pairing.match)
    after = watch.look()
    assert after.memories == before.memories
    assert after.progress.done == 8


def test_a_page_is_made_once_as_long_as_nothing_changes(told):
    hub = Hub(Shelf([told.folder]))
    assert hub.page("en/t/cup/") is hub.page("en/t/cup/")


@pytest.mark.parametrize(
    "path",
    ["", "en", "de/", "en/t", "en/t/", "en/t/cup", "en/t/other/", "en/t/cup/x.html",
     "en/t/cup/bot/x.html", "en/t/cup/matches/-/-/x/1.html",
     "en/t/cup/matches/-/-/-/x.html", "en/t/cup/matches/-/-/-/99999999999.html",
     "en/t/cup/matches/nobody/-/-/1.html", "en/t/cup/../cup/", "en//", "en/t//"],
)  # fmt: skip
def test_there_is_no_page_elsewhere(told, path):
    assert Hub(Shelf([told.folder])).page(path) is None


def test_a_page_of_a_list_beyond_the_last_is_the_last(told):
    page = Hub(Shelf([told.folder])).page("en/t/cup/matches/-/-/-/7.html")
    assert page is not None
    assert b"8 matches" in page


@pytest.mark.parametrize("finished", [0, 1, 6, 13])
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_page_is_there_from_the_first_match_on(tmp_path, finished, code):
    told = Told(tmp_path / "cup", bots=("a", "b", "c", "d"), rounds=2)
    told.tell(finished)
    look = Watch(Tournament("cup", told.folder)).look()
    with look.tournament.open() as reader:
        paths = list(all_paths(look, reader))
    for path in paths:
        page = tournament_page(look, f"{code}/t/cup/{path}", LIVE)
        assert page is not None
        assert page.count("<h1") == 1
        assert "None" not in page.replace("None so far.", "")
        assert "nan" not in page


def test_what_is_benched_and_void_is_told(told):
    with Store(told.folder) as store:
        pairing = next(told.due)
        store.bench([(pairing, {pairing.triple[0]})])
        store.save_void("cup/a+b+c/2/012", 1)
    page = (Hub(Shelf([told.folder])).page("en/t/cup/") or b"").decode()
    assert "1 not played: benched" in page
    assert "1 void, played again" in page
    assert f"Benched after too many outs in a row: {pairing.triple[0]}." in page
    assert "9 of 48 matches" in page


async def test_who_watches_is_told_of_a_finished_match(told):
    hub = Hub(Shelf([told.folder]))
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            with hub.channels.watching("en/t/cup/") as channel:
                told.tell(1)
                await channel.wait_newer(0)
                while b"9 of 48" not in channel.state:
                    await channel.wait_newer(channel.number)
            nursery.cancel_scope.cancel()


async def test_a_tournament_that_is_moved_away_stays_as_it_was_until_it_is_back(told):
    hub = Hub(Shelf([told.folder]))
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            shutil.move(told.folder, told.folder.with_name("away"))
            with hub.channels.watching("en/t/cup/") as channel:
                await trio.lowlevel.checkpoint()
                assert b"8 of 48" in (hub.page("en/t/cup/") or b"")
                shutil.move(told.folder.with_name("away"), told.folder)
                told.tell(1)
                while b"9 of 48" not in channel.state:
                    await channel.wait_newer(channel.number)
            nursery.cancel_scope.cancel()


def test_a_tournament_that_nobody_plays_is_stopped(told):
    look = Watch(Tournament("cup", told.folder)).look()
    assert look.progress.state.value == "stopped"
    assert look.progress.left_s is None


def test_one_that_is_played_says_how_long_it_will_take(told):
    with locked(told.folder):
        look = Watch(Tournament("cup", told.folder)).look()
    assert look.progress.state.value == "playing"
    assert look.progress.left_s is not None
    assert look.progress.left_s > 0
