"""Whole tournaments of three alike bots, as benchmarks watch them from outside."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.common import c_bot

A_BLOCK: Final = 6  # matches


@dataclass(frozen=True, slots=True)
class Cup:
    """A tournament: so many matches, in whole blocks, of so many deals.

    ``bot``: any BOT; nothing stands for the C bot.
    """

    matches: int
    deals: int
    jobs: int
    cores: str = "auto"
    sandbox: str = "limits"
    engine: str = "local"
    bot: str = ""

    @property
    def text(self) -> str:
        """The cup file."""
        rounds = -(-self.matches // A_BLOCK)
        bot = self.bot or c_bot()
        bots = "".join(
            f'[[bots]]\nname = "bot{number}"\nbot = "{bot}"\n' for number in range(3)
        )
        return (
            f'name = "cup"\ngame = "trianon"\nseed = "bench"\nrounds = {rounds}\n'
            f'jobs = {self.jobs}\ncores = "{self.cores}"\n'
            f'sandbox = "{self.sandbox}"\n[options]\ndeals = {self.deals}\n{bots}'
        )


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that has ended.

    Attributes:
        began: when the first match of all began, by the clock here, in seconds.
        at: when this one ended.
        number: counted from 1, as they end.
        moves: the decisions in it.
        front: the process that runs the tournament.
    """

    began: float
    at: float
    number: int
    moves: int
    front: int


def finished(cup: Cup) -> Iterator[Finished]:
    """Play a tournament, and yield each match as it ends."""
    with tempfile.TemporaryDirectory(prefix="trianon-bench-") as folder:
        path = Path(folder) / "cup.toml"
        path.write_text(cup.text)
        command = [sys.executable, "-m", "tournaments.cli", "run", str(path)]
        command += ["--engine", cup.engine]
        number, began = 0, 0.0
        with subprocess.Popen(
            [*command, "--json-events"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                at, event = time.perf_counter(), json.loads(line)
                began = began or at
                if event["event"] == "match_finished":
                    number += 1
                    moves = sum(player["moves"] for player in event["players"])
                    yield Finished(began, at, number, moves, process.pid)
        if process.returncode != 0:
            sys.exit("the tournament has failed")


def decisions_per_s(cup: Cup) -> float:
    """Play a tournament, and return its decisions a second."""
    matches = list(finished(cup))
    return sum(match.moves for match in matches) / _took_s(matches)


def matches_per_s(cup: Cup) -> float:
    """Play a tournament, and return its matches a second."""
    matches = list(finished(cup))
    return len(matches) / _took_s(matches)


def _took_s(matches: Sequence[Finished]) -> float:
    return matches[-1].at - matches[0].began
