"""What opponents who compute on others' turns cost an honest bot.

    python -m benchmarks.spinners [--runs N] [--deals N]

An honest bot needs 5 ms of processor time for an answer.  Its mean answer beside two
idle bots is the floor; then beside two bots with eight spinning processes each, with
``pondering`` allowed and frozen.  All three in turn, so that a machine whose speed
drifts slows them alike.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from arena.botspec import BotSpec, command_bot
from arena.games import GAMES
from arena.host import box_fault, choose_level
from arena.link import open_engine
from arena.orders import Broken, Finished, PlayOrder
from arena.sandbox import Limits, Pondering
from arena.setup import MatchSetup
from benchmarks.common import in_turn

WORK_MS = 5
HONEST = f"""
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    answer = {{"id": request["id"]}}
    if request["type"] == "act":
        until = time.process_time() + {WORK_MS / 1000}
        while time.process_time() < until: pass
        answer["move"] = request["legal"][0]
    print(json.dumps(answer), flush=True)
"""
IDLE = HONEST.replace("while time.process_time() < until: pass", "pass")
SPINNER = f"""
import os
for _ in range(8):
    if os.fork() == 0:
        while True: pass
{IDLE}
"""


def mean_ms(others: str, pondering: Pondering, deals: int, sandbox: str) -> float:
    """Return the mean time of an answer of the honest bot."""
    with tempfile.TemporaryDirectory() as folder:
        specs = [_bot(text, folder) for text in (HONEST, others, others)]
        setup = MatchSetup(
            game="trianon",
            options=GAMES["trianon"].options({"deals": deals}),
            match="bench/1",
            names=("honest", "b", "c"),
            deal_seed="bench",
            seed="bench",
            arena="bench",
        )
        order = PlayOrder(
            setup=setup,
            bots=(specs[0], specs[1], specs[2]),
            level=choose_level(sandbox).level,
            limits=Limits(),
            pondering=pondering,
        )
        with open_engine(1) as link:
            link.order(order)
            while True:
                for report in link.reports():
                    match report:
                        case Finished(result=result):
                            player = result.players[0]
                            return player.time_ms / player.moves
                        case Broken(text=text):
                            sys.exit(text)
                        case _:
                            pass


def _bot(text: str, folder: str) -> BotSpec:
    return command_bot([sys.executable, "-S", "-c", text], Path(folder))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--deals", type=int, default=6)
    parser.add_argument("--sandbox", default="limits" if box_fault() else "bwrap")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    floor, *rest = in_turn(
        given.runs,
        lambda: mean_ms(IDLE, Pondering.ALLOWED, given.deals, given.sandbox),
        lambda: mean_ms(SPINNER, Pondering.ALLOWED, given.deals, given.sandbox),
        lambda: mean_ms(SPINNER, Pondering.FROZEN, given.deals, given.sandbox),
    )
    rows = dict(
        zip(("idle", "spinning", "spinning, frozen"), (floor, *rest), strict=True)
    )
    if given.json:
        print(json.dumps({name: row[1] for name, row in rows.items()}))
        return
    print(
        f"ms an answer of {WORK_MS} ms, level {given.sandbox}, median of {given.runs}"
    )
    for name, (least, median, most) in rows.items():
        ratio = median / floor[1]
        print(f"  {name:<18}{median:>7.2f}  ({least:.2f} to {most:.2f})  x {ratio:.2f}")


if __name__ == "__main__":
    main()
