"""What the pages of a tournament say, as values: a look in, no HTML out.  Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.intervals import LEAST_BLOCKS
from tournaments.table import Head, Row, Standings
from tournaments.web.draw import (
    SHARES,
    TICKS,
    Bar,
    Scale,
    bar,
    line,
    scale_of,
    shade,
)
from tournaments.web.look import Look, Progress
from tournaments.web.places import slug

COLOURS: Final = 10
"""Lines of a curve that have a colour of their own: more cannot be told apart."""


@dataclass(frozen=True, slots=True)
class Card:
    """A tournament on the start page; ``leaders`` are the first three."""

    slug: str
    name: str
    game: str
    progress: Progress
    bots: int
    leaders: Sequence[Row]


def card(look: Look) -> Card:
    """Return a tournament as the start page has it."""
    standings = look.standings
    leaders = standings.rows[:3] if standings.finished else []
    return Card(
        look.tournament.slug,
        standings.tournament,
        standings.game,
        look.progress,
        len(standings.rows),
        leaders,
    )


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of the standings, with its numbers drawn.

    ``is_level`` says that it cannot be told apart from the next.
    """

    row: Row
    slug: str
    is_level: bool
    wins: Bar | None
    points: Bar | None
    rating: Bar | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The standings: rows, and what is to be said below them.

    ``least_blocks`` and ``most_blocks`` are how many whole blocks the intervals come
    from, 0 where there are none; ``too_few`` are the bots without.
    """

    rows: Sequence[Ranked]
    least_blocks: int
    most_blocks: int
    too_few: Sequence[str]


def ranking(standings: Standings) -> Ranking:
    """Return the standings as their page has them."""
    rows = standings.rows
    points = scale_of(
        value
        for row in rows
        for value in (row.points_per_deal, row.points_low, row.points_high)
    )
    rating = scale_of(
        value
        for row in rows
        for value in (0.0, row.rating, row.rating_low, row.rating_high)
    )
    nexts = [row.bot for row in rows[1:]]
    ranked = [
        Ranked(
            row,
            slug(row.bot),
            number < len(nexts) and nexts[number] in row.level_with,
            bar(SHARES, row.win_rate, row.win_rate_low, row.win_rate_high),
            bar(points, row.points_per_deal, row.points_low, row.points_high),
            bar(rating, row.rating, row.rating_low, row.rating_high),
        )
        for number, row in enumerate(rows)
    ]
    enough = [row.blocks for row in rows if row.blocks >= LEAST_BLOCKS]
    return Ranking(
        ranked,
        min(enough, default=0),
        max(enough, default=0),
        [row.bot for row in rows if row.blocks < LEAST_BLOCKS],
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """One bot against another: how often it was ahead, and how strongly that is shaded.

    ``shade`` is from -4 (always behind) to 4 (always ahead); ``share`` is None where
    they have not met.
    """

    head: Head
    share: float | None
    shade: int


@dataclass(frozen=True, slots=True)
class Against:
    """A row of the matrix; the cell against itself is None."""

    row: Row
    slug: str
    cells: Sequence[Cell | None]


def cell(head: Head) -> Cell:
    """Return one bot against another."""
    share = head.ahead / head.matches if head.matches else None
    return Cell(head, share, shade(share))


def matrix(standings: Standings) -> Sequence[Against]:
    """Return who beats whom, in the order of the table."""
    found = {(head.bot, head.against): cell(head) for head in standings.heads or []}
    names = [row.bot for row in standings.rows]
    return [
        Against(row, slug(row.bot), [found.get((row.bot, other)) for other in names])
        for row in standings.rows
    ]


@dataclass(frozen=True, slots=True)
class Tick:
    """A number on an axis, and where it stands."""

    value: float
    at: str


@dataclass(frozen=True, slots=True)
class CurveLine:
    """A bot's line: its points as SVG has them, and its colour, or None for grey."""

    row: Row
    slug: str
    points: str
    colour: int | None


@dataclass(frozen=True, slots=True)
class Chart:
    """The ratings over the matches; no lines where there is nothing to draw yet.

    ``digits`` are the decimals of the ratings' axis.
    """

    lines: Sequence[CurveLine] = ()
    across: Sequence[Tick] = ()
    up: Sequence[Tick] = ()
    digits: int = 0


def chart(look: Look, only: str | None = None) -> Chart:
    """Return the curve of the ratings, which ends in those of the table.

    Args:
        look: the tournament.
        only: the one bot that has a colour; all first ones where it is None.
    """
    rows = [row for row in look.standings.rows if row.rating is not None]
    if len(look.points) < 2 or not rows:
        return Chart()
    final = {row.bot: row.rating for row in rows}
    matches = [point.matches for point in look.points]
    values = _values(look)
    across = Scale(matches[0], max(matches[-1], look.standings.finished, 2))
    settled = max(2, len(matches) // 12)  # the first few leap about
    up = scale_of(
        value for bot in final for value in [*values[bot][settled:], final[bot], 0.0]
    )
    lines = []
    for number, row in enumerate(rows):
        points = list(zip(matches, values[row.bot], strict=True))
        points.append((look.standings.finished, row.rating or 0.0))
        colour = number if number < COLOURS else None
        if only is not None:
            colour = 0 if row.bot == only else None
        lines.append(CurveLine(row, slug(row.bot), line(points, across, up), colour))
    return Chart(
        lines,
        [Tick(value, across.at(value)) for value in across.ticks()],
        [Tick(value, up.from_top(value)) for value in up.ticks()],
        0 if up.high - up.low > TICKS else 1,
    )


def _values(look: Look) -> Mapping[str, Sequence[float]]:
    """Return the points of each bot's curve."""
    columns = zip(*(point.ratings for point in look.points), strict=True)
    return dict(zip(look.names, columns, strict=True))
