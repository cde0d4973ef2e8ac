"""``trianon check`` with real bots: each has one mistake, each language its own."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

from arena.botspec import samples
from tests.command import TRIANON, trianon
from tests.processes import needs_box, strays
from tests.rogues import ROOT

pytestmark = pytest.mark.processes

HERE = ROOT / "tests" / "wanting"
AT_ONCE = 3  # checks; most of their time they wait
# Short, so that a silence is soon over; long enough for a JVM on a busy machine.
FAST = ("--quick", "--move-ms", "500", "--bank-ms", "1500", "--hello-ms", "6000")


class Wanting(NamedTuple):
    """A bot and its mistake.

    Attributes:
        name: of the test.
        command: the BOT; BUILD stands for the folder of what was compiled.
        step: the first step that is not passed; None where only a warning tells.
        words: they stand in its cause or hint.
        program: what must be installed.
        warning: the code of a warning that it gets.
    """

    name: str
    command: str
    step: str | None
    words: tuple[str, ...] = ()
    program: str = "python3"
    warning: str | None = None


def _python(name, step, *words, warning=None):
    command = f"{sys.executable} -m tests.wanting.{name}"
    return Wanting(name, command, step, words, "python3", warning)


NOT_FLUSHED = "stdout is not flushed"
BOTS = [
    _python("no_flush", "flush", NOT_FLUSHED, "flush=True", "PYTHONUNBUFFERED"),
    Wanting(
        "no_flush_bare",
        f"{sys.executable} -E -m tests.wanting.no_flush",
        "hello",
        (NOT_FLUSHED, "flush=True"),
    ),
    Wanting("no_flush_c", "BUILD/no_flush", "hello", (NOT_FLUSHED, "fflush"), "gcc"),
    Wanting("no_flush_go", "BUILD/no_flush_go", "hello", (NOT_FLUSHED, "Flush"), "go"),
    Wanting(
        "no_flush_java",
        "java -Xshare:auto -cp BUILD NoFlush",
        "hello",
        (NOT_FLUSHED, "System.out.flush()"),
        "javac",
    ),
    Wanting(
        *("no_flush_ruby", f"ruby {HERE}/no_flush.rb", "hello"),
        *((NOT_FLUSHED, "$stdout.sync"), "ruby"),
    ),
    Wanting(
        "no_flush_perl",
        f"perl {HERE}/no_flush.pl",
        "hello",
        (NOT_FLUSHED, "$| = 1"),
        "perl",
    ),
    Wanting(
        "no_flush_jq",
        "jq -c '{id, move: .legal[0]?}'",
        "hello",
        (NOT_FLUSHED, "--unbuffered"),
        "jq",
    ),
    Wanting(
        "input_buffer",
        f"mawk -f {HERE}/input_buffer.awk",
        "hello",
        ("its input is buffered", "mawk -W interactive"),
        "mawk",
    ),
    Wanting(
        "line_1kb",
        "BUILD/line_1kb",
        "lines",
        ("1,100 bytes", "fgets(line, 1024, stdin)"),
        "gcc",
    ),
    _python("reads_all", "hello", "only when its input has ended"),
    _python("labelled", "hello", "behind other text", "answer: {"),
    _python("dictionary", "hello", "not_json", "single quotes"),
    _python("late", "lines", "answers late"),
    _python("wrong_id", "hello", "wrong_id: an answer to 1 came"),
    _python("typo", "first_move", "did you mean 'move' by 'mvoe'?"),
    _python("strict_fields", "unknown", "an unknown field", "unknown fields"),
    _python("spins", "exit", "spins at the end of its input"),
    _python("one_match", "second_match", "the table is laid already"),
    _python("leaves", "second_match", "exits at the end of a match", '"reuse":false'),
    _python("latin_1", "hello", "bad_encoding", "'é' in Latin-1"),
    _python("exits", "hello", "exited with status 0 before its first answer", "loop"),
    _python("computes", "lines", "it was computing"),
    _python("drops_late", "late_answer", "after an answer that was late"),
    _python("no_names", "names", "UnicodeEncodeError"),
    _python("banner", None, warning="stray_line"),
    _python("text_id", None, warning="id_form"),
]
TABLE = {bot.name: bot for bot in BOTS}
ALONE = "impatient one_game no_farewell"  # in tests of their own


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Compile what is to be compiled, with the compilers that are here."""
    folder = tmp_path_factory.mktemp("build")
    commands = {
        "gcc": [
            ["gcc", "-O1", "-o", str(folder / name), str(HERE / f"{name}.c")]
            for name in ("no_flush", "line_1kb")
        ],
        "javac": [["javac", "-d", str(folder), str(HERE / "NoFlush.java")]],
        "go": [
            ["go", "build", "-o", f"{folder}/no_flush_go", str(HERE / "no_flush.go")]
        ],
    }
    for program, lines in commands.items():
        if shutil.which(program):
            env = {**os.environ, "GOCACHE": str(folder / "cache"), "GO111MODULE": "off"}
            for line in lines:
                subprocess.run(line, check=True, env=env)
    return folder


def check(bot, *args, level="limits"):
    done = subprocess.run(
        [*TRIANON, "check", bot, "--json", "--sandbox", level, *args],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert not done.stderr or done.stderr.startswith("building ")
    return done.returncode, json.loads(done.stdout)


@pytest.fixture(scope="module")
def checks(request, build):
    """The checks that this run is to test, some at a time."""
    wanted = {
        item.callspec.params.get("name")
        for item in request.session.items
        if item.module is request.module and hasattr(item, "callspec")
    }
    with ThreadPoolExecutor(AT_ONCE) as pool:
        futures = {
            bot.name: pool.submit(
                check, bot.command.replace("BUILD", str(build)), *FAST
            )
            for bot in BOTS
            if bot.name in wanted and shutil.which(bot.program)
        }
        yield futures
        for future in futures.values():
            future.cancel()


@pytest.mark.parametrize("name", TABLE)
def test_a_mistake_is_found_and_its_cause_named(name, checks):
    bot = TABLE[name]
    if not shutil.which(bot.program):
        pytest.skip(f"{bot.program} is not installed")
    code, report = checks[name].result()
    wrong = [step for step in report["steps"] if step["ok"] is False]
    if bot.step is None:
        assert (code, wrong) == (0, [])
        assert report["warnings"].keys() == {bot.warning}
        return
    assert (code, report["ok"]) == (1, False)
    assert wrong[0]["step"] == bot.step, wrong[0]
    told = f"{wrong[0]['cause']}; {wrong[0]['hint']}"
    for words in bot.words:
        assert words in told
    assert any(line.startswith("→ ") for line in wrong[0]["lines"])
    assert strays(f"tests.wanting.{name}") == []


@pytest.mark.parametrize(
    "name", ["one_match", "leaves", "no_names", "spins", "drops_late"]
)
def test_one_mistake_fails_no_other_step(name, checks):
    _, report = checks[name].result()
    wrong = {step["step"] for step in report["steps"] if step["ok"] is not True}
    assert wrong == {TABLE[name].step}


def test_every_program_is_in_the_table():
    commands = " ".join(bot.command for bot in BOTS)
    programs = {path.stem for path in HERE.glob("[!_]*.*")}
    assert [name for name in programs if name not in commands + ALONE] == []
    assert len(TABLE) == len(BOTS)


def test_a_stall_is_survived_or_named():
    bot = f"{sys.executable} -m tests.wanting.impatient"
    code, report = check(bot, "--move-ms", "500", "--game", "trianon")
    steps = {step["step"]: step for step in report["steps"]}
    assert code == 1
    assert "after 3 s in which nothing is asked" in steps["stall"]["cause"]


def test_a_bot_is_tried_in_the_games_that_it_says_it_plays():
    bot = f"{sys.executable} -m tests.wanting.one_game"
    code, report = check(bot, "--quick")
    assert code == 0
    assert {step["game"] for step in report["steps"]} == {None, "loyatais"}
    code, report = check(bot, "--quick", "--game", "trianon")
    assert code == 1
    assert report["steps"][1]["cause"] == "it plays loyatais, not trianon"


def test_the_answer_to_end_may_be_skipped():
    bot = f"{sys.executable} -m tests.wanting.no_farewell"
    code, report = check(bot, "--quick", "--strict", "--game", "trianon")
    assert (code, [step for step in report["steps"] if not step["ok"]]) == (0, [])


@pytest.mark.parametrize("name", samples())
def test_every_sample_passes_without_a_warning(name):
    sample = samples()[name]
    if sample.needs is not None:
        pytest.skip(f"{sample.needs} is not installed")
    code, report = check(name, "--strict", "--quick")
    wrong = [step for step in report["steps"] if not step["ok"]]
    assert (code, wrong, report["warnings"]) == (0, [], {})


def test_the_whole_check_of_a_sample_asks_every_question():
    code, report = check("random", "--strict")
    steps = {(step["step"], step["game"]): step for step in report["steps"]}
    assert code == 0
    for game in ("trianon", "loyatais"):
        assert steps["questions", game]["cause"] == ""
        assert steps["requests", game]["cause"] == "200 moves"
    assert "the same" in steps["same_seed", None]["cause"]


@needs_box
def test_a_sample_passes_in_the_box_too():
    code, report = check("first", "--quick", "--game", "loyatais", level="bwrap")
    assert (code, report["ok"]) == (0, True)


# --- what cannot be started ---------------------------------------------------------


def elf(machine):
    return b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\2\0" + machine.to_bytes(2, "little")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (b"#!/no/such/interpreter\n", "the interpreter /no/such/interpreter"),
        (
            b"#!/usr/bin/env no-such-python\n",
            "no-such-python, which is not on",
        ),
        (b"#!/usr/bin/env python3\r\nprint()\n", "carriage return"),
        (b"import json\n", "#!/usr/bin/env python3"),
        (elf(4242) + b"\0" * 100, "is built for machine 4242"),
        (b"MZ\x90\0", "Windows"),
        (b"\xca\xfe\xba\xbe\0\0", "Java class"),
    ],
)
def test_a_program_that_cannot_be_started_is_explained(program, words, tmp_path):
    path = tmp_path / "bot.run"
    path.write_bytes(program)
    path.chmod(0o755)
    code, report = check(str(path))
    step = report["steps"][0]
    assert (code, step["step"], step["ok"]) == (1, "starts", False)
    assert words in f"{step['cause']}; {step['hint']}"
    assert all(step["ok"] is None for step in report["steps"][1:])


# --- what is printed ----------------------------------------------------------------


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    bot = f"{sys.executable} -m tests.wanting.banner"
    args = ("--quick", "--game", "loyatais", "--sandbox", "limits")
    return [
        trianon("check", bot, *args, *more, cwd=ROOT) for more in ((), ("--strict",))
    ]


def test_warnings_are_told_with_the_line_and_the_remedy(printed):
    code, out, _ = printed[0]
    assert code == 0
    assert "warnings: stray_line" in out
    assert "*** Petit Trianon 1.0 is ready ***" in out
    assert "is in order; see the warnings" in out


def test_strict_finds_warnings_wanting(printed):
    code, out, _ = printed[1]
    assert code == 1
    assert "--strict" in out


def test_a_person_is_not_checked():
    code, out, err = trianon("check", "human")
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1


def test_nothing_of_the_steps_is_missing_in_the_docs():
    text = (ROOT / "docs/check.md").read_text(encoding="utf-8")
    text = text.partition("## The steps")[2].partition("## How")[0]
    _, report = check("first", "--game", "trianon")
    listed = [
        line.split("`")[1] for line in text.splitlines() if line.startswith("| `")
    ]
    assert listed == [step["step"] for step in report["steps"]]
