"""The commands for one match, and what they say when they are misused."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import TRIANON, cup, trianon
from tournaments.cli import main

pytestmark = pytest.mark.processes

VECTORS = Path(__file__).parent / "vectors"
JQ = "jq -c --unbuffered '{id, move: .legal[0]?}'"
RESULT_KEYS = [
    "match", "game", "options", "reason", "deals", "scores", "places", "players",
    "deal_seed", "commit", "record", "sandbox", "wall_ms",
]  # fmt: skip
PLAYER_KEYS = [
    "seat", "name", "out", "faults", "warnings", "moves", "time_ms", "slowest_ms",
    "cpu_ms", "exit", "stderr",
]  # fmt: skip


@pytest.fixture
def here(capsys, monkeypatch, tmp_path):
    """Run the command in this process, where nothing need be started."""

    def run(*args):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["trianon", *map(str, args)])
        monkeypatch.setattr("signal.signal", lambda *_: None)
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return run


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """A record of three deals, with its result."""
    path = tmp_path_factory.mktemp("record") / "match.jsonl"
    code, out, err = trianon(
        "play", "random", "first", "random", "--game", "loyatais", "--deals", 3,
        "--seed", "7", "--record", path, "--json",
    )  # fmt: skip
    assert code == 0, err
    return path, json.loads(out)


def test_play_prints_one_json_value_with_the_keys_of_the_docs(record):
    _, result = record
    assert list(result) == RESULT_KEYS
    assert [list(player) for player in result["players"]] == [PLAYER_KEYS] * 3
    assert result["reason"] == "deals"
    assert result["options"] == {"deals": 3}
    assert [p["name"] for p in result["players"]] == ["random", "first", "random#2"]
    assert all(p["exit"] == {"status": 0} for p in result["players"])


def test_play_says_a_line_a_deal_and_a_table():
    code, out, _ = trianon(
        "play", "first", "first", "first", "--deals", 2, "--seed", "1"
    )
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("deal ")][1:]
    assert "end: deals" in out
    assert "place" in out


def test_a_fault_is_told_in_words_and_the_exit_code_is_one(tmp_path):
    bot = tmp_path / "typo.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    r = json.loads(line)\n"
        "    print(json.dumps({'id': r['id'], 'mvoe': 'pass'}), flush=True)\n"
    )
    code, out, _ = trianon("play", f"python3 {bot}", "first", "first", "--deals", 1)
    assert code == 1
    assert "bad_message: 'move' is missing" in out
    assert "did you mean 'move' by 'mvoe'?" in out
    assert "strikes" in out


def test_strict_ends_with_the_first_fault(tmp_path):
    bot = tmp_path / "bad.py"
    bot.write_text("import sys\nfor line in sys.stdin: print('{', flush=True)\n")
    code, out, _ = trianon(
        "play", f"python3 {bot}", "first", "first", "--strict", "--json"
    )
    result = json.loads(out)
    assert (code, result["reason"], result["places"]) == (1, "strict", None)


@pytest.mark.skipif(not shutil.which("jq"), reason="jq is not installed")
@pytest.mark.parametrize("game", ["trianon", "loyatais"])
def test_the_one_line_bot_of_the_docs_plays_without_fault_or_warning(game):
    code, out, err = trianon("play", JQ, JQ, JQ, "--game", game, "--json")
    assert code == 0, err
    players = json.loads(out)["players"]
    assert not any(p["faults"] or p["warnings"] or p["out"] for p in players)


def test_the_record_verifies_and_replays(record):
    path, _ = record
    code, out, _ = trianon("verify", path, "--json")
    assert (code, json.loads(out)) == (0, {"records": 1, "agree": 1, "wrong": []})
    code, out, _ = trianon("replay", path, "--deal", 2, "--seat", 1)
    assert code == 0
    lines = out.splitlines()
    heads = next(k for k, line in enumerate(lines) if "clubs" in line)
    assert lines[heads + 1].startswith("  first ")
    # No other hand than seat 1's: the next line tells already what somebody shows.
    assert " shows " in lines[heads + 2]
    assert "deal 1" not in out


def test_an_altered_record_is_refused_with_the_line_and_the_rule(record, tmp_path):
    path, _ = record
    lines = path.read_text().splitlines()
    score = next(i for i, line in enumerate(lines) if '"e":"score"' in line)
    event = json.loads(lines[score])
    event["points"][0] += 10
    lines[score] = json.dumps(event, separators=(",", ":"))
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("\n".join(lines) + "\n")
    code, out, _ = trianon("verify", wrong, "--json")
    found = json.loads(out)
    assert (code, found["agree"]) == (1, 0)
    assert found["wrong"][0]["line"] == score + 1
    assert found["wrong"][0]["rule"] == "L10"


def test_a_record_cut_in_the_middle_is_found_wanting(record, tmp_path):
    path, _ = record
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(path.read_bytes()[:-700])
    for command in ("verify", "replay"):
        code, _, err = trianon(command, cut)
        assert code == 1
        assert "Traceback" not in err


@pytest.mark.parametrize("game", ["trianon", "loyatais"])
def test_deal_shows_what_the_vectors_have(game, here):
    vector = json.loads((VECTORS / f"{game}.jsonl").read_text().splitlines()[1])
    code, out, _ = here(
        "deal", vector["deal_seed"], vector["no"], "--game", game, "--json"
    )
    shown = json.loads(out)
    assert code == 0
    assert shown == {key: vector[key] for key in shown}
    assert {"hands", "dealer" if game == "trianon" else "taker"} <= shown.keys()


def test_bots_lists_the_samples(here):
    code, out, _ = here("bots", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert code == 0
    assert {"first", "random", "careful"} <= rows.keys()
    assert list(rows["first"]) == ["name", "language", "games", "runnable", "needs"]


def test_schema_is_json(here):
    code, out, _ = here("schema")
    assert code == 0
    assert {"request", "event", "record_line", "move_answer"} <= json.loads(out).keys()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["play", "first", "first"], "takes 3 values"),
        (["play", "nosuchbot", "first", "first"], "no sample"),
        (["play", "./first", "first", "first"], "no such program"),
        (["play", "/etc/passwd", "first", "first"], "not executable"),
        (["play", "'open", "first", "first"], "quotes"),
        (["play", "", "first", "first"], "empty"),
        (["play", "human", "first", "first"], "terminal"),
        (["play", "first", "first", "first", "--game", "loyatais", "--deals", "4"],
         "multiple of 3"),
        (["play", "first", "first", "first", "--game", "loyatais", "--target", "9"],
         "--target"),
        (["play", "first", "first", "first", "--no-clock", "--move-ms", "5"], "clock"),
        (["play", "first", "first", "first", "--record", "/nowhere/x"], "no folder"),
        (["play", "first", "first", "first", "--game", "whist"], "whist"),
        (["verify", "nosuchfile"], "no such record"),
        (["verify"], "RECORD"),
        (["replay", "nosuchfile"], "no such record"),
        (["replay", "/"], "folder"),
        (["table", "nosuchdir"], "no results"),
        (["run", "nosuchcup.toml"], "nosuchcup.toml"),
        (["deal", "7", "0"], "0"),
        (["nosuchcommand"], "nosuchcommand"),
    ],
)  # fmt: skip
def test_misuse_is_one_line_with_the_remedy(args, says, here):
    code, out, err = here(*args)
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1, err
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize("locale", ["C", "fr_FR.UTF-8", "POSIX"])
def test_any_locale_will_do(locale, tmp_path):
    path = cup(tmp_path)
    env = {"LANG": locale, "LC_ALL": locale, "PYTHONUTF8": "0"}
    code, out, err = trianon("run", path, cwd=tmp_path, env=env)
    assert code == 0, err
    assert "bot0" in out


@pytest.mark.parametrize(
    "command",
    [
        "play",
        "check",
        "new",
        "run",
        "table",
        "replay",
        "verify",
        "deal",
        "bots",
        "schema",
    ],
)
def test_every_command_has_help_with_an_example(command, here):
    code, out, _ = here(command, "--help")
    assert code == 0
    assert "Example:" in out


def test_output_that_cannot_be_written_is_said(record):
    path, _ = record
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*TRIANON, "replay", path], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 4
    assert b"Traceback" not in done.stderr


def test_a_command_that_ignores_hangups_goes_on_without_its_terminal():
    argv = [sys.executable, "-m", "tournaments.cli", "play", *["first"] * 3]
    argv += ["--game", "loyatais", "--deals", "60", "--sandbox", "limits"]
    with subprocess.Popen(
        ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        rest, _ = process.communicate(timeout=60)
    assert first.startswith("deal   1")
    assert "deal  60" in rest
    assert process.returncode == 0
