"""Whole random matches: what holds in all of them.  One seed makes one playout."""

import json
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.dealing import deal, shuffled
from arena.effects import Lost
from arena.errors import ArenaError
from arena.games import GAMES
from arena.record import RecordError, masked, read_record
from arena.verify import lines_sent, replayed, verify
from protocol.events import EVENT, as_seen_by
from protocol.messages import REQUEST, Act
from protocol.notation import CARD_NAMES
from tests.rulebook import check_record
from tests.scripted import CLOCK, Hand, playout, setup

seeds = st.integers(0, 2**32)
games = pytest.mark.parametrize("game", GAMES)


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def troubled(seed):
    """Return a match that may go wrong in every way."""
    rng = random.Random(seed)
    match = setup(
        rng.choice(("trianon", "loyatais")),
        clock=rng.choice((None, CLOCK)),
        strikes=rng.choice((1, 2, 3, 9)),
        strict=rng.random() < 0.2,
        deal_seed=str(seed),
    )
    return playout(match, rng, rng.choice((0, 0.02, 0.1, 0.3)))


# --- positions ----------------------------------------------------------------------


def state_of(position):
    return (
        [position.hand(seat) for seat in range(3)],
        list(position.trick),
        list(position.won),
        (position.seat, position.lead, position.ask, position.is_over),
        position.legal(),
    )


@games
@settings(max_examples=12)
@given(seed=seeds)
def test_every_legal_move_is_taken_and_every_other_refused(game, seed):
    rng = random.Random(seed)
    rules = GAMES[game]
    position = deal(rules, str(seed), rng.randint(1, 3))
    cards = shuffled(rules, str(seed), 1)
    others = [-1, *range(len(rules.names))]
    while not position.is_over:
        legal = position.legal()
        assert legal
        assert len(set(legal)) == len(legal)
        before = state_of(position)
        for move in rng.sample(others, 60):
            if move not in legal:
                with pytest.raises(ValueError):
                    position.apply(move)
        assert state_of(position) == before
        for move in legal:
            position.clone().apply(move)
        assert state_of(position) == before
        gone = 3 * sum(position.won) + len(position.trick)
        held = [card for seat in range(3) for card in position.hand(seat)]
        aside = rules.aside(position) or []
        assert len(set(held + aside)) == len(held + aside) == len(cards) - gone
        position.apply(rng.choice(legal))
    assert position.legal() == ()
    for move in others[:60]:
        with pytest.raises(ValueError):
            position.apply(move)


# --- what bots are told -------------------------------------------------------------


@games
@settings(max_examples=12)
@given(seed=seeds)
def test_the_events_told_to_a_seat_add_up_to_its_snapshot(game, seed):
    rng = random.Random(seed)
    played = playout(setup(game, deal_seed=str(seed)), rng, rng.choice((0, 0.05)))
    tables = [GAMES[game].table() for _ in range(3)]
    numbers = [0, 0, 0]
    for ask in played.asks:
        request = REQUEST.validate_json(ask.line)
        for event in getattr(request, "events", ()):
            assert event.n == numbers[ask.seat]
            numbers[ask.seat] += 1
            tables[ask.seat].tell(event)
        if isinstance(request, Act):
            assert tables[ask.seat].snapshot(ask.seat) == request.deal
            assert request.deal.model_dump_json() == tables[ask.seat].text(ask.seat)


@games
@settings(max_examples=12)
@given(seed=seeds)
def test_nobody_is_told_what_it_may_not_see(game, seed):
    rng = random.Random(seed)
    match = setup(game, deal_seed=f"secret{seed}")
    played = playout(match, rng, rng.choice((0, 0.05)))
    public: list[set[str]] = [set(), set(), set()]  # what each has seen of a deal
    for ask in played.asks:
        text = ask.line.decode("ascii")
        assert match.deal_seed not in text
        request = json.loads(text)
        known = public[ask.seat]
        for event in request.get("events", ()):
            match event["e"]:
                case "deal":
                    known.clear()
                    hands = [h is not None for h in event["hands"]]
                    assert hands == [seat == ask.seat for seat in range(3)]
                    known.update(event["hands"][ask.seat])
                case "play":
                    known.add(event["card"])
                case "show":
                    known.update(event["cards"])
                case "score":
                    known.update(event.get("aside", ()))
                case _:
                    pass
            own = {"ms", "note", "id", "text", "line"} & set(event)
            assert not own, "this is for the record alone"
        if request["type"] == "act":
            # A bid is no card: "9C" may be either.
            request["deal"].pop("auction", None)
            request["deal"].pop("contract", None)
            if request["ask"] not in ("play", "show"):
                request["legal"] = []
            del request["events"]
            request.pop("faults", None)  # its own moves, perhaps of the last deal
            said = json.dumps(request)
            seen = {card for card in CARD_NAMES if f'"{card}"' in said}
            assert seen <= known


# --- records ------------------------------------------------------------------------


@settings(max_examples=60)
@given(seed=seeds)
def test_a_record_is_true_and_every_line_is_rebuilt_from_it(folder, seed):
    played = troubled(seed)
    played.check(folder)
    ledger, again = played.ledger, replayed(played.record(folder))
    assert again is not None
    for name in ("scores", "places", "outs", "moves", "time_ms", "own_points"):
        assert getattr(again, name) == getattr(ledger, name), name
    assert again.fault_counts == ledger.fault_counts


def is_replaced(lines, at, **fields):
    event = json.loads(lines[at])
    lines[at] = json.dumps(event | fields, separators=(",", ":"))


def at_random(rng, lines, kind):
    return rng.choice([k for k, line in enumerate(lines) if f'"e":"{kind}"' in line])


def change_card(rng, lines):
    at = at_random(rng, lines, "play")
    card = json.loads(lines[at])["card"]
    is_replaced(lines, at, card=rng.choice([c for c in CARD_NAMES if c != card]))


def change_hand(rng, lines):
    at = at_random(rng, lines, "deal")
    hands = json.loads(lines[at])["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    is_replaced(lines, at, hands=hands)


def change_score(rng, lines):
    at = at_random(rng, lines, "score")
    scores = json.loads(lines[at])["scores"]
    is_replaced(lines, at, scores=[scores[0] + 10, *scores[1:]])


def change_seed(rng, lines):
    header = json.loads(lines[0])
    lines[0] = json.dumps(header | {"deal_seed": "other"})


def change_seed_and_commit(rng, lines):
    header = json.loads(lines[0])
    other = setup(header["game"], deal_seed="other")
    more = {"deal_seed": "other", "commit": other.commit}
    lines[0] = json.dumps(header | more)


def change_place(rng, lines):
    is_replaced(lines, len(lines) - 1, places=[1, 1, 1])


def change_seat(rng, lines):
    at = at_random(rng, lines, "play")
    is_replaced(lines, at, seat=(json.loads(lines[at])["seat"] + 1) % 3)


def take_too_long(rng, lines):
    at = at_random(rng, lines, "play")
    is_replaced(lines, at, ms=401)


def drop_line(rng, lines):
    del lines[rng.randrange(1, len(lines))]


def double_line(rng, lines):
    at = rng.randrange(1, len(lines))
    lines.insert(at, lines[at])


def forget_time(rng, lines):
    at = at_random(rng, lines, "play")
    event = json.loads(lines[at])
    event.pop("ms")
    event.pop("note", None)
    lines[at] = json.dumps(event, separators=(",", ":"))


def change_options(rng, lines):
    header = json.loads(lines[0])
    lines[0] = json.dumps(header | {"options": {"deals": 7}})


def change_rules(rng, lines):
    header = json.loads(lines[0])
    lines[0] = json.dumps(header | {"rules": 2})


def forge_out(rng, lines):
    at = at_random(rng, lines, "play")
    n = json.loads(lines[at])["n"]
    seat = rng.randrange(3)
    code = rng.choice(("strikes", "no_hello", "no_start", "exited", "closed"))
    lines[at:at] = [json.dumps({"n": n, "e": "out", "seat": seat, "code": code})]
    for k in range(at + 1, len(lines)):
        is_replaced(lines, k, n=json.loads(lines[k])["n"] + 1)


def hide_seed(rng, lines):
    header = json.loads(lines[0])
    lines[0] = json.dumps(header | {"deal_seed": None})


@pytest.mark.parametrize(
    "change",
    [
        change_card,
        change_hand,
        change_score,
        change_seed,
        change_seed_and_commit,
        change_place,
        change_seat,
        take_too_long,
        drop_line,
        double_line,
        forget_time,
        change_options,
        change_rules,
        forge_out,
        hide_seed,
    ],
)
@games
def test_an_altered_record_is_found_out(folder, game, change):
    for seed in range(3):
        rng = random.Random(seed)
        played = playout(setup(game, {"deals": 3}), rng)
        change(rng, played.lines)
        wrong = verify(played.record(folder))
        assert wrong is not None
        assert 1 <= wrong.line <= len(played.lines)
        assert wrong.rule.startswith(("section ", "T", "L"))
        assert wrong.text
        with pytest.raises(ValueError, match=f"line {wrong.line}"):
            lines_sent(played.record(folder))
        assert replayed(played.record(folder)) is None


@pytest.mark.parametrize("code", ["strikes", "no_hello", "no_start", "exited"])
def test_nobody_is_out_by_what_cannot_have_happened(folder, code):
    hand = Hand(setup("loyatais")).begin()
    other = (hand.ask.seat + 1) % 3
    hand.move(None, Lost(other, code)).rest()
    wrong = verify(hand.played.record(folder))
    assert wrong is not None
    assert (wrong.rule, code in wrong.text) == ("section 6", True)


def test_a_fault_has_to_be_one(folder):
    hand = Hand(setup("loyatais")).begin().fault().rest()
    lines = hand.played.lines
    at = next(k for k, line in enumerate(lines) if '"e":"fault"' in line)
    number = json.loads(lines[at])["id"]
    for line, code in (
        ({"id": number, "move": "pass"}, "bad_message"),  # illegal, but well made
        ({"id": 0}, "bad_message"),  # late: no fault at all
        ({"id": number, "move": 7}, "not_json"),
        ({"note": "x"}, "bad_message"),
    ):
        is_replaced(lines, at, line=json.dumps(line), code=code)
        wrong = verify(hand.played.record(folder))
        assert wrong is not None
        assert (wrong.line, wrong.rule) == (at + 1, "section 6")


@pytest.mark.parametrize(("clock", "ms"), [(None, 0), (CLOCK, 399)])
def test_a_timeout_has_to_be_one(folder, clock, ms):
    played = Hand(setup("loyatais", clock=clock)).begin().fault(took_ms=0).rest().played
    at = next(k for k, line in enumerate(played.lines) if '"e":"fault"' in line)
    is_replaced(played.lines, at, code="timeout")
    is_replaced(played.lines, at + 1, ms=ms)
    wrong = verify(played.record(folder))
    assert wrong is not None
    assert (wrong.line, wrong.rule) == (at + 1, "section 5")


FUZZED = [
    [line.encode("ascii") for line in playout(match, random.Random(1), 0.08).lines]
    for match in (setup("trianon", strikes=9), setup("loyatais", strikes=9))
]
BITS = [b"", b"null", b"-1", b"2147483648", b'""', b"[]", b"{}", b"1e400", b"\xff"]


def mutated(rng, lines):
    lines = list(lines)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.choice((0, rng.randrange(len(lines)), rng.randrange(len(lines))))
        line = lines[at]
        match rng.randrange(6):
            case 0:  # one byte
                k = rng.randrange(len(line))
                lines[at] = line[:k] + bytes([rng.randrange(256)]) + line[k + 1 :]
            case 1:  # another value
                k = line.find(b":", rng.randrange(len(line)))
                end = max(k + 1, line.find(b",", k))
                lines[at] = line[: k + 1] + rng.choice(BITS) + line[end:]
            case 2:
                lines[at] = rng.choice(lines)
            case 3:
                lines.insert(at, rng.choice(lines))
            case 4:
                lines = lines[:at] + lines[at + 1 :] or [b""]
            case _:
                lines[at] = line.replace(b"0", b"1", 1).replace(b"note", b"ms", 1)
    return b"".join(line + b"\n" for line in lines)[: rng.choice((-1, None, None))]


@settings(max_examples=150)
@given(seed=seeds)
def test_no_file_makes_anything_but_our_own_errors(folder, seed):
    rng = random.Random(seed)
    path = folder / "fuzzed.jsonl"
    path.write_bytes(mutated(rng, rng.choice(FUZZED)))
    try:
        record = read_record(path)
        list(masked(record, is_seed_open=False))
        wrong = verify(record)
    except RecordError as error:
        line, told = error.line, str(error)
    except ArenaError as error:
        line, told = 1, str(error)
    else:
        line, told = (wrong.line, wrong.rule) if wrong else (1, "true")
    assert 1 <= line <= path.read_bytes().count(b"\n") + 1
    assert told


def test_options_of_the_other_game_are_refused(folder):
    played = playout(setup("loyatais"), random.Random(1))
    for options in ({"target": 500}, {"deals": 4}, {}):
        header = json.loads(played.lines[0]) | {"options": options}
        lines = [json.dumps(header), *played.lines[1:]]
        path = folder / "options.jsonl"
        path.write_text("\n".join(lines) + "\n")
        try:
            wrong = verify(read_record(path))
            line = None if wrong is None else wrong.line
        except RecordError as error:
            line = error.line
        assert line == 1


def test_a_note_longer_than_any_is_refused(folder):
    played = playout(setup("loyatais"), random.Random(1))
    at = next(k for k, line in enumerate(played.lines) if '"e":"play"' in line)
    is_replaced(played.lines, at, note="n" * 401)
    with pytest.raises(RecordError, match=f":{at + 1}: "):
        played.record(folder)


# --- outs that look alike -----------------------------------------------------------


@games
@pytest.mark.parametrize("strict", [False, True])
def test_who_was_on_turn_when_it_was_lost_is_told_by_the_record(folder, game, strict):
    """Two matches with the same events, whose bots were sent different lines."""
    asks = []
    for is_asked in (False, True):
        hand = Hand(setup(game, strict=strict)).begin()
        if not strict:  # one is out already: the next ends the match
            hand.lose("closed")
        while hand.request["ask"] != "play":
            hand.move()
        hand.move()
        ahead = Hand(setup(game, strict=strict))
        ahead.played, ahead.open = hand.played, hand.open
        step = GAMES[game].step
        following = (hand.ask.seat + step) % 3
        if hand.played.ledger.outs[following] is not None:
            hand.move()
            following = (hand.ask.seat + step) % 3
        if is_asked:
            hand.move()
            hand.until(following).lose("flood", took_ms=7)
        else:
            hand.move(None, Lost(following, "flood"))
        hand.rest()
        hand.played.check(folder)
        asks.append(len(hand.played.asks))
        assert ("ms" in hand.played.of("out")[-1]) is is_asked
    assert asks[0] < asks[1]


@games
def test_two_that_are_lost_together_are_no_decision_of_their_own(folder, game):
    hand = Hand(setup(game)).begin()
    others = [seat for seat in range(3) if seat != hand.ask.seat]
    hand.move(None, *(Lost(seat, "flood") for seat in others)).rest()
    assert [event["seat"] for event in hand.played.of("out")] == others
    hand.played.check(folder)


# --- the public form ----------------------------------------------------------------


@games
def test_the_public_form_hides_the_deal_in_play_and_the_seed(folder, game):
    played = playout(setup(game), random.Random(3))
    lines = played.lines
    last = max(k for k, line in enumerate(lines) if '"e":"deal"' in line)
    path = folder / "running.jsonl"
    path.write_text("".join(line + "\n" for line in lines[: last + 4]))
    public = list(masked(read_record(path), is_seed_open=False))
    assert json.loads(public[0])["deal_seed"] is None
    for line, ours in zip(public[1:], lines[1:], strict=False):
        if line != ours:
            event = EVENT.validate_json(line)
            assert event.n >= last - 1  # of the deal in play: no notes, texts, times
            assert event == as_seen_by(EVENT.validate_json(ours), None)
            if event.e == "deal":
                assert event.hands == [None, None, None]
    whole = list(masked(played.record(folder), is_seed_open=True))
    assert whole == lines
    assert check_record(whole) == []
    path.write_text("".join(line + "\n" for line in public))
    wrong = verify(read_record(path))
    assert wrong is not None
    assert wrong.line == 1
