"""The shipped bots, each built and played here if its toolchain is there."""

import json
import os
import select
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

import sample_bots
from arena.botspec import find_bot, samples
from arena.builds import built
from arena.games import GAMES
from arena.sandbox import Level
from arena.toolchains import missing_packages
from tests.command import trianon

NAMES = sorted(samples())
PATIENCE_S = 60  # for an answer; only a bot that holds it back takes so long

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module", autouse=True)
def _fresh_builds(tmp_path_factory):
    """Let nothing that was built before stand in for a build."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def skip_without_toolchain(name):
    if samples()[name].needs:
        pytest.skip(f"{name} needs {samples()[name].needs}")


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("name", NAMES)
def test_a_sample_plays_a_whole_match_without_a_warning(name, game):
    skip_without_toolchain(name)
    code, out, err = trianon("play", name, "random", "random", "--game", game, "--json")
    assert code == 0, out + err
    player = json.loads(out)["players"][0]
    assert player["name"] == name
    assert (player["faults"], player["warnings"], player["stderr"]) == ([], {}, "")
    assert player["exit"] == {"status": 0}


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("name", ["careful-cpp", "careful-java", "careful-rust"])
def test_a_careful_bot_plays_as_the_one_in_javascript(name, game):
    scores = []
    for bot in ("careful-javascript", name):
        skip_without_toolchain(bot)
        options = ("--game", game, "--deals", 6, "--seed", "alike", "--json")
        code, out, err = trianon("play", bot, "first", "careful", *options)
        assert code == 0, out + err
        scores.append(json.loads(out)["scores"])
    assert scores[0] == scores[1]


# ------------------------------------------------- what the protocol may bring


class Wire:
    """A sample at the other end of two pipes, one line at a time."""

    def __init__(self, spec):
        self.process = subprocess.Popen(
            spec.argv, cwd=spec.cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.rest = b""

    def send(self, line):
        self.stdin.write(line + b"\n")
        self.stdin.flush()

    def read_line(self):
        end = time.monotonic() + PATIENCE_S
        while b"\n" not in self.rest:
            ready, _, _ = select.select(
                [self.stdout], [], [], max(0, end - time.monotonic())
            )
            assert ready, "no answer: is it flushed?"
            data = os.read(self.stdout.fileno(), 65536)
            assert data, "it has gone"
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        return line

    def ask(self, **message):
        self.send(json.dumps(message, separators=(",", ":")).encode("ascii"))
        return json.loads(self.read_line())


@pytest.fixture
def wire():
    """Return a function that starts a sample; all are gone at the end."""
    wires = []

    def start(name):
        skip_without_toolchain(name)
        wires.append(Wire(built(find_bot(name), Level.LIMITS, print)))
        return wires[-1]

    yield start
    for each in wires:
        each.process.kill()
        each.process.wait()
        each.stdin.close()
        each.stdout.close()


NEW = {"novelty": {"id": 7, "type": "act", "legal": ["no"]}, "odd": [None, '\u00e9\\"']}
CLOCK = {"move_ms": 1000, "bank_ms": 0}
EVENTS = [{"n": 0, "e": "earthquake", "legal": ["no"], "card": None}]


def act(ask, legal, deal, **more):
    return {
        "type": "act",
        "ask": ask,
        "legal": legal,
        "you": 1,
        "clock": CLOCK | NEW,
        "deal": deal | NEW,
        "events": EVENTS,
        **more,
    }


TRIANON: dict[str, Any] = {
    "no": 1,
    "dealer": 0,
    "scores": [0, 0, 0],
    "hand": ["6C", "8C", "6D", "7D", "9D", "QD", "KD", "6H", "JH", "KH", "KS"],
    "auction": [[1, "6D"], [2, "pass"], [0, "pass"]],
    "contract": "7D",
    "declarer": 1,
    "tricks": [{"lead": 2, "cards": ["JS", "6S", "TS"], "winner": 2, "odd": 1}],
    "won": [0, 0, 1],
    "lead": 2,
    "trick": ["TH", "9H"],
}
LOYATAIS: dict[str, Any] = {
    "no": 1,
    "taker": 1,
    "scores": [0, 0, 0],
    "hand": ["AC", "JD", "KD", "AD", "7H", "8S", "9S", "TS", "QS", "KS"],
    "shown": [["7C", "AS"], [], ["8D", "9D"]],
    "partner": None,
    "tricks": [],
    "won": [0, 0, 0],
    "lead": None,
    "trick": [],
}
HELLO = {"type": "hello", "protocol": "trianon-arena", "version": 1, "arena": "9"}
PLAYERS = ["\u0416\u00fc\u732b", 'a "quoted" \\ one', "\U0001f0a1"]


def start(game, options):
    return {
        "type": "start",
        "game": game,
        "rules": 1,
        "options": options,
        "match": "cup/" + "+".join(PLAYERS) + "/1/012",
        "players": PLAYERS,
        "you": 1,
        "clock": None,
        "strikes": 3,
        "seed": 2**31 - 1,
        "commit": "sha256:0",
    }


END = {"type": "end", "reason": "deals", "scores": [0, 0, 0], "places": [1, 1, 1]}
OVERLONG = act("play", ["6H", "JH", "KH"], TRIANON, padding="x" * 14_000)

SESSION = [
    HELLO | NEW,
    start("trianon", {"target": 500, "max_deals": 200}) | NEW,
    act("bid", ["pass", "12NT"], TRIANON | {"contract": None, "declarer": None}),
    act("play", ["6H", "JH", "KH"], TRIANON),
    OVERLONG,
    {"type": "forecast", "legal": ["no"]},
    {"type": "x" * 200, "act": {"type": "act", "legal": ["no"]}},
    END | NEW,
    start("loyatais", {"deals": 12}),
    act("show", ["7H 8S", "7H AD"], LOYATAIS | {"shown": [[], [], []], "taker": 0}),
    act("partner", ["alone", "with 0", "with 2"], LOYATAIS),
    act("play", ["AC", "KS"], LOYATAIS | {"partner": "alone", "lead": 1}),
    {"type": "forecast"},
    END,
]


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_takes_whatever_the_protocol_may_bring(name, wire):
    bot = wire(name)
    for number, message in enumerate(SESSION):
        reply = bot.ask(id=number, **message)
        assert reply.pop("id") == number
        match message["type"]:
            case "act":
                assert reply["move"] in message["legal"]
            case "hello":
                assert "move" not in reply
            case _:
                assert reply == {}


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_takes_the_longest_line_and_the_largest_id(name, wire):
    message = act("play", ["6H", "JH", "KH"], TRIANON)
    line = json.dumps({"id": 2**31 - 1, **message}, separators=(",", ":"))
    padding = 16_384 - len(line) - len(',"pad":""') - 1
    line = line[:-1] + ',"pad":"' + "x" * padding + '"}'
    bot = wire(name)
    bot.send(line.encode("ascii"))
    assert json.loads(bot.read_line())["id"] == 2**31 - 1


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_exits_when_its_input_ends(name, wire):
    bot = wire(name)
    bot.stdin.close()
    assert bot.process.wait(PATIENCE_S) == 0


# ---------------------------------------------------------------------- strong


def test_strong_answers_though_the_clock_leaves_no_time_to_think(wire):
    bot = wire("strong")
    bot.ask(id=0, **start("loyatais", {"deals": 12}))
    legal = ["7H", "8S", "9S", "TS", "QS"]
    deal = LOYATAIS | {"hand": legal, "partner": "alone", "lead": 1}
    message = act("play", legal, deal) | {"clock": {"move_ms": 0, "bank_ms": 0}}
    assert bot.ask(id=1, **message)["move"] in legal


def test_strong_plays_a_match_again_move_by_move(wire):
    bids = ["pass", "4C", "4S", "4D", "4H", "5C", "5S", "5D", "5H", "6D", "7D"]
    opening = TRIANON | {"auction": [], "tricks": [], "trick": [], "lead": None}
    opening |= {"contract": None, "declarer": None, "hand": [*TRIANON["hand"], "TS"]}
    seven = TRIANON["hand"][2:]
    last = [act("play", seven[k:], TRIANON | {"hand": seven[k:]}) for k in range(2)]
    answers = []
    for _ in range(2):
        bot = wire("strong")
        bot.ask(id=0, **start("trianon", {"target": 500, "max_deals": 200}))
        asked = [act("bid", bids, opening) | {"clock": None}, *last]
        answers.append([bot.ask(id=n, **ask) for n, ask in enumerate(asked, 1)])
    assert answers[0] == answers[1]


def test_strong_raises_to_all_the_tricks_that_a_hand_cannot_but_take(wire):
    bot = wire("strong")
    bot.ask(id=0, **start("trianon", {"target": 500, "max_deals": 200}))
    spades = [rank + "S" for rank in "6789TJQKA"]
    deal = TRIANON | {"hand": ["QH", "KH", "AH", *spades], "tricks": [], "trick": []}
    deal |= {"auction": [[1, "11NT"], [2, "pass"], [0, "pass"]], "lead": None}
    deal |= {"contract": None, "declarer": None, "won": [0, 0, 0]}
    legal = ["keep", "12C", "12S", "12D", "12H", "12SS", "12NT"]
    assert bot.ask(id=1, **act("raise", legal, deal))["move"] == "12S"


# --------------------------------------------------------------- what they are


@pytest.mark.parametrize("name", NAMES)
def test_the_smallest_bots_are_small(name):
    if not name.startswith("first"):
        return
    folder = samples()[name].folder
    sources = [
        path for path in folder.iterdir() if path.suffix not in (".toml", ".json")
    ]
    assert len(sources) == 1
    assert len(sources[0].read_text(encoding="utf-8").splitlines()) <= 25


def test_a_missing_toolchain_is_named_by_its_package(monkeypatch):
    there = {"gcc": "/usr/bin/gcc", "bash": "/usr/bin/bash"}
    monkeypatch.setattr("arena.toolchains.shutil.which", there.get)
    samples.cache_clear()
    try:
        needs = {name: sample.needs for name, sample in samples().items()}
    finally:
        samples.cache_clear()
    assert needs["first-java"] == "default-jdk-headless default-jre-headless"
    assert needs["first-typescript"] == "node-typescript nodejs"
    assert needs["first-bash"] == "jq"
    assert needs["first"] is None


@pytest.mark.parametrize(
    ("files", "needs"),
    [
        (["lib/x86_64-linux-gnu/perl-base/strict.pm"], "perl"),
        (["lib/x/perl-base/strict.pm", "share/perl/5.36.0/JSON/PP.pm"], None),
        (["lib/perl5/core_perl/strict.pm"], None),  # not Debian's: nothing is known
    ],
)
def test_a_perl_without_its_modules_is_none(files, needs, tmp_path, monkeypatch):
    for name in ("bin/perl", *files):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    program = str(tmp_path / "bin/perl")
    monkeypatch.setattr("arena.toolchains.shutil.which", {"perl": program}.get)
    assert missing_packages(["perl"]) == needs


def test_each_sample_has_a_name_of_its_own():
    folders = Path(sample_bots.__file__).parent.glob("*/*/bot.toml")
    assert len(list(folders)) == len(samples())
