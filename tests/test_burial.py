"""However a match ends, nothing of the bots is left: no process, and no zombie."""

import contextlib
import errno
import os
import secrets
import signal
import subprocess
import sys
import time

import pytest
import trio

from arena import bots, burial, cgroups
from arena.bots import Data, Exited, News, Yard, open_pipes
from arena.botspec import find_bot
from arena.process import KEPT, Scrap
from arena.sandbox import Level, Limits
from tests.processes import LEVELS, below, exists, orphanage, reap, strays, wait_until
from tests.rogues import HONEST, ROGUES, ROOT
from tests.test_rogues import TRIANON

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and subreapers"),
]
COMMANDS = {rogue.name: rogue.command for rogue in ROGUES}
NEST = 4  # processes of this rogue


class Arena:
    """A running ``trianon play`` at whose table everything has been set up."""

    def __init__(self, token, table, count, level):
        self.token = token
        # Its own group: what is sent to that group must not reach the tests.
        self.process = subprocess.Popen(
            [TRIANON, "play", *table, "--no-clock", "--sandbox", level, "--json"],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        self.front = self.process.pid
        self.is_set = wait_until(lambda: len(strays(token)) == count)
        (self.warden,) = below(self.front)
        (self.engine,) = below(self.warden)
        self.bots = {item.pid for item in strays(token)}

    def wait(self):
        """Return the exit status and stderr, once it has ended."""
        out, err = self.process.communicate(timeout=20)
        assert out == ""
        return self.process.returncode, err

    def is_buried(self):
        """Tell whether nothing is left; the warden's zombie is its parent's to reap."""
        reap((self.warden, self.engine))
        left = [pid for pid in (*self.bots, self.warden, self.engine) if exists(pid)]
        return not left and not strays(self.token)

    def groups(self):
        """Return the control groups that its engine has left."""
        name = f"{cgroups.PREFIX}{self.engine}-*"
        places = set(cgroups.places().values())
        return [group for place in places for group in place.glob(name)]


@contextlib.contextmanager
def arena(level="limits"):
    """Seat a stuck bot with daemons, another behind a shell, and an honest one."""
    token = f"token-{secrets.token_hex(4)}"
    nest = f"{COMMANDS['nest']} {token}"
    table = [f"sh -c '{nest}; true'", nest, f"{HONEST} {token}"]
    with orphanage():
        running = Arena(token, table, count=2 * NEST + 1 + 1, level=level)
        try:
            yield running
        finally:
            for pid in (running.front, running.warden, running.engine):
                if exists(pid):
                    os.kill(pid, signal.SIGKILL)
            for item in strays(token):
                with contextlib.suppress(ProcessLookupError):  # dying already
                    os.kill(item.pid, signal.SIGKILL)
            running.process.communicate()
            reap((running.warden, running.engine, *running.bots))


def kill(number, *whom):
    def send(running):
        for name in whom:
            with contextlib.suppress(ProcessLookupError):  # the first took it along
                os.kill(getattr(running, name), number)

    return send


def kill_group(number):
    return lambda running: os.killpg(running.front, number)


def stop_engine_then_interrupt(running):
    os.kill(running.engine, signal.SIGSTOP)
    os.kill(running.front, signal.SIGINT)


INT, TERM, HUP, KILL = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("how", "status", "says"),
    [
        pytest.param(kill(INT, "front"), 130, "interrupted", id="INT to the front"),
        pytest.param(kill(TERM, "front"), 143, "terminated", id="TERM to the front"),
        pytest.param(kill(HUP, "front"), 143, "terminated", id="HUP to the front"),
        pytest.param(kill_group(INT), 130, "interrupted", id="INT to the group"),
        pytest.param(stop_engine_then_interrupt, 130, "interrupted", id="STOP, INT"),
        pytest.param(kill(KILL, "front"), -9, "", id="KILL the front"),
        pytest.param(kill_group(KILL), -9, "", id="KILL the group"),
        pytest.param(kill(KILL, "warden"), 4, "engine has gone", id="KILL the warden"),
        pytest.param(kill(KILL, "engine"), 4, "engine has gone", id="KILL the engine"),
        pytest.param(kill(KILL, "front", "engine"), -9, "", id="KILL front, engine"),
        pytest.param(kill(KILL, "engine", "front"), -9, "", id="KILL engine, front"),
        pytest.param(kill(KILL, "front", "warden"), -9, "", id="KILL front, warden"),
        pytest.param(
            kill(KILL, "warden", "engine"), 4, "engine has gone", id="KILL both below"
        ),
    ],
)
def test_whoever_dies_first_nothing_is_left(how, status, says, level, request):
    with arena(level) as running:
        assert running.is_set
        how(running)
        assert wait_until(running.is_buried)
        case = request.node.callspec.id
        if "warden" not in case and "both" not in case:  # else the next run does it
            assert wait_until(lambda: not running.groups())
        ended, err = running.wait()
        lines = err.strip().splitlines()
        assert (ended, len(lines)) == (status, 1 if says else 0)
        assert says in err


@pytest.mark.parametrize("number", [INT, TERM])
def test_signals_to_warden_and_engine_alone_stop_nothing(number):
    with arena() as running:
        for pid in (running.warden, running.engine):
            os.kill(pid, number)
        time.sleep(0.1)  # that nothing happens shows in time only
        assert all(exists(pid) for pid in running.bots)


def test_two_arenas_do_not_touch_each_other():
    with arena() as one, arena() as two:
        os.kill(one.front, KILL)
        assert wait_until(one.is_buried)
        assert {item.pid for item in strays(two.token)} == two.bots
        os.kill(two.front, INT)
        assert wait_until(two.is_buried)
        assert two.wait()[0] == 130


# --- the yard -------------------------------------------------------------------------


def spec(command):
    return find_bot(command, ROOT)


def table(token, *names):
    return [spec(f"{COMMANDS.get(name, HONEST)} {token}") for name in names]


@pytest.fixture
def token():
    return f"token-{secrets.token_hex(4)}"


async def until(is_so):
    with trio.fail_after(15):
        while not is_so():
            await trio.sleep(0.01)


HELLO = b'{"id":0,"type":"hello"}\n'


@pytest.mark.parametrize("level", LEVELS)
async def test_a_bot_that_is_out_goes_at_once_and_so_do_its_daemons(token, level):
    yard = Yard()
    with orphanage():
        specs = table(token, "nest", "first", "first")
        async with open_pipes(specs, Level(level), Limits(), yard) as pipes:
            pipes.send(0, HELLO)
            await until(lambda: len(strays(token)) == NEST + 2)
            pipes.dismiss(0)
            await until(lambda: len(strays(token)) == 2)  # the match goes on
        await yard.bury(pipes, is_polite=True)
        assert strays(token) == []
        assert burial.children(os.getpid()) == []


async def test_zombies_of_a_living_bot_are_swept_and_its_daemons_spared(token):
    yard, level = Yard(), Level.LIMITS
    with orphanage():
        specs = table(token, "nest")
        async with open_pipes(specs, Level(level), Limits(), yard) as pipes:
            pipes.send(0, HELLO)
            await until(lambda: len(strays(token)) == NEST)
            orphan = next(p for p in below(os.getpid()) if p != pipes.bots[0].pid)
            yard.sweep()
            assert len(strays(token)) == NEST
            os.kill(orphan, signal.SIGKILL)
            await until(lambda: len(strays(token)) == NEST - 1)
            yard.sweep()
            assert not exists(orphan)
        await yard.bury(pipes, is_polite=False)
        assert burial.children(os.getpid()) == []


@pytest.mark.parametrize("level", LEVELS)
async def test_when_one_bot_cannot_be_started_the_others_go(token, monkeypatch, level):
    where, name = (os, "posix_spawn") if level == "bwrap" else (subprocess, "Popen")
    really = getattr(where, name)
    left = [2]

    def start(*args, **given):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.EMFILE, "Too many open files")
        return really(*args, **given)

    monkeypatch.setattr(where, name, start)
    yard = Yard()
    with pytest.raises(OSError, match="Too many"):
        async with open_pipes(
            table(token, "stubborn", "first", "first"), Level(level), Limits(), yard
        ):
            pytest.fail("the third has not been started")
    assert burial.children(os.getpid()) == []


@pytest.mark.parametrize("level", LEVELS)
async def test_all_that_a_bot_wrote_comes_before_its_exit(level):
    size = 50_000
    program = f"import os; os.write(1, b'x' * {size}); os._exit(5)"
    yard = Yard()
    specs = [spec(f'{sys.executable} -S -c "{program}"')]
    async with open_pipes(specs, Level(level), Limits(), yard) as pipes:
        news: list[News] = []
        while not any(isinstance(item, Exited) for item in news):
            news += await pipes.wait_news()
    await yard.bury(pipes, is_polite=True)
    assert sum(len(item.data) for item in news if isinstance(item, Data)) == size
    assert news[-1] == Exited(0, "exited with status 5")


@pytest.mark.parametrize("level", LEVELS)
async def test_a_bot_that_reads_nothing_costs_a_bounded_backlog(token, level):
    yard = Yard()
    specs = [spec("sleep 600")]
    async with open_pipes(specs, Level(level), Limits(), yard) as pipes:
        for _ in range(300):
            pipes.send(0, b"x" * 16_000 + b"\n")
            assert not pipes.poll()
        assert len(pipes.bots[0].backlog) <= bots.MAX_BACKLOG
        pipes.dismiss(0)
    await yard.bury(pipes, is_polite=True)
    assert burial.children(os.getpid()) == []


async def test_of_a_long_text_head_and_tail_are_kept():
    scrap = Scrap()
    scrap.add(b"x" * 4095 + "é".encode())  # a letter that lies on the seam
    assert scrap.text() == "x" * 4095 + "é"
    for _ in range(100):
        scrap.add(b"y" * 1000)
    scrap.add(b"end")
    text = scrap.text()
    assert text.startswith("xxx")
    assert text.endswith("yend")
    assert f"{4097 + 100_003 - 2 * KEPT} bytes" in text
