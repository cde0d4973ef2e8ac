"""The seat of a person: what is shown and asked at the terminal."""

import io
import json
import os
import random
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import arena.human
from arena.record import read_record
from arena.verify import verify
from tests.command import TRIANON
from tests.scripted import playout, setup

PROGRAM = arena.human.__file__


class Terminal(io.BytesIO):
    """A terminal whose person types ``answers``, one a question."""

    def __init__(self, *answers):
        super().__init__()
        self.answers = [answer.encode() + b"\n" for answer in answers]

    def readline(self, _limit=-1):
        return self.answers.pop(0) if self.answers else b""

    @property
    def shown(self):
        return self.getvalue().decode()


def requests_of(game):
    """Return every request that seat 0 was sent in a whole match."""
    played = playout(setup(game), random.Random(5))
    return [json.loads(ask.line) for ask in played.asks if ask.seat == 0]


@pytest.mark.parametrize("game", ["trianon", "loyatais"])
def test_a_whole_match_is_shown_and_every_question_asked(game):
    terminal = Terminal()
    person = arena.human.Person(terminal)
    for request in requests_of(game):
        match request["type"]:
            case "start":
                person.start(request)
            case "act":
                wanted = request["legal"][-1]
                terminal.answers = [b"nonsense\n", wanted.lower().encode() + b"\n"]
                assert person.choose(request) == wanted
            case "end":
                person.end(request)
            case _:
                pass
    assert " deal 1, " in terminal.shown
    assert " your hand " in terminal.shown
    assert "in all" in terminal.shown
    assert ("the contract is" if game == "trianon" else "play") in terminal.shown
    assert "the match is over: deals" in terminal.shown


def test_faults_outs_and_odd_names_are_told_as_plain_text():
    terminal = Terminal("pass")
    person = arena.human.Person(terminal)
    names = ["x\x1b[31m", "b", "c"]
    person.start({"game": "trianon", "you": 1, "players": names})
    request = {
        "ask": "bid",
        "legal": ["pass", "4C"],
        "deal": {"hand": ["6C"], "trick": []},
        "events": [{"n": 0, "e": "out", "seat": 0, "code": "exited"},
                   {"n": 1, "e": "trianon"}, {"n": 2, "e": "new"}],
        "faults": [{"text": "late", "played": "pass"}],
    }  # fmt: skip
    assert person.choose(request) == "pass"
    assert "\x1b" not in terminal.shown
    assert "out: x?[31m (exited)" in terminal.shown
    assert "late; pass was played" in terminal.shown


def test_a_terminal_that_has_gone_ends_the_seat():
    with pytest.raises(SystemExit):
        arena.human.Person(Terminal())._ask("your card> ")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")
def test_the_program_talks_to_both_sides(monkeypatch, capsys):
    master, slave = os.openpty()
    lines = [{"id": 0, "type": "hello"}, {"id": 1, "type": "news"},
             {"id": 2, "type": "end", "events": []}]  # fmt: skip
    monkeypatch.setattr(sys, "argv", [PROGRAM, os.ttyname(slave)])
    text = "".join(json.dumps(line) + "\n" for line in lines)
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    runpy.run_path(str(Path(PROGRAM)), run_name="__main__")
    os.close(master)
    os.close(slave)
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answers == [{"id": 0, "name": "you"}, {"id": 1}, {"id": 2}]


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")
def test_a_person_plays_a_match_at_a_terminal(tmp_path):
    master, slave = os.openpty()
    record = tmp_path / "match.jsonl"
    command = [
        *(*TRIANON, "play", "human", "first", "first", "--sandbox", "limits"),
        *("--game", "loyatais", "--deals", "3", "--seed", "5", "--record", record),
    ]
    env = {**os.environ, "TERM": "xterm", "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
    with subprocess.Popen(
        command,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=env,
        start_new_session=True,
    ) as game:
        os.close(slave)
        shown = play_at(master, {"two cards> ": "1 2", "your card> ": "1", "> ": "1"})
        code = game.wait(timeout=60)
    os.close(master)
    assert code == 0, shown
    assert "you show" in shown
    assert "the match is over: deals" in shown
    assert shown.count("deal   1") == 0  # told at the table, and not twice
    assert verify(read_record(record)) is None


def play_at(master, answers):
    """Answer every question at a terminal until it closes; return what was shown."""
    shown = ""
    while True:
        try:
            data = os.read(master, 4096)
        except OSError:
            return shown
        if not data:
            return shown
        shown += data.decode("utf-8", "replace")
        for question, answer in answers.items():
            if shown.endswith(question):
                os.write(master, f"{answer}\n".encode())
                break


# --- moves by number or name --------------------------------------------------------

HAND = ["6C", "TC", "8D", "KD", "AH", "TS"]


def asked(ask, legal, *typed, hand=HAND, **deal):
    terminal = Terminal(*typed)
    person = arena.human.Person(terminal)
    person.start({"game": "trianon", "you": 0, "players": ["me", "Left", "Zoë"]})
    snapshot = {"hand": list(hand), "trick": [], **deal}
    request = {"ask": ask, "legal": legal, "deal": snapshot, "events": []}
    return person.choose(request), terminal


@pytest.mark.parametrize(
    ("ask", "legal", "typed", "move"),
    [
        ("play", ["8D", "KD"], "2", "8D"),
        ("play", ["8D", "AH", "KD"], "3", "AH"),
        ("play", ["8D", "KD"], "kd", "KD"),
        ("play", ["8D", "KD"], "D8", "8D"),
        ("play", ["8D", "KD"], "8♦", "8D"),
        ("play", ["TC", "TS"], "10s", "TS"),
        ("play", ["TC", "TS"], "t s", "TS"),
        ("bid", ["pass", "4C", "5NT"], "p", "pass"),
        ("bid", ["pass", "4C", "5NT"], "5 nt", "5NT"),
        ("raise", ["keep", "5NT"], "k", "keep"),
        ("raise", ["keep", "5NT"], "KEEP", "keep"),
        ("show", ["6C 8D", "TC KD"], "4 2", "TC KD"),
        ("show", ["6C 8D", "TC KD"], "8d+6c", "6C 8D"),
        ("show", ["6C 8D", "TC KD"], "10c, kd", "TC KD"),
        ("partner", ["alone", "with 1", "with 2"], "3", "with 2"),
        ("partner", ["alone", "with 1", "with 2"], "zoë", "with 2"),
        ("partner", ["alone", "with 1", "with 2"], "with left", "with 1"),
        ("partner", ["alone", "with 1", "with 2"], "Alone", "alone"),
    ],
)
def test_a_move_is_named_in_many_ways(ask, legal, typed, move):
    assert asked(ask, legal, typed)[0] == move


@pytest.mark.parametrize(
    ("ask", "legal", "typed", "words"),
    [
        ("play", ["8D", "KD"], "tc", "you must follow the suit"),
        ("play", ["8D", "KD"], "qc", "you hold no such card"),
        ("play", ["8D", "KD"], "3", "no move has that number"),
        ("bid", ["pass", "5C"], "4c", "none of the moves"),
        ("show", ["6C 8D"], "6c", "name two of your cards"),
    ],
)
def test_what_is_not_legal_is_explained_and_asked_again(ask, legal, typed, words):
    move, terminal = asked(ask, legal, typed, legal[0])
    assert move == legal[0]
    assert words in terminal.shown


def test_the_table_is_shown_again_on_demand():
    tricks = [{"lead": 1, "cards": ["9C", "JC", "QC"], "winner": 0}]
    _, terminal = asked(
        *("play", ["8D", "KD"], "l", "t", "s", "h", "?", "1"),
        tricks=tricks,
        scores=[30, 0, 105],
    )
    assert terminal.shown.count("1. Left 9C   Zoë JC   you QC   -> you") == 2
    assert "105 before this deal" in terminal.shown
    assert "30 for each trick bid above four" in terminal.shown
    assert "quit" in terminal.shown
    assert terminal.shown.count("\n your hand ") == 2


def test_a_hand_lies_by_suits_and_high_to_low():
    _, terminal = asked("play", ["8D"], "1")
    assert "C T 6   D K 8   H A   S T" in terminal.shown


def test_a_long_list_of_bids_is_shown_by_levels():
    legal = ["pass", *(f"{k}{d}" for k in (4, 5, 6) for d in ("C", "D", "H", "NT"))]
    _, terminal = asked("bid", [*legal, "7C", "7D", "7H", "7NT"], "?", "p")
    assert "4C    .     4D    4H    .     4NT" in terminal.shown


def told_at_the_end(game, events):
    terminal = Terminal()
    person = arena.human.Person(terminal)
    person.start({"game": game, "you": 0, "players": ["me", "b", "c"]})
    person.tell(events)
    return terminal.shown


SCORE = {"e": "score", "no": 1, "scores": [0, 0, 0]}


@pytest.mark.parametrize(
    ("contract", "tricks", "points", "words"),
    [
        ("6D", [7, 3, 2], [60, 0, 0], "6D made by you with 7 tricks: 2 x 30 = 60"),
        ("5NT", [5, 4, 3], [40, 0, 0], "5NT made by you with 5 tricks: 1 x 40 = 40"),
        ("8SS", [6, 4, 2], [0, 100, 100], "8SS failed by you, 2 short: 2 x 50 = 100"),
    ],
)
def test_the_points_of_a_contract_are_explained(contract, tricks, points, words):
    events = [
        {"e": "contract", "declarer": 0, "contract": contract},
        {**SCORE, "tricks": tricks, "points": points},
    ]
    assert words in told_at_the_end("trianon", events)


@pytest.mark.parametrize(
    ("partner", "tricks", "points", "words"),
    [
        ("alone", [6, 2, 2], [120, 0, 0], "you needed 5 tricks and took 6: 100 + 1 x"),
        (2, [5, 1, 4], [70, 0, 70], "you and c needed 7 tricks and took 9"),
        ("alone", [4, 3, 3], [0, 50, 50], "took 4: 100 to the others"),
        ("alone", [10, 0, 0], [300, 0, 0], "+ 100 for all ten = 300"),
    ],
)
def test_the_points_of_a_taker_are_explained(partner, tricks, points, words):
    events = [
        {"e": "deal", "no": 1, "taker": 0, "scores": [0, 0, 0]},
        {"e": "partner", "seat": 0, "partner": partner},
        {**SCORE, "tricks": tricks, "points": points, "aside": ["6C", "7C"]},
    ]
    assert words in told_at_the_end("loyatais", events)


def test_suits_and_colours_only_where_the_terminal_has_them():
    terminal = Terminal("1")
    person = arena.human.Person(terminal, is_pretty=True, is_coloured=True)
    request = {"ask": "play", "legal": ["8D"], "events": []}
    person.choose(request | {"deal": {"hand": ["8D", "9S"], "trick": []}})
    assert "\x1b[31m8♦\x1b[0m" in terminal.shown
    assert "♠ 9" in terminal.shown
