"""``trianon``: all commands, and the exit codes they share (docs/commands.md)."""

import gc
import os
import signal
import sys
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from arena import __version__
from arena.cli import GAME_NAMES, commands
from arena.errors import ArenaError, Terminated
from tournaments.web.commands import serve_command, site_command

BUG: Final = 70
INTERRUPTED: Final = 130
TERMINATED: Final = 143
PIPE_CLOSED: Final = 141
CANNOT: Final = 4
GARBAGE: Final = 20_000  # objects made before garbage is looked for: some MB


@click.group(
    help="An arena for card-playing bots: Trianon and Loyatais.",
    epilog="Example:  trianon play careful random first",
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="trianon")
@click.pass_context
def cli(context: click.Context) -> None:
    """Hold what the commands of the lower floor need from this one."""

    def audit_folder(path: Path) -> tuple[int, list[dict[str, Any]]]:
        from dataclasses import asdict

        from tournaments.audit import audit  # sqlalchemy: only where needed

        records, findings = audit(path)
        return records, [asdict(finding) for finding in findings]

    def more_schemas() -> dict[str, Any]:
        from tournaments.events import schemas

        return schemas()

    context.obj = {"audit": audit_folder, "schemas": more_schemas}


for _command in commands.values():
    cli.add_command(_command)


@cli.command("run", epilog="Example:  trianon run sample_bots/demo.toml")
@click.argument("cup", type=click.Path(path_type=Path), metavar="CUP.toml")
@click.option("--jobs", type=click.IntRange(1, 256), help="matches at a time")
@click.option(
    "--engine",
    default="local",
    show_default=True,
    help="who plays: local, dask://HOST:PORT, dasks://HOST:PORT",
)
@click.option("--allow-broken", is_flag=True, help="let bots forfeit that cannot start")
@click.option("--untrusted", is_flag=True, help="refuse anything less than the box")
@click.option("--durable", is_flag=True, help="keep results over a power failure")
@click.option("--commit", is_flag=True, help="bind the cup to its seed; play nothing")
@click.option("--shard", metavar="K/N", help="play the K-th of N shares of the cup")
@click.option("--json-events", is_flag=True, help="print one JSON object a line")
@click.option("--json", "as_json", is_flag=True, help="print the table as JSON")
def run_command(**given: Any) -> int:
    """Play a tournament; the same command again goes on with it.

    It ends with the ranked table.
    """
    from tournaments.run import run_cup

    return run_cup(**given)


@cli.command("table", epilog="Example:  trianon table demo --heads --format github")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--format", "fmt", default="simple", show_default=True)
@click.option("--json", "as_json", is_flag=True)
@click.option("--heads", is_flag=True, help="who beats whom")
@click.option("--seats", is_flag=True, help="results by seat")
@click.option("--deals", is_flag=True, help="contracts bid, made and failed")
def table_command(folder: Path, fmt: str, as_json: bool, **parts: bool) -> int:
    """Print the ranked table of a tournament, running or finished."""
    from tournaments.audit import standings_of
    from tournaments.reports import render

    standings = standings_of(folder, **parts)
    click.echo(render(standings, "json" if as_json else fmt, **parts))
    return 0


@cli.command("merge", epilog="Example:  trianon merge demo/shards/* --out demo")
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    metavar="DIR...",
    type=click.Path(path_type=Path),
)
@click.option("--out", required=True, metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="print the table as JSON")
def merge_command(folders: tuple[Path, ...], out: Path, as_json: bool) -> int:
    """Put the shards of a tournament together, to the table of one run.

    They stay as they are.  What is missing is told; `trianon run` goes on with it.
    """
    from tournaments.merge import merge

    return merge(folders, out, as_json=as_json)


@cli.command("compare", epilog="Example:  trianon compare careful random --jobs 2")
@click.argument("bots", nargs=2, metavar="BOT BOT", type=str)
@click.option("--against", metavar="BOT", help="each meets two of this one instead")
@click.option("--game", type=click.Choice(GAME_NAMES), default="trianon")
@click.option(
    "--max-rounds", type=click.IntRange(1, 1_000_000), default=2000, show_default=True
)
@click.option("--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1)
@click.option("--seed", help="the deals' seed (default: 32 random bytes)")
@click.option(
    "--sandbox",
    type=click.Choice(("auto", "bwrap", "limits", "none")),
    default="auto",
    show_default=True,
)
@click.option("--untrusted", is_flag=True, help="refuse anything less than the box")
@click.option("--json", "as_json", is_flag=True, help="print the verdict as JSON")
def compare_command(**given: Any) -> int:
    """Find out whether the first bot is better than the second.

    It meets two of the other in all three seats on the same deals, round after round,
    until a sequential test has its verdict.
    """
    from tournaments.duel import compare_bots

    return compare_bots(**given)


cli.add_command(serve_command)
cli.add_command(site_command)


def main() -> NoReturn:
    """Run the command line, and exit with one of its codes."""
    # What is imported stays: to look through it for garbage every 700 objects would
    # be a tenth of a start.
    # It would look for plugins in every package installed, and we want none.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.set_threshold(GARBAGE, 20, 20)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _terminate)
    try:
        with cli.make_context("trianon", sys.argv[1:]) as context:
            code = cli.invoke(context) or 0
        sys.stdout.flush()
    except click.exceptions.Exit as done:  # after --help and --version
        code = done.exit_code
    except click.ClickException as error:
        text = error.format_message().rstrip(".?")
        code = _complain(f"{text}{_help_of(error)}", 2)
    except ArenaError as error:
        code = _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        code = _complain("interrupted", INTERRUPTED)
    except Terminated:
        code = _complain("terminated", TERMINATED)
    except BrokenPipeError:
        # Whoever read our output has gone: nobody is left to be told.
        _give_up_stdout()
        code = PIPE_CLOSED
    except OSError as error:
        code = _complain(f"{error.filename or 'output'}: {error.strerror}", CANNOT)
        _give_up_stdout()
    except Exception as error:  # noqa: BLE001 -- a bug of ours, and it shows itself
        from arena.link import EngineBugError

        if not isinstance(error, EngineBugError):
            import traceback

            traceback.print_exc()
        code = _complain("this is a bug of the arena; please report it", BUG)
    sys.exit(code)


def _give_up_stdout() -> None:
    """Let what is still to be written go nowhere: it cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _terminate(_number: int, _frame: object) -> NoReturn:
    raise Terminated


def _complain(text: str, code: int) -> int:
    """Print one line to stderr, and return the exit code."""
    line = " ".join(text.split())
    click.echo(f"trianon: {line}", err=True)
    return code


def _help_of(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    where = "trianon" if context is None else context.command_path
    return f"; see  {where} --help"


if __name__ == "__main__":
    main()
