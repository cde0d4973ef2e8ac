"""``serve --table``: the bots are found, an engine is started, the table is served."""

from collections.abc import Callable
from pathlib import Path

import click

from arena.botspec import HUMAN, find_bot, keep_apart
from arena.builds import make_ready
from arena.errors import ArenaError
from arena.host import choose_level, describe
from arena.link import EngineBugError, open_engine
from arena.setup import DEFAULT_CLOCK
from protocol.messages import MatchClock
from tournaments.web.seat_door import new_key
from tournaments.web.seat_routes import ADDRESS, TableRoutes
from tournaments.web.seat_table import Rules, Table


def serve_table(
    table: tuple[str, str],
    hints: str,
    records: Path,
    move_ms: int | None,
    bank_ms: int | None,
    seed: str | None,
    sandbox: str,
    *,
    serve: Callable[..., None],
    say: Callable[[str], None],
) -> None:
    """Serve a table, beside whatever else is served.

    Args:
        table: the two bots.
        hints: the bot that gives advice.
        records: the folder for the records of matches.
        move_ms: the free time of a move; None for no clock.
        bank_ms: the reserve behind it.
        seed: what the deals' seeds are made from; None to draw each.
        sandbox: as ``--sandbox``.
        serve: serves the pages; takes ``say`` and ``parts``.
        say: prints a line.

    Raises:
        ArenaError: if a bot is not there, or cannot play here.
    """
    rules = _rules(table, hints, records, _clock(move_ms, bank_ms), seed, sandbox)
    key = new_key()

    def say_both(address: str) -> None:
        say(address)
        say(f"{address}{ADDRESS}#{key}")

    # Two at a time: a match, and a bot that is asked for advice.
    with open_engine(2) as link:
        try:
            serve(say=say_both, parts=[TableRoutes(Table(link, rules), key)])
        except ExceptionGroup as group:
            # What ends the table ends the server: it comes through nurseries.
            found = _only(group)
            if isinstance(found, ArenaError | EngineBugError):
                raise found from None
            raise


def _rules(
    table: tuple[str, str],
    hints: str,
    records: Path,
    clock: MatchClock | None,
    seed: str | None,
    sandbox: str,
) -> Rules:
    choice = choose_level(sandbox)
    texts = (*table, hints)
    if HUMAN in texts:
        raise ArenaError("the third seat at the table is yours; name two bots")
    found = [find_bot(text) for text in texts]
    records.mkdir(parents=True, exist_ok=True)
    folder = records.resolve()
    ready = keep_apart(make_ready(found, choice.level, _say), folders=(folder,))
    _say(describe(choice, ready))
    one, two, adviser = ready
    rules = Rules((one, two), adviser, choice.level, folder, clock, seed)
    if not rules.games:
        raise ArenaError(f"{one.name} and {two.name} have no game in common")
    return rules


def _clock(move_ms: int | None, bank_ms: int | None) -> MatchClock | None:
    if move_ms is None and bank_ms is None:
        return None
    given = {"move_ms": move_ms, "bank_ms": bank_ms}
    known = {key: value for key, value in given.items() if value is not None}
    return DEFAULT_CLOCK.model_copy(update=known)


def _say(line: str) -> None:
    click.echo(line, err=True)


def _only(error: BaseException) -> BaseException:
    """Return the single error that a group of groups holds, or the group."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
