"""``trianon check``: the order for a check, and its report as it is printed."""

import json
from collections.abc import Iterable
from typing import Any, Final

import click

from arena.botspec import BotSpec, find_bot
from arena.builds import make_ready
from arena.check_report import CheckReport, step_lines, summary_lines
from arena.errors import ArenaError, CannotGoOnError
from arena.games import GAMES
from arena.host import choose_level
from arena.interrupts import held
from arena.link import Link, open_engine
from arena.naming import shown
from arena.orders import (
    Broken,
    Checked,
    CheckOrder,
    Finished,
    Probed,
    ResentReport,
    Started,
    Stepped,
    Told,
)
from arena.sandbox import Limits
from arena.setup import DEFAULT_CLOCK
from protocol.messages import HelloLimits, MatchClock

PLAIN: Final = "simple"


def check_bot(
    bot: str,
    game: str | None,
    sandbox: str,
    is_strict: bool,
    is_quick: bool,
    as_json: bool,
    hello_ms: int | None = None,
    **given: Any,
) -> int:
    """Check a bot and print the report; return the exit code."""
    found = find_bot(bot)
    if found.is_human:
        raise ArenaError("a human is not checked; name a bot")
    choice = choose_level(sandbox)
    (spec,) = make_ready([found], choice.level, lambda text: click.echo(text, err=True))
    limits = HelloLimits()
    if hello_ms is not None:
        limits = limits.model_copy(update={"hello_ms": hello_ms, "start_ms": hello_ms})
    order = CheckOrder(
        bot=spec,
        games=_games(spec, game),
        level=choice.level,
        limits=Limits(),
        clock=_clock(given),
        hello=limits,
        is_quick=is_quick,
    )
    if choice.warning is not None:
        click.echo(choice.warning, err=True)
    if not as_json:
        name = shown(spec.name, PLAIN)
        click.echo(f"check of {name}, sandbox {choice.level.value}")
    with open_engine(1) as link:
        report = _follow(link, order, is_told=not as_json)
    report = report.model_copy(update={"is_strict": is_strict})
    if as_json:
        click.echo(json.dumps(report.public()))
    else:
        for line in summary_lines(report):
            click.echo(line)
    return 0 if report.ok else 1


def _games(spec: BotSpec, game: str | None) -> tuple[str, ...]:
    """Return the games to try: the one asked for, else those its folder names."""
    if game is not None:
        return (game,)
    named = tuple(name for name in GAMES if name in (spec.games or GAMES))
    return named or tuple(GAMES)


def _clock(given: dict[str, Any]) -> MatchClock:
    chosen = {name: value for name, value in given.items() if value is not None}
    return DEFAULT_CLOCK.model_copy(update=chosen)


@held()
def _follow(link: Link, order: CheckOrder, *, is_told: bool) -> CheckReport:
    """Print each step when it is done, and return the report."""
    link.order(order)
    seen: dict[str, str] = {}
    while True:
        for report in link.reports():
            match report:
                case Checked(report=found):
                    return found
                case Stepped(step=step):
                    _tell(step_lines(step, seen) if is_told else ())
                case Broken(text=text):
                    raise CannotGoOnError(text)
                case Started() | Told() | Finished() | Probed() | ResentReport():
                    pass


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)
