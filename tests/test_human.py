"""The seat of a person: what is shown and asked at the terminal."""

import io
import json
import os
import random
import runpy
import sys
from pathlib import Path

import pytest

import arena.human
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
                person.tell(request["events"])
            case _:
                pass
    assert "--- deal 1, by" in terminal.shown
    assert "your hand:" in terminal.shown
    assert "in all" in terminal.shown
    assert ("contract:" if game == "trianon" else "plays") in terminal.shown


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
    assert "is out: exited" in terminal.shown
    assert "late; pass was played" in terminal.shown


def test_a_terminal_that_has_gone_ends_the_seat():
    with pytest.raises(SystemExit):
        arena.human.Person(Terminal())._ask("your card")


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
