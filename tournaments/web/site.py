"""The pages as a folder: everything a server would answer, written once.

What is there is put together beside the folder and takes its place at the end, so that
a folder which a web host serves is never half of one.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from arena.errors import ArenaError, CannotGoOnError
from tournaments.web.book import (
    FOLDER,
    all_paths,
    file_page,
    start_page,
    tournament_page,
)
from tournaments.web.look import Look, Watch
from tournaments.web.pages import STATIC, choose_page
from tournaments.web.shelf import Shelf
from tournaments.web.shown import open_records
from tournaments.web.words import LANGUAGES, language

MARK: Final = ".trianon-site"
"""A file in every folder that we have written: no other folder is ever replaced."""


def write_site(shelf: Shelf, out: Path, say: Callable[[str], None]) -> int:
    """Write the pages of all tournaments into a folder; return how many files.

    Args:
        shelf: the tournaments.
        out: the folder; made anew, or in the place of an older site.
        say: is told what is being written.

    Raises:
        ArenaError: if something else is there already.
        CannotGoOnError: if it cannot be written.
    """
    if out.exists() and not (out / MARK).is_file() and not _is_empty(out):
        raise ArenaError(f"{out}: there is something else there; name a new folder")
    parent = out.absolute().parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=parent) as made:
            new = Path(made) / "new"
            number = 0
            for path, text in _files(shelf, say):
                target = new / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
                number += 1
            shutil.copytree(STATIC, new / "static")
            (new / MARK).touch()
            if out.exists():
                os.rename(out, Path(made) / "old")  # noqa: PTH104 -- both are folders
            os.rename(new, out)  # noqa: PTH104
    except OSError as error:
        raise CannotGoOnError(
            f"{error.filename or out}: {error.strerror}; choose another folder"
        ) from error
    return number


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and next(folder.iterdir(), None) is None


def _files(shelf: Shelf, say: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    """Yield every file but the static ones: where it stands, and its text."""
    looks = [Watch(tournament).look() for tournament in shelf]
    yield "index.html", choose_page()
    for code in LANGUAGES:
        words = language(code).catalogue
        yield f"words/{code}.json", json.dumps(words, ensure_ascii=False)
        yield from _shared_pages(looks, code)
    for look in looks:
        say(f"{look.standings.tournament}: {look.standings.finished} matches")
        yield from _tournament(look)


def _shared_pages(looks: list[Look], code: str) -> Iterable[tuple[str, str]]:
    start, replay = f"{code}/index.html", f"{code}/replay.html"
    return [
        (start, start_page(looks, start, FOLDER)),
        (replay, file_page(replay, FOLDER)),
    ]


def _tournament(look: Look) -> Iterator[tuple[str, str]]:
    place = look.tournament.slug
    table = look.standings.model_dump_json(exclude={"deals"}, ensure_ascii=True)
    yield f"data/{place}/table.json", table
    with look.tournament.open() as reader:
        paths = list(all_paths(look, reader))
    for code in LANGUAGES:
        for rest in paths:
            path = f"{code}/t/{place}/{rest}"
            page = tournament_page(look, path, FOLDER)
            assert page is not None, path
            yield path, page
    for stem, record in open_records(look.tournament):
        yield f"data/{place}/records/{stem}.jsonl", record.text
