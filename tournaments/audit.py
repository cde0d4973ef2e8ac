"""The folder of a tournament, read: its table, and whether all of it is true.

Everything is derived from the records, the cup and the seed: who should have met whom
on which cards, what came of it, who is benched, the sums, the table.  What the store
says is only compared with that.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from arena.dealing import block_seed, bot_seed
from arena.errors import ArenaError
from arena.ledger import Ledger
from arena.record import Record, RecordError, read_record
from arena.verify import examine
from tournaments.config import Cup, load_cup
from tournaments.docket import Docket
from tournaments.proof import Proof, commitment, dealt_from, read_proof
from tournaments.schedule import Pairing, Plan, Share, count, pairings
from tournaments.shards import share_of
from tournaments.standings import Standings, make_standings
from tournaments.store import FILE, Store, file_of
from tournaments.sums import (
    BLOCK_FIELDS,
    BLOCK_KEY,
    Row,
    SeatSum,
    block_sum,
    sums_of,
)
from tournaments.table import Outs

CUP: Final = "cup.toml"
TABLE, MISSING = "table", "missing"
"""Rules of findings that are not the fault of a record that is there."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not true: where, against which rule, and what."""

    record: str
    line: int
    rule: str
    text: str


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
    share, sums = share_of(store), store.seat_sums()
    return make_standings(
        tournament=cup.name,
        game=cup.game,
        bots=names,
        scheduled=count(len(names), cup.rounds, cup.schedule, share),
        finished=finished,
        blocks=store.block_sums(),
        seats=sums,
        with_heads=heads,
        with_seats=seats,
        with_deals=deals,
        ranked_deals=cup.ranked_deals,
        house=store.house_count(),
        void=void,
        benched=store.benched_count(),
        lost=store.lost(),
        share=share,
        outs=_outs(store) if any(one.outs for one in sums) else (),
    )


def _outs(store: Store) -> list[Outs]:
    """Return why bots were out, by bot."""
    codes: dict[str, list[tuple[str, int]]] = {}
    faults: dict[str, list[tuple[str, int]]] = {}
    for bot, code, number in store.why_out():
        codes.setdefault(bot, []).append((code, number))
    for bot, code, number in store.faults_behind_strikes() if codes else ():
        faults.setdefault(bot, []).append((code, number))
    return [Outs(bot=b, codes=codes[b], faults=faults.get(b, [])) for b in codes]


def bots_of(store: Store) -> list[str]:
    """Return the names of the bots that play in the tournament."""
    return (store.note("bots") or "").split("\n")


def audit(folder: Path) -> tuple[int, list[Finding]]:
    """Return how many records there are, and all that is not true.

    Without a store, in a folder that was published, the records alone are held to the
    cup and the seed.

    Raises:
        ArenaError: if the seed is neither revealed nor in the store.
    """
    proof = read_proof(folder)
    cup = load_cup(folder / CUP)
    if not (folder / FILE).is_file():
        if proof is None or proof.seed is None:
            raise ArenaError(
                f"{folder}: no results there, and no seed in a proof.json; name the "
                "folder of a tournament"
            )
        return _Audit(folder, cup, proof.bots, proof, proof.seed, None).run()
    with Store(folder) as store:
        seed = store.note("seed") or ""
        return _Audit(folder, cup, bots_of(store), proof, seed, store).run()


class _Audit:
    def __init__(
        self,
        folder: Path,
        cup: Cup,
        names: list[str],
        proof: Proof | None,
        seed: str,
        store: Store | None,
    ) -> None:
        self._folder = folder
        self._cup = cup
        self._names = names
        self._proof = proof
        self._seed = seed
        self._store = store
        self._dealt_from = dealt_from(seed, cup.public)
        self._findings: list[Finding] = []
        self._rows: dict[str, list[Row]] = {}
        self._files: set[str] = set()  # that belong to the schedule

    def run(self) -> tuple[int, list[Finding]]:
        cup = self._cup
        there = {path.name for path in self._records.glob("*.jsonl")}
        self._findings += self._check_seed()
        plan = Plan(cup.name, self._dealt_from, self._names, cup.rounds, cup.schedule)
        docket = Docket(pairings(plan), self._outs_of, self._names, cup.bench_after)
        unplayed = docket.draw_all()
        benched = {}
        for item in docket.settled():
            benched[item.pairing.match] = item
            if item.was_played and self._is_over:
                self._say(item.pairing, "bench_after", "its bots were benched before")
                self._rows.pop(item.pairing.match, None)
        for name in sorted(there - self._files):
            text = f"record {name} is of no match of the schedule"
            self._findings.append(Finding(str(self._records / name), 1, TABLE, text))
        stored = {} if self._store is None else self._store.player_rows()
        for pairing in unplayed:
            if self._is_over or pairing.match in stored:
                name = file_of(pairing.match)
                text = f"record {name} is missing: {pairing.match}"
                self._findings.append(Finding(str(self._folder), 0, MISSING, text))
        if self._store is not None:
            losers = {match: item.losers for match, item in benched.items()}
            self._findings += self._compare(self._store, stored, losers)
        return len(there), self._findings

    @property
    def _records(self) -> Path:
        return self._folder / "records"

    @property
    def _is_over(self) -> bool:
        return self._proof is not None and self._proof.seed is not None

    def _say(self, pairing: Pairing, rule: str, text: str, line: int = 1) -> None:
        path = self._records / file_of(pairing.match)
        self._findings.append(Finding(str(path), line, rule, text))

    # --- the seed ---

    def _check_seed(self) -> Iterator[Finding]:
        proof, where = self._proof, str(self._folder)
        if proof is None:
            yield Finding(where, 0, TABLE, "there is no proof.json")
            return
        if proof.seed is not None and proof.seed != self._seed:
            yield Finding(where, 0, TABLE, "the seed revealed is not that of the store")
        if proof.commit != commitment(self._cup.name, self._seed):
            yield Finding(where, 0, TABLE, "the commitment does not fit the seed")
        if proof.public != self._cup.public:
            text = "the public draw is not the same in the cup and in the proof"
            yield Finding(where, 0, TABLE, text)

    # --- one record ---

    def _outs_of(self, match: str) -> frozenset[str] | None:
        """Examine the record of a match; return who was out; None: there is none."""
        path = self._records / file_of(match)
        self._files.add(path.name)
        if not path.is_file():
            return None
        try:
            record = read_record(path)
        except RecordError as error:
            finding = Finding(str(path), error.line, "section 8", error.text)
            self._findings.append(finding)
            return frozenset()
        wrong, ledger = examine(record)
        if wrong is not None:
            finding = Finding(str(path), wrong.line, wrong.rule, wrong.text)
            self._findings.append(finding)
        self._findings += self._check_header(path, record, match)
        if ledger is None or ledger.places is None:
            return frozenset()
        names = [player.name for player in record.header.players]
        self._rows[match] = _rows(match, names, ledger)
        outs = zip(names, ledger.outs, strict=True)
        return frozenset(name for name, out in outs if out is not None)

    def _check_header(
        self, path: Path, record: Record, match: str
    ) -> Iterator[Finding]:
        """Hold a record's header to the schedule, the seed and the cup."""
        cup, header = self._cup, record.header
        triple, block, order = match.rsplit("/", 3)[1:]
        names = triple.split("+")
        pairing_seed = block_seed(self._dealt_from, names, int(block))
        seated = [names[int(digit)] for digit in order]
        seeds = [bot_seed(self._dealt_from, match, seat) for seat in range(3)]
        clock = cup.match_clock
        for rule, what, said, due in (
            ("schedule", "match", header.match, match),
            ("schedule", "players", [p.name for p in header.players], seated),
            ("seed", "deal_seed", header.deal_seed, pairing_seed),
            ("seed", "players.seed", [p.seed for p in header.players], seeds),
            ("cup", "game", header.game, cup.game),
            ("cup", "options", header.options, cup.match_options),
            ("cup", "clock", header.clock, clock),
            ("cup", "strikes", header.strikes, cup.strikes),
            ("cup", "strict", bool(header.strict), False),
        ):
            if _plain(said) != _plain(due):
                text = f"'{what}' is {_plain(said)}, should be {_plain(due)}"
                yield Finding(str(path), 1, rule, text)

    # --- the store ---

    def _compare(
        self,
        store: Store,
        stored: Mapping[str, list[Row]],
        benched: Mapping[str, frozenset[str]],
    ) -> Iterator[Finding]:
        """Hold rows, sums, benches and the table to what the records come to."""
        where = str(self._folder)
        for match, rows in self._rows.items():
            text = _difference(rows, stored.get(match))
            if text is not None:
                path = str(self._records / file_of(match))
                yield Finding(path, 0, TABLE, f"{file_of(match)}: {text}")
        sums, told = sums_of(self._rows), store.sums()
        if told != sums or told != sums_of(stored):
            text = "the sums of the table are not those of its matches"
            yield Finding(where, 0, TABLE, text)
        if self._is_over and store.benched() != benched:
            text = "who is benched for which matches does not follow from the records"
            yield Finding(where, 0, TABLE, text)
        columns = [*BLOCK_KEY, *BLOCK_FIELDS]
        share = share_of(store)
        derived = make_standings(
            tournament=self._cup.name,
            game=self._cup.game,
            bots=self._names,
            scheduled=self._scheduled(share),
            finished=len(self._rows),
            blocks=[block_sum(tuple(row[name] for name in columns)) for row in sums[0]],
            seats=[SeatSum(**row) for row in sums[1]],
            ranked_deals=self._cup.ranked_deals,
            void=store.counts()[1],
            benched=len(benched) if self._is_over else store.benched_count(),
            lost=store.lost(),
            share=share,
        )
        if derived.model_dump() != standings_from(store, self._cup).model_dump():
            text = "the table is not the one that the records come to"
            yield Finding(where, 0, TABLE, text)

    def _scheduled(self, share: Share) -> int:
        cup = self._cup
        return count(len(self._names), cup.rounds, cup.schedule, share)


def _rows(match: str, names: list[str], ledger: Ledger) -> list[Row]:
    """Return the rows of a match's players, as the store has them."""
    assert ledger.places is not None
    return [
        {
            "match": match,
            "seat": seat,
            "bot": name,
            "place": ledger.places[seat],
            "score": ledger.scores[seat],
            "points": ledger.own_points[seat],
            "deals": ledger.own_deals[seat],
            "faults": ledger.fault_counts[seat],
            "out": ledger.outs[seat],
            "moves": ledger.moves[seat],
            "time_ms": ledger.time_ms[seat],
            "slowest_ms": ledger.slowest_ms[seat],
            "contracts": ledger.own_contracts[seat],
            "made": ledger.own_made[seat],
            "levels": ledger.own_levels[seat],
            "undeclared": ledger.own_undeclared[seat],
        }
        for seat, name in enumerate(names)
    ]


def _difference(rows: list[Row], stored: list[Row] | None) -> str | None:
    if stored is None:
        return "the results know nothing of it"
    for row, other in zip(rows, stored, strict=True):
        for key, value in row.items():
            if other[key] != value:
                return (
                    f"the results say {key} {other[key]} for {row['bot']}, the record "
                    f"says {value}"
                )
    return None


def _plain(value: Any) -> Any:
    """Return a model as a dict without what is absent."""
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_none=True)
    return value
