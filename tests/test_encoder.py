"""Lines built by hand are the models' own, and none is longer than the page allows."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.effects import Seated
from arena.games import GAMES
from arena.naming import MAX_NAME, is_name
from arena.record import MAX_LINE, Heading, header_of
from arena.setup import MatchSetup
from protocol.codec import (
    SHOWN_BYTES,
    act_line,
    annotate,
    end_line,
    play_text,
    trick_text,
)
from protocol.events import EVENT, DealEvent, FaultEvent, PlayEvent, TrickEvent
from protocol.judge import illegal, show_line
from protocol.messages import (
    MAX_REQUEST,
    REQUEST,
    Act,
    End,
    FaultReport,
    Hello,
    HelloLimits,
    MatchClock,
    Start,
)
from protocol.model import MAX_FAULT_TEXT, MAX_NOTE
from protocol.notation import BID_NAMES
from protocol.snapshots import TrianonSnapshot
from tests.scripted import CLOCK, Hand, playout, setup

MOST = 2**31 - 1
LONG_NAME = "\U00010400" * MAX_NAME  # a letter that \u escapes twelve bytes long
games = pytest.mark.parametrize("game", GAMES)


@games
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_every_line_sent_is_the_models_own_dump(game, seed):
    rng = random.Random(seed)
    clock = rng.choice((None, CLOCK))
    match = setup(game, deal_seed=str(seed), clock=clock, strikes=9)
    played = playout(match, rng, rng.choice((0, 0.05, 0.3)))
    types = set()
    for ask in played.asks:
        text = ask.line.decode("ascii")
        request = REQUEST.validate_json(text)
        types.add(type(request))
        assert request.wire() + "\n" == text
        assert request.id == ask.id
        assert len(ask.line) <= MAX_REQUEST
        if isinstance(request, Act):
            turn = request.clock
            faults = "".join(f.wire() for f in request.faults or ())
            assert ask.line == act_line(
                request.id,
                request.ask,
                request.legal,
                request.you,
                "null" if turn is None else turn.wire(),
                request.deal.model_dump_json(),
                ",".join(event.wire() for event in request.events),
                f',"faults":[{faults}]' if faults else "",
            )
    assert types <= {Hello, Start, Act, End}


@games
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_every_line_of_a_record_is_the_models_own_dump(game, seed):
    rng = random.Random(seed)
    played = playout(setup(game, deal_seed=str(seed)), rng, rng.choice((0, 0.1)))
    for line in played.lines[1:]:
        event = EVENT.validate_json(line)
        assert event.wire() == line
        plain = event.model_copy(
            update={k: None for k in ("ms", "note") if k in type(event).model_fields}
        )
        told = plain.wire()
        match plain:
            case PlayEvent(n=n, seat=seat, card=card):
                assert play_text(n, seat, card) == told
            case TrickEvent(n=n, no=no, winner=winner):
                assert trick_text(n, no, winner) == told
            case _:
                pass
        ms, note = getattr(event, "ms", None), getattr(event, "note", None)
        assert line == (told if ms is note is None else annotate(told, ms, note))


@pytest.mark.parametrize("places", [None, [1, 3, 2]])
@pytest.mark.parametrize("faults", [None, [(3, "x\U0001f0a1"), (4, '"')]])
def test_end_lines(places, faults):
    reports = faults and [
        FaultReport(id=n, code="timeout", text=t, played="6C", strikes_left=1)
        for n, t in faults
    ]
    end = End(
        id=9,
        reason="deals",
        scores=[1, 2, 3],
        places=places,
        you=2,
        events=[],
        faults=reports,
    )
    told = ",".join(report.wire() for report in reports or ())
    line = end_line(
        9,
        "deals",
        [1, 2, 3],
        places,
        2,
        "",
        f',"faults":[{told}]' if told else "",
    )
    assert line.decode() == end.wire() + "\n"


# --- the longest lines --------------------------------------------------------------


def longest(clock=None, game="trianon"):
    """Return a match whose every name is as long as it can be."""
    assert is_name(LONG_NAME)
    block = "+".join([LONG_NAME] * 3)
    clock = clock or MatchClock(move_ms=MOST, bank_ms=MOST, deal_add_ms=MOST)
    return MatchSetup(
        game=game,
        options=GAMES[game].options({"deals": 99_999}),
        match=f"{LONG_NAME}/{block}/{MOST}/021",
        names=(LONG_NAME, LONG_NAME, LONG_NAME),
        deal_seed="f" * 64,
        seed="f" * 64,
        arena="1000.1000.1000.dev1000+g0123456789",
        clock=clock,
        strikes=MOST,
        limits=HelloLimits(hello_ms=MOST, start_ms=MOST, end_ms=MOST),
    )


def longest_fault():
    """Return a text of 300 characters that escapes to 3,600 bytes."""
    return "\U0001f0a1" * MAX_FAULT_TEXT


def test_hello_and_start_at_their_longest():
    hand = Hand(longest())
    sizes = []
    for _ in range(2):
        sizes += [len(ask.line) for ask in hand.open]
        hand.tell(*(hand.good(ask) for ask in hand.open))
    assert max(sizes) <= MAX_REQUEST
    assert max(sizes) > 5000  # it is the long one that was built


def test_act_at_its_longest_in_trianon():
    """All 54 bids between two who go up in turn, told to the third in one piece."""
    hand = Hand(longest()).begin()
    referee = hand.played.referee
    # The largest numbers that there can be: a match of 99,999 deals.
    referee.ledger.scores[:] = [600 * 99_999] * 3
    hand.move("pass")  # seat 1 is out of the auction; 2 and 0 go up in turn
    for bid in BID_NAMES[:-1]:
        hand.move(bid)
    assert hand.request["ask"] == "bid"
    hand.move("pass").move("keep")
    longest_line = b""
    while referee.ledger.deals == 0:
        longest_line = max(longest_line, hand.ask.line, key=len)
        hand.move()
    # Longer still: every part at its worst, all at once.
    act = Act.model_validate_json(longest_line)
    report = FaultReport(
        id=MOST,
        code="bad_encoding",
        text=longest_fault(),
        played="10SS",
        strikes_left=MOST,
    )
    worst = act.model_copy(
        update={"faults": [report], "legal": ["pass", *BID_NAMES], "id": MOST}
    )
    assert isinstance(worst.deal, TrianonSnapshot)
    assert len(worst.deal.auction) == 55
    assert len(longest_line) < len(worst.wire()) < MAX_REQUEST
    events = [event.model_copy(update={"n": MOST}) for event in act.events]
    assert len(worst.model_copy(update={"events": events}).wire()) < MAX_REQUEST


@games
def test_act_and_end_at_their_longest_after_a_fault(game):
    """A fault text is bounded, and a request tells of one fault at most."""
    rng = random.Random(5)
    longest_act = longest_end = 0
    for seed in range(12):
        match = setup(game, deal_seed=str(seed), strikes=99)
        played = playout(match, rng, 0.6)
        for ask in played.asks:
            request = REQUEST.validate_json(ask.line)
            if not isinstance(request, (Act, End)):
                continue
            assert request.faults is None or len(request.faults) == 1
            report = FaultReport(
                id=MOST,
                code="illegal_move",
                text=longest_fault(),
                played="QC KD",
                strikes_left=MOST,
            )
            size = len(request.model_copy(update={"faults": [report]}).wire())
            if isinstance(request, Act):
                longest_act = max(longest_act, size)
            else:
                longest_end = max(longest_end, size)
    assert 3600 < longest_end < MAX_REQUEST
    assert 3600 < longest_act < MAX_REQUEST


def test_a_faults_text_is_bounded_by_the_model():
    assert len(longest_fault()) == MAX_FAULT_TEXT
    fields = {"id": 1, "code": "timeout", "played": "6C"}
    with pytest.raises(ValueError):
        FaultReport(text="x" * 301, strikes_left=1, **fields)
    with pytest.raises(ValueError):
        FaultEvent(n=1, seat=0, text="x" * 301, **fields)


def test_a_record_at_its_longest_can_be_read():
    match = longest()
    raw = "\U000e0041".encode() * (SHOWN_BYTES // 4)
    fault = FaultEvent(
        n=MOST,
        seat=0,
        code="illegal_move",
        played="10SS",
        id=MOST,
        text=illegal("\U0001f0a1" * 999, list(BID_NAMES)).text,
        line=show_line(raw),
        ms=MOST,
    )
    other = fault.model_copy(update={"line": show_line(b"\xff" * 9999)})
    noted = annotate(play_text(MOST, 2, "6C"), MOST, "\U0001f0a1" * MAX_NOTE)
    long = ("\U0001f0a1" * 64,) * 3
    header = header_of(match, Heading(), Seated(match.names, long, long))
    lines = [fault.wire(), other.wire(), noted, header.wire()]
    assert max(map(len, lines[:3])) < 8 * 1024
    assert max(map(len, lines)) < 12 * 1024 < MAX_LINE


def test_what_only_the_record_holds_is_left_out_of_what_bots_see():
    deal = DealEvent(n=0, no=1, dealer=0, scores=[0, 0, 0], hands=[["6C"], None, None])
    assert '"taker"' not in deal.wire()
