"""The ranked table for people and for other programs: one value in, one text out.

Every text that a bot has a hand in, which is its name, goes through
``arena.naming.shown`` on its way; nothing else here is anybody's but ours.
"""

import csv
import html
import io
from collections.abc import Iterator, Sequence
from typing import Final

from pydantic import BaseModel

from arena.errors import ArenaError
from arena.naming import MAX_NAME, shown
from tournaments.intervals import LEAST_BLOCKS
from tournaments.table import Head, Row, Seat, Standings, Style

OWN_FORMATS: Final = ("csv", "json")
LEVEL: Final = "≈"
MAX_CELL: Final = MAX_NAME + 3  # a name and its number, such as #12
_LEFT_COLUMNS: Final = frozenset({"bot", "against"})

Column = tuple[str, list[str]]


def formats() -> list[str]:
    """Return the names of all formats."""
    from tabulate import tabulate_formats  # its import costs more than small tables

    return [*OWN_FORMATS, *tabulate_formats]


def render(
    standings: Standings,
    fmt: str,
    heads: bool = False,
    seats: bool = False,
    deals: bool = False,
) -> str:
    """Return the table as a text in the format ``fmt``.

    ``json`` and ``csv`` have every number in full; the others are for reading, with
    notes below that say what the intervals come from.

    Args:
        standings: the table.
        fmt: ``csv``, ``json``, or a name of tabulate's.
        heads: whether to show who beats whom, where the table has it.
        seats: whether to show results by seat, where the table has them.
        deals: whether to show how the bots bid, where the table has it.

    Raises:
        ArenaError: if there is no such format.
    """
    known = formats()
    if fmt not in known:
        raise ArenaError(
            f"no format {shown(fmt, limit=MAX_CELL)!r}; write one of {', '.join(known)}"
        )
    parts = {"heads": heads, "seats": seats, "deals": deals}
    unwanted = {key for key, is_wanted in parts.items() if not is_wanted}
    shorter = standings.model_copy(update=dict.fromkeys(unwanted))
    match fmt:
        case "json":
            return shorter.model_dump_json(indent=1, ensure_ascii=True)
        case "csv":
            return _csv(shorter)
        case _:
            return _tables(shorter, fmt)


# -- for programs --------------------------------------------------------------------


def _csv(standings: Standings) -> str:
    parts: list[Sequence[BaseModel]] = [
        standings.rows,
        standings.heads or [],
        standings.seats or [],
        standings.deals or [],
    ]
    return "\n".join(_csv_part(rows) for rows in parts if rows).rstrip("\n")


def _csv_part(rows: Sequence[BaseModel]) -> str:
    text = io.StringIO()
    values = [row.model_dump() for row in rows]
    writer = csv.DictWriter(text, list(values[0]), lineterminator="\n")
    writer.writeheader()
    for row in values:
        for key, value in row.items():
            if isinstance(value, str):
                row[key] = shown(value, "csv", MAX_CELL)
            elif isinstance(value, list):
                row[key] = ";".join(shown(name, "csv", MAX_CELL) for name in value)
        writer.writerow(row)
    return text.getvalue()


# -- for people ----------------------------------------------------------------------


def _tables(standings: Standings, fmt: str) -> str:
    parts = [_table(_row_columns(standings.rows, fmt), fmt), _below(standings, fmt)]
    if standings.heads:
        parts.append(_table(_head_columns(standings.heads, fmt), fmt))
    if standings.seats:
        parts.append(_table(_seat_columns(standings.seats, fmt), fmt))
    if standings.deals:
        parts.append(_table(_style_columns(standings.deals, fmt), fmt))
    return "\n\n".join(part for part in parts if part)


def _table(columns: Sequence[Column], fmt: str) -> str:
    from tabulate import tabulate

    headers = [header for header, _ in columns]
    return tabulate(
        list(zip(*(cells for _, cells in columns), strict=True)),
        headers=headers,
        tablefmt=fmt,
        colalign=["left" if h in _LEFT_COLUMNS else "right" for h in headers],
        disable_numparse=True,  # a bot may be called 1e5
    )


def _row_columns(rows: Sequence[Row], fmt: str) -> list[Column]:
    per_cent = _per_cent(fmt)
    level = [
        row.bot in below.level_with
        for row, below in zip(rows, [*rows[1:], rows[-1]], strict=True)
    ]
    return [
        ("rank", [str(row.rank) for row in rows]),
        (
            "bot",
            [
                f"{_name(row.bot, fmt)} {_mark(fmt)}"
                if is_level
                else _name(row.bot, fmt)
                for row, is_level in zip(rows, level, strict=True)
            ],
        ),
        ("matches", [str(row.matches) for row in rows]),
        ("wins", [_short(row.wins) for row in rows]),
        (
            "win rate",
            [
                _with_ends(
                    row.win_rate, row.win_rate_low, row.win_rate_high, 0, per_cent
                )
                for row in rows
            ],
        ),
        (
            "points a deal",
            [
                _with_ends(row.points_per_deal, row.points_low, row.points_high)
                for row in rows
            ],
        ),
        (
            "rating",
            [_signed(row.rating, row.rating_low, row.rating_high) for row in rows],
        ),
        ("place", [_fixed(row.mean_place, 2) for row in rows]),
        ("faults", [str(row.faults) for row in rows]),
        ("outs", [str(row.outs) for row in rows]),
        ("mean ms", [_fixed(row.mean_ms, 1) for row in rows]),
        ("slowest ms", [str(row.slowest_ms) for row in rows]),
    ]


def _head_columns(heads: Sequence[Head], fmt: str) -> list[Column]:
    return [
        ("bot", [_name(head.bot, fmt) for head in heads]),
        ("against", [_name(head.against, fmt) for head in heads]),
        ("matches", [str(head.matches) for head in heads]),
        ("ahead", [_short(head.ahead) for head in heads]),
        (
            "points a deal",
            [_signed(head.points_per_deal, head.low, head.high) for head in heads],
        ),
    ]


def _seat_columns(seats: Sequence[Seat], fmt: str) -> list[Column]:
    return [
        ("bot", [_name(seat.bot, fmt) for seat in seats]),
        ("seat", [str(seat.seat) for seat in seats]),
        ("matches", [str(seat.matches) for seat in seats]),
        ("wins", [_short(seat.wins) for seat in seats]),
        ("points a deal", [_fixed(seat.points_per_deal, 1) for seat in seats]),
        ("place", [_fixed(seat.mean_place, 2) for seat in seats]),
        ("mean ms", [_fixed(seat.mean_ms, 1) for seat in seats]),
        ("slowest ms", [str(seat.slowest_ms) for seat in seats]),
    ]


def _style_columns(styles: Sequence[Style], fmt: str) -> list[Column]:
    columns = [
        ("bot", [_name(style.bot, fmt) for style in styles]),
        ("deals", [str(style.deals) for style in styles]),
        ("contracts", [str(style.contracts) for style in styles]),
        ("made", [str(style.made) for style in styles]),
        ("failed", [str(style.failed) for style in styles]),
        ("mean level", [_fixed(style.mean_level, 2) for style in styles]),
    ]
    if any(style.trianon_deals is not None for style in styles):
        counts = [str(style.trianon_deals) for style in styles]
        columns.append(("Trianon deals", counts))
    return columns


# -- notes ---------------------------------------------------------------------------


def _below(standings: Standings, fmt: str) -> str:
    """Return the notes as they can stand below a table of this format."""
    lines = list(notes(standings, fmt))
    if fmt == "tsv":
        return ""  # nothing but rows
    if fmt in ("html", "unsafehtml"):
        escaped = lines if fmt == "unsafehtml" else map(html.escape, lines)
        return "\n".join(f"<p>{line}</p>" for line in escaped)
    if fmt.startswith("latex"):
        return "\n".join(f"% {line}" for line in lines)
    # In Markdown, lines that follow each other run together.
    return ("\n\n" if fmt in ("github", "pipe") else "\n").join(lines)


def notes(standings: Standings, fmt: str = "simple") -> Iterator[str]:
    """Yield what is to be said below the table, one sentence or two a line."""
    rows = standings.rows
    if standings.shard is not None:
        yield (
            f"Shard {standings.shard} of the tournament alone;  trianon merge  puts "
            "shards together."
        )
    if standings.finished < standings.scheduled:
        yield f"{standings.finished} of {standings.scheduled} matches are finished."
    if standings.is_by_points:
        yield ("Ranked by points a deal; a deal that a bot was out of has none for it.")
    if standings.house:
        yield (
            f"{_matches(standings.house)} with a house bot, which fills up the field, "
            "played and not counted in the rows."
        )
    enough = [row.blocks for row in rows if row.blocks >= LEAST_BLOCKS]
    if enough:
        few, many = min(enough), max(enough)
        blocks = f"{few}" if few == many else f"{few} to {many}"
        yield (
            f"Intervals are 95 {_per_cent(fmt).strip()}, from {blocks} whole blocks a "
            "bot (a block: six matches, all seat orders, on the same deals)."
        )
    if len(enough) < len(rows):
        names = [_name(row.bot, fmt) for row in rows if row.blocks < LEAST_BLOCKS]
        who = "any bot" if not enough else ", ".join(names)
        yield (
            f"No intervals for {who}: fewer than {LEAST_BLOCKS} whole blocks so far; "
            "more rounds give more."
        )
    if any(row.rating is None for row in rows):
        yield "No ratings: not all bots are linked by matches yet."
    if any(row.level_with for row in rows):
        yield (
            f"{_mark(fmt)} cannot be told apart from the next, by points a deal on the "
            f"same deals (95 {_per_cent(fmt).strip()} for all neighbours together)."
        )
    if standings.void:
        yield f"Void: {_matches(standings.void)}, the arena's fault, not counted."
    for outs in standings.outs:
        behind = f" (faults: {_counts(outs.faults)})" if outs.faults else ""
        yield f"Outs of {_name(outs.bot, fmt)}: {_counts(outs.codes)}{behind}."
    if standings.benched:
        who = ", ".join(_name(bot, fmt) for bot in standings.benched_bots)
        yield (
            f"Benched: {_matches(standings.benched)} not played, since {who} had too "
            "many outs in a row: lost for the benched, no match for the others."
        )


def _counts(counts: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{code} {number}" for code, number in counts)


def _matches(number: int) -> str:
    return "1 match" if number == 1 else f"{number} matches"


# -- cells ---------------------------------------------------------------------------


def _name(text: str, fmt: str) -> str:
    return shown(text, fmt, MAX_CELL)


def _mark(fmt: str) -> str:
    return "=" if fmt.startswith("latex") else LEVEL  # not in every font of TeX


def _per_cent(fmt: str) -> str:
    return r" \%" if fmt == "latex_raw" else " %"


def _short(value: float) -> str:
    """Return a number with as many decimals as it has, two at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _fixed(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _with_ends(
    value: float | None,
    low: float | None,
    high: float | None,
    digits: int = 1,
    unit: str = "",
) -> str:
    """Return ``31.2 (28.9-33.5)``, or ``57 % (50-64)`` of a share."""
    if value is None:
        return "-"
    scale = 100 if unit else 1
    text = f"{value * scale:.{digits}f}{unit}"
    if low is None or high is None:
        return text
    # With a minus sign before it, a number needs another word for "to".
    dash = "-" if low >= 0 else " to "
    return f"{text} ({low * scale:.{digits}f}{dash}{high * scale:.{digits}f})"


def _signed(value: float | None, low: float | None, high: float | None) -> str:
    """Return ``+4.1 (+2.0 to +6.2)``."""
    if value is None:
        return "-"
    value = round(value, 1) + 0.0  # no -0.0
    if low is None or high is None:
        return f"{value:+.1f}"
    return f"{value:+.1f} ({low:+.1f} to {high:+.1f})"
