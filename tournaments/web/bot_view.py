"""What the page of a bot says, as values.  Pure.

The texts of faults tell of cards: they stand there once the match may be shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.reading import MatchLine
from tournaments.table import Row, Seat, Style
from tournaments.web.history import Memory, faults_in
from tournaments.web.look import Look
from tournaments.web.match_view import MatchRow, match_row
from tournaments.web.places import slug
from tournaments.web.views import Cell, Chart, Ranked, cell, chart, ranking


@dataclass(frozen=True, slots=True)
class Slow:
    """A slow answer: how long it took, and in which match."""

    ms: int
    match: MatchRow


@dataclass(frozen=True, slots=True)
class FaultLine:
    """A match with a fault or an out of the bot.

    ``text``, ``line`` and ``hint`` are of its first fault; None where the match may not
    be shown yet, or where it had none.
    """

    match: MatchRow
    faults: int
    out: str | None
    code: str | None
    text: str | None
    line: str | None
    hint: str | None


@dataclass(frozen=True, slots=True)
class BotPage:
    """A bot: its row, its results in parts, and matches to look at."""

    ranked: Ranked
    row: Row
    bots: int
    seats: Sequence[Seat]
    style: Style | None
    against: Sequence[tuple[str, Cell]]
    chart: Chart
    codes: Sequence[tuple[str, int]]
    faults: Sequence[FaultLine]
    slowest: Sequence[Slow]
    best: tuple[int, MatchRow] | None
    worst: tuple[int, MatchRow] | None


def bot_page(look: Look, name: str) -> BotPage:
    """Return the page of a bot.

    Args:
        look: the tournament.
        name: one of its bots.
    """
    standings = look.standings
    ranked = next(r for r in ranking(standings).rows if r.row.bot == name)
    memory = look.memories.get(name, Memory())
    styles = {style.bot: style for style in standings.deals or []}

    def shown(line: MatchLine) -> MatchRow:
        return match_row(line, is_open=line.record in look.open_records)

    def known(item: tuple[int, MatchLine] | None) -> tuple[int, MatchRow] | None:
        return None if item is None else (item[0], shown(item[1]))

    return BotPage(
        ranked=ranked,
        row=ranked.row,
        bots=len(standings.rows),
        seats=[seat for seat in standings.seats or [] if seat.bot == name],
        style=styles.get(name),
        against=[
            (slug(head.against), cell(head))
            for head in standings.heads or []
            if head.bot == name
        ],
        chart=chart(look, only=name),
        codes=memory.codes,
        faults=[_fault_line(line, name, shown(line)) for line in memory.faulty],
        slowest=[Slow(ms, shown(line)) for ms, line in memory.slowest],
        best=known(memory.best),
        worst=known(memory.worst),
    )


def _fault_line(line: MatchLine, name: str, match: MatchRow) -> FaultLine:
    seat = [player.bot for player in line.players].index(name)
    player = line.players[seat]
    first = next(iter(faults_in(line, seat)), {})
    told = first if match.is_open else {}
    return FaultLine(
        match=match,
        faults=player.faults,
        out=player.out,
        code=first.get("code"),
        text=told.get("text"),
        line=told.get("line"),
        hint=told.get("hint"),
    )
