"""Large fields: how soon a run of many bots begins, and what a table of much costs.

    python -m benchmarks.fields start [--bots N] [--schedule all|steiner] [--sandbox L]
    python -m benchmarks.fields table [--matches N] [--bots N]
    python -m benchmarks.fields again [--matches N]

``start`` runs a cup of many copies of a small C bot, and ends it after some matches:
the time from the command to the first ``match_started``, and the most memory that the
front has taken.  ``table`` makes a store of so many finished matches (with all rows, as
a run would have left it; no records) and asks for the ranked table: its time and
memory.  ``again`` goes on with a run of so many matches, whose records are empty files:
what the front needs to find where it stopped.
"""

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.common import c_bot
from tournaments.schedule import Pairing, Plan, pairings
from tournaments.store import FILE, Store, file_of
from tournaments.sums import sums_of

MATCHES_BEFORE_THE_END = 20
CHUNK = 6000  # matches written at a time: a thousand blocks


def cup_text(bots: int, schedule: str, sandbox: str, command: str) -> str:
    """Return a cup of so many copies of one bot."""
    head = (
        f'name = "cup"\ngame = "trianon"\nrounds = 2\njobs = 2\nseed = "fields"\n'
        f'schedule = "{schedule}"\nsandbox = "{sandbox}"\n[options]\ntarget = 100\n'
    )
    return head + "".join(
        f"[[bots]]\nname = {json.dumps(name)}\nbot = {json.dumps(command)}\n"
        for name in names_of(bots)
    )


def names_of(bots: int) -> list[str]:
    """Return the names of a field."""
    return [f"bot {number:03}" for number in range(bots)]


def memory_mb(pid: int) -> float:
    """Return the most memory that a process has had in it, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0.0


def measure_run(folder: Path) -> tuple[float, float]:
    """Run a cup for some matches; return seconds to the first, and the front's MB."""
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "tournaments.cli", "run", "cup.toml", "--json-events"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdout is not None
    first, finished = 0.0, 0
    for line in process.stdout:
        event = json.loads(line)["event"]
        if event == "match_started" and not first:
            first = time.monotonic() - began
        finished += event == "match_finished"
        if finished == MATCHES_BEFORE_THE_END:
            break
    taken = memory_mb(process.pid)
    process.send_signal(signal.SIGINT)
    process.communicate()
    return first, taken


def start(given: argparse.Namespace) -> None:
    """Measure the start of a large field."""
    bot = str(c_bot())
    with tempfile.TemporaryDirectory(prefix="trianon-fields-") as root:
        text = cup_text(given.bots, given.schedule, given.sandbox, bot)
        (Path(root) / "cup.toml").write_text(text)
        first, taken = measure_run(Path(root))
    print(
        f"{given.bots} bots, schedule {given.schedule}, sandbox {given.sandbox}: the "
        f"first match begins after {first:.2f} s; the front takes {taken:.0f} MB"
    )


# -- a store of many matches -----------------------------------------------------------


def player_rows(rng: random.Random, pairing: Pairing) -> list[dict[str, Any]]:
    """Return what three bots made of a match: the higher its number, the better."""
    deals = rng.randint(5, 25)
    points = [
        max(0, round(deals * rng.gauss(25 + int(name[-3:]) / 10, 8)))
        for name in pairing.players
    ]
    return [
        {
            "match": pairing.match,
            "seat": seat,
            "bot": name,
            "place": 1 + sum(other > points[seat] for other in points),
            "score": points[seat],
            "points": points[seat],
            "deals": deals,
            "faults": 0,
            "out": None,
            "moves": 14 * deals,
            "time_ms": 5 * deals,
            "slowest_ms": rng.randint(1, 40),
            "cpu_ms": 20,
            "contracts": deals // 3,
            "made": deals // 4,
            "levels": 2 * deals,
            "undeclared": 0,
        }
        for seat, name in enumerate(pairing.players)
    ]


def match_row(pairing: Pairing, deals: int) -> dict[str, Any]:
    """Return the row of a match."""
    return {
        "match": pairing.match,
        "triple": "+".join(pairing.triple),
        "block": pairing.block,
        "has_house": 0,
        "attempt": 1,
        "reason": "target",
        "deals": deals,
        "sandbox": "limits",
        "wall_ms": 300,
        "record": file_of(pairing.match),
        "size": 0,
        "sha256": "0" * 64,
        "result": None,
    }


def fill(folder: Path, bots: int, matches: int) -> None:
    """Write a store of so many finished matches."""
    names = names_of(bots)
    with Store(folder, is_new=True) as store:
        store.set_note("bots", "\n".join(names))
    rng = random.Random(1)
    plan = Plan("cup", "fields", names, 1_000_000)
    due = islice(pairings(plan), matches)
    totals: dict[tuple[str, int], dict[str, Any]] = {}
    with sqlite3.connect(folder / FILE) as connection:
        while chunk := list(islice(due, CHUNK)):
            rows = {pairing.match: player_rows(rng, pairing) for pairing in chunk}
            matches_made = [match_row(p, rows[p.match][0]["deals"]) for p in chunk]
            blocks, seats = sums_of(rows)
            insert(connection, "matches", matches_made)
            insert(connection, "players", [r for three in rows.values() for r in three])
            insert(connection, "block_sums", blocks)
            for seat in seats:
                total = totals.setdefault((seat["bot"], seat["seat"]), dict(seat))
                if total != seat:
                    for key in seat.keys() - {"bot", "seat"}:
                        total[key] += seat[key]
        insert(connection, "seat_sums", list(totals.values()))
    connection.close()


def insert(
    connection: sqlite3.Connection, table: str, rows: Sequence[dict[str, Any]]
) -> None:
    """Insert rows into a table."""
    names = ", ".join(f'"{name}"' for name in rows[0])
    marks = ", ".join(f":{name}" for name in rows[0])
    # The names are our own columns'.
    text = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608
    connection.executemany(text, rows)


def measure_table(folder: Path, *options: str) -> str:
    """Return what ``trianon table`` has taken, in words."""
    command = [sys.executable, "-m", "tournaments.cli", "table", ".", *options]
    began = time.monotonic()
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    took = time.monotonic() - began
    if process.returncode:
        sys.exit(f"trianon table has ended with {process.returncode}")
    # On a machine with other work, the processor's time says more.
    return (
        f"{took:.2f} s ({usage.ru_utime + usage.ru_stime:.2f} s of the processor), "
        f"{usage.ru_maxrss * 1024 / 1e6:.0f} MB, {len(out.splitlines())} lines"
    )


def table(given: argparse.Namespace) -> None:
    """Measure the table of a large store."""
    with tempfile.TemporaryDirectory(prefix="trianon-fields-") as root:
        folder = Path(root) / "cup"
        folder.mkdir()
        text = cup_text(given.bots, "all", "none", "first")
        (folder / "cup.toml").write_text(text)
        fill(folder, given.bots, given.matches)
        size = (folder / FILE).stat().st_size / 1e6
        print(f"{given.matches} matches of {given.bots} bots: a store of {size:.0f} MB")
        for options in ((), ("--heads", "--seats", "--deals")):
            print(
                f"trianon table {' '.join(options)}:", measure_table(folder, *options)
            )


def again(given: argparse.Namespace) -> None:
    """Measure going on after many matches."""
    bot = str(c_bot())
    with tempfile.TemporaryDirectory(prefix="trianon-fields-") as root:
        folder = Path(root) / "cup"
        folder.mkdir()
        text = cup_text(given.bots, "all", "limits", bot)
        for path in (folder, Path(root)):
            (path / "cup.toml").write_text(text)
        fill(folder, given.bots, given.matches)
        (folder / "records").mkdir()
        plan = Plan("cup", "fields", names_of(given.bots), 1_000_000)
        for pairing in islice(pairings(plan), given.matches):
            (folder / "records" / file_of(pairing.match)).touch()
        first, taken = measure_run(Path(root))
    print(
        f"going on after {given.matches} matches of {given.bots} bots: the first "
        f"begins after {first:.2f} s; the front takes {taken:.0f} MB"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    for measure, matches in ((start, 0), (table, 1_000_000), (again, 300_000)):
        command = commands.add_parser(measure.__name__, help=measure.__doc__)
        command.set_defaults(measure=measure)
        command.add_argument("--bots", type=int, default=100)
        if matches:
            command.add_argument("--matches", type=int, default=matches)
        else:
            command.add_argument(
                "--schedule", choices=("all", "steiner"), default="all"
            )
            command.add_argument("--sandbox", default="auto")
    given = parser.parse_args()
    given.measure(given)


if __name__ == "__main__":
    main()
