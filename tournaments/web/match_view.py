"""What the lists of matches say, as values, and the addresses of their pages.  Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.reading import Choice, MatchLine, PlayerLine, Wanted
from tournaments.web.places import slug

PAGE: Final = 50
"""Matches on a page."""
NOBODY: Final = "-"
"""What stands in an address where no bot is named; no bot's address is that."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in a list; ``id`` is what its record is called, without the ending."""

    line: MatchLine
    id: str
    is_open: bool

    @property
    def players(self) -> Sequence[PlayerLine]:
        """The three, by seat."""
        return self.line.players

    @property
    def name(self) -> str:
        """What tells the match apart within its triple: block and order of seats."""
        _, block, order = self.line.match.rsplit("/", 2)
        return f"{block}/{order}"


def match_row(line: MatchLine, *, is_open: bool) -> MatchRow:
    """Return a match as lists have it."""
    return MatchRow(line, line.record.removesuffix(".jsonl"), is_open)


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list of matches; ``page`` counts from 1."""

    choice: Choice
    page: int
    pages: int
    total: int
    rows: Sequence[MatchRow]

    @property
    def near(self) -> Sequence[int | None]:
        """The pages to go to from here; None stands for those left out between."""
        wanted = {1, self.page - 1, self.page, self.page + 1, self.pages}
        found: list[int | None] = []
        for number in sorted(n for n in wanted if 1 <= n <= self.pages):
            last = found[-1] if found else 0
            if last is not None and number > last + 1:
                found.append(None)
            found.append(number)
        return found


def list_path(choice: Choice, page: int = 1) -> str:
    """Return where a page of a list stands, below its tournament."""
    bot = NOBODY if choice.bot is None else slug(choice.bot)
    against = NOBODY if choice.against is None else slug(choice.against)
    return f"matches/{bot}/{against}/{choice.wanted.value}/{page}.html"


def choice_at(
    bots: Sequence[str], bot: str, against: str, wanted: str
) -> Choice | None:
    """Return the choice that parts of an address stand for; None for no such one."""
    names = {NOBODY: None} | {slug(name): name for name in bots}
    try:
        what = Wanted(wanted)
    except ValueError:
        return None
    if bot not in names or against not in names:
        return None
    return Choice(names[bot], names[against], what)
