"""Tournaments on a real scheduler and real workers: their table, and what can go wrong.

All of it on this machine; workers are killed with -9, and so is the scheduler.
"""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster import cluster, eventually
from tests.command import comparable_table, cup, start, trianon
from tests.processes import strays

pytest.importorskip("distributed", reason="Dask is not installed")
trustme = pytest.importorskip("trustme", reason="trustme is not installed")

pytestmark = pytest.mark.processes
MATCHES = 12
TOKEN = f"far-{os.getpid()}"  # by which this run's bots are known
FIRST = Path(__file__).parents[1] / "sample_bots" / "python" / "first" / "bot.py"
HANG = "import json, time\nprint(json.dumps({'id': 0}), flush=True)\ntime.sleep(3600)\n"


def lay_out(folder, bots=("./made", "random", "first"), rounds=2, **keys):
    """Make a cup whose first bot is a folder that is to be built."""
    made = folder / "made"
    made.mkdir()
    command = json.dumps(["python3", "built.py", TOKEN])
    (made / "bot.toml").write_text(f'command = {command}\nbuild = "sh build.sh"\n')
    (made / "build.sh").write_text("cp bot.py built.py\n")
    shutil.copy(FIRST, made)
    cup(folder, bots=bots, rounds=rounds, **keys)


@pytest.fixture(scope="module")
def at_home(tmp_path_factory):
    """The table of the cup as this machine plays it."""
    folder = tmp_path_factory.mktemp("home")
    lay_out(folder)
    code, _, err = trianon("run", "cup.toml", cwd=folder)
    assert code == 0, err
    return comparable_table(folder)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """A cluster of two workers, both of which stay well."""
    with cluster(tmp_path_factory.mktemp("two")) as running:
        yield running


def run(folder, where, *more, **given):
    return trianon("run", "cup.toml", "--engine", where, *more, cwd=folder, **given)


def rows(folder, statement):
    with contextlib.closing(sqlite3.connect(folder / "cup/results.sqlite")) as store:
        return store.execute(statement).fetchall()


def finished(folder):
    records = folder / "cup" / "records"
    return len(list(records.iterdir())) if records.is_dir() else 0


def test_the_table_is_the_one_of_home_and_each_match_tells_where_it_was_played(
    two, at_home, tmp_path
):
    lay_out(tmp_path)
    code, out, err = run(tmp_path, two.url, "--json-events")
    assert code == 0, err
    assert comparable_table(tmp_path) == at_home
    events = [json.loads(line) for line in out.splitlines()]
    results = [event for event in events if event["event"] == "match_finished"]
    assert len(results) == MATCHES
    machine = os.uname().nodename
    assert {result["machine"] for result in results} == {machine}
    assert rows(tmp_path, "SELECT DISTINCT machine FROM machines") == [(machine,)]
    assert err.count("1 at a time") == 2
    assert not (tmp_path / "made" / "built.py").exists()  # it was built where it ran
    assert trianon("verify", "cup", cwd=tmp_path)[0] == 0


def test_a_bot_that_cannot_start_stops_the_run_with_its_last_words(two, tmp_path):
    (tmp_path / "broken.py").write_text("import nosuchmodule\n")
    lay_out(tmp_path, bots=("first", "first", "python3 broken.py"))
    code, out, err = run(tmp_path, two.url)
    assert (code, out) == (2, "")
    assert "nosuchmodule" in err


def test_workers_and_scheduler_killed_cost_no_match_and_count_none_twice(
    at_home, tmp_path
):
    lay_out(tmp_path)
    with cluster(tmp_path) as running:
        front = start(
            *("run", "cup.toml", "--engine", running.url, "--json-events"),
            cwd=tmp_path,
        )
        events = _Events(front)
        for victim in (*running.members[1:3], running.scheduler):
            events.wait_for(1)
            victim.kill()
            if victim is not running.scheduler:
                running.worker()
        _, err = front.communicate(timeout=100)
        kept = finished(tmp_path)
        # It may just have been over; else it has told in one line why it is not.
        assert (front.returncode, kept) in {(4, kept), (0, MATCHES)}
        if front.returncode == 4:
            assert "the scheduler has gone" in err.splitlines()[-1]
        assert "Traceback" not in err
        assert eventually(lambda: not strays(TOKEN))
        running.start()
        running.worker()
        code, out, err = run(tmp_path, running.url, "--json-events")
        assert code == 0, err
        assert out.count('"match_finished"') == MATCHES - kept
    assert comparable_table(tmp_path) == at_home
    assert trianon("verify", "cup", cwd=tmp_path)[0] == 0


class _Events:
    """What a run tells, while it is told."""

    def __init__(self, front):
        self._lines = front.stdout

    def wait_for(self, count):
        """Wait until so many more matches are finished, or the run is over."""
        for line in self._lines:
            count -= '"match_finished"' in line
            if count == 0:
                return


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_however_the_front_ends_the_workers_stop_its_matches(two, number, tmp_path):
    (tmp_path / "hang.py").write_text(HANG)
    token = f"{TOKEN}-{number.name}"
    bots = (f"{sys.executable} -S hang.py {token}",) * 3
    lay_out(tmp_path, bots=bots, sandbox="limits")
    front = start("run", "cup.toml", "--engine", two.url, cwd=tmp_path)
    assert eventually(lambda: len(strays(token)) >= 6)  # two tables
    os.kill(front.pid, number)
    assert eventually(lambda: not strays(token))
    _, err = front.communicate(timeout=60)
    assert front.returncode == (130 if number == signal.SIGINT else -9)
    assert "Traceback" not in err


def test_a_forged_record_is_refused_its_worker_named_and_the_match_played_elsewhere(
    at_home, tmp_path
):
    lay_out(tmp_path)
    with cluster(tmp_path, workers=0) as running:
        running.worker("--preload", "tests.forging_worker")
        running.worker()
        code, _, err = run(tmp_path, running.url)
        assert code == 0, err
        assert "is forged" in err
        assert err.count("is not used") == 1
        assert comparable_table(tmp_path) == at_home


def test_strangers_code_is_not_given_to_a_worker_without_a_box(tmp_path):
    lay_out(tmp_path)
    empty = tmp_path / "no-programs"
    empty.mkdir()
    with cluster(tmp_path, workers=0) as running:
        running.worker(env={"PATH": str(empty)})
        code, out, err = run(tmp_path, running.url, "--untrusted")
    assert (code, out) == (3, "")
    assert "is not used: it has no box" in err
    assert finished(tmp_path) == 0


# --- certificates ---------------------------------------------------------------------


def certificates(folder, authority, name):
    """Write a certificate of an authority; return the settings that name it."""
    issued = authority.issue_cert("127.0.0.1", "localhost")
    ca, cert, key = (folder / f"{name}-{kind}.pem" for kind in ("ca", "cert", "key"))
    authority.cert_pem.write_to_path(str(ca))
    issued.private_key_pem.write_to_path(str(key))
    issued.cert_chain_pems[0].write_to_path(str(cert))
    settings = {"CA_FILE": ca}
    for role in ("CLIENT", "WORKER", "SCHEDULER"):
        settings |= {f"{role}__CERT": cert, f"{role}__KEY": key}
    start = "DASK_DISTRIBUTED__COMM__TLS__"
    return {start + key: str(value) for key, value in settings.items()}


def test_who_has_no_certificate_or_a_wrong_one_gets_nothing(at_home, tmp_path):
    lay_out(tmp_path)
    right = certificates(tmp_path, trustme.CA(), "right")
    wrong = certificates(tmp_path, trustme.CA(), "wrong")
    with cluster(tmp_path, workers=0, scheme="tls", env=right) as running:
        running.worker()
        stranger = running.worker(env=wrong, waits=False)
        code, out, err = run(tmp_path, running.url)
        assert (code, out) == (2, "")
        assert "needs certificates" in err
        code, out, err = run(tmp_path, running.url, env=wrong)
        assert (code, out) == (4, "")
        assert "no scheduler that talks to us" in err
        code, out, err = run(tmp_path, running.url.replace("dasks", "dask"))
        assert (code, out) == (4, "")
        code, out, err = run(tmp_path, running.url, env=right)
        assert code == 0, err
        assert "is not used" not in err
        assert comparable_table(tmp_path) == at_home
        assert "Registered to" not in stranger.log.read_text()
        assert "Traceback" not in err


def test_without_dask_the_user_is_told_what_to_install(tmp_path):
    lay_out(tmp_path)
    program = (
        "import sys; sys.modules['distributed'] = None\n"
        "sys.argv = ['trianon', 'run', 'cup.toml', '--engine', 'dask://127.0.0.1:1']\n"
        "from tournaments.cli import main; main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "pip install 'trianon-arena[dask]'" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "where", ["dask://host", "dask://:8786", "tcp://host:1", "there", "dask://a:x"]
)
def test_what_is_no_engine_is_refused(where, tmp_path):
    lay_out(tmp_path)
    code, out, err = run(tmp_path, where)
    assert (code, out) == (2, "")
    assert "dask://HOST:PORT" in err


def test_where_nobody_listens_the_run_ends_with_a_line(tmp_path):
    lay_out(tmp_path)
    code, out, err = run(tmp_path, "dask://127.0.0.1:1")
    assert (code, out) == (4, "")
    assert "no scheduler" in err.splitlines()[-1]
