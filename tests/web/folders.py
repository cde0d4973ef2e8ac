"""Tournaments for tests of the pages: some really played, some only told.

A told one is a store filled by the arena's own code with results made up, so that it is
there at once and may hold anything: faults, names that would be markup, blocks that are
not whole.
"""

from pathlib import Path

from arena.result import FaultResult, MatchResult, PlayerResult, Style
from protocol.messages import LoyataisOptions
from tests.command import cup, trianon
from tournaments.config import load_cup
from tournaments.schedule import Pairing, Plan, pairings
from tournaments.store import Store, file_of

SEED = "s"


def played(where, **keys) -> Path:
    """Play a tournament to its end; return its folder."""
    code, _, err = trianon("run", cup(where, sandbox="none", **keys), cwd=where)
    assert code == 0, err
    return Path(where, keys["name"])


class Told:
    """A tournament whose matches are told one by one, in the order of its schedule."""

    def __init__(self, folder: Path, bots=("a", "b", "c"), rounds=1):
        self.folder = folder
        (folder / "records").mkdir(parents=True)
        lines = [
            f'name = "{folder.name}"',
            'game = "loyatais"',
            f"rounds = {rounds}",
            f'seed = "{SEED}"',
        ]
        for bot in bots:
            lines += ["[[bots]]", f'name = "{bot}"', 'bot = "first"']
        path = folder / "cup.toml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.cup = load_cup(path)
        with Store(folder, is_new=True) as store:
            store.set_note("bots", "\n".join(bots))
            store.set_note("seed", SEED)
        self.due = pairings(Plan(self.cup.name, SEED, bots, rounds))

    def tell(self, number=1, faults=None, record="", scores=(30, 20, 10), **given):
        """Have the next matches finished; return them.

        Args:
            number: how many.
            faults: the faults of each bot by its name.
            record: what the record holds.
            scores: by the order of names in the triple.
            given: fields of every player's result.
        """
        told = [next(self.due) for _ in range(number)]
        with Store(self.folder) as store:
            for pairing in told:
                path = self.folder / "records" / file_of(pairing.match)
                path.write_text(record)
                result = result_of(pairing, faults or {}, scores, given)
                store.save(result, pairing, path)
        return told


def result_of(pairing: Pairing, faults, scores, given) -> MatchResult:
    by_name = dict(zip(pairing.triple, scores, strict=True))
    own = [by_name[name] for name in pairing.players]
    return MatchResult(
        match=pairing.match,
        game="loyatais",
        options=LoyataisOptions(deals=3),
        reason="deals",
        deals=3,
        scores=own,
        places=[1 + sum(other > score for other in own) for score in own],
        players=[
            PlayerResult.model_validate(
                {
                    "seat": seat,
                    "name": name,
                    "out": None,
                    "faults": faults.get(name, []),
                    "fault_count": len(faults.get(name, [])),
                    "warnings": {},
                    "hints": {},
                    "moves": 30,
                    "time_ms": 60,
                    "slowest_ms": 9,
                    "cpu_ms": 1,
                    "exit": None,
                    "stderr": "",
                    "own_deals": 3,
                    "own_points": own[seat],
                    "style": Style(contracts=1, made=1, levels=5, undeclared=0),
                    **given,
                }
            )
            for seat, name in enumerate(pairing.players)
        ],
        deal_seed=pairing.deal_seed,
        commit="sha256:0",
        record=None,
        sandbox="none",
        wall_ms=100,
    )


def fault(text="not legal", line='{"move":"ZZ"}', code="illegal_move"):
    return FaultResult(
        id=3, deal=1, code=code, text=text, line=line, hint="", played="7C"
    )
