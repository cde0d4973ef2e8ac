"""``trianon replay --to BOT``: a request of a record, sent to a bot once more."""

from pathlib import Path
from typing import Final

import click

from arena.botspec import find_bot
from arena.builds import make_ready
from arena.check_report import Resent
from arena.errors import ArenaError, CannotGoOnError
from arena.host import choose_level
from arena.interrupts import held
from arena.link import Link, open_engine
from arena.naming import shown
from arena.orders import (
    Broken,
    Checked,
    Finished,
    Probed,
    ResendOrder,
    ResentReport,
    Started,
    Stepped,
    Told,
)
from arena.sandbox import Limits

PLAIN: Final = "simple"
LONGEST: Final = 5000  # characters of an answer that are shown: it has 4,096 bytes


def send_again(record: Path, seat: int, request: int, bot: str, sandbox: str) -> int:
    """Send a request of a record to a bot, and print what it says; the exit code."""
    found = find_bot(bot)
    if found.is_human:
        raise ArenaError("a human is not sent a request again; name a bot")
    choice = choose_level(sandbox)
    (spec,) = make_ready([found], choice.level, lambda text: click.echo(text, err=True))
    if choice.warning is not None:
        click.echo(choice.warning, err=True)
    order = ResendOrder(
        bot=spec,
        record=record.resolve(),
        seat=seat,
        request=request,
        level=choice.level,
        limits=Limits(),
    )
    with open_engine(1) as link:
        resent = _follow(link, order)
    _print(resent, request)
    return 1 if resent.trouble else 0


@held()
def _follow(link: Link, order: ResendOrder) -> Resent:
    link.order(order)
    while True:
        for report in link.reports():
            match report:
                case ResentReport(resent=resent):
                    return resent
                case Broken(text=text):
                    raise CannotGoOnError(text)
                case Started() | Told() | Finished() | Probed():
                    pass
                case Stepped() | Checked():
                    pass


def _print(resent: Resent, request: int) -> None:
    if resent.request < request:
        click.echo(f"it came as far as request {resent.request}, not to {request}")
    if resent.answer is not None:
        click.echo(f"answer, after {resent.took_ms} ms:")
        click.echo(f"  {shown(resent.answer, PLAIN, LONGEST)}")
    if resent.trouble:
        click.echo(f"wrong: {shown(resent.trouble, PLAIN)}")
    for warning in resent.warnings:
        click.echo(f"warning: {shown(warning, PLAIN)}")
    if resent.stderr.strip():
        click.echo("stderr:")
        for line in resent.stderr.strip().splitlines():
            click.echo(f"  | {shown(line, PLAIN)}")
