"""A tournament killed with -9 again and again, and what is left of it.

    python -m benchmarks.resume [--runs N] [--kills N] [--sandbox LEVEL]

Each run is killed at random moments (the front, the engine, the front's whole group in
turn), then finished by the same command.  It must come to exactly the scheduled
matches and to the table of an undisturbed run, with no bot left a second after each
kill, and no mount, control group or temporary file in the end.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import sample_bots
from arena.burial import children
from benchmarks.common import left_behind
from tests.processes import strays

BOTS: Final = ("first", "random", "careful", "first")
TIMES: Final = ("mean_ms", "slowest_ms")
TARGETS: Final = ("front", "engine", "group")


def lay_out(folder: Path, rounds: int, sandbox: str) -> None:
    """Make a folder with the cup (four bots, two matches at a time) and its bots."""
    head = f'name = "cup"\ngame = "loyatais"\nrounds = {rounds}\njobs = 2\nseed = "s"\n'
    head += f'sandbox = "{sandbox}"\n[options]\ndeals = 3\n'
    for number, bot in enumerate(BOTS):
        name = f"bot{number}"
        (folder / name).mkdir(parents=True)
        source = Path(sample_bots.__file__).parent / "python" / bot / "bot.py"
        shutil.copy(source, folder / name)
        command = f'dir = "{name}"\ncommand = ["python3", "bot.py", "{folder}"]'
        head += f'[[bots]]\nname = "{name}"\n{command}\n'
    (folder / "cup.toml").write_text(head)


def start(folder: Path) -> subprocess.Popen[bytes]:
    """Start ``trianon run`` in a group of its own."""
    command = [sys.executable, "-m", "tournaments.cli", "run", "cup.toml", "--json"]
    return subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(folder: Path) -> dict[str, Any]:
    """Run the tournament to its end, and return its table without times."""
    process = start(folder)
    out, err = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"run ended with {process.returncode}: {err.decode()}")
    table: dict[str, Any] = json.loads(out)
    for row in table["rows"]:
        for key in TIMES:
            del row[key]
    return table


def kill(process: subprocess.Popen[bytes], target: str) -> None:
    """Kill the front, its engine, or the front's group."""
    if target == "group":
        os.killpg(process.pid, signal.SIGKILL)
        return
    pid = process.pid
    if target == "engine":
        for _ in range(2):  # the front's child is the warden, and its child the engine
            below = children(pid)
            pid = below[0] if below else process.pid
    os.kill(pid, signal.SIGKILL)


def disturbed(rng: random.Random, folder: Path, kills: int) -> tuple[int, int]:
    """Kill runs in ``folder``; return how many were killed, and bots left after 1 s."""
    killed = left = 0
    for number in range(rng.randint(1, kills)):
        process = start(folder)
        time.sleep(rng.uniform(0.2, 2.0))
        if process.poll() is None:
            kill(process, TARGETS[number % len(TARGETS)])
            killed += 1
        process.communicate()
        time.sleep(1.0)
        left += len(strays(str(folder)))
    return killed, left


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sandbox", default="auto")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory(prefix="trianon-resume-") as root:
        calm = Path(root) / "calm"
        lay_out(calm, given.rounds, given.sandbox)
        before = left_behind()
        expected = finish(calm)
        bad = 0
        for run in range(1, given.runs + 1):
            folder = Path(root) / f"run{run}"
            lay_out(folder, given.rounds, given.sandbox)
            killed, left = disturbed(rng, folder, given.kills)
            table = finish(folder)
            records = len(list((folder / "cup" / "records").iterdir()))
            parts = len(list((folder / "cup" / "running").iterdir()))
            checked = subprocess.run(
                [sys.executable, "-m", "tournaments.cli", "verify", "cup"],
                cwd=folder,
                capture_output=True,
                check=False,
            )
            is_good = (
                table == expected
                and records == expected["scheduled"]
                and parts == left == checked.returncode == 0
            )
            bad += not is_good
            print(
                f"run {run:>2}: killed {killed:>2} times; {table['finished']} of "
                f"{table['scheduled']} matches, {records} records, {parts} parts, "
                f"{left} bots left after 1 s; table "
                f"{'the same' if table == expected else 'DIFFERENT'}; verify "
                f"{checked.stdout.decode().strip().splitlines()[-1]}",
                flush=True,
            )
        print(
            f"{given.runs - bad} of {given.runs} runs came out as the undisturbed one"
        )
        after = left_behind()
        grown = {kind: after[kind] - before[kind] for kind in before}
        print("left: " + ", ".join(f"{count} {kind}" for kind, count in grown.items()))
        bad += any(count > 0 for count in grown.values())
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
