"""The commands ``serve`` and ``site``; what they need is imported when they are run."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from arena.errors import ArenaError
from tournaments.web.seat_options import table_options

_PACKAGES: Final = frozenset({"hypercorn", "jinja2", "markupsafe", "starlette"})


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
@table_options
def serve_command(
    folders: tuple[Path, ...],
    host: str,
    port: int,
    table: tuple[str, str] | None,
    **given: Any,
) -> int:
    """Show tournaments in a browser: standings that move, matches, replays.

    Nothing in it can change a result.  With --table you can play against two bots: at
    the second address that is printed, which is yours alone.  It ends by Ctrl-C.
    """
    with _extra():
        from tournaments.web.server import run_server
        from tournaments.web.shelf import Shelf
    serve = partial(run_server, Shelf(folders), host, port)
    if table is None:
        serve(click.echo)
        return 0
    with _extra():
        from tournaments.web.seat_command import serve_table
    serve_table(table, serve=serve, say=click.echo, **given)
    return 0


@click.command("site", epilog="Example:  trianon site demo public")
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    metavar="DIR...",
    type=click.Path(path_type=Path),
)
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
def site_command(folders: tuple[Path, ...], out: Path) -> int:
    """Write the same pages into a folder, for any web host.

    A folder that was written before is replaced.
    """
    with _extra():
        from tournaments.web.shelf import Shelf
        from tournaments.web.site import write_site
    number = write_site(Shelf(folders), out, lambda line: click.echo(line, err=True))
    click.echo(f"{out}: {number} files")
    return 0


@contextmanager
def _extra() -> Iterator[None]:
    """Say in one line what to do where the packages of the extra are not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in _PACKAGES:
            raise
        raise ArenaError(
            f"the pages need {error.name}, of the extra  web: "
            "pip install 'trianon-arena[web]'"
        ) from error
