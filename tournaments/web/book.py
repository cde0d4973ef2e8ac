"""Which pages there are, and how each is made: an address in, a page out.

The same for a server, which asks for one page after the other, and for a folder, which
has all of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from tournaments.reading import Choice, Reader, Wanted
from tournaments.web.bot_view import bot_page
from tournaments.web.look import Look
from tournaments.web.match_view import (
    PAGE,
    ListPage,
    choice_at,
    list_path,
    match_row,
)
from tournaments.web.pages import render
from tournaments.web.places import slug, up
from tournaments.web.shown import is_open
from tournaments.web.views import card, chart, matrix, ranking
from tournaments.web.words import LANGUAGES

INDEX: Final = "index.html"
REPLAY: Final = "replay.html"


@dataclass(frozen=True, slots=True)
class Mode:
    """Where the pages are read: whether they move, and any list may be asked for."""

    is_live: bool


LIVE: Final = Mode(is_live=True)
FOLDER: Final = Mode(is_live=False)

Make: TypeAlias = Callable[[str, Mode], str]
"""Makes the page that stands at a path."""


def start_page(looks: Sequence[Look], path: str, mode: Mode) -> str:
    """Return the start page: all tournaments."""
    cards = [card(look) for look in looks]
    return render("start.html", path, mode=mode, live=_live(path, mode), cards=cards)


def file_page(path: str, mode: Mode) -> str:
    """Return the page that replays a record from a file."""
    return render(REPLAY, path, mode=mode, live=None, look=None, tab=None, slug=None)


def tournament_page(look: Look, path: str, mode: Mode) -> str | None:
    """Return a page of a tournament; None if there is none at that path.

    Args:
        look: the tournament.
        path: from the root: ``LANG/t/CUP/...``.
        mode: where it is read.
    """
    code, _, _, rest = path.split("/", 3)
    if code not in LANGUAGES:
        return None
    make = _maker(look, rest)
    return None if make is None else make(path, mode)


def _maker(look: Look, rest: str) -> Make | None:
    match rest.split("/"):
        case ["" | "index.html"]:
            return partial(_standings, look)
        case ["heads.html"]:
            return partial(_heads, look)
        case ["ratings.html"]:
            return partial(_ratings, look)
        case ["replay.html"]:
            return partial(_replay, look)
        case ["bot", page] if page.endswith(".html"):
            names = {slug(row.bot): row.bot for row in look.standings.rows}
            name = names.get(page.removesuffix(".html"))
            return None if name is None else partial(_bot, look, name)
        case ["matches", bot, against, wanted, page] if page.endswith(".html"):
            bots = [row.bot for row in look.standings.rows]
            choice = choice_at(bots, bot, against, wanted)
            number = page.removesuffix(".html")
            if choice is None or not number.isdecimal() or len(number) > 9:
                return None
            return partial(_matches, look, choice, int(number))
        case _:
            return None


def _render(
    template: str, look: Look, tab: str, path: str, mode: Mode, **values: object
) -> str:
    return render(
        template,
        path,
        mode=mode,
        live=None if template == REPLAY else _live(path, mode),
        look=look,
        tab=tab,
        list_path=list_path,
        Choice=Choice,
        Wanted=Wanted,
        slug=look.tournament.slug,
        address=slug,
        **values,
    )


def _live(path: str, mode: Mode) -> str | None:
    """Return where the newest state of a page comes from; None where it stays."""
    return f"{up(path)}live/{path}" if mode.is_live else None


def _standings(look: Look, path: str, mode: Mode) -> str:
    found = ranking(look.standings)
    return _render("standings.html", look, "standings", path, mode, ranking=found)


def _heads(look: Look, path: str, mode: Mode) -> str:
    rows = matrix(look.standings)
    return _render("heads.html", look, "heads", path, mode, matrix=rows)


def _ratings(look: Look, path: str, mode: Mode) -> str:
    return _render("ratings.html", look, "ratings", path, mode, chart=chart(look))


def _replay(look: Look, path: str, mode: Mode) -> str:
    return _render(REPLAY, look, "matches", path, mode)


def _bot(look: Look, name: str, path: str, mode: Mode) -> str:
    page = bot_page(look, name)
    return _render("bot.html", look, "standings", path, mode, page=page)


def _matches(look: Look, choice: Choice, number: int, path: str, mode: Mode) -> str:
    with look.tournament.open() as reader:
        page = list_page(reader, choice, number)
    bots = [row.bot for row in look.standings.rows]
    return _render("matches.html", look, "matches", path, mode, page=page, bots=bots)


def list_page(reader: Reader, choice: Choice, number: int) -> ListPage:
    """Return a page of a list; the last one if there are not so many."""
    total = reader.list_length(choice)
    pages = max(1, -(-total // PAGE))
    number = max(1, min(number, pages))
    lines = reader.match_list(choice, (number - 1) * PAGE, PAGE)
    rows = [match_row(line, is_open=is_open(reader, line)) for line in lines]
    return ListPage(choice, number, pages, total, rows)


def all_paths(look: Look, reader: Reader) -> Iterator[str]:
    """Yield the path of every page that a folder has, below the tournament's.

    Of the lists: all matches and those with faults, of everybody and of each bot.
    """
    yield from (INDEX, "heads.html", "ratings.html", REPLAY)
    bots = [row.bot for row in look.standings.rows]
    for bot in bots:
        yield f"bot/{slug(bot)}.html"
    everybody: list[str | None] = [None, *bots]
    for who in everybody:
        for wanted in (Wanted.ALL, Wanted.FAULTS):
            choice = Choice(who, None, wanted)
            pages = max(1, -(-reader.list_length(choice) // PAGE))
            yield from (list_path(choice, page) for page in range(1, pages + 1))
