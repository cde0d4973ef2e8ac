"""The options that ``serve`` has for a table; what they do is in ``seat_command``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--table", nargs=2, metavar="BOT BOT", help="play against two bots yourself"
    ),
    click.option(
        "--hints",
        metavar="BOT",
        default="careful",
        show_default=True,
        help="is asked when you want advice at the table",
    ),
    click.option(
        "--records",
        type=click.Path(path_type=Path),
        default=Path("table"),
        show_default=True,
        help="the folder for the records of your matches",
    ),
    click.option("--move-ms", type=click.IntRange(1), help="a clock for the table"),
    click.option(
        "--bank-ms", type=click.IntRange(0), help="reserve of a match [10000]"
    ),
    click.option(
        "--seed", help="the deals' seed at the table, for who plays them again"
    ),
    click.option(
        "--sandbox",
        type=click.Choice(("auto", "bwrap", "limits", "none")),
        default="auto",
        show_default=True,
        help="for the bots at the table",
    ),
)


def table_options(function: _F) -> _F:
    """Add the options of a table to a command."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
