"""Tournaments with a bot that crashes and one that hangs: what counts, and for whom."""

import json
import os
import signal
import sys

import pytest

from tests.command import comparable_table, cup, start, trianon
from tests.processes import wait_until
from tournaments.audit import standings_of
from tournaments.reports import render

pytestmark = pytest.mark.processes

CRASH = "import json\nprint(json.dumps({'id': 0}), flush=True)\n"
HANG = f"import time\n{CRASH}time.sleep(3600)\n"
ZZ = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "move": "ZZ"}), flush=True)
"""
CLOCK = "[clock]\nmove_ms = 150\nbank_ms = 0\nstart_ms = 1000\n"


def lay_out(folder, bots=5, **keys):
    """Make a cup of so many bots: the second crashes at once, the third hangs."""
    (folder / "crash.py").write_text(CRASH)
    (folder / "hang.py").write_text(HANG)
    python = f"{sys.executable} -S"
    names = ["first", f"{python} crash.py", f"{python} hang.py"]
    path = cup(folder, bots=(names + ["first"] * bots)[:bots], **keys)
    path.write_text(path.read_text().replace("[options]", f"{CLOCK}[options]"))
    return path


def check(folder):
    code, out, _ = trianon("verify", folder / "cup", "--json")
    assert (code, json.loads(out)["wrong"]) == (0, [])


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The table of the cup when it is played one match at a time."""
    folder = tmp_path_factory.mktemp("alone")
    path = lay_out(folder, jobs=1)
    code, out, err = trianon("run", path, cwd=folder)
    assert code == 0, err
    assert "not played, since bot1, bot2 had too many outs in a row" in out
    return folder


def test_every_match_is_played_or_benched(alone):
    table = comparable_table(alone)
    rows = {row["bot"]: row for row in table["rows"]}
    assert table["finished"] + table["benched"] == table["scheduled"] == 60
    assert [rows[bot]["outs"] for bot in ("bot1", "bot2")] == [3, 3]
    # Whatever they did not play is lost for them, and no match at all for the others.
    assert [rows[bot]["matches"] for bot in ("bot1", "bot2")] == [36, 36]
    assert [rows[bot]["wins"] for bot in ("bot1", "bot2")] == [0, 0]
    assert rows["bot1"]["win_rate_low"] is None
    others = sum(rows[bot]["matches"] for bot in ("bot0", "bot3", "bot4"))
    assert others == 3 * table["finished"] - 6
    records = list((alone / "cup/records").iterdir())
    assert len(records) == table["finished"]
    check(alone)


@pytest.mark.parametrize("jobs", [2, 4])
def test_the_table_is_the_same_with_more_tables_at_a_time(alone, jobs, tmp_path):
    code, _, err = trianon("run", lay_out(tmp_path, jobs=jobs), cwd=tmp_path)
    assert code == 0, err
    assert comparable_table(tmp_path) == comparable_table(alone)
    check(tmp_path)


def test_the_table_is_the_same_over_stops(alone, tmp_path):
    path = lay_out(tmp_path, jobs=2)
    records = tmp_path / "cup/records"
    for number, end in enumerate((signal.SIGINT, signal.SIGKILL), 1):
        process = start("run", path, cwd=tmp_path)

        def has_come_far(number=number):
            return records.is_dir() and len(list(records.iterdir())) >= 4 * number

        assert wait_until(has_come_far)
        os.kill(process.pid, end)
        process.communicate(timeout=30)
    code, _, err = trianon("run", path, cwd=tmp_path)
    assert code == 0, err
    assert comparable_table(tmp_path) == comparable_table(alone)
    check(tmp_path)


def test_nobody_is_benched_where_the_cup_says_never(tmp_path):
    path = lay_out(tmp_path, bots=3, bench_after=0, strikes=1)
    code, out, err = trianon("run", path, "--json", cwd=tmp_path)
    assert code == 0, err
    table = json.loads(out)
    assert (table["finished"], table["benched"]) == (6, 0)
    assert [row["outs"] for row in table["rows"]] == [0, 6, 6]


def test_the_table_says_why_bots_were_out(alone):
    told = render(standings_of(alone / "cup"), "simple").splitlines()
    assert [line for line in told if line.startswith("Outs of")] == [
        "Outs of bot1: no_start 3.",
        "Outs of bot2: no_start 3.",
    ]


def test_the_table_says_which_faults_were_the_strikes(tmp_path):
    (tmp_path / "zz.py").write_text(ZZ)
    path = cup(tmp_path, bots=("first", "first", f"{sys.executable} -S zz.py"))
    code, out, err = trianon("run", path, cwd=tmp_path)
    assert code == 0, err
    assert "Outs of bot2: strikes 3 (faults: illegal_move 9)." in out


def test_the_seats_of_a_benched_bot_hold_what_it_lost(alone):
    _, out, _ = trianon("table", "cup", "--json", "--seats", cwd=alone)
    seats = [seat for seat in json.loads(out)["seats"] if seat["bot"] == "bot1"]
    assert [seat["matches"] for seat in seats] == [12, 12, 12]
