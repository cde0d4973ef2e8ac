"""One match on the command line: ordered, followed, printed."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
from pydantic import ValidationError

from arena import __version__
from arena.botspec import BotSpec, find_bot, keep_apart
from arena.dealing import new_seed
from arena.errors import ArenaError, CannotGoOnError
from arena.games import GAMES
from arena.host import choose_level, describe
from arena.interrupts import held
from arena.link import Link, open_engine
from arena.naming import shown
from arena.orders import (
    Broken,
    Checked,
    Finished,
    PlayOrder,
    Probed,
    ResentReport,
    Started,
    Stepped,
    Told,
)
from arena.record import PART
from arena.result import MatchResult
from arena.sandbox import Limits
from arena.setup import DEFAULT_CLOCK, MatchSetup
from protocol.events import EndEvent, FaultEvent, OutEvent, ScoreEvent
from protocol.messages import MatchClock, Options

MATCH: Final = "play/1"
PLAIN: Final = "simple"


def play_once(
    bots: Sequence[str],
    game: str,
    seed: str | None,
    record: Path | None,
    strikes: int,
    strict: bool,
    sandbox: str,
    untrusted: bool,
    as_json: bool,
    **given: Any,
) -> int:
    """Play one match and print it; return the exit code."""
    choice = choose_level(sandbox)
    found = [find_bot(text) for text in bots]
    if any(spec.build for spec in found):
        from arena.builds import make_ready  # archives and more: only where needed

        found = make_ready(found, choice.level, _say)
    specs = keep_apart(found)
    assert len(specs) == 3
    if untrusted:
        from arena.doctor import require_box

        require_box(choice.level)
    deal_seed = seed or new_seed()
    setup = MatchSetup(
        game=game,
        options=read_options(game, given),
        match=MATCH,
        names=(specs[0].name, specs[1].name, specs[2].name),
        deal_seed=deal_seed,
        seed=deal_seed,
        arena=__version__,
        is_named=False,
        clock=_clock(given, specs),
        strikes=strikes,
        strict=strict,
    )
    order = PlayOrder(
        setup=setup,
        bots=(specs[0], specs[1], specs[2]),
        level=choice.level,
        limits=Limits(),
        record=None if record is None else str(_writable(record)),
        # A person is told at the table, and would read everything twice.
        is_told=not as_json and not any(spec.is_human for spec in specs),
    )
    if choice.warning is not None or not as_json:
        _say(describe(choice, specs))
    with open_engine(1) as link:
        result = _follow(link, order)
        while result.reason == "void":  # our own failure: it is played again
            order = order.model_copy(update={"attempt": order.attempt + 1})
            result = _follow(link, order)
    if record is not None:
        Path(f"{order.record}{PART}").replace(str(order.record))
        result = result.model_copy(update={"record": str(record)})
    if as_json:
        click.echo(json.dumps(result.public()))
    else:
        _print_result(result)
    return 0 if result.is_clean else 1


def _say(line: str) -> None:
    click.echo(line, err=True)


def read_options(game: str, given: dict[str, Any]) -> Options:
    """Return the options of a match from those given on the command line.

    Raises:
        ArenaError: if one does not belong to the game, or is out of range.
    """
    names = ("target", "max_deals", "deals")
    chosen = {name: given[name] for name in names if given.get(name) is not None}
    try:
        return GAMES[game].options(chosen)
    except ValidationError as error:
        first = error.errors()[0]
        name = "--" + str(first["loc"][0]).replace("_", "-") if first["loc"] else game
        hint = "Loyatais has --deals only, a multiple of three"
        raise ArenaError(f"{name}: {first['msg']}; {hint}") from None


def _clock(given: dict[str, Any], specs: Sequence[BotSpec]) -> MatchClock | None:
    names = ("move_ms", "bank_ms", "deal_add_ms")
    chosen = {name: given[name] for name in names if given.get(name) is not None}
    if given.get("no_clock"):
        if chosen:
            raise ArenaError("--no-clock and a clock at once; leave one of them out")
        return None
    if not chosen and any(spec.is_human for spec in specs):
        return None
    return DEFAULT_CLOCK.model_copy(update=chosen)


def _writable(record: Path) -> Path:
    path = record.absolute()
    if not path.parent.is_dir():
        raise ArenaError(f"--record {record}: no folder {path.parent}; make it first")
    if path.is_dir():
        raise ArenaError(f"--record {record}: that is a folder; name a file in it")
    if not os.access(path.parent, os.W_OK):
        raise ArenaError(f"--record {record}: no right to write there; choose another")
    return path


@held()
def _follow(link: Link, order: PlayOrder) -> MatchResult:
    """Print what happens, and return the result."""
    link.order(order)
    while True:
        for report in link.reports():
            match report:
                case Finished(result=result):
                    return result
                case Told():
                    _print_told(report)
                case Broken(text=text):
                    raise CannotGoOnError(text)
                case Started() | Probed() | Stepped() | Checked() | ResentReport():
                    pass


def _print_told(told: Told) -> None:
    names = [shown(name, PLAIN) for name in told.names]
    event = told.event
    match event:
        case ScoreEvent():
            points = "   ".join(
                f"{name} {score} (+{won})"
                for name, score, won in zip(
                    names, event.scores, event.points, strict=True
                )
            )
            click.echo(f"deal {event.no:>3}   {points}")
        case FaultEvent():
            click.echo(
                f"  fault  {names[event.seat]}: {event.code}: "
                f"{shown(event.text or '', PLAIN)}; played {event.played}\n"
                f"         {shown(event.line or 'no line', PLAIN)}\n"
                f"         hint: {shown(told.text, PLAIN)}"
            )
        case OutEvent():
            text = shown(told.text, PLAIN)
            click.echo(f"  out    {names[event.seat]}: {event.code}: {text}")
        case EndEvent():
            click.echo(f"end: {event.reason}")
        case _:
            pass
    sys.stdout.flush()


def _print_result(result: MatchResult) -> None:
    from tabulate import tabulate

    from arena.diagnosis import last_lines

    rows = []
    order = sorted(
        result.players,
        key=lambda p: (result.places or [0, 0, 0])[p.seat],
    )
    for player in order:
        mean = player.time_ms / player.moves if player.moves else 0.0
        rows.append(
            [
                result.places[player.seat] if result.places else "-",
                shown(player.name, PLAIN),
                result.scores[player.seat],
                player.fault_count,
                player.out or "",
                player.moves,
                f"{mean:.1f}",
                player.slowest_ms,
            ]
        )
    heads = ["place", "bot", "points", "faults", "out", "moves", "mean ms", "slowest"]
    click.echo()
    click.echo(tabulate(rows, headers=heads, disable_numparse=True))
    for player in result.players:
        if player.warnings:
            counts = ", ".join(f"{code} {n}" for code, n in player.warnings.items())
            click.echo(f"warnings of {shown(player.name, PLAIN)}: {counts}")
            for code, hint in player.hints.items():
                click.echo(f"  {code}: {shown(hint, PLAIN)}")
        if player.out is not None and player.stderr.strip():
            click.echo(f"last words of {shown(player.name, PLAIN)}:")
            for line in last_lines(player.stderr):
                click.echo(f"  | {shown(line, PLAIN)}")
