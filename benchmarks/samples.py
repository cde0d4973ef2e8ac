"""The shipped bots against each other: are the records true, and is careful careful?

    python -m benchmarks.samples [--rounds N]

For each game ``careful`` meets two ``random``, two ``first``, and one of each, 36
matches a table by default.  Every record is held to ``trianon verify`` and to the
independent rule book in tests/rulebook; ``careful``'s share of the wins, and of the
contracts that it bids and makes, are counted from the records.

In Trianon the mixed table is bounded by the rules: ``random`` outbids everybody and
fails, and then rule T15 gives both defenders the same, so that ``careful`` and
``first`` share most matches, and a level match is half a win.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from arena.games.trianon import Trianon, tricks_of
from arena.record import Record, read_record
from protocol.events import ContractEvent, ScoreEvent
from tests.rulebook import check_record

OPPONENTS = (("random", "random"), ("first", "first"), ("random", "first"))


def cup_text(game: str, rounds: int, opponents: tuple[str, str]) -> str:
    """Return a cup of ``careful`` and two others."""
    head = f'name = "cup"\ngame = "{game}"\nrounds = {rounds}\njobs = 2\n'
    names = ("careful", *opponents)
    return (
        head
        + 'seed = "samples"\n'
        + "".join(
            f'[[bots]]\nname = "{bot} {number}"\nsample = "{bot}"\n'
            for number, bot in enumerate(names, 1)
        )
    )


def trianon(folder: Path, *args: str) -> dict[str, Any]:
    """Run a command that prints JSON."""
    command = [sys.executable, "-m", "tournaments.cli", *args, "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def contracts(record: Record, name: str) -> tuple[int, int, int]:
    """Return the contracts that ``name`` declared and made, and the deals."""
    seat = [player.name for player in record.header.players].index(name)
    declared = made = deals = 0
    contract: ContractEvent | None = None
    for event in record.events:
        match event:
            case ContractEvent():
                contract = event
            case ScoreEvent():
                deals += 1
                if contract is not None and contract.declarer == seat:
                    declared += 1
                    bid = Trianon.names.index(contract.contract, 36)
                    made += event.tricks[seat] >= tricks_of(bid)
                contract = None
            case _:
                pass
    return declared, made, deals


def play(game: str, rounds: int, opponents: tuple[str, str]) -> bool:
    """Play one table, check and print it; return whether it is as it should be."""
    careful = "careful 1"
    with tempfile.TemporaryDirectory(prefix="trianon-samples-") as root:
        folder = Path(root)
        (folder / "cup.toml").write_text(cup_text(game, rounds, opponents))
        table = trianon(folder, "run", "cup.toml")
        checked = trianon(folder, "verify", "cup")
        paths = sorted((folder / "cup" / "records").iterdir())
        complaints = [text for path in paths for text in check_record(path.open())]
        records = [read_record(path) for path in paths]
    row = next(row for row in table["rows"] if row["bot"] == careful)
    faults = sum(row["faults"] + row["outs"] for row in table["rows"])
    print(
        f"{game}, careful against {' and '.join(opponents)}: {table['finished']} "
        f"matches, {faults} faults; verify: {checked['agree']} of "
        f"{checked['records']} agree; rule book: {len(complaints)} complaints; careful "
        f"wins {row['win_rate']:.0%} ({_percent(row['win_rate_low'])} to "
        f"{_percent(row['win_rate_high'])})"
    )
    is_good = not checked["wrong"] and not complaints and faults == 0
    if game == "trianon":
        counts = [contracts(record, careful) for record in records]
        declared, made, deals = map(sum, zip(*counts, strict=True))
        share = f"{made / declared:.0%}" if declared else "none"
        print(f"  it declared {declared} of {deals} deals and made {made}: {share}")
    return is_good


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def main() -> None:
    """Play, check and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    given = parser.parse_args()
    is_good = [
        play(game, given.rounds, opponents)
        for game in ("trianon", "loyatais")
        for opponents in OPPONENTS
    ]
    sys.exit(0 if all(is_good) else 1)


if __name__ == "__main__":
    main()
