"""Tournaments of real processes: their table, their end, and going on after it."""

import contextlib
import fcntl
import json
import os
import resource
import shutil
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from arena.burial import children
from tests.command import cup, start, trianon

pytestmark = pytest.mark.processes

MATCHES = 6
STUCK = "import sys, time\nfor line in sys.stdin: time.sleep(3600)\n"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A finished tournament of three bots, and what it printed with --json-events."""
    folder = tmp_path_factory.mktemp("played")
    path = cup(folder)
    code, out, err = trianon("run", path, "--json-events", cwd=folder)
    assert code == 0, err
    return folder, [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def again(played, tmp_path):
    """A copy of the finished tournament, to be spoilt."""
    folder = tmp_path / "again"
    shutil.copytree(played[0], folder)
    return folder


def table_of(folder):
    code, out, err = trianon("table", "cup", "--json", cwd=folder)
    assert code == 0, err
    return json.loads(out)


def test_events_tell_every_match_and_the_table(played):
    folder, events = played
    kinds = [event["event"] for event in events]
    assert kinds.count("match_started") == kinds.count("match_finished") == MATCHES
    assert kinds[-2:] == ["standings", "done"]
    assert events[-1] == {"event": "done", "finished": 6, "scheduled": 6, "void": 0}
    table = {k: v for k, v in events[-2].items() if k != "event"}
    assert table == table_of(folder)
    names = {event["match"] for event in events if event["event"] == "match_finished"}
    orders = ("012", "021", "102", "120", "201", "210")
    assert names == {f"cup/bot0+bot1+bot2/1/{order}" for order in orders}


def test_six_orders_of_one_bot_come_to_level_wins(played):
    rows = table_of(played[0])["rows"]
    assert [row["wins"] for row in rows] == [2.0, 2.0, 2.0]
    assert [row["matches"] for row in rows] == [6, 6, 6]
    assert all(row["win_rate_low"] is None for row in rows)  # one block is too few


def test_the_folder_holds_what_the_docs_say(played):
    folder = played[0] / "cup"
    assert (folder / "cup.toml").read_bytes() == (played[0] / "cup.toml").read_bytes()
    records = list((folder / "records").iterdir())
    assert len(records) == MATCHES
    assert all(len(path.name) == len("0123456789abcdef.jsonl") for path in records)
    assert not list((folder / "running").iterdir())
    code, out, _ = trianon("verify", folder, "--json")
    assert (code, json.loads(out)["agree"]) == (0, MATCHES)


def test_the_same_command_again_plays_nothing(again):
    code, out, _ = trianon("run", "cup.toml", "--json-events", cwd=again)
    assert code == 0
    assert [json.loads(line)["event"] for line in out.splitlines()] == [
        "standings",
        "done",
    ]


def test_more_rounds_are_added_and_the_old_ones_kept(again):
    before = {p.name: p.read_bytes() for p in (again / "cup/records").iterdir()}
    cup(again, rounds=2)
    code, _, err = trianon("run", "cup.toml", cwd=again)
    assert code == 0, err
    after = {p.name: p.read_bytes() for p in (again / "cup/records").iterdir()}
    assert len(after) == 2 * MATCHES
    assert before.items() <= after.items()


def test_another_change_of_the_cup_is_refused(again):
    cup(again, strikes=5)
    code, out, err = trianon("run", "cup.toml", cwd=again)
    assert (code, out) == (2, "")
    assert "`strikes` was 3, is now 5" in err


def test_a_torn_record_is_found_and_its_match_played_again(again):
    victim = min((again / "cup/records").iterdir())
    whole = [line for line in victim.read_text().splitlines()[1:] if '"ms"' not in line]
    victim.write_bytes(victim.read_bytes()[:-100])
    code, out, _ = trianon("run", "cup.toml", "--json-events", cwd=again)
    assert code == 0
    assert out.count("match_finished") == 1
    after = victim.read_text().splitlines()[1:]
    assert [line for line in after if '"ms"' not in line] == whole
    assert trianon("verify", again / "cup")[0] == 0


def test_a_forged_result_does_not_verify(again):
    with sqlite3.connect(again / "cup/results.sqlite") as store:
        store.execute("UPDATE players SET points = points + 1 WHERE bot = 'bot1'")
    store.close()
    code, out, _ = trianon("verify", again / "cup")
    assert code == 1
    assert "the record says" in out
    assert "the sums of the table" in out


def test_a_second_run_on_the_same_folder_is_refused(again):
    with (again / "cup/.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        code, out, err = trianon("run", "cup.toml", cwd=again)
    assert (code, out) == (2, "")
    assert "another  trianon run" in err or "another trianon run" in err


def test_a_damaged_store_is_one_clear_line(again):
    (again / "cup/results.sqlite").write_bytes(b"no database at all" * 100)
    for command in (("run", "cup.toml"), ("table", "cup")):
        code, out, err = trianon(*command, cwd=again)
        assert (code, out) == (4, "")
        assert "damaged" in err
        assert "Traceback" not in err


def test_a_locked_store_is_one_clear_line(again):
    store = sqlite3.connect(again / "cup/results.sqlite", isolation_level=None)
    store.execute("BEGIN EXCLUSIVE")
    try:
        code, out, err = trianon("run", "cup.toml", cwd=again)
    finally:
        store.close()
    assert (code, out) == (4, "")
    assert "locked" in err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "`name` is missing"),
        (b"\x00\x01\x02binary", "cup.toml"),
        (b"name = 'x'\ngame = 'trianon'\nruonds = 3\n", "rounds"),
        (b"name = 'x'\ngame = 'trianon'\n[[bots]]\nbot = 'first'\n", "three bots"),
    ],
)
def test_a_wrong_cup_is_one_line_with_the_remedy(text, says, tmp_path):
    (tmp_path / "cup.toml").write_bytes(text)
    code, out, err = trianon("run", "cup.toml", cwd=tmp_path)
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert says in err


def test_two_bots_of_one_name_and_a_missing_command_are_refused(tmp_path):
    path = cup(tmp_path)
    path.write_text(path.read_text().replace('"bot2"', '"bot1"'))
    code, _, err = trianon("run", path, cwd=tmp_path)
    assert (code, "both called" in err) == (2, True)
    path = cup(tmp_path, bots=("first", "first", "nosuchprogram --fast"))
    code, _, err = trianon("run", path, cwd=tmp_path)
    assert (code, "nosuchprogram" in err) == (2, True)


def test_a_cup_with_windows_line_ends_will_do(tmp_path):
    path = cup(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert trianon("run", path, "--json", cwd=tmp_path)[0] == 0


def test_a_bot_that_cannot_start_stops_the_run_with_its_last_words(tmp_path):
    (tmp_path / "broken.py").write_text("import nosuchmodule\n")
    path = cup(tmp_path, bots=("first", "first", "python3 broken.py"))
    code, out, err = trianon("run", path, cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "ModuleNotFoundError" in err
    assert "exited with status 1" in err
    code, out, _ = trianon("run", path, "--allow-broken", "--json", cwd=tmp_path)
    rows = {row["bot"]: row for row in json.loads(out)["rows"]}
    assert code == 0
    assert (rows["bot2"]["outs"], rows["bot2"]["matches"]) == (3, MATCHES)  # benched
    assert rows["bot2"]["wins"] == 0
    assert rows["bot2"]["points_per_deal"] is None
    assert rows["bot0"]["outs"] == 0


def test_many_jobs_few_matches_few_descriptors(tmp_path):
    path = cup(tmp_path, jobs=64)

    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    code, out, err = trianon("run", path, "--json", cwd=tmp_path, preexec_fn=few_files)
    assert code == 0, err
    assert json.loads(out)["finished"] == MATCHES
    path = cup(tmp_path, name="none")

    def no_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (34, 34))

    code, out, err = trianon("run", path, "--json", cwd=tmp_path, preexec_fn=no_files)
    assert (code, out) == (4, "")
    assert "ulimit -n" in err


def test_a_disk_that_takes_no_more_ends_the_run_loudly(tmp_path):
    path = cup(tmp_path)

    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    code, out, err = trianon("run", path, cwd=tmp_path, preexec_fn=small_files)
    assert (code, out) == (4, "")
    assert sum(line.startswith("trianon: ") for line in err.splitlines()) == 1
    assert trianon("run", path, "--json", cwd=tmp_path)[0] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_with_a_stuck_bot_keeps_what_is_finished_and_prints_the_table(
    number, tmp_path
):
    bot = tmp_path / "stuck.py"
    hello = "import json\nprint(json.dumps({'id': 0}), flush=True)\n"
    bot.write_text(hello + STUCK)
    path = cup(tmp_path, bots=("first", "first", "python3 stuck.py"))
    process = start("run", path, cwd=tmp_path)
    _wait_for_match(tmp_path)
    os.kill(process.pid, number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == (130 if number == signal.SIGINT else 143)
    assert "bot0" in out  # the table
    assert "Traceback" not in err
    assert not _living(tmp_path)


def test_killed_with_nine_and_run_again_it_comes_to_the_same(played, tmp_path):
    path = cup(tmp_path)
    for target in ("front", "warden", "engine", "group"):
        process = start("run", path, cwd=tmp_path)
        _wait_for_match(tmp_path)
        _kill(process.pid, target)
        _, err = process.communicate(timeout=30)
        assert "Traceback" not in err
        assert not _living(tmp_path), target
    code, _, err = trianon("run", path, cwd=tmp_path)
    assert code == 0, err
    assert _without_times(table_of(tmp_path)) == _without_times(table_of(played[0]))
    assert trianon("verify", tmp_path / "cup")[0] == 0


def _kill(front, target):
    """Kill one of the processes of a run; its child is the warden, then the engine."""
    if target == "group":
        os.killpg(front, signal.SIGKILL)
        return
    pid = front
    for _ in range(["front", "warden", "engine"].index(target)):
        pid = (children(pid) or [front])[0]
    os.kill(pid, signal.SIGKILL)


def _wait_for_match(folder):
    """Wait until a match is being played."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        running = folder / "cup/running"
        if running.is_dir() and any(running.iterdir()):
            return
        time.sleep(0.02)
    raise AssertionError("no match has begun")


def _living(folder):
    """Return the processes that still live below ``folder``, after a moment."""
    until = time.monotonic() + 5
    while True:
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                with contextlib.suppress(OSError):
                    if (entry / "cwd").readlink().is_relative_to(folder):
                        found.append(entry.name)
        if not found or time.monotonic() > until:
            return found
        time.sleep(0.05)


def _without_times(table):
    for row in table["rows"]:
        del row["mean_ms"], row["slowest_ms"]
    return table


def test_a_bot_that_has_changed_since_its_first_matches_is_told(tmp_path):
    (tmp_path / "mine").mkdir()
    program = tmp_path / "mine" / "bot.py"
    source = Path(__file__).parents[1] / "sample_bots" / "python" / "first"
    shutil.copy(source / "bot.py", program)
    path = cup(tmp_path, bots=("python3 mine/bot.py", "first", "random"))
    for _ in range(2):
        code, _, err = trianon("run", str(path), cwd=tmp_path)
        assert (code, "has changed" in err) == (0, False), err
    program.write_text(program.read_text() + "# better\n")
    code, _, err = trianon("run", str(path), cwd=tmp_path)
    assert (code, "'bot0' has changed since its first matches" in err) == (0, True)
