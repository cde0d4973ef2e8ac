"""Several engines on one machine: who has which core, who gets an order, who dies."""

import contextlib
import json
import os
import secrets
import signal
import socket
import sys
from collections import Counter

import pytest

from arena.botspec import find_bot
from arena.engines import Engines, spread
from arena.errors import ArenaError, CannotGoOnError
from arena.games import GAMES
from arena.link import EngineLink
from arena.orders import PlayOrder, Started
from arena.sandbox import Level, Limits
from arena.setup import MatchSetup
from tests.command import cup, start, trianon
from tests.processes import below, exists, orphanage, reap, strays, wait_until

pins = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="no process is kept on a core here"
)
needs_two = pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2 if hasattr(os, "sched_getaffinity") else True,
    reason="needs two cores",
)


@pytest.mark.parametrize(
    ("jobs", "cores", "usable", "engines"),
    [
        (1, "auto", "0123", "1:"),  # one table has the machine
        (2, "auto", "01", "1:0 1:1"),
        (2, "auto", "0123", "1:01 1:23"),
        (3, "auto", "0123", "1:01 1:2 1:3"),  # the same to all, as far as it goes
        (2, "auto", "57", "1:5 1:7"),  # those that we may use, whatever their numbers
        (5, "auto", "01", "3: 2:"),  # not one for each: the system deals them out
        (4, "auto", "0", "4:"),  # one core is work for one engine
        (1, "one", "0123", "1:0"),
        (2, "one", "0123", "1:0 1:1"),
        (5, "one", "01", "3:0 2:1"),
        (2, "all", "0123", "1: 1:"),
    ],
)
def test_who_plays_how_many_matches_on_which_cores(jobs, cores, usable, engines):
    parts = spread(jobs, cores, [int(core) for core in usable], can_pin=True)
    texts = [f"{n}:{''.join(map(str, sorted(p.cores)))}" for n, p in parts]
    assert " ".join(texts) == engines
    assert {place.engines for _, place in parts} == {len(parts)}


def test_where_nobody_can_be_kept_on_a_core_auto_leaves_them_free():
    parts = spread(2, "auto", [0, 1, 2, 3], can_pin=False)
    assert [place.cores for _, place in parts] == [frozenset(), frozenset()]


def test_where_nobody_can_be_kept_on_a_core_one_is_refused():
    with pytest.raises(ArenaError, match='cores = "all"'):
        spread(2, "one", [0, 1], can_pin=False)


def table_of(folder, name="cup"):
    code, out, err = trianon("table", name, "--json", cwd=folder)
    assert code == 0, err
    table = json.loads(out)
    for row in table["rows"]:
        del row["mean_ms"], row["slowest_ms"]
    return table


@pytest.mark.processes
def test_the_table_is_the_same_however_many_engines_play(tmp_path):
    tables = []
    for number, (jobs, cores) in enumerate([(1, "all"), (3, "one")]):
        folder = tmp_path / str(number)
        folder.mkdir()
        cup(folder, jobs=jobs, cores=cores)
        code, _, err = trianon("run", "cup.toml", cwd=folder)
        assert code == 0, err
        tables.append(table_of(folder))
    assert tables[0] == tables[1]


# --- who gets an order ----------------------------------------------------------------


class FakeLink(EngineLink):
    """An engine that says what it is told to say."""

    def __init__(self, jobs=1):
        ours, self._theirs = socket.socketpair()
        super().__init__(ours, 0, -1, jobs)
        self.matches = []

    def order(self, order):
        self.matches.append(order.setup.match)

    def says(self, report):
        self._theirs.sendall(report.wire().encode() + b"\n")

    def hang_up(self):
        left_s = super().hang_up()
        self._theirs.close()
        return left_s


@pytest.fixture
def two():
    links = [FakeLink(), FakeLink()]
    yield links
    for link in links:
        link._channel.close()
        link._theirs.close()


def an_order(match):
    bot = find_bot("first")
    names = ("a", "b", "c")
    setup = MatchSetup(
        "loyatais", GAMES["loyatais"].options({}), match, names, "d", "s", "0"
    )
    limits = Limits()
    return PlayOrder(setup=setup, bots=(bot,) * 3, level=Level.NONE, limits=limits)


def test_an_order_goes_to_the_engine_that_has_begun_the_last(two):
    engines = Engines(two)
    for match in "12":
        engines.order(an_order(match))
    two[1].says(Started(match="2"))
    assert list(engines.reports(1)) == [Started(match="2")]
    engines.order(an_order("3"))
    assert [link.matches for link in two] == [["1"], ["2", "3"]]


def test_at_the_stop_all_engines_are_heard_to_their_end(two):
    engines = Engines(two)
    for link, match in zip(two, "12", strict=True):
        link.says(Started(match=match))
    heard = sorted(engines.stop(), key=str)
    assert heard == [Started(match="1"), Started(match="2")]


def test_an_engine_that_has_gone_ends_it_and_the_others_can_still_be_heard(
    two, monkeypatch
):
    monkeypatch.setattr(FakeLink, "_bury", lambda *_: 0)
    engines = Engines(two)
    two[0]._theirs.close()
    with pytest.raises(CannotGoOnError, match="has gone"):
        list(engines.reports(1))
    two[1].says(Started(match="2"))
    assert list(engines.stop()) == [Started(match="2")]


# --- real engines ---------------------------------------------------------------------

HELLO = "import json, time\nprint(json.dumps({'id': 0}), flush=True)\n"
HANG = f"{HELLO}time.sleep(3600)\n"
KILL, STOP, INT = signal.SIGKILL, signal.SIGSTOP, signal.SIGINT


class Running:
    """A cup that two engines play, both with a table of three bots that hang."""

    def __init__(self, folder, **keys):
        (folder / "hang.py").write_text(HANG)
        self.token = f"token-{secrets.token_hex(4)}"
        bot = f"{sys.executable} -S hang.py {self.token}"
        cup(folder, bots=[bot] * 3, sandbox="limits", **keys)
        self.process = start("run", "cup.toml", cwd=folder)
        self.front = self.process.pid
        running = folder / "cup" / "running"
        self.is_set = wait_until(
            lambda: running.is_dir() and len(list(running.iterdir())) == 2
        ) and wait_until(lambda: len(self.bots()) == 6)
        self.wardens = below(self.front)
        self.engines = [pid for warden in self.wardens for pid in below(warden)]

    def bots(self):
        return [item.pid for item in strays(self.token)]

    def is_buried(self):
        pids = (*self.wardens, *self.engines)
        reap(pids)
        return not any(map(exists, pids)) and not self.bots()


@contextlib.contextmanager
def running(folder, **keys):
    with orphanage():
        it = Running(folder, **keys)
        try:
            assert it.is_set
            assert len(it.engines) == 2
            yield it
        finally:
            for pid in (it.front, *it.wardens, *it.engines, *it.bots()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, KILL)
            it.process.communicate()
            wait_until(it.is_buried)


def send(number, *whom):
    def kill(it):
        for pick in whom:
            os.kill(pick(it), number)

    return kill


def front(it):
    return it.front


def warden(it):
    return it.wardens[1]


def engine(it):
    return it.engines[1]


@pytest.mark.processes
@needs_two
@pytest.mark.parametrize(
    ("how", "status", "says"),
    [
        pytest.param(send(KILL, front), -9, "", id="KILL the front"),
        pytest.param(send(KILL, warden), 4, "engine has gone", id="KILL a warden"),
        pytest.param(send(KILL, engine), 4, "engine has gone", id="KILL an engine"),
        pytest.param(send(KILL, front, warden), -9, "", id="KILL front and warden"),
        pytest.param(send(INT, front), 130, "interrupted", id="INT to the front"),
    ],
)
def test_whoever_of_several_dies_nothing_is_left(how, status, says, tmp_path):
    with running(tmp_path) as it:
        how(it)
        assert wait_until(it.is_buried)
        _, err = it.process.communicate(timeout=30)
        assert it.process.returncode == status
        assert says in err
        assert "Traceback" not in err


@pytest.mark.processes
@pins
@needs_two
def test_a_table_stays_on_the_core_of_its_engine(tmp_path):
    with running(tmp_path, cores="one") as it:
        cores = [os.sched_getaffinity(pid) for pid in it.engines]
        assert [len(each) for each in cores] == [1, 1]
        assert cores[0] != cores[1]
        tables = Counter(frozenset(os.sched_getaffinity(pid)) for pid in it.bots())
        assert tables == {frozenset(each): 3 for each in cores}
        assert len(os.sched_getaffinity(it.front)) > 1


@pytest.mark.processes
@needs_two
def test_when_one_engine_dies_what_the_others_have_finished_is_kept(tmp_path):
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    for folder in (whole, torn):
        folder.mkdir()
        cup(folder, rounds=2)
    assert trianon("run", "cup.toml", cwd=whole)[0] == 0
    with start("run", "cup.toml", "--json-events", cwd=torn) as process:
        finished = [_match(line) for line in _until_finished(process.stdout)]
        victim = below(below(process.pid)[1])[0]
        os.kill(victim, KILL)
        finished += [_match(line) for line in process.stdout]
        process.stderr.read()
    assert process.returncode in (0, 4)  # 0: it was over before the kill came
    code, out, err = trianon("run", "cup.toml", "--json-events", cwd=torn)
    assert code == 0, err
    later = [_match(line) for line in out.splitlines()]
    once = [match for match in (*finished, *later) if match is not None]
    assert len(once) == len(set(once)) == 12
    assert table_of(torn) == table_of(whole)


def _until_finished(lines):
    for line in lines:
        yield line
        if _match(line) is not None:
            return


def _match(line):
    event = json.loads(line)
    return event["match"] if event["event"] == "match_finished" else None
