"""The commands for one match: play, replay, verify, deal, bots, schema, doctor.

What a command prints goes to stdout; warnings, progress of another kind and errors go
to stderr.  With ``--json`` stdout is one JSON value.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import click

from arena.errors import ArenaError
from arena.naming import shown

GAME_NAMES: Final = ("trianon", "loyatais")
PLAIN: Final = "simple"  # the format for which names are escaped: a terminal

commands: dict[str, click.Command] = {}


Function: TypeAlias = Callable[..., int]


def _command(name: str, epilog: str) -> Callable[[Function], click.Command]:
    """Return click's decorator, with an example at the end of the help."""

    def wrap(function: Function) -> click.Command:
        command = click.command(name, epilog=f"Example:  {epilog}")(function)
        commands[name] = command
        return command

    return wrap


@_command("play", "trianon play careful random first --seed 7")
@click.argument("bots", nargs=3, metavar="BOT BOT BOT", type=str)
@click.option("--game", type=click.Choice(GAME_NAMES), default="trianon")
@click.option("--target", type=click.IntRange(1), help="points that end a match")
@click.option("--max-deals", type=click.IntRange(1), help="deals that end it anyway")
@click.option("--deals", type=click.IntRange(1), help="play just so many deals")
@click.option("--seed", help="the deals' seed (default: 32 random bytes)")
@click.option("--record", type=click.Path(path_type=Path), help="write the record here")
@click.option("--move-ms", type=click.IntRange(1), help="free time a move [1000]")
@click.option("--bank-ms", type=click.IntRange(0), help="reserve of a match [10000]")
@click.option("--deal-add-ms", type=click.IntRange(0), help="added each deal [0]")
@click.option("--no-clock", is_flag=True, help="wait for ever, to debug a bot")
@click.option("--strikes", type=click.IntRange(1), default=3, show_default=True)
@click.option("--strict", is_flag=True, help="the first fault ends the match")
@click.option(
    "--sandbox",
    type=click.Choice(("auto", "bwrap", "limits", "none")),
    default="auto",
    show_default=True,
)
@click.option("--untrusted", is_flag=True, help="refuse anything less than the box")
@click.option("--json", "as_json", is_flag=True, help="print the result as JSON")
def play(**given: Any) -> int:
    """Play one match, with a line a deal and a table of the result."""
    from arena.play import play_once

    return play_once(**given)


@_command("check", 'trianon check "python3 mybot.py"')
@click.argument("bot")
@click.option("--game", type=click.Choice(GAME_NAMES), help="this game only")
@click.option("--strict", "is_strict", is_flag=True, help="warnings are wanting, too")
@click.option("--quick", "is_quick", is_flag=True, help="shorter, without the stall")
@click.option("--move-ms", type=click.IntRange(1), help="free time a move [1000]")
@click.option("--bank-ms", type=click.IntRange(0), help="reserve of a match [10000]")
@click.option("--hello-ms", type=click.IntRange(1), help="to start up [10000]")
@click.option(
    "--sandbox",
    type=click.Choice(("auto", "bwrap", "limits", "none")),
    default="auto",
    show_default=True,
)
@click.option("--json", "as_json", is_flag=True, help="print the report as JSON")
def check_command(**given: Any) -> int:
    """Try a bot against the protocol, and say what is wrong with it."""
    from arena.check import check_bot

    return check_bot(**given)


@_command("new", "trianon new python mybot")
@click.argument("language")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def new_command(language: str, folder: Path) -> int:
    """Make a starter folder: a bot, how it is started, a test, what to do next."""
    from arena.starter import make_starter

    for line in make_starter(language, folder):
        click.echo(line)
    return 0


@_command("replay", "trianon replay match.jsonl --deal 3 --seat 0")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--deal", "deal_no", type=click.IntRange(1), help="this deal only")
@click.option("--seat", type=click.IntRange(0, 2), help="what this seat has seen")
@click.option("--request", type=click.IntRange(0), help="the line it was sent")
@click.option("--to", "bot", help="send that line to this BOT again")
@click.option(
    "--sandbox",
    type=click.Choice(("auto", "bwrap", "limits", "none")),
    default="auto",
    show_default=True,
    help="for --to",
)
def replay(
    record: Path,
    deal_no: int | None,
    seat: int | None,
    request: int | None,
    bot: str | None,
    sandbox: str,
) -> int:
    """Show a match, readable, deal by deal; or a request of it, once more.

    With --seat and --request it prints the very line that the bot was sent; with --to
    it sends that line, and all before it, to a bot, and shows the answer.
    """
    from arena.record import read_record
    from arena.replay import narrate, request_line

    if request is None and bot is None:
        for line in narrate(read_record(record), deal_no, seat):
            click.echo(line)
        return 0
    if request is None or seat is None:
        raise ArenaError(
            "which request, and of whom? give --request ID with --seat S, as a fault "
            "in 'trianon replay' names them"
        )
    sent = request_line(read_record(record), seat, request)
    if bot is None:
        click.echo(sent.decode("ascii"), nl=False)
        return 0
    from arena.again import send_again

    return send_again(record, seat, request, bot, sandbox)


@_command("deal", "trianon deal 7 1")
@click.argument("seed")
@click.argument("no", type=click.IntRange(1))
@click.option("--game", type=click.Choice(GAME_NAMES), default="trianon")
@click.option("--json", "as_json", is_flag=True)
def deal_command(seed: str, no: int, game: str, as_json: bool) -> int:
    """Show the hands of one deal."""
    from arena.dealing import deal
    from arena.games import GAMES
    from protocol.notation import spell

    rules = GAMES[game]
    position = deal(rules, seed, no)
    hands = [spell(position.hand(seat)) for seat in range(3)]
    dealer_key = "dealer" if game == "trianon" else "taker"
    value: dict[str, Any] = {
        "game": game,
        "deal_seed": seed,
        "no": no,
        dealer_key: rules.dealer(no),
        "hands": hands,
    }
    aside = rules.aside(position)
    if aside is not None:
        value["aside"] = spell(aside)
    if as_json:
        click.echo(json.dumps(value))
        return 0
    click.echo(f"{game}, deal {no} of seed {shown(seed, PLAIN)}")
    for seat, hand in enumerate(hands):
        mark = f"  ({dealer_key})" if seat == value[dealer_key] else ""
        click.echo(f"  seat {seat}  {' '.join(hand)}{mark}")
    if aside is not None:
        click.echo(f"  aside   {' '.join(spell(aside))}")
    return 0


@_command("bots", "trianon bots --json")
@click.option("--json", "as_json", is_flag=True)
def bots_command(as_json: bool) -> int:
    """List the shipped bots, and whether they can run here."""
    from arena.botspec import samples

    rows = [
        {
            "name": sample.name,
            "language": sample.language,
            "games": list(sample.games),
            "runnable": sample.needs is None,
            "needs": sample.needs,
        }
        for sample in samples().values()
    ]
    if as_json:
        click.echo(json.dumps(rows))
        return 0
    for row in rows:
        needs = f"  (needs: apt-get install {row['needs']})" if row["needs"] else ""
        games = ", ".join(row["games"])  # type: ignore[arg-type]  # a list of names
        click.echo(f"{row['name']:<20}{row['language']:<12}{games}{needs}")
    return 0


@_command("doctor", "trianon doctor")
@click.option("--json", "as_json", is_flag=True)
def doctor_command(as_json: bool) -> int:
    """Try the box from inside, and show what it holds off and what it does not."""
    from arena.doctor import examine
    from arena.host import box_fault
    from arena.sandbox import Level

    fault = box_fault()
    held = 0
    open_ = [] if fault is None else [{"probe": "the box", "text": fault}]
    for finding in [] if fault is not None else examine():
        if finding.is_held:
            held += 1
        else:
            open_.append({"probe": finding.probe, "text": finding.text})
        if not as_json:
            word = "held off" if finding.is_held else "OPEN"
            text = "" if finding.text == "held off" else f"  ({finding.text})"
            click.echo(f"{word:<10}{finding.probe}{shown(text, PLAIN)}")
    level = Level.LIMITS if fault is not None else Level.BWRAP
    if as_json:
        value = {"sandbox": level.value, "held_off": held, "open": open_}
        click.echo(json.dumps(value))
    elif fault is not None:
        click.echo(f"no box here: {fault}")
    else:
        click.echo(f"sandbox {level.value}: {held} held off, {len(open_)} open")
    return 1 if open_ else 0


@_command("schema", "trianon schema > schema.json")
@click.pass_context
def schema_command(context: click.Context) -> int:
    """Print the JSON Schemas of messages, record, results and a run's events."""
    from protocol.schema import schemas

    more = (context.obj or {}).get("schemas", dict)
    click.echo(json.dumps(schemas() | more(), indent=2))
    return 0


def _examine(path: Path) -> list[dict[str, Any]]:
    """Return what is wrong with one record."""
    from arena.record import RecordError, read_record
    from arena.verify import verify

    try:
        found = verify(read_record(path))
    except RecordError as error:
        line, rule, text = error.line, "section 8", error.text
    else:
        if found is None:
            return []
        line, rule, text = found.line, found.rule, found.text
    return [{"record": str(path), "line": line, "rule": rule, "text": text}]


@_command("verify", "trianon verify match.jsonl demo")
@click.argument(
    "paths",
    nargs=-1,
    required=True,
    metavar="RECORD|DIR...",
    type=click.Path(path_type=Path),
)
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def verify_command(
    context: click.Context, paths: tuple[Path, ...], as_json: bool
) -> int:
    """Derive each record again from its seed and moves; of a folder also the table.

    Cards, legality, scores, places and commitment must all come out as recorded; in a
    folder also who met whom, the seeds of the deals, the sums and who is benched.
    """
    audit = (context.obj or {}).get("audit")
    records = 0
    wrong: list[dict[str, Any]] = []
    for path in paths:
        if path.is_dir() and audit is not None:
            number, found = audit(path)
        else:
            number, found = 1, _examine(path)
        records += number
        wrong += found
    # A record agrees with itself where only the table, or another record, is wrong.
    bad = len({x["record"] for x in wrong if x["rule"] not in ("table", "missing")})
    if as_json:
        value = {"records": records, "agree": records - bad, "wrong": wrong}
        click.echo(json.dumps(value))
    else:
        for item in wrong:
            where = (
                f"{item['record']}:{item['line']}" if item["line"] else item["record"]
            )
            click.echo(f"{where}: {shown(item['text'], PLAIN)} ({item['rule']})")
        click.echo(f"{records - bad} of {records} records agree")
    return 1 if wrong else 0
