"""``trianon compare`` with real processes: its verdict, its exit code, its end."""

import json
import os
import signal

import pytest

from tests.command import start, trianon
from tests.processes import strays, wait_until
from tournaments import compare as test_of
from tournaments.duel import compare_bots

pytestmark = pytest.mark.processes

KEYS = "a b game verdict rounds difference low high"
SHORT = ("--game", "loyatais", "--seed", "s", "--json")


def compare(*args, cwd=None):
    code, out, err = trianon("compare", *args, *SHORT, cwd=cwd)
    assert out, err
    return code, json.loads(out)


@pytest.fixture
def settle(monkeypatch, capsys):
    """Compare in this process, by a test that is content with little."""
    monkeypatch.setattr(test_of, "LEAST_ROUNDS", 3)
    monkeypatch.setattr(test_of, "BOUND", 0.2)

    def run(*bots):
        code = compare_bots(
            bots,
            against=None,
            game="loyatais",
            max_rounds=60,
            jobs=2,
            seed="s",
            sandbox="none",
            untrusted=False,
            as_json=True,
        )
        return code, json.loads(capsys.readouterr().out)

    return run


def test_a_bot_that_is_better_is_found_to_be(settle):
    code, found = settle("random", "first")
    assert " ".join(found) == KEYS
    assert (code, found["verdict"]) == (0, "better")
    assert (found["a"], found["b"], found["game"]) == ("random", "first", "loyatais")
    assert 3 <= found["rounds"] < 60
    assert found["low"] < found["difference"] < found["high"]
    assert found["difference"] > 0


def test_a_bot_is_not_better_than_itself(settle):
    code, found = settle("first", "first")
    assert (code, found["verdict"], found["rounds"]) == (1, "not better", 3)
    assert (found["a"], found["b"]) == ("first", "first#2")
    assert found["difference"] == 0


def test_the_answer_does_not_depend_on_how_many_are_played_at_a_time():
    one, four = (
        compare("random", "first", "--max-rounds", "3", "--jobs", jobs)
        for jobs in ("1", "4")
    )
    assert one == four
    assert one[0] == 1
    assert (one[1]["verdict"], one[1]["rounds"]) == ("undecided", 3)


def test_two_bots_against_a_third_on_the_same_deals():
    code, found = compare("first", "first", "--against", "random", "--max-rounds", "2")
    assert (code, found["verdict"], found["rounds"]) == (1, "undecided", 2)
    # Not 0: random has a seed of its own in every match.
    assert found["low"] is found["high"] is None


def test_deals_that_a_bot_is_out_of_are_deals_without_points(tmp_path):
    quitter = tmp_path / "quitter.py"
    quitter.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    if request['type'] == 'act': sys.exit()\n"
        "    print(json.dumps({'id': request['id']}), flush=True)\n"
    )
    _, found = compare(f"python3 {quitter}", "first", "--max-rounds", "1")
    # Of 12 deals: nothing for it, and what two others make of them.
    assert found["difference"] < -10


def test_for_people_it_is_a_sentence():
    code, out, err = trianon(
        "compare", "first", "first", "--game", "loyatais", "--max-rounds", "2"
    )
    assert code == 1
    assert "undecided whether first is better than first#2" in out
    assert "+0.0 points a deal" in out
    assert "seed" in err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("nosuch", "first"), "nosuch"),
        (("first",), "takes 2 values"),
        (("first", "random", "--against", "human"), "human"),
        (("first", "random", "--max-rounds", "0"), "max-rounds"),
    ],
)
def test_misuse_is_one_line(args, says):
    code, out, err = trianon("compare", *args)
    assert (code, out) == (2, "")
    assert says in err


def test_a_bot_that_cannot_start_is_told_with_its_last_words(tmp_path):
    (tmp_path / "broken.py").write_text("import nosuchmodule\n")
    code, out, err = trianon("compare", "first", "python3 broken.py", cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "ModuleNotFoundError" in err


def test_ctrl_c_answers_at_once_and_leaves_nothing(tmp_path):
    stuck = tmp_path / "stuck_in_compare.py"
    stuck.write_text(
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    if request['type'] == 'act': time.sleep(3600)\n"
        "    print(json.dumps({'id': request['id']}), flush=True)\n"
    )
    process = start("compare", "first", f"python3 {stuck}", "--json")
    assert wait_until(lambda: len(strays("stuck_in_compare")) >= 2)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert wait_until(lambda: not strays("stuck_in_compare"))
