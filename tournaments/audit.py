"""The folder of a tournament, read: its table, and whether all of it is true."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.record import RecordError, read_record
from arena.verify import replayed
from tournaments.config import Cup, load_cup
from tournaments.schedule import count
from tournaments.standings import Standings, make_standings
from tournaments.store import Store
from tournaments.sums import sums_of

CUP = "cup.toml"


def standings_of(
    folder: Path, *, heads: bool = False, seats: bool = False, deals: bool = False
) -> Standings:
    """Return the table of the tournament in ``folder``, running or finished.

    Raises:
        ArenaError: if there is none.
    """
    with Store(folder) as store:
        cup = load_cup(folder / CUP)
        return standings_from(store, cup, heads=heads, seats=seats, deals=deals)


def standings_from(
    store: Store,
    cup: Cup,
    *,
    heads: bool = False,
    seats: bool = False,
    deals: bool = False,
) -> Standings:
    """Return the table that an open store comes to."""
    names = bots_of(store)
    finished, void = store.counts()
    return make_standings(
        tournament=cup.name,
        game=cup.game,
        bots=names,
        scheduled=count(len(names), cup.rounds, cup.schedule),
        finished=finished,
        blocks=store.block_sums(),
        seats=store.seat_sums(),
        with_heads=heads,
        with_seats=seats,
        with_deals=deals,
        ranked_deals=cup.ranked_deals,
        house=store.house_count(),
        void=void,
        benched=store.benched_count(),
        lost=store.lost(),
    )


def bots_of(store: Store) -> list[str]:
    """Return the names of the bots that play in the tournament."""
    return (store.note("bots") or "").split("\n")


def check_folder(folder: Path) -> list[str]:
    """Return what is wrong with a tournament's results, beside its records.

    The rows of the store must say what the records say, and the sums what the rows
    say; each finished match has its record, and each record its match.
    """
    complaints: list[str] = []
    with Store(folder) as store:
        rows = store.player_rows()
        saved = {record: match for match, record, _ in store.saved()}
        sums = store.sums()
    if sums_of(rows) != sums:
        complaints.append("the sums of the table are not those of its matches")
    records = folder / "records"
    there = {path.name for path in records.glob("*.jsonl")}
    complaints += [f"record {name} is missing" for name in sorted(saved.keys() - there)]
    for name in sorted(there):
        if name not in saved:
            complaints.append(f"record {name} belongs to no finished match")
            continue
        text = _check_rows(records / name, rows[saved[name]])
        if text is not None:
            complaints.append(text)
    return complaints


def _check_rows(path: Path, rows: Sequence[dict[str, Any]]) -> str | None:
    try:
        ledger = replayed(read_record(path))
    except RecordError:
        return None  # told as the record's own fault
    if ledger is None or ledger.places is None:
        return None
    for row in rows:
        seat = row["seat"]
        said = {
            "place": ledger.places[seat],
            "score": ledger.scores[seat],
            "points": ledger.own_points[seat],
            "deals": ledger.own_deals[seat],
            "faults": ledger.fault_counts[seat],
            "out": ledger.outs[seat],
            "moves": ledger.moves[seat],
            "time_ms": ledger.time_ms[seat],
            "contracts": ledger.own_contracts[seat],
            "made": ledger.own_made[seat],
            "levels": ledger.own_levels[seat],
            "undeclared": ledger.own_undeclared[seat],
        }
        for key, value in said.items():
            if row[key] != value:
                return (
                    f"{path.name}: the results say {key} {row[key]} for {row['bot']}, "
                    f"the record says {value}"
                )
    return None
