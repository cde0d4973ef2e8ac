"""The referee by hand, without time or bots: sections 3 to 6 of the protocol page."""

import json
from typing import Any

import pytest

from arena.clock import Clock
from arena.dealing import bot_seed, commitment
from arena.effects import Answered, Ask, Garbled, Lost, TimedOut
from arena.games import GAMES
from arena.greeting import Greeting
from arena.ledger import place
from arena.referee import Referee
from arena.verify import verify
from protocol.events import OutCode
from protocol.judge import Bad
from protocol.messages import HelloAnswer, MatchClock, PlainAnswer
from tests.scripted import CLOCK, Hand, Played, setup

games = pytest.mark.parametrize("game", GAMES)


@pytest.fixture
def check(tmp_path):
    def held(hand):
        hand.played.check(tmp_path)
        return hand.played

    return held


# --- hello and start ----------------------------------------------------------------


def test_section_3_hello_then_start_to_all_three():
    hand = Hand(setup())
    assert [ask.id for ask in hand.open] == [0, 0, 0]
    assert [ask.within_ms for ask in hand.open] == [10_000] * 3
    hand.tell(*(hand.good(ask) for ask in hand.open))
    assert [ask.id for ask in hand.open] == [1, 1, 1]
    starts = [json.loads(ask.line) for ask in hand.open]
    assert [start["you"] for start in starts] == [0, 1, 2]
    assert [start["seed"] for start in starts] == [
        bot_seed("cup", "play/1", seat) for seat in range(3)
    ]
    assert starts[0]["players"] == ["a", "b", "c"]
    assert starts[0]["commit"] == commitment("play/1", "9f2c")
    assert starts[0]["clock"] == {"move_ms": 100, "bank_ms": 300, "deal_add_ms": 50}
    assert starts[0]["strikes"] == 3


def test_section_3_a_start_without_a_clock_says_so():
    hand = Hand(setup(clock=None))
    hand.tell(*(hand.good(ask) for ask in hand.open))
    assert json.loads(hand.open[0].line)["clock"] is None
    hand.tell(*(hand.good(ask) for ask in hand.open))
    assert hand.request["clock"] is None
    assert hand.ask.within_ms is None


def hellos(hand, *answers):
    return hand.tell(
        *(
            Answered(seat, HelloAnswer(id=0, **more))
            for seat, more in enumerate(answers)
        )
    )


def test_names_come_from_hello_only_where_none_were_given():
    hand = hellos(Hand(setup()), {"name": "x"}, {"name": "y"}, {})
    assert hand.played.referee.names == ("a", "b", "c")
    hand = Hand(setup(is_named=False))
    hellos(hand, {"name": "x/\n"}, {}, {"name": "x", "version": "v" * 99})
    assert hand.played.referee.names == ("x", "b", "x#2")
    header = json.loads(hand.played.lines[0])
    assert [player["name"] for player in header["players"]] == ["x", "b", "x#2"]
    assert header["players"][2]["version"] == "v" * 64
    assert header["players"][1]["version"] is None


@pytest.mark.parametrize(
    ("answer", "words"),
    [({"protocol": 2}, "version 2"), ({"games": ["loyatais"]}, "not trianon")],
)
def test_a_bot_that_cannot_play_here_fails_at_hello(answer, words):
    hand = hellos(Hand(setup()), answer, {"games": ["trianon"]}, {"protocol": 1})
    assert [(d.seat, d.code) for d in hand.played.dismissed] == [(0, "no_hello")]
    assert words in hand.played.dismissed[0].text
    assert [ask.seat for ask in hand.open] == [1, 2]


BAD = Bad("not_json", "text", "hint")


@pytest.mark.parametrize(
    "failure",
    [
        lambda seat: Garbled(seat, BAD, "line"),
        lambda seat: TimedOut(seat, 10_000),
        lambda seat: Lost(seat, "exited", "status 1"),
        lambda seat: Lost(seat, "closed", "closed"),
        lambda seat: Lost(seat, "flood", "flood"),
    ],
)
@pytest.mark.parametrize(
    ("round_", "code"), [(0, "no_hello"), (1, "no_start")], ids=["hello", "start"]
)
def test_section_6_any_failure_there_is_out(check, failure, round_, code):
    hand = Hand(setup("loyatais"))
    for number in range(2):
        told = [hand.good(ask) for ask in hand.open]
        if number == round_:
            told[1] = failure(1)
        hand.tell(*told)
    assert hand.played.events[0] == {"n": 0, "e": "out", "seat": 1, "code": code}
    assert hand.played.dismissed[0].text
    played = check(hand.rest())
    assert played.end["reason"] == "deals"
    assert played.ledger.places[1] == 3
    assert played.ledger.moves[1] == 0
    assert played.ledger.own_deals == [3, 0, 3]
    # What the house took for it is no contract of its own: Loyatais, each takes once.
    assert played.ledger.own_contracts == [1, 0, 1]


@pytest.mark.parametrize(
    ("failing", "reason", "places"),
    [((0, 2), "walkover", [3, 1, 3]), ((2, 1, 0), "all_out", [3, 3, 3])],
)
@pytest.mark.parametrize("round_", [0, 1])
def test_section_6_failed_starts_may_leave_no_deal(
    check, failing, reason, places, round_
):
    hand = Hand(setup())
    for _ in range(round_):
        hand.tell(*(hand.good(ask) for ask in hand.open))
    told = [hand.good(ask) for ask in hand.open if ask.seat not in failing]
    hand.tell(*(Lost(seat, "exited") for seat in failing), *told)
    assert hand.is_finished
    played = check(hand)
    assert played.kinds() == ["out"] * len(failing) + ["end"]
    assert [event["seat"] for event in played.of("out")] == sorted(failing)
    assert (played.end["reason"], played.end["places"]) == (reason, places)


def test_outs_of_hello_and_of_start_add_up_to_a_walkover(check):
    hand = Hand(setup())
    hand.tell(Lost(2, "exited"), *(hand.good(ask) for ask in hand.open[:2]))
    hand.tell(TimedOut(0, 10_000), hand.good(hand.open[1]))
    outs = [(event["seat"], event["code"]) for event in check(hand).of("out")]
    assert outs == [(2, "no_hello"), (0, "no_start")]
    assert hand.played.end["places"] == [3, 1, 3]


# --- events -------------------------------------------------------------------------


@games
def test_section_4_events_are_numbered_and_in_order(check, game):
    played = check(Hand(setup(game)).begin().rest())
    kinds = played.kinds()
    assert [event["n"] for event in played.events] == list(range(len(kinds)))
    size = 12 if game == "trianon" else 10
    trick = ["play"] * 3 + ["trick"]
    before = {
        "trianon": ["deal", "bid", "bid", "bid", "trianon"],
        "loyatais": ["deal", "show", "show", "partner"],
    }[game]
    deals = 2 if game == "trianon" else 3
    assert kinds == (before + trick * size + ["score"]) * deals + ["end"]
    tricks = [event["no"] for event in played.of("trick")]
    assert tricks == list(range(1, size + 1)) * deals
    assert [event["no"] for event in played.of("score")] == list(range(1, deals + 1))
    assert all("ms" in e for e in played.of("play") + played.of("bid"))
    assert all(("aside" in e) is (game == "loyatais") for e in played.of("score"))


def test_section_4_the_raise_has_no_event_of_its_own(check):
    hand = Hand(setup()).begin().move("5C").move().move()
    assert hand.request["ask"] == "raise"
    assert hand.request["deal"]["contract"] is None
    assert hand.request["deal"]["declarer"] is None
    hand.move("7C")
    assert hand.played.events[-1] == {
        "n": 4,
        "e": "contract",
        "declarer": 1,
        "contract": "7C",
        "ms": 0,
    }
    assert hand.request["deal"]["auction"] == [[1, "5C"], [2, "pass"], [0, "pass"]]
    check(hand.rest())


def test_section_4_nothing_is_asked_over_12nt_and_the_last_pass_has_the_time(check):
    hand = Hand(setup()).begin().move("12NT").move().move(took_ms=9)
    assert hand.request["ask"] == "play"
    bid, contract = hand.played.events[-2:]
    assert (bid["bid"], bid["ms"]) == ("pass", 9)
    assert contract["contract"] == "12NT"
    assert "ms" not in contract
    check(hand.rest())


def test_moves_are_spelt_canonically_whatever_the_bot_wrote(check):
    hand = Hand(setup("loyatais")).begin()
    first, second = hand.request["legal"][3].split()
    hand.move(f"{second} {first}".lower())
    assert hand.played.events[-1]["cards"] == [first, second]
    assert hand.played.ledger.warnings[2] == {"move_form": 1}
    assert hand.played.ledger.fault_counts == [0, 0, 0]
    check(hand.rest())


def test_every_seat_is_told_every_event_once_and_its_own_hand_alone():
    hand = Hand(setup()).begin().move("5C").move().move().move().rest()
    told: dict[int, list[Any]] = {0: [], 1: [], 2: []}
    for ask in hand.played.asks:
        told[ask.seat] += json.loads(ask.line).get("events", [])
    ours = hand.played.events
    for seat, events in told.items():
        assert [event["n"] for event in events] == list(range(len(ours)))
        for event, full in zip(events, ours, strict=True):
            if event["e"] == "deal":
                hands = [h if s == seat else None for s, h in enumerate(full["hands"])]
                full = full | {"hands": hands}
            assert event == {k: v for k, v in full.items() if k != "ms"}


# --- faults, strikes, outs ----------------------------------------------------------


@games
def test_section_6_a_fault_is_a_strike_and_the_mildest_move_is_played(check, game):
    hand = Hand(setup(game)).begin()
    seat, legal, number = hand.ask.seat, hand.request["legal"], hand.ask.id
    hand.fault("illegal_move", took_ms=8)
    fault, move = hand.played.events[1:3]
    assert fault == {
        "n": 1,
        "e": "fault",
        "seat": seat,
        "code": "illegal_move",
        "played": legal[0],
        "id": number,
        "text": "text of illegal_move",
        "line": "\\x07",
    }
    assert (move["n"], move["seat"], move["ms"]) == (2, seat, 8)
    ledger = hand.played.ledger
    assert ledger.fault_counts[seat] == 1
    assert ledger.moves[seat] == 0
    assert ledger.faults[seat][0].hint == "hint"
    played = check(hand.rest())
    assert played.ledger.outs == [None] * 3


def test_section_6_faults_are_told_once_and_as_the_last_key(check):
    hand = Hand(setup(strikes=3)).begin()
    seat, number = hand.ask.seat, hand.ask.id
    hand.fault("not_json")
    assert "faults" not in hand.request  # somebody else's turn
    hand.until(seat)
    assert list(hand.request)[-1] == "faults"
    report = {
        "id": number,
        "code": "not_json",
        "text": "text of not_json",
        "played": "pass",
        "strikes_left": 2,
    }
    assert hand.request["faults"] == [report]
    own = [e for e in hand.request["events"] if e["e"] == "fault"]
    assert own == [
        {"n": 1, "e": "fault", "seat": seat, "code": "not_json", "played": "pass"}
    ]
    hand.move().until(seat)
    assert "faults" not in hand.request
    check(hand.rest())


def test_section_6_the_last_fault_of_a_match_is_told_with_its_end(check):
    hand = Hand(setup("loyatais")).begin()
    while hand.played.ledger.deals < 2 or len(hand.played.of("play")) < 89:
        hand.move()
    seat = hand.ask.seat
    hand.fault()
    ends = {ask.seat: json.loads(ask.line) for ask in hand.open}
    assert list(ends[seat])[-1] == "faults"
    assert [len(end.get("faults", [])) for end in ends.values()].count(1) == 1
    check(hand.rest())


@pytest.mark.parametrize("strikes", [1, 2, 3])
def test_section_6_with_n_strikes_the_nth_fault_is_out(check, strikes):
    hand = Hand(setup(strikes=strikes)).begin()
    seat = hand.ask.seat
    for left in range(strikes - 1, -1, -1):
        assert hand.played.ledger.outs[seat] is None
        hand.fault()
        if left:
            hand.until(seat)
            assert hand.request["faults"][0]["strikes_left"] == left
    kinds = hand.played.kinds()
    at = kinds.index("out")
    assert kinds[at - 1 : at + 2] in (["fault", "out", "bid"], ["fault", "out", "play"])
    assert hand.played.of("out") == [
        {"n": at, "e": "out", "seat": seat, "code": "strikes"}
    ]
    assert hand.played.dismissed[0].code == "strikes"
    assert "text of bad_message" in hand.played.dismissed[0].text
    played = check(hand.rest())
    assert all(ask.seat != seat for ask in played.asks if ask.id > 60)
    assert played.ledger.places[seat] == 3


@games
@pytest.mark.parametrize("code", ["exited", "closed", "flood", "over_limit"])
def test_section_6_the_house_holds_the_seat_from_that_very_decision(check, game, code):
    hand = Hand(setup(game)).begin()
    seat, mildest = hand.ask.seat, hand.request["legal"][0]
    hand.lose(code, took_ms=5)
    out, move = hand.played.events[1:3]
    assert out == {"n": 1, "e": "out", "seat": seat, "code": code}
    assert (move["seat"], move["ms"]) == (seat, 5)
    said = move.get("bid") or " ".join(move["cards"])
    assert said == mildest
    asked = len(hand.played.asks)
    played = check(hand.rest())
    assert all(ask.seat != seat for ask in played.asks[asked:])
    later = [e for e in played.of("play") if e["seat"] == seat]
    assert later
    assert all("ms" not in event for event in later)
    assert played.of("fault") == []
    assert played.end["places"][seat] == 3
    assert played.ledger.own_deals[seat] == 0
    assert played.ledger.time_ms[seat] == 5


@games
def test_section_6_outs_beside_the_decision_come_after_all_it_led_to(check, game):
    hand = Hand(setup(game, strikes=1)).begin()
    last = {"trianon": 36, "loyatais": 30}[game]
    while len(hand.played.of("play")) < last - 1:
        hand.move()
    seat = hand.ask.seat
    other = (seat + 1) % 3
    before = len(hand.played.events)
    hand.move(None, Lost(other, "flood"))
    kinds = hand.played.kinds()[before:]
    assert kinds[:5] == ["play", "trick", "score", "deal", "out"]
    # Then the house may have moved, but nobody was asked before.
    assert hand.played.of("out")[0]["seat"] == other
    assert hand.ask.seat != other
    check(hand.rest())


def test_section_6_several_outs_are_in_seat_order(check):
    hand = Hand(setup()).begin().move()  # seat 2 is on turn
    hand.move(None, Lost(1, "closed"), Lost(0, "flood"))
    outs = [(event["seat"], event["code"]) for event in hand.played.of("out")]
    assert outs == [(0, "flood"), (1, "closed")]
    assert hand.played.end["reason"] == "walkover"
    check(hand.rest())


def test_a_fault_and_outs_beside_it_in_one_decision(check):
    hand = Hand(setup(strikes=1)).begin().move()
    hand.fault("not_json", Lost(0, "closed"))
    assert hand.played.kinds() == ["deal", "bid", "fault", "out", "bid", "out", "end"]
    assert check(hand.rest()).end["places"] == [3, 1, 3]


def test_a_bot_may_be_lost_with_its_own_answer(check):
    hand = Hand(setup()).begin()
    hand.move("5C", Lost(1, "flood"))
    assert hand.played.kinds() == ["deal", "bid", "out"]
    assert hand.played.ledger.moves[1] == 1
    check(hand.rest())


def test_a_bot_is_out_but_once(check):
    hand = Hand(setup()).begin().move(None, Lost(0, "flood"))
    hand.move(None, Lost(0, "closed"))
    assert len(hand.played.of("out")) == 1
    check(hand.rest())


@games
def test_section_4_a_walkover_in_mid_deal_scores_nothing(check, game):
    hand = Hand(setup(game)).begin().lose("exited")
    while len(hand.played.of("play")) < 8:  # two thirds of the third trick
        hand.move()
    scores, seat = list(hand.played.ledger.scores), hand.ask.seat
    hand.lose("closed", took_ms=3)
    assert hand.played.kinds()[-2:] == ["out", "end"]
    end = hand.played.end
    assert (end["reason"], end["scores"]) == ("walkover", scores)
    assert sorted(end["places"]) == [1, 3, 3]
    assert hand.played.ledger.deals == 0
    assert [ask.seat for ask in hand.open] == [end["places"].index(1)]
    assert "faults" not in json.loads(hand.open[0].line)
    # No move is left that could carry the time of the decision.
    assert hand.played.of("out")[-1] == {
        "n": end["n"] - 1,
        "e": "out",
        "seat": seat,
        "code": "closed",
        "ms": 3,
    }
    told = json.loads(hand.open[0].line)["events"]
    assert not any("ms" in event for event in told)
    check(hand.rest())


def test_a_walkover_by_strikes_keeps_the_time_of_the_last_decision(check):
    hand = Hand(setup(strikes=1)).begin().fault(took_ms=4).fault(took_ms=6)
    assert hand.played.kinds()[-3:] == ["fault", "out", "end"]
    assert hand.played.of("fault")[-1]["ms"] == 6
    assert "ms" not in hand.played.of("out")[-1]
    played = check(hand.rest())
    assert sum(played.ledger.time_ms) == 10


# --- strict and void ----------------------------------------------------------------


@games
def test_strict_ends_with_the_first_fault(check, game):
    hand = Hand(setup(game, strict=True)).begin().move()
    mildest = hand.request["legal"][0]
    hand.fault(took_ms=2)
    fault, end = hand.played.events[-2:]
    assert (fault["e"], fault["played"], fault["ms"]) == ("fault", mildest, 2)
    assert (end["reason"], end["places"]) == ("strict", None)
    assert [ask.seat for ask in hand.open] == [0, 1, 2]
    check(hand.rest())
    assert hand.played.ledger.places is None


def test_strict_with_a_last_strike_tells_the_out_too(check):
    hand = Hand(setup(strict=True, strikes=1)).begin().fault()
    assert hand.played.kinds() == ["deal", "fault", "out", "end"]
    assert [ask.seat for ask in hand.open] == [0, 2]
    check(hand.rest())


@pytest.mark.parametrize("is_on_turn", [True, False])
def test_strict_ends_with_the_first_out(check, is_on_turn):
    hand = Hand(setup(strict=True)).begin()
    if is_on_turn:
        hand.lose("exited")
        assert hand.played.kinds() == ["deal", "out", "end"]
    else:
        hand.move(None, Lost(0, "flood"), Lost(2, "flood"))
        assert hand.played.kinds() == ["deal", "bid", "out", "end"]
    assert hand.played.end["reason"] == "strict"
    check(hand.rest())


@pytest.mark.parametrize("count", [1, 2, 3])
def test_strict_ends_with_failed_starts_however_many(check, count):
    hand = Hand(setup(strict=True))
    told = [hand.good(ask) for ask in hand.open[count:]]
    hand.tell(*(Lost(seat, "exited") for seat in range(count)), *told)
    assert hand.is_finished
    assert hand.played.kinds() == ["out"] * count + ["end"]
    assert hand.played.end["reason"] == "strict"
    assert hand.played.end["places"] is None
    check(hand)


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_a_void_match_has_no_places_and_blames_nobody(check, tmp_path, rounds):
    hand = Hand(setup(strikes=1))
    for _ in range(rounds):
        hand.tell(*(hand.good(ask) for ask in hand.open))
    hand.void()
    assert hand.played.end["reason"] == "void"
    assert hand.played.end["places"] is None
    assert hand.played.ledger.places is None
    assert [len(hand.open), hand.is_finished] == ([3, False] if rounds == 2 else [0, 1])
    hand.rest()
    assert verify(hand.played.record(tmp_path)) is None
    if rounds:  # a record cannot tell whether only hello was sent
        check(hand)


def test_a_void_match_in_mid_deal_keeps_what_was_scored(check):
    hand = Hand(setup("loyatais")).begin()
    while hand.played.ledger.deals < 1:
        hand.move()
    scores = list(hand.played.ledger.scores)
    hand.move().move().void()
    assert hand.played.end["scores"] == scores
    played = check(hand.rest())
    assert played.ledger.outs == [None] * 3
    assert played.ledger.fault_counts == [0, 0, 0]


def test_a_failure_of_ours_after_the_end_changes_nothing(check):
    hand = Hand(setup("loyatais")).begin()
    while not hand.played.referee.is_over:
        hand.move()
    hand.void()
    assert hand.is_finished
    assert hand.played.end["reason"] == "deals"
    check(hand)


# --- the end ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "outs", "places"),
    [
        ([30, 20, 10], "", [1, 2, 3]),
        ([10, 20, 30], "", [3, 2, 1]),
        ([20, 20, 10], "", [1, 1, 3]),
        ([20, 10, 10], "", [1, 2, 2]),
        ([10, 10, 10], "", [1, 1, 1]),
        ([0, 0, 0], "", [1, 1, 1]),
        ([90, 20, 30], "0", [3, 2, 1]),
        ([90, 20, 20], "0", [3, 1, 1]),
        ([0, 20, 20], "1", [2, 3, 1]),
        ([90, 0, 90], "02", [3, 1, 3]),
        ([90, 0, 90], "012", [3, 3, 3]),
    ],
)
def test_t17_l12_places(scores, outs, places):
    marks: list[OutCode | None] = [
        "exited" if str(seat) in outs else None for seat in range(3)
    ]
    assert place(scores, marks) == places


@pytest.mark.parametrize(
    ("options", "reason", "deals"),
    [
        ({"deals": 2}, "deals", 2),
        ({"target": 10**6, "max_deals": 3}, "max_deals", 3),
        ({"target": 1, "max_deals": 9}, "target", 1),
        ({"target": 1, "max_deals": 1}, "target", 1),  # both at once
    ],
)
def test_section_3_why_a_match_of_trianon_ends(check, options, reason, deals):
    hand = Hand(setup(options=options)).begin().move("12NT")  # it will go down
    played = check(hand.rest())
    assert (played.end["reason"], played.ledger.deals) == (reason, deals)
    assert played.end["scores"] == played.ledger.scores
    assert played.end["places"] == played.ledger.places


@pytest.mark.parametrize("is_cap_reached", [False, True])
def test_section_3_a_seat_of_the_house_may_reach_the_target(check, is_cap_reached):
    options = {"target": 1, "max_deals": 1 if is_cap_reached else 9}
    hand = Hand(setup(options=options)).begin()
    hand.move("12NT", Lost(0, "flood"))  # both defenders score, seat 0 by the house
    played = check(hand.rest())
    assert played.end["reason"] == "target"
    assert played.ledger.scores[0] >= 1
    assert played.end["places"] == [3, 2, 1]


@pytest.mark.parametrize(
    ("answer", "warned"),
    [
        (lambda ask: Answered(ask.seat, PlainAnswer(id=ask.id)), 0),
        (lambda ask: TimedOut(ask.seat, 2000), 0),
        (lambda ask: Lost(ask.seat, "exited"), 0),
        (lambda ask: Garbled(ask.seat, BAD, "x"), 3),
    ],
)
def test_section_3_end_may_be_skipped_or_wrong_without_fault(check, answer, warned):
    hand = Hand(setup("loyatais")).begin()
    while not hand.played.referee.is_over:
        hand.move()
    assert [ask.within_ms for ask in hand.open] == [2000] * 3
    hand.tell(*(answer(ask) for ask in hand.open))
    assert hand.is_finished
    ledger = check(hand).ledger
    assert ledger.outs == [None] * 3
    assert ledger.fault_counts == [0, 0, 0]
    assert sum(w["end_faulty"] for w in ledger.warnings) == warned


def test_what_is_lost_with_the_last_decision_changes_no_place(check):
    hand = Hand(setup("loyatais")).begin()
    while len(hand.played.of("play")) < 89:
        hand.move()
    other = (hand.ask.seat + 1) % 3
    hand.move(None, Lost(other, "flood"))
    assert hand.played.of("out") == []
    check(hand.rest())


# --- time ---------------------------------------------------------------------------


def test_section_5_bank_arithmetic(check):
    hand = Hand(setup(clock=MatchClock(move_ms=100, bank_ms=300), strikes=9)).begin()
    seat = hand.ask.seat
    banks = []
    for took, is_fault in [(100, False), (101, False), (250, True), (7, False)]:
        assert hand.ask.within_ms == 100 + hand.request["clock"]["bank_ms"]
        if is_fault:
            hand.fault(took_ms=took)
        else:
            hand.move(took_ms=took)
        hand.until(seat)
        banks.append(hand.request["clock"]["bank_ms"])
    assert banks == [300, 299, 149, 149]
    hand.move(took_ms=249).until(seat)  # equal to the limit is in time
    assert hand.request["clock"] == {"move_ms": 100, "bank_ms": 0}
    assert hand.ask.within_ms == 100
    played = check(hand.rest())
    assert [f["code"] for f in played.of("fault")] == ["bad_message"]
    assert played.ledger.slowest_ms[seat] == 250


@pytest.mark.parametrize("told", ["answered", "garbled", "timed out"])
def test_section_5_later_than_the_limit_is_a_timeout_whatever_came(check, told):
    hand = Hand(setup()).begin()
    seat = hand.ask.seat
    match told:
        case "answered":
            hand.move("5C", took_ms=401)
        case "garbled":
            hand.fault("not_json", took_ms=401)
        case _:
            hand.tell(TimedOut(seat, 401))
    fault, move = hand.played.events[1:3]
    assert (fault["code"], fault["text"]) == ("timeout", "no answer within 400 ms")
    assert "line" not in fault
    assert (move["bid"], move["ms"]) == ("pass", 401)
    hand.until(seat)
    assert hand.request["clock"]["bank_ms"] == 0
    check(hand.rest())


def test_section_5_a_deal_refills_the_bank_up_to_where_it_began(check):
    hand = Hand(setup(clock=CLOCK, strikes=9)).begin()
    seat = hand.ask.seat
    hand.tell(TimedOut(seat, 401)).until(seat).tell(TimedOut(seat, 101))
    hand.until(2).move(took_ms=110)  # 10 of another bank
    while hand.played.ledger.deals < 1:
        hand.move()
    assert hand.until(seat).request["clock"]["bank_ms"] == 50
    banks: dict[int, int] = {}
    while len(banks) < 3:
        banks[hand.ask.seat] = hand.request["clock"]["bank_ms"]
        hand.move()
    assert banks == {0: 300, 1: 50, 2: 300}
    check(hand.rest())


@pytest.mark.parametrize(
    ("took", "bank"), [(0, 300), (100, 300), (101, 299), (400, 0), (999, 0)]
)
def test_a_clock_charges_what_is_over(took, bank):
    clock = Clock(CLOCK)
    clock.spend(took)
    assert clock.bank_ms == bank
    clock.refill()
    assert clock.bank_ms == min(300, bank + 50)
    clock.run_out()
    assert (clock.bank_ms, clock.limit_ms) == (0, 100)


# --- the machine itself -------------------------------------------------------------


def test_a_clone_goes_its_own_way():
    hand = Hand(setup("loyatais", strikes=9)).begin().fault()
    while hand.request["ask"] != "play":
        hand.move()
    referee = hand.played.referee
    twin = referee.clone()
    before = (hand.request, list(referee.ledger.scores), referee.question)
    other = Hand(hand.played.referee.setup)
    other.played, other.open = Played(twin), hand.open
    for _ in range(40):
        other.move()
    assert (hand.request, list(referee.ledger.scores), referee.question) == before
    assert (twin.ledger.deals, referee.ledger.deals) == (1, 0)
    hand.rest()
    assert (twin.ledger.deals, referee.ledger.deals) == (1, 3)


def test_nothing_may_be_told_before_the_start_or_after_the_end():
    referee = Referee(setup())
    with pytest.raises(ValueError):
        referee.receive([])
    hand = Hand(setup()).begin().rest()
    with pytest.raises(ValueError):
        hand.tell()


@pytest.mark.parametrize(
    ("happened", "words"),
    [
        (Answered(0, HelloAnswer(id=0)), None),
        (Answered(0, HelloAnswer(id=0, protocol=2)), "version 2"),
        (Answered(0, HelloAnswer(id=0, games=["whist"])), "whist"),
        (Lost(0, "exited", "status 3"), "status 3"),
        (TimedOut(0, 10_000), "10000 ms"),
        (Garbled(0, BAD, ""), "hint"),
    ],
)
def test_a_greeting_asks_one_bot_for_its_hello(happened, words):
    greeting = Greeting("trianon", "0.1.0", setup().limits)
    (ask,) = greeting.start()
    assert isinstance(ask, Ask)
    assert (ask.seat, ask.id) == (0, 0)
    greeting.receive([happened])
    if words is None:
        assert greeting.failure is None
    else:
        assert words in str(greeting.failure)
