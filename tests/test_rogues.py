"""Each rogue at a table with two honest bots, through the installed command."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from arena.record import read_record
from arena.verify import verify
from protocol.events import FaultEvent, OutEvent
from tests import rogues
from tests.command import trianon
from tests.processes import needs_box, strays
from tests.rogues import HONEST, ROGUES, ROOT, Rogue

TRIANON = str(Path(sys.executable).with_name("trianon"))
CLOCK = ("--move-ms", "100", "--bank-ms", "400")
AT_ONCE = 3  # matches; most of their time they wait
TRIES = 3
TABLE = {rogue.name: rogue for rogue in ROGUES}

pytestmark = pytest.mark.processes


def trianon_play(folder, bots, *args, level="limits"):
    """Play one match, and return the process, its result and its record."""
    record = folder / "record.jsonl"
    clock = () if "--no-clock" in args else CLOCK
    command = [
        *(TRIANON, "play", *bots, "--json", "--sandbox", level),
        *("--seed", "7", "--deals", "1", "--record", str(record), *clock, *args),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60)
    return done, record


def token_of(name, level):
    """Return a word by which the processes of one match are known."""
    return f"match-{name}-{level}"


@pytest.fixture(scope="module")
def matches(request, tmp_path_factory):
    """The matches of the rogues that this run is to test, some at a time."""
    wanted = {
        (item.callspec.params.get("name"), item.callspec.params.get("level", "limits"))
        for item in request.session.items
        if item.module is request.module and hasattr(item, "callspec")
    }
    with ThreadPoolExecutor(AT_ONCE) as pool:
        futures = {}
        for name, rogue in TABLE.items():
            for level in ("limits", "bwrap"):
                if (name, level) in wanted:
                    folder = tmp_path_factory.mktemp(name)
                    command = f"{rogue.command} {token_of(name, level)}"
                    bots = [HONEST, command, HONEST]
                    futures[name, level] = pool.submit(
                        trianon_play, folder, bots, *rogue.args, level=level
                    )
        yield futures
        for future in futures.values():
            future.cancel()


def test_every_rogue_is_in_the_register():
    programs = {path.stem for path in Path(rogues.__file__).parent.glob("[!_]*.py")}
    assert programs == TABLE.keys()
    assert len(TABLE) == len(ROGUES)
    assert {rogue.row for rogue in ROGUES} == set(range(1, 38))


CASES = [
    pytest.param(rogue.name, level, marks=needs_box if level == "bwrap" else ())
    for rogue in ROGUES
    for level in ("limits", "bwrap")
    if level == "bwrap" or not rogue.only_boxed
]


@pytest.mark.parametrize(("name", "level"), CASES)
def test_a_rogue_gets_what_it_deserves_and_harms_nobody(name, level, matches):
    rogue = TABLE[name]
    done, record = matches[name, level].result()
    if "timeout" in rogue.faults:
        done = until_it_is_late(rogue, level, done, record, matches)
    assert done.stderr == b""
    result = json.loads(done.stdout)
    assert done.returncode == (1 if rogue.faults or rogue.out else 0)
    check_rogue(rogue, result["players"][1])
    check_honest(rogue, result)
    check_record(rogue, read_record(record))
    assert strays(token_of(name, level)) == []


def until_it_is_late(rogue, level, done, record, matches):
    """Return a match in which the rogue was late: on its own if it was excused.

    Who gets no processor beside all the others is (docs/decisions/0006).
    """
    for _ in range(TRIES):
        if json.loads(done.stdout)["players"][1]["faults"]:
            break
        wait(matches.values())
        bots = [HONEST, f"{rogue.command} {token_of(rogue.name, level)}", HONEST]
        done, _ = trianon_play(record.parent, bots, *rogue.args, level=level)
    return done


def check_rogue(rogue, player):
    assert player["out"] == rogue.out
    assert tuple(fault["code"] for fault in player["faults"]) == rogue.faults
    assert set(player["warnings"]) == rogue.warnings
    ended = player["exit"].get("status", player["exit"].get("signal"))
    assert rogue.ended in (None, ended)
    assert len(player["stderr"]) < 10_000
    assert 1 <= len(player["name"]) <= 64
    assert player["name"].isprintable()


def check_honest(rogue, result):
    for seat in (0, 2):
        player = result["players"][seat]
        assert (player["out"], player["faults"], player["warnings"]) == (None, [], {})
        assert player["exit"] == {"status": 0}
    scores, places = result["scores"], result["places"]
    assert result["reason"] == "deals"
    if rogue.out is not None:
        assert places[1] == 3
        ahead = scores[2] > scores[0], scores[0] > scores[2]
        assert (places[0], places[2]) == (1 + ahead[0], 1 + ahead[1])


def check_record(rogue, record):
    assert verify(record) is None
    outs = [(e.seat, e.code) for e in record.events if isinstance(e, OutEvent)]
    assert outs == ([] if rogue.out is None else [(1, rogue.out)])
    faults = [e for e in record.events if isinstance(e, FaultEvent)]
    assert tuple(event.code for event in faults) == rogue.faults
    assert all(event.line is None or event.line.isprintable() for event in faults)


def player_of(name, matches):
    return json.loads(matches[name, "limits"].result()[0].stdout)["players"][1]


@pytest.mark.parametrize("name", ["stderr_flood"])
def test_of_a_torrent_of_stderr_head_and_tail_are_kept(name, matches):
    stderr = player_of(name, matches)["stderr"]
    assert stderr.startswith("log log")
    assert "bytes left out" in stderr
    assert stderr.endswith("log\n")


@pytest.mark.parametrize("name", ["no_start", "crash"])
def test_last_words_are_told(name, matches):
    words = {"no_start": "no model found", "crash": "KeyError: 'no such key'"}
    assert words[name] in player_of(name, matches)["stderr"]


@pytest.mark.parametrize("name", ["last_word"])
def test_the_answer_before_an_exit_counts(name, matches):
    assert player_of(name, matches)["moves"] == 2


@pytest.mark.parametrize("name", ["slow_start"])
def test_a_slow_start_is_not_charged(name, matches):
    assert player_of(name, matches)["time_ms"] < 500


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("painter", "b31mcmdamp"),
        ("long_name", "n" * 64),
        ("same_name", "first"),
    ],
)
def test_names_are_cleaned(name, shown, matches):
    assert player_of(name, matches)["name"].startswith(shown)


def test_names_that_are_equal_are_told_apart(tmp_path):
    done, _ = trianon_play(tmp_path, [TABLE["same_name"].command] * 3)
    names = [player["name"] for player in json.loads(done.stdout)["players"]]
    assert names == ["first", "first#2", "first#3"]


@pytest.mark.parametrize(
    ("level", "text", "words"),
    [
        ("limits", "#!/no/such/interpreter\n", "No such file"),
        ("limits", "neither a script nor a program\n", "Exec format error"),
        ("limits", f"#!{sys.executable}\nthis is no Python\n", "exited with status 1"),
        # In the box a shell says it, on the bot's stderr.
        pytest.param("bwrap", "#!/no/such/interpreter\n", "not found", marks=needs_box),
        pytest.param("bwrap", "no_program\n", "not found", marks=needs_box),
        pytest.param(
            *(
                "bwrap",
                f"#!{sys.executable}\nthis is no Python\n",
                "exited with status 1",
            ),
            marks=needs_box,
        ),
    ],
)
def test_a_program_that_cannot_run_is_out_at_once(level, text, words, tmp_path):
    program = tmp_path / "bot.run"
    program.write_text(text)
    program.chmod(0o755)
    done, record = trianon_play(tmp_path, [HONEST, str(program), HONEST], level=level)
    result = json.loads(done.stdout)
    assert result["players"][1]["out"] == "no_hello"
    assert result["wall_ms"] < 10_000  # no timeout
    assert verify(read_record(record)) is None
    told = subprocess.run(
        [
            TRIANON,
            "play",
            HONEST,
            str(program),
            HONEST,
            "--deals",
            "1",
            "--sandbox",
            level,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert words in told.stdout


def test_two_rogues_leave_the_third_the_match(tmp_path):
    bots = [TABLE["crash"].command, HONEST, TABLE["flood_unending"].command]
    done, record = trianon_play(tmp_path, bots)
    result = json.loads(done.stdout)
    assert (result["reason"], result["places"]) == ("walkover", [3, 1, 3])
    assert verify(read_record(record)) is None


def test_three_bots_that_cannot_start_are_all_out(tmp_path):
    done, _ = trianon_play(tmp_path, [TABLE["no_start"].command] * 3)
    result = json.loads(done.stdout)
    assert (result["reason"], result["places"]) == ("all_out", [3, 3, 3])


@pytest.mark.parametrize("name", ["daemons", "illegal", "crash"])
def test_rogues_play_the_other_game(name, tmp_path):
    rogue: Rogue = TABLE[name]
    bots = [HONEST, rogue.command, HONEST]
    args = ("--game", "loyatais", "--deals", "3")
    done, record = trianon_play(tmp_path, bots, *args)
    assert json.loads(done.stdout)["players"][1]["out"] == rogue.out
    assert verify(read_record(record)) is None
    assert strays(f"tests.rogues.{name} ") == []  # not those it is a prefix of


def test_who_is_slow_in_one_seat_only_shows(tmp_path):
    words = rogue_cup(tmp_path)
    code, _, err = trianon("run", str(words), cwd=ROOT)
    assert code == 0, err
    code, out, _ = trianon("table", str(tmp_path / "out"), "--seats")
    assert code == 0
    lines = [line.split() for line in out.splitlines() if line.startswith("dawdler")]
    mean_ms = {line[1]: float(line[-2]) for line in lines}
    assert mean_ms["1"] > 2 * max(mean_ms["0"], mean_ms["2"])


def rogue_cup(folder):
    """Write a cup with a bot that is slow in seat 1."""
    path = folder / "cup.toml"
    path.write_text(
        'name = "slow"\ngame = "loyatais"\njobs = 2\nseed = "s"\n'
        f'out = "{folder / "out"}"\n[options]\ndeals = 3\n[clock]\nmove_ms = 200\n'
        f'[[bots]]\nname = "dawdler"\ndir = "{ROOT}"\n'
        f'command = ["{sys.executable}", "-S", "-m", "tests.rogues.seat_dawdler"]\n'
        '[[bots]]\nbot = "first"\n[[bots]]\nbot = "random"\n'
    )
    return path
