"""What the system tells of real bots' use of processors."""

import os
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from arena.bots import Yard, open_pipes
from arena.botspec import command_bot
from arena.lateness import Pulse
from arena.sandbox import Level, Limits
from arena.witness import Own, TableWitness
from tests.processes import PATIENCE_S, needs_box

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        not Path("/proc/self/schedstat").exists(), reason="no accounts of waiting here"
    ),
]
LEVELS = ["limits", pytest.param("bwrap", marks=needs_box)]
FORKS = "import os, time\nif os.fork():\n  time.sleep(3600)\n"
BURN = "until = time.process_time() + 0.3\nwhile time.process_time() < until: pass\n"


@asynccontextmanager
async def witness_of(program, level, tmp_path):
    """Start three bots, the last of them the program; yield their witness and it."""
    (tmp_path / "bot.py").write_text(program)
    words = [sys.executable, "-S", "bot.py"]
    idle = [sys.executable, "-S", "-c", "import time; time.sleep(3600)"]
    specs = [command_bot(each, tmp_path) for each in (idle, idle, words)]
    yard = Yard()
    with Own() as own:
        async with open_pipes(specs, Level(level), Limits(), yard) as pipes:
            yield TableWitness(Pulse(0.0), own, pipes.bots), pipes.bots[2]
        await yard.bury(pipes, is_polite=False)


async def look_until(witness, is_so):
    with trio.fail_after(PATIENCE_S):
        while True:
            look = witness.look(2, 0.0)
            if look is not None and is_so(look):
                return look
            await trio.sleep(0.01)


@pytest.mark.parametrize("level", LEVELS)
async def test_a_look_sees_the_whole_tree_and_whose_it_is(level, tmp_path):
    program = FORKS + BURN + "time.sleep(3600)"
    async with witness_of(program, level, tmp_path) as (witness, _):
        look = await look_until(witness, lambda look: look.bot_s >= 0.25)
        assert look.table_s >= look.bot_s
        assert len(look.threads) >= 2
        assert max(thread.ran_s for thread in look.threads.values()) >= 0.2
        other = witness.look(0, 0.0)
        assert other is not None
        assert other.bot_s < look.bot_s


@pytest.mark.parametrize("level", LEVELS)
async def test_who_steps_back_behind_others_is_counted_but_not_excused(level, tmp_path):
    program = FORKS + "os.nice(5)\n" + BURN + "while True: pass"
    async with witness_of(program, level, tmp_path) as (witness, _):
        look = await look_until(witness, lambda look: look.bot_s >= 0.4)
        assert max(thread.ran_s for thread in look.threads.values()) < 0.25


async def test_a_bot_that_stops_itself_waits_for_nothing(tmp_path):
    program = "while True: pass"
    async with witness_of(program, "limits", tmp_path) as (witness, bot):
        await look_until(witness, lambda look: look.bot_s > 0)
        os.kill(bot.pid, signal.SIGSTOP)
        first = await look_until(
            witness, lambda look: not any(t.is_ready for t in look.threads.values())
        )
        await trio.sleep(0.05)
        assert witness.look(2, 0.0) == first


async def test_of_a_bot_that_is_gone_nothing_is_told(tmp_path):
    async with witness_of("", "limits", tmp_path) as (witness, bot):
        with trio.fail_after(PATIENCE_S):
            while not bot.reap():
                await trio.sleep(0.01)
        look = witness.look(2, 0.0)
        assert look is not None
        assert (look.bot_s, look.threads) == (0.0, {})
