"""The commands ``serve`` and ``site``; what they need is imported when they are run."""

from pathlib import Path

import click

from arena.errors import ArenaError

EXTRA = "the pages need more: pip install 'trianon-arena[web]'"


@click.command("serve", epilog="Example:  trianon serve demo")
@click.argument("folders", nargs=-1, metavar="DIR...", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="where to listen")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="0: any free one",
)
def serve_command(folders: tuple[Path, ...], host: str, port: int) -> int:
    """Show tournaments in a browser: standings that move, matches, replays.

    Nothing in it can change a result.  It ends by Ctrl-C.
    """
    try:
        from tournaments.web.server import run_server
        from tournaments.web.shelf import Shelf
    except ModuleNotFoundError as error:
        raise ArenaError(EXTRA) from error
    run_server(Shelf(folders), host, port, click.echo)
    return 0
