"""Frozen bots: nothing of theirs runs while it is not their turn."""

import json
import sys

import pytest
import trio

from arena import burial, cgroups
from arena.bots import Data, Yard, open_pipes
from arena.botspec import command_bot
from arena.process import BotProcess
from arena.result import Exit
from arena.sandbox import Level, Limits, Pondering
from tests.command import cup, trianon
from tests.processes import LEVELS, needs_box, processes, wait_until
from tests.rogues import ROOT

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="needs /proc"),
]
CROWD = """
import os, sys, time
for number in range(4):
    if os.fork() == 0:
        if number % 2:
            os.setsid()
            if os.fork(): os._exit(0)
        while True: pass
for line in sys.stdin:
    print(len(line), flush=True)
"""


@pytest.fixture(params=["freezer", "signals"])
def means(request, monkeypatch):
    """What freezes a bot: a control group where there is one, or signals."""
    if request.param == "signals":
        places = {
            kind: place
            for kind, place in cgroups.places().items()
            if kind != cgroups.FREEZER
        }
        monkeypatch.setattr(cgroups, "places", lambda: places)
    elif cgroups.FREEZER not in cgroups.places():
        pytest.skip("no control group for freezing can be made here")
    return request.param


def running(mark):
    """Return how much processor time the marked processes have used, in ticks."""
    return {
        item.pid: sum(
            map(int, (burial._PROC / str(item.pid) / "stat").read_text().split()[13:15])
        )
        for item in processes()
        if item.mark == mark
    }


async def answer(pipes):
    """Return what a bot says up to the end of a line."""
    said = b""
    while not said.endswith(b"\n"):
        for item in await pipes.wait_news():
            assert isinstance(item, Data)
            said += item.data
    return said


@pytest.mark.parametrize("level", LEVELS)
async def test_a_frozen_crowd_uses_no_time(level, means, tmp_path):
    burial.become_subreaper()
    spec = command_bot([sys.executable, "-c", CROWD], ROOT)
    yard = Yard()
    async with open_pipes(
        [spec], Level(level), Limits(), yard, Pondering.FROZEN
    ) as pipes:
        (bot,) = pipes.bots
        for size in (3, 5):
            pipes.send(0, b"x" * (size - 1) + b"\n")
            assert await answer(pipes) == f"{size}\n".encode()
            pipes.rest(0)
            assert wait_until(lambda: running(bot.mark) == running(bot.mark))
            before = running(bot.mark)
            assert len(before) >= 5
            await trio.sleep(0.2)
            assert running(bot.mark) == before
        pipes.dismiss(0)
    await yard.bury(pipes, is_polite=True)
    assert not running(bot.mark)


@pytest.mark.parametrize("level", LEVELS)
async def test_a_frozen_bot_is_let_go_to_exit(level, means):
    spec = command_bot(
        [sys.executable, "-c", "import sys; sys.stdin.read(); sys.exit(7)"], ROOT
    )
    yard = Yard()
    async with open_pipes(
        [spec], Level(level), Limits(), yard, Pondering.FROZEN
    ) as pipes:
        pipes.rest(0)
    await yard.bury(pipes, is_polite=True)
    assert pipes.bots[0].exit == Exit(status=7)


def test_who_is_frozen_can_be_killed(means):
    burial.become_subreaper()
    spec = command_bot([sys.executable, "-c", CROWD], ROOT)
    bot = BotProcess(spec, Level.LIMITS, Limits())
    bot.freeze()
    bot.kill()
    assert wait_until(bot.reap)
    bot.close()


@needs_box
def test_a_match_of_frozen_bots_is_the_same_match(tmp_path):
    results = []
    for pondering in ("allowed", "frozen"):
        folder = tmp_path / pondering
        folder.mkdir()
        path = cup(folder, pondering=pondering, seed="s", rounds=1)
        code, out, err = trianon("run", str(path), "--json", cwd=folder)
        assert code == 0, err
        rows = json.loads(out)["rows"]
        results.append([(row["bot"], row["wins"], row["faults"]) for row in rows])
    assert results[0] == results[1]
