"""A late answer, and an arena that was not itself (docs/decisions/0006)."""

import json
import os
import signal
import sys
import threading
import time

import pytest
import trio
from trio.testing import MockClock

from arena.bots import Data
from arena.burial import children
from arena.lateness import NO_STALL, STALL_S, Look, Pulse, Stall, Thread, excuse_s
from arena.match import play_match
from arena.referee import Referee
from tests.command import cup, start, trianon
from tests.processes import wait_until
from tests.scripted import setup

WINDOW = 2.0  # seconds


def look(at, table, ran=0.0, waited=0.0, *, is_ready=True, cores=2):
    return Look(at, table, ran, {7: Thread(ran, waited, is_ready, cores)})


FIRST = look(0.0, 5.0, ran=3.0, waited=1.0)


@pytest.mark.parametrize(
    ("case", "stall", "last", "excuse"),
    [
        ("healthy", Stall(0.1, 0.1), look(WINDOW, 7.0, 5.0, 1.0), 0),
        ("stopped engine", Stall(3.0, 0.0), look(WINDOW, 9.0, 5.0, 1.0), 3.0),
        ("engine starved by others", Stall(3.0, 3.0), look(WINDOW, 5.5), 2.75),
        ("engine starved by this table", Stall(1.0, 1.0), look(WINDOW, 9.0), 0),
        ("bot starved by others", NO_STALL, look(WINDOW, 5.4, 3.4, 2.6), 1.6),
        ("bot starved by its own", NO_STALL, look(WINDOW, 9.0, 3.1, 2.9), 0),
        ("bot that sleeps", NO_STALL, look(WINDOW, 5.0, 3.0, 1.0, is_ready=False), 0),
        ("bot that never ran", NO_STALL, look(WINDOW, 5.0, 3.0, 1.0), WINDOW),
        ("bot that waited little", NO_STALL, look(WINDOW, 5.4, 3.4, 1.9), 0),
        ("all on one core", NO_STALL, look(WINDOW, 7.0, 3.1, 2.9, cores=1), 0),
        ("nothing known of the bots", Stall(0.7, None), None, 0.7),
        ("nothing known of the engine", Stall(0.7, None), look(WINDOW, 9.0), 0),
    ],
)
def test_what_excuses_a_late_answer(case, stall, last, excuse):
    assert excuse_s(stall, FIRST, last, cores=2) == pytest.approx(excuse), case


def test_threads_that_wait_for_each_other_are_no_excuse():
    """Sixty-three, woken at once again and again: the sum of waits is enormous."""
    busy = {n: Thread(0.06, 0.9, is_ready=True, cores=2) for n in range(63)}
    first, last = Look(0.0, 0.0, 0.0, {}), Look(WINDOW, 3.78, 3.78, busy)
    assert excuse_s(NO_STALL, first, last, cores=2) == 0


def test_without_a_first_look_all_that_was_ever_used_counts_against_the_bots():
    assert excuse_s(Stall(1.0, 1.0), None, look(WINDOW, 9.0), cores=2) == 0
    assert excuse_s(Stall(1.0, 1.0), None, look(WINDOW, 0.2), cores=2) == 0.9


def test_a_pulse_tells_of_beats_that_are_late_and_of_one_that_is_overdue():
    pulse = Pulse(0.0, 0.0)
    pulse.beat(0.1, 0.0)
    pulse.beat(1.2, 0.5)  # due at 0.2
    pulse.beat(1.3, 0.5)
    assert pulse.stall(0.0, 1.3, 0.5) == pytest.approx((1.0, 0.5))
    assert pulse.stall(0.7, 1.3, 0.5) == pytest.approx((0.5, 0.25))
    assert pulse.stall(1.3, 3.4, 0.5) == pytest.approx((2.0, 0.0))
    assert pulse.stall(1.3, 1.44, 0.5) == (0.0, 0.0)
    assert pulse.stall(0.7, 1.3, None) == pytest.approx((0.5, 0.25))
    assert pulse.stall(1.3, 3.4, None)[1] is None


# --- in a match ---------------------------------------------------------------------


class StoppedArena:
    """Bots that answer at once, until the first move is asked: then time jumps."""

    def __init__(self, clock, late_s, answers=False):
        self.clock = clock
        self.late_s = late_s
        self.answers = answers
        self.news = []

    def send(self, seat, line):
        request = json.loads(line)
        if request["type"] == "act":
            limit = request["clock"]["move_ms"] + request["clock"]["bank_ms"]
            self.clock.jump((limit + 1) / 1000 + self.late_s)
            if not self.answers:
                return
        move = request.get("legal", [None])[0]
        answer = json.dumps({"id": request["id"], "move": move}).encode() + b"\n"
        self.news.append(Data(seat, answer))

    async def wait_news(self):
        await trio.lowlevel.checkpoint()
        news = self.poll()
        if not news:
            # As real pipes do where nothing comes: a deadline cuts it short.
            self.clock.jump(0.05)
        return news

    def poll(self):
        news, self.news = self.news, []
        return news

    def rest(self, seat):
        """Nothing thinks here."""

    def dismiss(self, seat):
        pass


def play_late(late_s, **given):
    clock = MockClock()
    referee = Referee(setup("trianon"))
    pipes = StoppedArena(clock, late_s, given.pop("answers", False))

    async def play():
        await play_match(referee, pipes, **given)

    trio.run(play, clock=clock)
    return referee


@pytest.mark.parametrize(
    ("late_s", "may_void", "reason", "faults"),
    [
        (STALL_S * 2, True, "void", 0),
        (STALL_S * 2, False, "walkover", 8),
        (STALL_S / 2, True, "walkover", 8),
    ],
)
def test_who_is_late(late_s, may_void, reason, faults):
    referee = play_late(late_s, may_void=may_void)
    assert referee.reason == reason
    assert sum(referee.ledger.fault_counts) == faults
    assert (referee.ledger.places is None) == (reason == "void")


def test_an_answer_that_lay_unread_voids_what_would_cost_its_bank():
    assert play_late(3.0, may_void=True, answers=True, free_ms=100).reason == "void"
    unhurt = play_late(3.0, may_void=True, answers=True, free_ms=60_000)
    assert unhurt.reason == "deals"


def test_at_the_last_attempt_a_stall_is_not_charged():
    referee = play_late(3.0, may_void=False, answers=True, free_ms=100)
    assert referee.ledger.fault_counts == [0, 0, 0]
    # The clock jumps over the whole time allowed, and three seconds more.
    assert max(referee.ledger.slowest_ms) <= 401


# --- real processes -----------------------------------------------------------------

THINKER = """
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    if request["type"] == "act":
        if request["id"] == 2:
            open("asked", "a").close()
            time.sleep(0.5)
        answer["move"] = request["legal"][0]
    print(json.dumps(answer), flush=True)
"""
STALLER = """
import json, os, sys, time
for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    if request["type"] == "act":
        for _ in range(4 * os.cpu_count()):
            if os.fork() == 0:
                until = time.monotonic() + 3
                while time.monotonic() < until:
                    pass
                os._exit(0)
        time.sleep(3600)
    print(json.dumps(answer), flush=True)
"""
CLOCK = "[clock]\nmove_ms = 1500\nbank_ms = 0\n"


def cup_with(folder, source, **keys):
    (folder / "bot.py").write_text(source)
    bot = f"{sys.executable} -S bot.py"
    path = cup(folder, bots=("first", "first", bot), jobs=1, **keys)
    path.write_text(path.read_text().replace("[options]", f"{CLOCK}[options]"))
    return path


def events_of(process, act=lambda: None):
    """Return what a run tells, acting once a match has begun."""
    thread = threading.Thread(target=act)
    thread.start()
    out, err = process.communicate(timeout=300)
    thread.join()
    assert process.returncode == 0, err
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.processes
def test_an_engine_that_is_stopped_in_a_bots_turn_blames_nobody(tmp_path):
    path = cup_with(tmp_path, THINKER, sandbox="limits")
    process = start("run", path, "--json-events", cwd=tmp_path)

    def stop_and_go():
        assert wait_until((tmp_path / "asked").exists)
        (warden,) = children(process.pid)
        (engine,) = children(warden)
        os.kill(engine, signal.SIGSTOP)
        time.sleep(3)  # what the test is about: no shorter stop is sure to be too long
        os.kill(engine, signal.SIGCONT)

    events = events_of(process, stop_and_go)
    done = events[-1]
    played = [event for event in events if event["event"] == "match_finished"]
    assert (done["finished"], done["void"] >= 1) == (6, True)
    assert [p["faults"] for event in played for p in event["players"]] == [[]] * 18
    assert len(list((tmp_path / "cup/void").iterdir())) == done["void"]


@pytest.mark.processes
def test_a_bot_that_stalls_the_machine_is_late_all_the_same(tmp_path):
    """At the third attempt for certain, on a machine that others keep busy."""
    (tmp_path / "bot.py").write_text(STALLER)
    bot = f"{sys.executable} -S bot.py"
    clock = ("--move-ms", "1500", "--bank-ms", "0", "--strikes", "1")
    record = tmp_path / "record.jsonl"
    args = ("play", "first", "first", bot, *clock, "--json", "--record", record)
    code, out, err = trianon(*args, cwd=tmp_path)
    assert code == 1, err
    staller = json.loads(out)["players"][2]
    (fault,) = staller["faults"]
    assert (fault["code"], staller["out"]) == ("timeout", "strikes")
    assert "ms of processor time were used" in fault["text"]
    assert trianon("verify", record)[0] == 0
