"""A deadline that the arena itself came late to (docs/decisions/0005)."""

import json

import pytest
import trio
from trio.testing import MockClock

from arena.bots import Data
from arena.match import STALL_S, play_match
from arena.referee import Referee
from tests.scripted import setup


class StoppedArena:
    """Bots that answer at once, until the first move is asked: then time jumps."""

    def __init__(self, clock, late_s):
        self.clock = clock
        self.late_s = late_s
        self.news = []

    def send(self, seat, line):
        request = json.loads(line)
        if request["type"] == "act":
            limit = request["clock"]["move_ms"] + request["clock"]["bank_ms"]
            self.clock.jump((limit + 1) / 1000 + self.late_s)
        else:
            answer = json.dumps({"id": request["id"]}).encode() + b"\n"
            self.news.append(Data(seat, answer))

    async def wait_news(self):
        await trio.lowlevel.checkpoint()
        return self.poll()

    def poll(self):
        news, self.news = self.news, []
        return news

    def rest(self, seat):
        """Nothing thinks here."""

    def dismiss(self, seat):
        pass


@pytest.mark.parametrize(
    ("late_s", "may_void", "reason", "faults"),
    [
        (STALL_S * 2, True, "void", 0),
        (STALL_S * 2, False, "walkover", 8),
        (STALL_S / 2, True, "walkover", 8),
    ],
)
def test_who_is_late(late_s, may_void, reason, faults):
    clock = MockClock()
    referee = Referee(setup("trianon"))
    pipes = StoppedArena(clock, late_s)

    async def play():
        await play_match(referee, pipes, may_void=may_void)

    trio.run(play, clock=clock)
    assert referee.reason == reason
    assert sum(referee.ledger.fault_counts) == faults
    assert (referee.ledger.places is None) == (reason == "void")
