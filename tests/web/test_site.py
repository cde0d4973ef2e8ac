"""The folder has every page, and each of its links leads to a file in it."""

import html
import re
from urllib.parse import urlsplit

import pytest

from arena.errors import ArenaError
from tests.web.folders import Told, played
from tournaments.web.shelf import Shelf
from tournaments.web.site import write_site

LINK = re.compile(r'(?:href|src|data-words|data-records|data-base)="([^"]*)"')


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    where = tmp_path_factory.mktemp("site")
    folder = played(where, name="small")
    told = Told(where / "told", bots=("a", "B b", "c", "d"), rounds=3)
    told.tell(71)  # two pages of matches, and a block that is not done
    for record in (told.folder / "records").iterdir():
        record.write_bytes(next((folder / "records").iterdir()).read_bytes())
    out = where / "out"
    number = write_site(Shelf([folder, told.folder]), out, lambda _line: None)
    return out, number


def pages(out):
    return sorted(out.rglob("*.html"))


def test_it_says_how_many_files_it_has_written(site):
    out, number = site
    files = [path for path in out.rglob("*") if path.is_file()]
    static = list((out / "static").iterdir())
    assert number == len(files) - len(static) - 1  # and its mark


def test_every_link_leads_to_a_file_of_the_folder(site):
    out, _ = site
    dead = []
    for page in pages(out):
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            parts = urlsplit(html.unescape(link))
            assert not parts.scheme, link
            assert not parts.netloc, link
            if not parts.path:
                continue
            target = (page.parent / parts.path).resolve()
            assert target.is_relative_to(out)
            if not (
                target.is_file()
                or (target / "index.html").is_file()
                or (target.is_dir() and link.endswith(("records/", "matches/")))
            ):
                dead.append((page.name, link))
    assert dead == []


def test_a_match_that_is_linked_has_its_record(site):
    out, _ = site
    shown = set()
    for page in pages(out):
        text = page.read_text(encoding="utf-8")
        shown |= set(re.findall(r"t/(\w+)/replay\.html\?match=(\w+)", text))
    assert len(shown) == 6 + 66
    for cup, stem in shown:
        assert (out / "data" / cup / "records" / f"{stem}.jsonl").is_file()


def test_no_record_of_an_open_block_is_in_it(site):
    out, _ = site
    assert len(list((out / "data" / "told" / "records").iterdir())) == 66


def test_both_languages_have_the_same_pages(site):
    out, _ = site
    english, french = (
        {page.relative_to(out / code) for page in pages(out / code)}
        for code in ("en", "fr")
    )
    assert english == french
    assert len(english) > 20


def test_a_folder_does_not_wait_for_news(site):
    out, _ = site
    for page in pages(out):
        assert "data-live" not in page.read_text(encoding="utf-8")


def test_it_takes_the_place_of_an_older_site_alone(tmp_path):
    told = Told(tmp_path / "cup")
    out = tmp_path / "out"
    for matches in (1, 6):
        told.tell(matches - 1)
        write_site(Shelf([told.folder]), out, lambda _line: None)
    other = tmp_path / "other"
    other.mkdir()
    (other / "precious").touch()
    with pytest.raises(ArenaError, match="something else"):
        write_site(Shelf([told.folder]), other, lambda _line: None)
    assert (other / "precious").is_file()
