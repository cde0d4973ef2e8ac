"""Seven bots, one that hangs and one that crashes, stopped and continued at random.

    python -m benchmarks.misfits [--runs N] [--stops N] [--jobs N]

Each run is stopped at random moments (Ctrl-C, TERM, kill -9 of the front, of the
engine), with more or fewer tables each time, then finished.  Every scheduled match must
be accounted for, played or benched; there must be a record of exactly the played ones;
``verify`` must derive the same table from the records alone; and it must be the table
of an undisturbed run with one table, times left out.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from benchmarks.resume import kill

ENDS: Final = ("INT", "TERM", "front", "engine")
TIMES: Final = ("mean_ms", "slowest_ms")
CRASH: Final = "import json\nprint(json.dumps({'id': 0}), flush=True)\n"
HANG: Final = f"import time\n{CRASH}time.sleep(3600)\n"
CUP: Final = """name = "cup"
game = "loyatais"
seed = "s"
[options]
deals = 3
[clock]
move_ms = 1000
bank_ms = 2000
start_ms = 2000
"""


def lay_out(folder: Path) -> None:
    """Make the cup and its bots in a new folder."""
    folder.mkdir()
    (folder / "crash.py").write_text(CRASH)
    (folder / "hang.py").write_text(HANG)
    bots = ["first", "python3 crash.py", "first", "python3 hang.py", *["first"] * 3]
    entries = (
        f'[[bots]]\nname = "bot{number}"\nbot = "{bot}"\n'
        for number, bot in enumerate(bots)
    )
    (folder / "cup.toml").write_text(CUP + "".join(entries))


def start(folder: Path, jobs: int) -> subprocess.Popen[bytes]:
    """Start ``trianon run`` in a group of its own."""
    command = [sys.executable, "-m", "tournaments.cli", "run", "cup.toml", "--json"]
    return subprocess.Popen(
        [*command, "--jobs", str(jobs)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(folder: Path, jobs: int) -> dict[str, Any]:
    """Run the cup to its end, and return its table without times."""
    process = start(folder, jobs)
    out, err = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"run ended with {process.returncode}: {err.decode()}")
    table: dict[str, Any] = json.loads(out)
    for row in table["rows"]:
        for key in TIMES:
            del row[key]
    return table


def disturb(rng: random.Random, folder: Path, stops: int, jobs: int) -> int:
    """Stop runs at random moments; return how many were stopped."""
    stopped = 0
    for _ in range(rng.randint(1, stops)):
        process = start(folder, rng.choice((1, jobs, 2 * jobs)))
        time.sleep(rng.uniform(0.5, 8.0))
        if process.poll() is None:
            end = rng.choice(ENDS)
            if end in ("INT", "TERM"):
                os.kill(process.pid, signal.Signals[f"SIG{end}"])
            else:
                kill(process, end)
            stopped += 1
        process.communicate()
    return stopped


def verify(folder: Path) -> str:
    """Return what ``verify`` finds wrong; nothing where all agrees."""
    command = [sys.executable, "-m", "tournaments.cli", "verify", "cup", "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    wrong = json.loads(done.stdout)["wrong"]
    return "; ".join(item["text"] for item in wrong)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--stops", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    bad = 0
    with tempfile.TemporaryDirectory(prefix="trianon-misfits-") as root:
        calm = Path(root) / "calm"
        lay_out(calm)
        began = time.perf_counter()
        expected = finish(calm, 1) | {"void": 0}
        print(
            f"undisturbed, one table: {expected['finished']} played and "
            f"{expected['benched']} benched of {expected['scheduled']}, in "
            f"{time.perf_counter() - began:.0f} s",
            flush=True,
        )
        for number in range(1, given.runs + 1):
            folder = Path(root) / f"run{number}"
            lay_out(folder)
            stopped = disturb(rng, folder, given.stops, given.jobs)
            table = finish(folder, given.jobs)
            records = len(list((folder / "cup/records").iterdir()))
            wrong = verify(folder)
            void = table["void"]
            is_same = table | {"void": 0} == expected
            accounted = table["finished"] + table["benched"]
            is_good = (
                is_same
                and accounted == table["scheduled"]
                and records == table["finished"]
                and not wrong
            )
            bad += not is_good
            print(
                f"run {number}: stopped {stopped} times; {table['finished']} played, "
                f"{table['benched']} benched, {void} void of {table['scheduled']}; "
                f"{records} records; table {'the same' if is_same else 'DIFFERENT'}; "
                f"verify: {wrong or 'agrees'}",
                flush=True,
            )
    print(f"{given.runs - bad} of {given.runs} runs came out as the undisturbed one")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
