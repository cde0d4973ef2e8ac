"""What a check asks, without a process: real requests, and what is made of answers."""

import json
import random
from itertools import pairwise

import pytest

from arena.check_bout import Bout, Listener, Opponents, Sitting
from arena.check_first import POSSIBLE, RUNGS, FirstMatch, size_of
from arena.check_notes import Notes
from arena.check_oddities import UnknownListener
from arena.check_probe import DUE, due_requests
from arena.check_steps import plan
from arena.check_talk import Came
from arena.check_terms import Terms
from arena.diagnosis import Finding, Silence, explained, why_gone, why_silent
from arena.effects import Answered, Ask, Garbled, Lost, TimedOut
from arena.referee import Referee
from arena.setup import DEFAULT_CLOCK
from protocol.judge import Bad
from protocol.messages import (
    MAX_REQUEST,
    REQUEST,
    Act,
    HelloAnswer,
    HelloLimits,
    MoveAnswer,
    PlainAnswer,
)

GAMES = ["trianon", "loyatais"]


def terms(*games, **given):
    return Terms(
        **{
            "name": "bot",
            "games": games or tuple(GAMES),
            "clock": DEFAULT_CLOCK,
            "limits": HelloLimits(),
            "is_quick": False,
            **given,
        }
    )


def honest(ask: Ask, dice: random.Random | None = None):
    """Return a good answer: the mildest, or any."""
    if ask.kind is not MoveAnswer:
        return Answered(0, PlainAnswer(id=ask.id))
    legal = json.loads(ask.line)["legal"]
    move = dice.choice(legal) if dice else legal[0]
    return Answered(0, MoveAnswer(id=ask.id, move=move))


def talk(script, answer=honest):
    """Lead a script; return its requests and what it returns."""
    asks = []
    happened = None
    try:
        ask = next(script)
        while True:
            asks.append(ask)
            happened = answer(ask)
            ask = script.send(Came(happened, None, None, None))
    except StopIteration as ended:
        return asks, ended.value


def notes():
    return Notes(lambda _step: None)


def first_match(game, dice, sitting=None):
    section = FirstMatch(terms(game), game)
    return talk(
        section.talk(sitting or Sitting(next_id=1), notes()),
        lambda ask: honest(ask, dice),
    )[0]


@pytest.mark.parametrize("game", GAMES)
def test_requests_are_those_of_a_match(game):
    setup = terms().setup(game, "x", 1, 3)
    sitting = Sitting(next_id=1)  # as if hello had been asked
    bout = Bout(sitting, setup, 1, Opponents("s", True), Listener())
    asks, _ = talk(bout.talk())
    referee, opponents = Referee(setup), Opponents("s", True)
    lines = []
    effects = referee.start()
    while asked := [effect for effect in effects if isinstance(effect, Ask)]:
        happened = []
        for ask in asked:
            if ask.seat == 1:
                lines.append(ask.line)
                happened.append(honest(ask)._replace(seat=1))
            elif ask.kind is MoveAnswer:
                move = opponents.choose(*referee.question)
                happened.append(Answered(ask.seat, MoveAnswer(id=0, move=move)))
            else:
                plain = HelloAnswer if ask.kind is HelloAnswer else PlainAnswer
                happened.append(Answered(ask.seat, plain(id=0)))
        effects = referee.receive(happened)
    assert [ask.line for ask in asks] == lines[1:]


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_question_comes_with_one_few_and_many_moves(game):
    found = set()
    for ask in first_match(game, random.Random(1)):
        request = json.loads(ask.line)
        if request["type"] == "act":
            found.add(f"{request['ask']} {size_of(len(request['legal']))}")
    assert found == POSSIBLE[game]


@pytest.mark.parametrize("game", GAMES)
def test_more_than_two_hundred_moves_are_asked_and_all_are_requests(game):
    asks = first_match(game, random.Random(2))
    requests = [REQUEST.validate_json(ask.line) for ask in asks]
    assert sum(isinstance(request, Act) for request in requests) > 200
    assert [request.id for request in requests] == list(range(1, len(asks) + 1))


@pytest.mark.parametrize("game", GAMES)
def test_lines_grow_to_the_longest_that_the_protocol_allows(game):
    sizes = [len(ask.line) for ask in first_match(game, random.Random(3))]
    assert max(sizes) == MAX_REQUEST
    tried = [size for size in RUNGS if size in sizes]
    assert len(tried) >= len(RUNGS) - 1  # an own line may be longer than the first
    assert RUNGS[-8:] == tuple(tried[-8:])


def test_what_is_unknown_leaves_the_events_without_a_gap():
    listener = UnknownListener(notes())
    setup = terms().setup("trianon", "u", 0, 1)
    sitting = Sitting()
    bout = Bout(sitting, setup, 0, Opponents("s", False), listener, listener.dress)
    asks, _ = talk(bout.talk())
    requests = [json.loads(ask.line) for ask in asks]
    numbers = [event["n"] for r in requests for event in r.get("events", [])]
    assert numbers == list(range(len(numbers)))
    assert any("weather" in request for request in requests)
    kinds = {event["e"] for r in requests for event in r.get("events", [])}
    assert "weather" in kinds
    assert "weather" in {request["type"] for request in requests}


def test_faults_speak_of_the_ids_on_the_wire():
    setup = terms().setup("trianon", "f", 0, 1)
    sitting = Sitting(next_id=100)

    class Lenient(Listener):
        def after(self, turn, trouble, size):
            return True

    bout = Bout(sitting, setup, 0, Opponents("s", False), Lenient())

    def answer(ask):
        if ask.kind is MoveAnswer:
            return Garbled(0, Bad("not_json", "no JSON", "hint"), "x")
        return honest(ask)

    asks, _ = talk(bout.talk(), answer)
    requests = [json.loads(ask.line) for ask in asks]
    for before, request in pairwise(requests[1:]):
        assert [fault["id"] for fault in request["faults"]] == [before["id"]]


@pytest.mark.parametrize(
    ("happened", "is_silence", "words"),
    [
        (TimedOut(0, 11_000), True, "no answer within 11000 ms"),
        (Lost(0, "exited", "exited with status 1"), False, "exited with status 1"),
    ],
)
def test_a_silence_or_a_loss_ends_the_first_match(happened, is_silence, words):
    section = FirstMatch(terms("trianon"), "trianon")
    acts = iter(range(99))

    def answer(ask):
        is_third = ask.kind is MoveAnswer and next(acts) == 2
        return happened if is_third else honest(ask)

    _, trouble = talk(section.talk(Sitting(), notes()), answer)
    assert trouble.is_silence == is_silence
    assert words in trouble.finding.cause


def test_a_move_that_is_not_legal_fails_the_step_and_the_match_goes_on():
    section = FirstMatch(terms("trianon"), "trianon")
    book = notes()

    def answer(ask):
        if ask.kind is MoveAnswer:
            return Answered(0, MoveAnswer(id=ask.id, move="ZZ"))
        return honest(ask)

    asks, trouble = talk(section.talk(Sitting(), book), answer)
    book.close()
    assert trouble is None
    assert len(asks) > 200
    wrong = {step.step for step in book.steps if not step.ok}
    assert wrong == {"first_move", "lines", "questions", "requests", "match"}
    assert book.steps[1].cause.startswith("illegal_move: 'ZZ' is not legal")


def test_a_burst_asks_for_more_than_a_buffer_holds():
    due = 0
    ids = []
    for line in due_requests(Sitting(next_id=1), terms()):
        request = json.loads(line)
        REQUEST.validate_json(line)
        ids.append(request["id"])
        move = f',"move":"{request["legal"][0]}"' if "legal" in request else ""
        due += len(f'{{"id":{request["id"]}{move}}}\n')
    assert due > DUE
    assert ids == list(range(1, len(ids) + 1))


def test_the_quick_check_leaves_out_the_stall():
    steps = [s for part in plan(terms(is_quick=True)) for s, _ in part.steps]
    assert not {"stall", "same_seed"} & set(steps)


# --- causes -------------------------------------------------------------------------

ASLEEP = Silence(waited_ms=10_000, cpu_ms=10, unread=0, programs=("mawk",))


def silence(**seen):
    values = {name: getattr(ASLEEP, name) for name in Silence.__slots__} | seen
    return Silence(**values)


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        ({"burst": 4096, "is_cut": True, "is_owed": True}, "stdout is not flushed"),
        ({"burst": 8178, "is_owed": True}, "stdout is not flushed"),
        ({"burst": 24, "is_cut": True}, "stdout is not flushed"),
        ({"burst": 104, "is_owed": True}, "its input is buffered, mawk's"),
        ({"burst": 104, "is_owed": True, "programs": ()}, "such as mawk's"),
        ({"burst": 24}, "it has skipped this request"),
        ({"at_end": 70_000}, "only when its input has ended"),
        ({"late_ms": 300}, "it answers late"),
        ({"is_stopped": True}, "its process is stopped"),
        ({"unread": 4000}, "it does not read its input"),
        ({"stray": "thinking"}, "what came is none: thinking"),
        ({"cpu_ms": 9000}, "it was computing"),
        ({"cpu_ms": 3000, "is_running": True}, "it was computing"),
        ({"ended": "exited with status 0"}, "it never answers"),
        ({"ended": "exited with status 0", "is_first": False}, "waits for something"),
        ({"cpu_ms": None, "is_running": True}, "waits for something"),
        ({}, "waits for something, or its answer is still in its buffer"),
    ],
)
def test_the_cause_of_a_silence(seen, words):
    found = why_silent(silence(**seen))
    assert words in found.cause
    assert found.hint


@pytest.mark.parametrize(
    ("ended", "stderr", "words"),
    [
        ("killed by signal SIGSEGV", "", "a bad pointer"),
        ("killed by signal SIGSYS", "", "the box forbids"),
        ("exited with status 127", "sh: 1: gawk: not found", "install it"),
        (
            "exited with status 1",
            "ModuleNotFoundError: No module named 'x'",
            "own folder",
        ),
        ("exited with status 1", "ValueError: 7", "the error that stderr shows"),
        ("exited with status 0", "", "in a loop"),
    ],
)
def test_the_cause_of_an_end(ended, stderr, words):
    found = why_gone(ended, stderr, is_first=True)
    assert words in found.hint
    assert ended in found.cause
    assert stderr in found.cause
    assert words in explained(ended, stderr, True, None)


def test_what_cannot_be_started_is_told_with_the_cause():
    start = Finding("x wants the interpreter y", "install it")
    told = explained("cannot be started: No such file", "", True, start)
    assert told == (
        "cannot be started: No such file: x wants the interpreter y; install it"
    )
