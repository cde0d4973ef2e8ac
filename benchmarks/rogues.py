"""How soon the arena reacts to each rogue, and what the rogue costs it.

    python -m benchmarks.rogues [NAME ...] [--stderr-mb N]
    python -m benchmarks.rogues --soak [--matches N] [--sandbox LEVEL]

Each rogue of ``tests/rogues`` sits between two honest bots.  *reaction*: from the
deadline to a ``timeout``; for every other first verdict on it, from the request in
whose time the offence fell.  *late*: the worst of its timeouts.  *out*: from that first
request until it is out.  *memory*: what the arena grew by at most.  *after*: processor
time of the arena once the match is over and before the rogue is buried.  *others*: the
slowest move of the honest two.  Bounds: late by 100 ms, 16 MB, 5 % after.

``--soak`` runs a tournament of bots that crash, fork and leave daemons, and samples
what the arena's own processes hold while it runs; nothing may be left of it: process,
zombie, mount, control group, temporary file.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio

from arena import burial
from arena.bots import Yard, open_pipes
from arena.botspec import find_bot
from arena.effects import Ask, Effect, Write
from arena.games import GAMES
from arena.match import play_match
from arena.referee import Referee
from arena.sandbox import Level, Limits
from arena.setup import MatchSetup
from benchmarks.common import left_behind
from protocol.events import FaultEvent, OutEvent
from protocol.messages import MatchClock
from tests.processes import strays
from tests.rogues import HONEST, ROGUES, ROOT, Rogue

LATE_MS: Final = 100
GROWTH_KB: Final = 16 * 1024
AFTER: Final = 0.05
WATCHED_S: Final = 0.5  # after the match, for the processor time
CLOCK: Final = MatchClock(move_ms=100, bank_ms=400)
SOAKED: Final = ("crash", "daemons", "forker", "orphans", "heir", "last_word")
SAMPLE_S: Final = 0.5


@dataclass
class Measured:
    """What one rogue came to; times in ms, memory in KB."""

    verdict: str = "-"
    reaction_ms: float | None = None
    late_ms: float | None = None  # the worst of its timeouts
    out_ms: float | None = None
    grown_kb: int = 0
    after: float = 0.0
    others_ms: int = 0

    def complaints(self) -> str:
        """Say which bounds do not hold."""
        found = []
        if self.late_ms is not None and self.late_ms > LATE_MS:
            found.append("late")
        if self.grown_kb > GROWTH_KB:
            found.append("memory")
        if self.after > AFTER:
            found.append("busy")
        return " ".join(found)


@dataclass
class Stopwatch:
    """A watcher of the match: when the rogue was asked, and when it was judged."""

    measured: Measured
    asked: Ask | None = None
    asked_at: float = 0.0
    offended_at: float = 0.0
    codes: list[str] = field(default_factory=list)

    def watch(self, effect: Effect) -> None:
        """Take in one effect."""
        now = trio.current_time()
        match effect:
            case Ask(seat=1):
                self.asked, self.asked_at = effect, now
            case Write(event=(FaultEvent(seat=1) | OutEvent(seat=1)) as event):
                self._judged(event.code, (now - self.asked_at) * 1000)
                if isinstance(event, OutEvent):
                    self.measured.out_ms = (now - self.offended_at) * 1000
            case _:
                pass

    def _judged(self, code: str, took_ms: float) -> None:
        if not self.codes:
            self.measured.verdict = code
            self.measured.reaction_ms = took_ms
            self.offended_at = self.asked_at
        self.codes.append(code)
        if code == "timeout" and self.asked is not None:
            late = took_ms - (self.asked.within_ms or 0)
            if len(self.codes) == 1:
                self.measured.reaction_ms = late
            self.measured.late_ms = max(late, self.measured.late_ms or 0.0)


async def measure(rogue: Rogue) -> Measured:
    """Play one match with a rogue, as an engine does."""
    setup = MatchSetup(
        game="trianon",
        options=GAMES["trianon"].options({"deals": 1}),
        match="bench/1",
        names=("a", "b", "c"),
        deal_seed="7",
        seed="7",
        arena="bench",
        clock=_clock(rogue),
        strikes=99 if "--strikes" in rogue.args else 3,
    )
    specs = [find_bot(text, ROOT) for text in (HONEST, rogue.command, HONEST)]
    measured, yard, referee = Measured(), Yard(), Referee(setup)
    stopwatch = Stopwatch(measured)
    before = _reset_peak()
    async with open_pipes(specs, Level.LIMITS, Limits(), yard) as pipes:
        await play_match(referee, pipes, stopwatch.watch)
        measured.grown_kb = _status("self", "VmHWM") - before
        used, began = time.process_time(), time.perf_counter()
        with trio.move_on_after(WATCHED_S):
            while True:
                await pipes.wait_news()
        spent = time.process_time() - used
        measured.after = spent / (time.perf_counter() - began)
    await yard.bury(pipes, is_polite=False)
    measured.others_ms = max(referee.ledger.slowest_ms[seat] for seat in (0, 2))
    return measured


def _clock(rogue: Rogue) -> MatchClock | None:
    if "--no-clock" in rogue.args:
        return None
    if "--move-ms" in rogue.args:
        move_ms = int(rogue.args[rogue.args.index("--move-ms") + 1])
        return CLOCK.model_copy(update={"move_ms": move_ms})
    return CLOCK


def _reset_peak() -> int:
    """Forget the peak of our memory, and return what we hold now, in KB."""
    Path("/proc/self/clear_refs").write_text("5")
    return _status("self", "VmRSS")


def _status(pid: int | str, name: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    return 0


def table(names: Sequence[str], stderr_mb: int) -> int:
    """Measure rogues and print a line for each; return how many break a bound."""
    burial.become_subreaper()
    heavy = {"stderr_flood": (str(stderr_mb),), "empty_objects": ("0",)}
    broken = 0
    trio.run(measure, Rogue("same_name", 0))  # what is loaded late is loaded now
    heads = (
        "rogue",
        "row",
        "verdict",
        "reaction",
        "late",
        "out",
        "memory",
        "after",
        "others",
    )
    print("{:<16}{:>4}  {:<13}{:>10}{:>8}{:>9}{:>10}{:>8}{:>9}".format(*heads))
    for rogue in ROGUES:
        if names and rogue.name not in names:
            continue
        words = heavy.get(rogue.name, rogue.words)
        measured = trio.run(measure, rogue._replace(words=words))
        complaints = measured.complaints()
        broken += bool(complaints)
        cells = (
            f"{rogue.name:<16}{rogue.row:>4}  {measured.verdict:<13}",
            f"{_ms(measured.reaction_ms):>10}{_ms(measured.late_ms):>8}",
            f"{_ms(measured.out_ms):>9}{measured.grown_kb / 1024:>7.1f} MB",
            f"{measured.after:>8.1%}{measured.others_ms:>6} ms  {complaints}",
        )
        print("".join(cells).rstrip(), flush=True)
    left = burial.descendants(os.getpid())
    print(f"{broken} rogues break a bound; {len(left)} processes are left")
    return broken + len(left)


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f} ms"


# --- the soak -------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """What the arena's processes hold at one moment; memory in KB."""

    processes: int
    zombies: int
    descriptors: int
    memory: int


def soak(matches: int, sandbox: str) -> int:
    """Run a tournament of crashing and forking bots; return whether it is not flat."""
    before = left_behind()
    folder = Path(tempfile.mkdtemp(prefix="trianon-soak-"))
    try:
        cup = folder / "cup.toml"
        cup.write_text(_cup(matches, folder / "soak", sandbox))
        command = [str(Path(sys.executable).with_name("trianon")), "run", str(cup)]
        began = time.monotonic()
        with (folder / "out").open("wb") as out:
            # From the repository's root, where the rogues are a package.
            front = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out)
            samples = _watch(front)
        took = time.monotonic() - began
        lines = (folder / "out").read_text().splitlines()
        print("\n".join(lines[-9:]))
        played = len(list((folder / "soak" / "records").glob("*.jsonl")))
        print(f"{played} matches in {took:.0f} s, exit status {front.returncode}")
    finally:
        shutil.rmtree(folder)
    after = left_behind()
    grown = {kind: after[kind] - before[kind] for kind in before}
    print("left: " + ", ".join(f"{count} {kind}" for kind, count in grown.items()))
    is_left = any(count > 0 for count in grown.values())
    return _print_samples(samples) + is_left + (front.returncode != 0)


def _cup(matches: int, folder: Path, sandbox: str) -> str:
    """Return a cup of at least so many matches, its results in ``folder``."""
    rounds = -(-matches // (6 * 35))  # 35 triples of seven bots
    lines = [
        'name = "soak"\ngame = "trianon"\nseed = "soak"\njobs = 4',
        f'sandbox = "{sandbox}"',
        f'bench_after = 0\nrounds = {rounds}\nout = "{folder}"\n[options]\ndeals = 1',
        "[clock]\nmove_ms = 500\nbank_ms = 1000",
    ]
    commands = {rogue.name: rogue.command for rogue in ROGUES}
    bots = {name: commands[name] for name in SOAKED} | {"first": HONEST}
    for name, command in bots.items():
        words = ", ".join(f'"{word}"' for word in command.split())
        lines.append(f'[[bots]]\nname = "{name}"\ncommand = [{words}]\ndir = "{ROOT}"')
    return "\n".join(lines) + "\n"


def _watch(front: subprocess.Popen[bytes]) -> list[Sample]:
    samples = []
    while front.poll() is None:
        time.sleep(SAMPLE_S)
        try:
            (warden,) = burial.children(front.pid)
            (engine,) = burial.children(warden)
            samples.append(_sample(engine))
        except (OSError, ValueError):
            continue  # it is being started, or is ending
    return samples


def _sample(engine: int) -> Sample:
    states = []
    for pid in burial.descendants(engine):
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists():
            states.append(stat.read_text().rpartition(")")[2].split()[0])
    descriptors = len(os.listdir(f"/proc/{engine}/fd"))  # noqa: PTH208 -- names do
    memory = _status(engine, "VmRSS")
    return Sample(len(states), states.count("Z"), descriptors, memory)


def _print_samples(samples: Sequence[Sample]) -> int:
    """Print first, last and greatest; return whether the last fifth is above the rest.

    The first fifth does not count: there things are loaded.
    """
    fifth = max(1, len(samples) // 5)
    is_bad = 0
    print(
        f"{'':<12}{'first':>8}{'last':>8}{'most':>8}{'2nd fifth':>11}{'5th fifth':>11}"
    )
    for name in ("processes", "zombies", "descriptors", "memory"):
        values = [getattr(sample, name) for sample in samples]
        early = sum(values[fifth : 2 * fifth]) / fifth
        late = sum(values[-fifth:]) / fifth
        is_bad |= late > early * 1.2 + 5
        print(
            f"{name:<12}{values[0]:>8}{values[-1]:>8}{max(values):>8}"
            f"{early:>11.1f}{late:>11.1f}"
        )
    left = strays("tests.rogues")
    print(f"{len(samples)} samples; {len(left)} processes are left")
    return is_bad + len(left)


def main() -> int:
    """Run what is asked for; return how much is not as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--stderr-mb", type=int, default=1000)
    parser.add_argument("--soak", action="store_true")
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--sandbox", default="auto")
    given = parser.parse_args()
    if given.soak:
        return soak(given.matches, given.sandbox)
    return table(given.names, given.stderr_mb)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
