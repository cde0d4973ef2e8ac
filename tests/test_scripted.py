"""Whole matches with scripted bots in memory and virtual time (sections 5 and 6)."""

import json
from typing import Any

import pytest

from arena.games import GAMES
from arena.match import MAX_DROPPED
from protocol.messages import MAX_ANSWER
from tests.scripted import (
    CLOSE,
    EXIT,
    ScriptedBot,
    Step,
    on_act,
    play_instantly,
    reply,
    setup,
)

ROGUE = 1  # the seat that misbehaves; it is never the last to be asked
LIMIT_S = 0.4  # move_ms and bank_ms of the clock in tests.scripted
NEVER: list[Step] = []

games = pytest.mark.parametrize("game", GAMES)


@pytest.fixture
def run(tmp_path):
    """Play a match against two honest bots, who are never blamed."""

    def run_match(script, game="trianon", think_s=0.0, **given):
        bots = [ScriptedBot(think_s=0.005, seed=seed) for seed in (2, 3, 4)]
        bots[ROGUE] = ScriptedBot(script, think_s)
        played = play_instantly(setup(game, **given), bots)
        ledger = played.ledger
        for seat in {0, 1, 2} - {ROGUE}:
            assert ledger.fault_counts[seat] == 0
            assert ledger.outs[seat] is None
            assert not ledger.warnings[seat]
        played.check(tmp_path)
        _held_to_what_was_sent(played)
        return played

    return run_match


def _held_to_what_was_sent(played):
    """What a record rebuilds is what went through the pipes, while there were any."""
    for seat in range(3):
        told = [ask.line for ask in played.asks if ask.seat == seat]
        sent = [line for number, line in played.sent if number == seat]
        assert sent == told[: len(sent)]
        if played.ledger.outs[seat] is None and seat != ROGUE:
            assert sent == told


def requests_of(played):
    return [json.loads(line) for seat, line in played.sent if seat == ROGUE]


def faults_of(played):
    return [event["code"] for event in played.of("fault")]


def outs_of(played):
    return [(event["seat"], event["code"]) for event in played.of("out")]


def honest(request, acts):
    return None


def right(request):
    return reply(request, request["legal"][-1])


# --- honest bots --------------------------------------------------------------------


@games
def test_honest_bots_play_to_the_end_without_a_word(run, game):
    played = run(honest, game)
    assert played.end["reason"] == "deals"
    assert played.of("fault") == played.of("out") == []
    assert not any(played.ledger.warnings)


@games
def test_thinking_time_is_measured_and_charged(run, game):
    played = run(honest, game, think_s=0.104)
    times = {e["ms"] for e in played.of("play") if e["seat"] == ROGUE}
    assert times <= {103, 104}
    assert played.of("fault") == []
    banks = [
        request["clock"]["bank_ms"]
        for request in requests_of(played)
        if request["type"] == "act"
    ]
    assert banks[0] == 300
    assert 300 - 4 * len(banks) <= min(banks) < 300


# --- time ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("think_s", "is_late"),
    [
        (LIMIT_S - 0.001, False),
        (LIMIT_S, False),  # equal to the limit is in time
        (LIMIT_S + 0.0005, False),  # times are rounded down
        (LIMIT_S + 0.0015, True),
        (LIMIT_S + 5, True),
    ],
)
@games
def test_an_answer_at_the_limit_is_in_time(run, game, think_s, is_late):
    played = run(on_act(0, (think_s, right)), game)
    assert faults_of(played) == (["timeout"] if is_late else [])
    second = [r for r in requests_of(played) if r["type"] == "act"][1]
    if is_late or think_s >= LIMIT_S:
        assert second["clock"]["bank_ms"] in (0, 1)
    assert ("faults" in second) is is_late


def test_without_a_clock_an_hour_is_nothing(run):
    played = run(on_act(0, (3600.0, right)), clock=None)
    assert played.of("fault") == []
    assert played.ledger.slowest_ms[ROGUE] == 3_600_000


@pytest.mark.parametrize("byte", [b"x", b" ", b"\n", b"x\n"])
@games
def test_a_slow_drip_never_moves_the_deadline(run, game, byte):
    played = run(on_act(0, *[(0.02 * k, byte) for k in range(1, 60)]), game)
    assert faults_of(played)[0] == "timeout"
    fault = played.of("fault")[0]
    assert played.events[fault["n"] + 1]["ms"] in (400, 401)


def test_bots_that_never_answer_are_out_after_three_strikes(run):
    played = run(lambda request, acts: NEVER if request["type"] == "act" else None)
    assert faults_of(played) == ["timeout"] * 3
    assert outs_of(played) == [(ROGUE, "strikes")]
    times = [e["ms"] for e in played.events if "ms" in e and e.get("seat") == ROGUE]
    assert all(t - m in (0, 1) for t, m in zip(times, (400, 100, 100), strict=True))
    assert played.end["places"][ROGUE] == 3


def test_a_late_answer_is_dropped_and_the_next_one_taken(run):
    played = run(on_act(0, (LIMIT_S + 0.01, lambda request: reply(request, "12NT"))))
    assert faults_of(played) == ["timeout"]
    assert played.ledger.warnings[ROGUE] == {"late_answer": 1}
    assert played.of("bid")[0]["bid"] == "pass"


def test_a_late_answer_may_come_while_the_next_request_is_open(run):
    late = []

    def script(request, acts):
        if request["type"] != "act" or acts > 1:
            return None
        if acts == 0:
            late.append(reply(request, "pass"))
            return []
        return [(0.01, late[0]), (0.02, right(request))]

    played = run(script)
    assert faults_of(played) == ["timeout"]
    assert played.ledger.warnings[ROGUE] == {"late_answer": 1}


def hint_of(script, run):
    return run(script).ledger.faults[ROGUE][0].hint


def test_an_answer_with_an_earlier_id_is_told_as_the_cause_of_the_silence(run):
    def with_the_id_before(request, acts):
        if request["type"] != "act" or acts > 0:
            return None
        return [(0.01, reply({**request, "id": request["id"] - 1}))]

    hint = hint_of(with_the_id_before, run)
    assert hint.startswith("an answer to 1 came while 2 is open: ")
    assert "copy the id of the request" in hint


def test_an_answer_that_was_late_is_not_told_as_one_with_a_wrong_id(run):
    late = []

    def script(request, acts):
        if request["type"] != "act" or acts > 1:
            return None
        late.append(reply(request, "pass"))
        return [] if acts == 0 else [(0.01, late[0])]

    played = run(script)
    assert faults_of(played) == ["timeout"] * 2
    hints = [fault.hint for fault in played.ledger.faults[ROGUE]]
    assert not any("copy the id" in hint for hint in hints)


def test_a_start_answered_with_the_id_of_hello_is_told_so(run):
    def script(request, acts):
        is_start = request["type"] == "start"
        return [(0.01, reply({**request, "id": 0}))] if is_start else None

    played = run(script)
    (text,) = (item.text for item in played.dismissed)
    assert text.startswith("an answer to 0 came while 1 is open: ")
    assert "copy the id of the request" in text


@pytest.mark.parametrize("kind", ["start", "hello"])
def test_a_start_that_is_too_late_is_out(run, kind):
    played = run(
        lambda request, acts: (
            [(10.5, reply(request))] if request["type"] == kind else None
        )
    )
    assert outs_of(played) == [(ROGUE, f"no_{kind}")]


def test_a_second_answer_to_start_is_late_and_needs_no_move(run):
    def script(request, acts):
        if request["type"] != "start":
            return None
        return [(0.0, reply(request)), (0.3, reply(request))]

    played = run(script, think_s=0.05)
    assert faults_of(played) == []
    assert sum(played.ledger.warnings[ROGUE].values()) == 1


@pytest.mark.parametrize("steps", [[], [(1.9, b"{}\n")], [(0.1, EXIT)], [(0.1, CLOSE)]])
def test_end_may_be_skipped(run, steps):
    played = run(lambda request, acts: steps if request["type"] == "end" else None)
    assert played.end["reason"] == "deals"
    assert played.of("fault") == played.of("out") == []


def test_a_wrong_answer_to_end_is_a_warning(run):
    played = run(
        lambda request, acts: [(0.0, b"{\n")] if request["type"] == "end" else None
    )
    assert played.ledger.warnings[ROGUE] == {"end_faulty": 1}


# --- lines --------------------------------------------------------------------------


def test_two_answers_in_one_write_are_an_answer_and_a_warning(run):
    played = run(on_act(0, (0.0, lambda r: right(r) * 2)))
    assert faults_of(played) == []
    assert played.ledger.warnings[ROGUE] == {"late_answer": 1}


def test_two_answers_in_one_line_are_a_fault(run):
    played = run(on_act(0, (0.0, lambda r: right(r).strip() * 2 + b"\n")))
    assert faults_of(played) == ["not_json"]


def test_an_answer_in_pieces_is_an_answer(run):
    def script(request, acts):
        if request["type"] != "act":
            return None
        line = right(request)
        return [(0.001 * k, line[k : k + 1]) for k in range(len(line))]

    played = run(script, clock=None)
    assert faults_of(played) == []
    assert not played.ledger.warnings[ROGUE]


def test_an_answer_before_it_is_asked_is_no_answer(run):
    """What was sent ahead is dropped; the request is answered once more."""

    def script(request, acts):
        if request["type"] != "act":
            return None
        ahead = json.dumps({"id": request["id"] + 1, "move": "pass"}).encode()
        return [(0.0, right(request) + ahead + b"\n")]

    played = run(script, think_s=0.01)
    assert faults_of(played) == []
    warned = played.ledger.warnings[ROGUE]
    assert set(warned) <= {"stray_line", "late_answer"}
    assert warned["stray_line"] > 10


def test_chatter_is_warned_of_and_never_a_fault(run):
    def script(request, acts):
        if request["type"] != "act":
            return None
        return [(0.0, b"thinking...\n\n{}\n"), (0.01, right(request))]

    played = run(script, "loyatais")
    assert faults_of(played) == []
    acts = played.ledger.moves[ROGUE]
    assert played.ledger.warnings[ROGUE] == {"stray_line": 2 * acts}


@pytest.mark.parametrize("size", [MAX_ANSWER, MAX_ANSWER + 1])
def test_how_long_an_answer_may_be(run, size):
    def padded(request):
        return right(request).strip().ljust(size) + b"\n"

    played = run(on_act(0, (0.0, padded)))
    assert faults_of(played) == (["too_long"] if size > MAX_ANSWER else [])


def test_a_line_without_end_is_judged_at_byte_4097(run):
    started = on_act(0, (0.0, b"x" * (MAX_ANSWER + 1)), (0.001, b"y" * 999 + b"\n"))
    played = run(started)
    assert faults_of(played) == ["too_long"]
    fault = played.of("fault")[0]
    assert fault["line"] == "x" * 400
    assert played.events[fault["n"] + 1]["ms"] == 0


@games
def test_every_kind_of_fault_in_one_match(run, game):
    wrong = [
        (b"x" * 5000 + b"\n", "too_long"),
        (b"\xff\n", "bad_encoding"),
        (b"[\n", "not_json"),
        (lambda r: reply(r), "bad_message"),
        (b'{"id":99999,"move":"AS"}\n', "wrong_id"),
        (lambda r: reply(r, "\U0001f0a1" * 300), "illegal_move"),
        (None, "timeout"),
    ]

    def script(request, acts):
        if request["type"] != "act" or acts >= len(wrong):
            return None
        what = wrong[acts][0]
        if what is None:
            return []
        return [(0.0, what(request) if callable(what) else what)]

    played = run(script, game, strikes=9)
    assert faults_of(played) == [code for _, code in wrong]
    assert played.of("out") == []
    told = [r["faults"] for r in requests_of(played) if "faults" in r]
    assert [[f["code"] for f in faults] for faults in told] == [
        [code] for _, code in wrong
    ]
    assert [faults[0]["strikes_left"] for faults in told] == [8, 7, 6, 5, 4, 3, 2]


def test_forgiven_spellings_are_taken_and_counted(run):
    def script(request, acts):
        if request["type"] != "act":
            return None
        move = request["legal"][0].replace("T", "10") if acts > 3 else None
        return [(0.0, reply(request, (move or request["legal"][0]).lower()))]

    played = run(script, "loyatais")
    assert faults_of(played) == []
    assert played.ledger.warnings[ROGUE]["move_form"] > 10


def test_a_long_note_is_cut_in_the_record(run):
    noted = on_act(
        0, (0.0, lambda r: reply(r, r["legal"][0], note="é" * 500, mood=":)"))
    )
    played = run(noted)
    notes = [event["note"] for event in played.events if "note" in event]
    assert notes == ["é" * 400]
    assert played.ledger.warnings[ROGUE] == {"note_cut": 1, "unknown_field": 1}


# --- outs ---------------------------------------------------------------------------


@games
def test_an_exit_with_the_answer_counts_at_the_next_turn(run, game):
    played = run(on_act(0, (0.0, right), (0.0, EXIT)), game)
    assert outs_of(played) == [(ROGUE, "exited")]
    assert played.ledger.moves[ROGUE] == 1
    assert faults_of(played) == []


@games
def test_an_exit_between_turns_counts_at_the_next_turn(run, game):
    played = run(on_act(0, (0.0, right), (0.001, EXIT)), game, think_s=0.01)
    assert outs_of(played) == [(ROGUE, "exited")]
    assert played.dismissed[0].text == "exited with status 3"
    out = played.of("out")[0]
    following = played.events[out["n"] + 1]
    assert following["seat"] == ROGUE
    assert following["ms"] <= 1


@games
def test_an_exit_on_turn_is_out_at_once(run, game):
    played = run(on_act(3, (0.05, EXIT)), game)
    assert outs_of(played) == [(ROGUE, "exited")]
    out = played.of("out")[0]
    assert played.events[out["n"] + 1]["ms"] in (49, 50)


@games
def test_a_closed_stdout_is_out_though_the_process_lives(run, game):
    played = run(on_act(2, (0.01, CLOSE)), game)
    assert outs_of(played) == [(ROGUE, "closed")]


@pytest.mark.parametrize("text", [b"x" * 70_000, b"x" * 65_537 + b"\n"])
@games
def test_a_flood_on_turn_is_out(run, game, text):
    played = run(on_act(1, (0.0, text)), game)
    assert outs_of(played) == [(ROGUE, "flood")]


@games
def test_a_flood_while_another_is_on_turn_waits_for_its_decision(run, game):
    flood = on_act(1, (0.0, right), (0.0, b"x" * 70_000))
    played = run(flood, game)
    assert outs_of(played) == [(ROGUE, "flood")]
    assert faults_of(played) == []
    assert played.ledger.moves[ROGUE] == 2


def test_a_mebibyte_of_chatter_is_a_flood(run):
    lines = (b"x" * 1023 + b"\n") * 1024
    assert len(lines) == MAX_DROPPED
    played = run(on_act(1, (0.0, lines), (0.01, right)))
    assert outs_of(played) == []
    played = run(on_act(1, (0.0, lines + b"\n"), (0.01, right)))
    assert outs_of(played) == [(ROGUE, "flood")]


@games
def test_two_that_exit_end_the_match(tmp_path, game):
    bots = [
        ScriptedBot(on_act(2, (0.0, EXIT))),
        ScriptedBot(),
        ScriptedBot(on_act(3, (0.05, EXIT)), seed=5),
    ]
    played = play_instantly(setup(game), bots)
    assert played.end["reason"] == "walkover"
    assert played.end["places"] == [3, 1, 3]
    played.check(tmp_path)
    types = [request["type"] for request in bots[1].requests]
    assert types[-1] == "end"


def test_nobody_plays_where_nobody_starts(tmp_path):
    played = play_instantly(setup(), [ScriptedBot(lambda *_: [(0.0, EXIT)])] * 3)
    assert played.end["reason"] == "all_out"
    played.check(tmp_path)


@games
def test_strict_ends_with_the_first_fault(run, game):
    played = run(on_act(1, (0.01, b"{\n")), game, strict=True)
    assert (played.end["reason"], played.end["places"]) == ("strict", None)
    assert played.kinds()[-2:] == ["fault", "end"]


# --- golden transcripts -------------------------------------------------------------


@games
def test_the_golden_transcripts(run, golden, game):
    """One whole match of each game, with some faults; see ``--accept``."""
    wrong: dict[int, list[tuple[float, Any]]] = {
        1: [(0.02, lambda r: reply(r, "ZZ"))],
        4: [(0.01, b"{'id': 4}\n")],
        7: [],
    }

    def script(request, acts):
        if request["type"] != "act" or acts not in wrong:
            return None
        return [(s, w(request) if callable(w) else w) for s, w in wrong[acts]]

    played = run(script, game, think_s=0.015, strikes=4, deal_seed="golden")
    assert sorted(faults_of(played)) == ["illegal_move", "not_json", "timeout"]
    golden(f"{game}.jsonl", "".join(line + "\n" for line in played.lines))
