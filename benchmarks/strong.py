"""Does ``strong`` beat two ``careful``, in the arena, at one second a move?

    python -m benchmarks.strong [--rounds N] [--seed TEXT] [--jobs N]

A tournament for each game: fresh deals in every block of six matches, all seat orders,
and the interval from whole blocks, as the tournament's table has it.  Level play would
win 33 %; the goal is 45 %.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arena.games import GAMES

GOAL = 0.45
CUP = """\
name = "cup"
game = "{game}"
rounds = {rounds}
seed = "{seed}"
jobs = {jobs}
[clock]
move_ms = 1000
bank_ms = 0
[[bots]]
sample = "strong"
[[bots]]
name = "careful 1"
sample = "careful"
[[bots]]
name = "careful 2"
sample = "careful"
"""


def play(game: str, rounds: int, seed: str, jobs: int) -> bool:
    """Play a tournament and print how it went; return whether the goal is reached."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="trianon-strong-") as root:
        text = CUP.format(game=game, rounds=rounds, seed=seed, jobs=jobs)
        (Path(root) / "cup.toml").write_text(text)
        command = [sys.executable, "-m", "tournaments.cli", "run", "cup.toml", "--json"]
        done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=True)
    table = json.loads(done.stdout)
    row = next(row for row in table["rows"] if row["bot"] == "strong")
    low, high = row["win_rate_low"], row["win_rate_high"]
    interval = "no interval" if low is None else f"{low:.0%} to {high:.0%}"
    print(
        f"{game}: strong wins {row['win_rate']:.1%} ({interval}) of {row['matches']} "
        f"matches in {rounds} blocks, {row['points_per_deal']:.1f} points a deal; "
        f"{row['mean_ms']:.0f} ms a move, slowest {row['slowest_ms']}; "
        f"{row['faults']} faults, {row['outs']} outs; {time.monotonic() - began:.0f} s"
    )
    is_clean = row["faults"] == row["outs"] == 0
    return is_clean and float(row["win_rate"]) >= GOAL


def main() -> None:
    """Play both games, print, and exit with 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", default="strong")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    is_good = [play(game, given.rounds, given.seed, given.jobs) for game in GAMES]
    sys.exit(0 if all(is_good) else 1)


if __name__ == "__main__":
    main()
