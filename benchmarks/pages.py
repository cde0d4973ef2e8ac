"""The web pages of a large tournament: how fast, how much memory, how soon.

    python -m benchmarks.pages pages [--matches N] [--bots N]
    python -m benchmarks.pages viewers [--matches N] [--bots N] [--viewers N] [--runs N]

``pages`` serves a store of so many finished matches and asks for each kind of page: for
one that was not asked for before, and again and again; then how much memory the server
takes, before and after.  ``viewers`` goes on with a tournament of so many matches on
one core while a server on another has so many viewers of its standings: how long after
a match was finished each of them was told, and how many decisions a second the
tournament loses by it, in turn with and without.  Both need the extra ``web``; the
second two cores and a C compiler.
"""

import argparse
import http.client
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import trio

from benchmarks.common import c_bot
from benchmarks.fields import cup_text, fill, memory_mb, names_of
from tournaments.schedule import Plan, pairings
from tournaments.store import file_of
from tournaments.web.places import slug

RUN = (sys.executable, "-m", "tournaments.cli", "run")
ASKED = 200  # times, for the memory
DONE = re.compile(rb"<span>([\d,]+) of ")
WARM_S = 4.0  # until the bots and the server have started up


def make_cup(root: Path, bots: int, matches: int, command: str) -> Path:
    """Make a tournament with so many finished matches; return its folder."""
    folder = root / "cup"
    (folder / "records").mkdir(parents=True)
    text = cup_text(bots, "all", "limits", command)
    text = text.replace("rounds = 2", "rounds = 999")
    for path in (root, folder):
        (path / "cup.toml").write_text(text)
    fill(folder, bots, matches)
    plan = Plan("cup", "fields", names_of(bots), 1_000_000)
    for pairing in islice(pairings(plan), matches):
        (folder / "records" / file_of(pairing.match)).touch()
    return folder


@contextmanager
def serving(folder: Path, core: int | None = None) -> Iterator[tuple[str, int]]:
    """Serve a folder; yield the address, and the server's process."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tournaments.cli", "serve", folder, "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        if core is not None:
            os.sched_setaffinity(server.pid, {core})
        assert server.stdout is not None
        yield server.stdout.readline().strip(), server.pid
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


# --- pages --------------------------------------------------------------------------


def pages(given: argparse.Namespace) -> None:
    """Measure each kind of page."""
    bot = slug(names_of(given.bots)[1])
    other = slug(names_of(given.bots)[2])
    last = given.matches // 50
    paths = [
        "en/",
        "en/t/cup/",
        "en/t/cup/heads.html",
        "en/t/cup/ratings.html",
        f"en/t/cup/bot/{bot}.html",
        "en/t/cup/matches/-/-/-/1.html",
        f"en/t/cup/matches/-/-/-/{last}.html",
        f"en/t/cup/matches/{bot}/-/-/{last // 8}.html",
        f"en/t/cup/matches/{bot}/{other}/lost/1.html",
        f"en/t/cup/matches/{bot}/-/faults/1.html",
        "en/t/cup/replay.html",
        "data/cup/table.json",
    ]
    with tempfile.TemporaryDirectory(prefix="trianon-pages-") as root:
        began = time.monotonic()
        folder = make_cup(Path(root), given.bots, given.matches, "first")
        print(f"made {given.matches} matches in {time.monotonic() - began:.0f} s")
        began = time.monotonic()
        with serving(folder) as (address, pid):
            print(f"the server is ready after {time.monotonic() - began:.1f} s")
            where = urlsplit(address)
            one = http.client.HTTPConnection(where.hostname or "", where.port)
            before = resident_mb(pid)
            print("  first (of the processor)    again       size")
            for path in paths:
                cpu = processor_ms(pid)
                first, size = ask(one, f"/{path}")
                cpu = processor_ms(pid) - cpu
                again = statistics.median(ask(one, f"/{path}")[0] for _ in range(5))
                print(
                    f"{first:7.1f} ms ({cpu:7.1f} ms) {again:9.1f} ms "
                    f"{size / 1000:7.1f} kB  {path}"
                )
            warm = resident_mb(pid)
            for number in range(ASKED):
                ask(one, f"/fr/t/cup/matches/-/-/-/{1 + number % last}.html")
                ask(one, f"/{paths[number % len(paths)]}")
            after = resident_mb(pid)
            one.close()
        print(
            f"memory: {before:.0f} MB at first, {warm:.0f} MB after every page, "
            f"{after:.0f} MB after {2 * ASKED} more"
        )


def ask(one: http.client.HTTPConnection, path: str) -> tuple[float, int]:
    """Return how long an answer took, in milliseconds, and its size."""
    began = time.perf_counter()
    one.request("GET", path)
    answer = one.getresponse()
    size = len(answer.read())
    if answer.status != 200:
        sys.exit(f"{path}: {answer.status}")
    return 1000 * (time.perf_counter() - began), size


def processor_ms(pid: int) -> float:
    """Return how long a process and its threads have had a processor.

    On a machine with other work this says more than the clock.
    """
    times = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(time.read_text().split()[0]) for time in times) / 1e6


def resident_mb(pid: int) -> float:
    """Return the memory that a process has in it now, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0.0


# --- viewers ------------------------------------------------------------------------


class Tournament:
    """A run on a core of its own: when each match was finished, and its decisions."""

    def __init__(self, root: Path, core: int) -> None:
        self.finished: list[float] = []
        self.decisions: list[tuple[float, int]] = []
        self._process = subprocess.Popen(
            [*RUN, "cup.toml", "--json-events", "--jobs", "1"],
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: os.sched_setaffinity(0, {core}),
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            now = time.monotonic()
            event = json.loads(line)
            if event["event"] == "match_finished":
                self.finished.append(now)
                moves = sum(player["moves"] for player in event["players"])
                self.decisions.append((now, moves))

    def rate(self, begin: float, end: float) -> float:
        """Return the decisions a second between two moments."""
        return sum(n for at, n in self.decisions if begin <= at < end) / (end - begin)

    def stop(self) -> None:
        """End it, as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait()
        self._reader.join()


async def view(
    address: str, number: int, seconds: float
) -> list[list[tuple[float, int]]]:
    """Watch the standings; return for each viewer what it was told, and when."""
    where = urlsplit(address)
    told: list[list[tuple[float, int]]] = [[] for _ in range(number)]

    async def watch(seen: list[tuple[float, int]]) -> None:
        stream = await trio.open_tcp_stream(where.hostname or "", where.port or 0)
        async with stream:
            await stream.send_all(
                b"GET /live/en/t/cup/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
            )
            rest = b""
            async for chunk in stream:
                rest += chunk
                *whole, rest = rest.split(b"\n\n")
                for event in whole:
                    match = DONE.search(event)
                    if match is not None:
                        done = int(match[1].replace(b",", b""))
                        seen.append((trio.current_time(), done))

    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            for seen in told:
                nursery.start_soon(watch, seen)
    return told


def lateness(
    tournament: Tournament,
    before: int,
    told: list[list[tuple[float, int]]],
    since: float,
    until: float,
) -> list[float]:
    """Return for each finished match and viewer after how many seconds it was told.

    Args:
        tournament: when its matches were finished.
        before: how many were finished when it began.
        told: to each viewer: when, and how many were finished.
        since: matches finished before are left out: not all viewers were there.
        until: and those after it: there was no time left to be told.
    """
    late = []
    for seen in told:
        at = 0
        for number, finished in enumerate(tournament.finished, before + 1):
            if not since <= finished < until:
                continue
            while at < len(seen) and seen[at][1] < number:
                at += 1
            # Who was never told is as late as we have waited.
            when = seen[at][0] if at < len(seen) else float("inf")
            late.append(when - finished)
    return late


def viewers(given: argparse.Namespace) -> None:
    """Measure viewers beside a tournament, and the tournament with and without them."""
    here, there = sorted(os.sched_getaffinity(0))[:2]
    os.sched_setaffinity(0, {here})
    with tempfile.TemporaryDirectory(prefix="trianon-pages-") as made:
        root = Path(made)
        folder = make_cup(root, given.bots, given.matches, str(c_bot()))
        rates: dict[bool, list[float]] = {False: [], True: []}
        for run in range(2 * given.runs):
            is_watched = run % 2 == 1
            before = matches_in(folder)
            tournament = Tournament(root, there)
            while not tournament.finished:
                time.sleep(0.05)
            try:
                if is_watched:
                    with serving(folder, here) as (address, pid):
                        began = time.monotonic()
                        whole = given.seconds + 2 * WARM_S
                        told = trio_run(address, given.viewers, whole)
                        begin, end = began + WARM_S, began + WARM_S + given.seconds
                        late = lateness(tournament, before, told, begin, end)
                        text = late_text(late, told, memory_mb(pid))
                else:
                    time.sleep(WARM_S + given.seconds)
                    end = time.monotonic()
                    begin, text = end - given.seconds, ""
                rate = tournament.rate(begin, end)
            finally:
                tournament.stop()
            rates[is_watched].append(rate)
            name = "watched" if is_watched else "alone"
            print(f"{name:<8} {rate:7.0f} decisions/s {text}")
        alone, watched = (statistics.median(rates[key]) for key in (False, True))
        print(f"watched, it has {watched / alone:.3f} of the decisions a second")


def trio_run(
    address: str, number: int, seconds: float
) -> list[list[tuple[float, int]]]:
    """Have viewers watch for so many seconds, by the clock that we compare with."""
    offset = 0.0

    async def run() -> list[list[tuple[float, int]]]:
        nonlocal offset
        offset = time.monotonic() - trio.current_time()
        return await view(address, number, seconds)

    told = trio.run(run)
    return [[(at + offset, done) for at, done in seen] for seen in told]


def late_text(
    late: list[float], told: list[list[tuple[float, int]]], memory: float
) -> str:
    """Return in words how late the viewers were told."""
    if not late:
        return "(no match was finished meanwhile)"
    late.sort()
    events = statistics.median(len(seen) for seen in told)
    return (
        f"told after {statistics.median(late):.2f} s, 99 of 100 within "
        f"{late[len(late) * 99 // 100]:.2f} s, all within {late[-1]:.2f} s; "
        f"{events:.0f} states each; the server took {memory:.0f} MB"
    )


def matches_in(folder: Path) -> int:
    """Return how many matches are finished."""
    from tournaments.reading import Reader

    with Reader(folder) as reader:
        return reader.counts()[0]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    for measure in (pages, viewers):
        command = commands.add_parser(measure.__name__, help=measure.__doc__)
        command.set_defaults(measure=measure)
        command.add_argument("--bots", type=int, default=12)
        command.add_argument("--matches", type=int, default=100_000)
        if measure is viewers:
            command.add_argument("--viewers", type=int, default=200)
            command.add_argument("--runs", type=int, default=3)
            command.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    given.measure(given)


if __name__ == "__main__":
    main()
