"""The games against the rule book: 10,000 random deals, and a mutant for each rule.

The rule book (``tests/rulebook``) was written from the rules alone.  Both must say
the same at every turn; and a game that is wrong in one rule must be found out.
"""

import random
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from pydantic import ValidationError

from arena.ledger import place
from tests import rulebook

BOOKS = {"trianon": rulebook.trianon, "loyatais": rulebook.loyatais}
DEALS = 5000
HUNTED = 150  # deals in which a mutant has to give itself away

OPTIONS = {
    "trianon": [
        {},
        {"target": 100},
        {"target": 100, "max_deals": 3},
        {"max_deals": 3},
        {"deals": 3},
        {"deals": 3, "target": 100},
        {"deals": 0},
        {"max_deals": 0},
        {"target": 0},
        {"rounds": 3},
    ],
    "loyatais": [{}, {"deals": 3}, {"deals": 4}, {"deals": 0}, {"target": 100}],
}


def read(name):
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    # A compiled module (tests/test_compiled.py) has its source beside it.
    folder, stem = Path(spec.origin).parent, name.rpartition(".")[2]
    return (folder / f"{stem}.py").read_text(encoding="utf-8")


MODULES = [
    "protocol.notation",
    "arena.games.base",
    "arena.games.tricks",
    "arena.games.trianon",
    "arena.games.loyatais",
    "arena.dealing",
    "arena.ledger",
]
SOURCES = {name: read(name) for name in MODULES}


def load(changed=None, source=""):
    """Return the games from fresh modules, one of which has another source."""
    before = {name: import_module(name) for name in MODULES}
    try:
        for name in MODULES:
            module = sys.modules[name] = ModuleType(name)
            text = source if name == changed else SOURCES[name]
            exec(compile(text, name, "exec"), module.__dict__)
        fresh = {name.split(".")[-1]: sys.modules[name] for name in MODULES}
    finally:
        sys.modules.update(before)
    return arena_of(fresh)


def arena_of(fresh):
    return SimpleNamespace(
        games={
            "trianon": fresh["trianon"].Trianon(),
            "loyatais": fresh["loyatais"].Loyatais(),
        },
        shuffled=fresh["dealing"].shuffled,
        place=fresh["ledger"].place,
        card_names=fresh["notation"].CARD_NAMES,
    )


def is_compiled():
    return not str(import_module("arena.games.trianon").__file__).endswith(".py")


def imported():
    """Return the games as whoever imports them has them."""
    return arena_of({name.split(".")[-1]: import_module(name) for name in MODULES})


REAL = imported() if is_compiled() else load()


def chosen(rng, ask, legal):
    """Pass often, and bid low, so that deals of every kind come about."""
    if ask in ("bid", "raise"):
        return rng.randrange(min(len(legal), rng.choice((1, 7, 99))))
    return rng.randrange(len(legal))


def play_both(arena, game, seed, no, rng):
    """Play one deal by both; return where they differ, or None."""
    rules, book = arena.games[game], BOOKS[game]
    names = arena.card_names
    dealer = rules.dealer(no)
    if dealer != book.dealer_of(no):
        return "dealer"
    position = rules.position(arena.shuffled(rules, seed, no), dealer)
    hands, aside = book.deal_cards(seed, no)
    deal = book.Deal(hands, dealer)
    if [[names[c] for c in position.hand(seat)] for seat in range(3)] != hands:
        return "hands"
    if [names[card] for card in rules.aside(position) or ()] != aside:
        return "aside"
    while not deal.over:
        legal = rules.spell(position.legal())
        if legal != deal.legal:
            return f"legal moves at {deal.ask}"
        if (position.seat, position.ask) != (deal.seat, deal.ask):
            return f"turn at {deal.ask}"
        if position.is_over or position.won != deal.won:
            return "tricks won"
        if deal.ask == "play" and position.lead != deal.lead:
            return "lead"
        if [names[card] for card in position.trick] != deal.trick:
            return "trick"
        index = chosen(rng, deal.ask, legal)
        position.apply(position.legal()[index])
        deal.play(deal.legal[index])
    if not position.is_over or position.won != deal.won:
        return "end of the deal"
    if position.points() != deal.points:
        return "points"
    if rules.name == "trianon":
        contract = rules.names[position.contract] if position.contract else "trianon"
        if contract != deal.contract:
            return "contract"
        if deal.declarer not in (position.declarer, None):
            return "declarer"
    return None


def match_difference(arena, game):
    """Compare dealers, options, ends of matches and places."""
    rules, book = arena.games[game], BOOKS[game]
    for no in range(1, 9):
        if rules.dealer(no) != book.dealer_of(no):
            return "dealer"
    for given in OPTIONS[game]:
        try:
            options = rules.options(given)
        except ValidationError:
            options = None
        try:
            book.check_options(given)
            is_right = True
        except ValueError:
            is_right = False
        if is_right is (options is None):
            return f"options {given}"
        if options is None:
            continue
        for deals in (1, 2, 3, 4, 11, 12, 199, 200):
            for most in (0, 99, 100, 101, 499, 500, 900):
                scores = [0, most, 0]
                reason = rules.end_reason(options, deals, scores)
                if reason != book.match_reason(given, deals, scores):
                    return f"end of a match with {given}"
    rng = random.Random(1)
    for _ in range(300):
        scores = [rng.randrange(3) * 10 for _ in range(3)]
        outs = [rng.choice((None, None, "exited")) for _ in range(3)]
        out = [seat for seat in range(3) if outs[seat]]
        if arena.place(scores, outs) != book.places(scores, out):
            return "places"
    return None


def difference(arena, game, deals, seed="agree"):
    """Return the first difference in so many deals, or None."""
    rng = random.Random(f"{seed}/{game}")
    for number in range(deals):
        found = play_both(arena, game, f"{seed}-{number}", 1 + number % 3, rng)
        if found is not None:
            return found
    return None


@pytest.mark.parametrize("part", range(5))
@pytest.mark.parametrize("game", BOOKS)
def test_random_deals_are_played_alike(game, part):
    found = difference(REAL, game, DEALS // 5, f"agree{part}")
    assert found is None


@pytest.mark.parametrize("game", BOOKS)
def test_matches_end_alike(game):
    assert (REAL.place is place) == is_compiled()
    assert match_difference(REAL, game) is None


# --- mutants ------------------------------------------------------------------------

T, L = "arena.games.trianon", "arena.games.loyatais"
TRICKS = "arena.games.tricks"
BASE, CARDS, LEDGER = "arena.games.base", "protocol.notation", "arena.ledger"
MUTANTS = [
    ("T1", T, "_by_rank(RANKS)", "_by_rank(RANKS[::-1])"),
    ("T1", CARDS, '"6789TJQKA"', '"6789JTQKA"'),
    ("T2", T, "hands, CLOCKWISE)", "hands, (2, 0, 1))"),
    ("T3", BASE, "self.step * (turn + 1)", "self.step * turn"),
    ("T3", BASE, "first = 2 * turn", "first = turn"),
    ("T4", T, "return (no - 1) % 3", "return no % 3"),
    ("T5", CARDS, '("C", "S", "D",', '("C", "D", "S",'),
    ("T5", CARDS, "range(4, 13)", "range(5, 13)"),
    ("T6", T, "range(bid + 1, PASS_MOVE)", "range(bid + 2, PASS_MOVE)"),
    ("T7", T, "(dealer + 1) % 3  # T7", "dealer  # T7"),
    ("T7", T, "self.passed |= 1 << seat", "self.passed |= 0"),
    ("T8", T, "elif passed == _BUT[self.bidder]:", "elif passed in _BUT:"),
    ("T9", T, "self.is_trianon = True", "self.is_trianon = False"),
    ("T10", T, "if self.bid == LAST_BID:", "if self.bid != LAST_BID:"),
    ("T10", T, "self.contract = self.bid", "self.contract = FIRST_BID"),
    ("T11", T, "(self.declarer + 1) % 3,", "self.declarer,"),
    ("T11", TRICKS, "self.lead = seat\n", "self.lead = (seat + 1) % 3\n"),
    ("T12", TRICKS, "self._led or hand", "self._led and hand"),
    ("T13", T, "else suit == trumps", "else False"),
    (
        "T13",
        T,
        "bit > best if",
        "bit < best if",
    ),
    ("T14", T, '"JQKA6789T"', '"JQKA678T9"'),
    ("T14", T, 'if denomination == "SS":', 'if denomination == "NT":'),
    ("T15", T, "POINTS_MADE, POINTS_MADE_NO_TRUMP = 30, 40", None),
    ("T15", T, "POINTS_DOWN, POINTS_DOWN_NO_TRUMP = 40, 50", None),
    ("T15", T, "missing = bid - self.won", "missing = 1 + bid - self.won"),
    ("T16", T, "(150, 105, 70, 35)", "(150, 105, 75, 35)"),
    ("T16", T, "_begin_tricks(self.dealer,", "_begin_tricks(self.dealer - 1,"),
    ("T17", T, "max(scores) >= options.target", "max(scores) > options.target"),
    ("T17", LEDGER, "scores[other] > scores[seat]", "scores[other] >= scores[seat]"),
    ("T18", T, "deals >= options.max_deals", "deals > options.max_deals"),
    ("T19", T, '"deals" if deals >= options.deals', '"deals" if deals > options.deals'),
    ("T19", T, "return TrianonOptions(deals=options.deals)", None),
    ("L1", CARDS, '"CDHS"', '"DCHS"'),
    ("L2", L, "hands, COUNTER_CLOCKWISE)", "hands, (1, 2, 0))"),
    ("L3", L, "cards[3 * HAND :]", "cards[:2]"),
    ("L3", BASE, "self.step * (turn + 1)", "self.step * turn"),
    ("L4", L, "return (1 - no) % 3", "return (no - 1) % 3"),
    ("L5", L, "(taker + 2) % 3  # L5", "(taker + 1) % 3  # L5"),
    ("L5", L, "for b in cards[i:]", "for b in cards[i + 1 :]"),
    ("L6", L, "TRICKS_ALONE, TRICKS_WITH = 5, 7", "TRICKS_ALONE, TRICKS_WITH = 5, 6"),
    ("L6", L, "TRICKS_ALONE, TRICKS_WITH = 5, 7", "TRICKS_ALONE, TRICKS_WITH = 4, 7"),
    ("L7", L, "_begin_tricks(self.taker,", "_begin_tricks(self.taker - 1,"),
    ("L8", TRICKS, "self._led or hand", "self._led and hand"),
    ("L9", L, "card > best", "card < best"),
    ("L9", L, "card > best", "card % 9 > best % 9"),
    ("L10", L, "POINTS_OVERTRICK, POINTS_CAPOT = 100, 20, 100", None),
    ("L10", L, "if taken == HAND:", "if taken == HAND - 1:"),
    ("L11", L, "POINTS_FAILED = 100", "POINTS_FAILED = 50"),
    ("L11", L, "side = [seat for seat in range(3) if seat not in side]", "pass"),
    ("L12", L, "deals >= options.deals", "deals > options.deals"),
    ("L12", LEDGER, "scores[other] > scores[seat]", "scores[other] >= scores[seat]"),
]
# Longer replacements, by the text that they replace.
INSTEAD = {
    "POINTS_MADE, POINTS_MADE_NO_TRUMP = 30, 40": (
        "POINTS_MADE, POINTS_MADE_NO_TRUMP = 30, 30"
    ),
    "POINTS_DOWN, POINTS_DOWN_NO_TRUMP = 40, 50": (
        "POINTS_DOWN, POINTS_DOWN_NO_TRUMP = 50, 50"
    ),
    "return TrianonOptions(deals=options.deals)": (
        "return TrianonOptions(target=500, max_deals=options.deals)"
    ),
    "POINTS_OVERTRICK, POINTS_CAPOT = 100, 20, 100": (
        "POINTS_OVERTRICK, POINTS_CAPOT = 100, 10, 100"
    ),
}


@pytest.mark.skipif(is_compiled(), reason="mutants are made from the sources")
@pytest.mark.parametrize(
    ("rule", "module", "old", "new"),
    MUTANTS,
    ids=[f"{rule}-{k}" for k, (rule, *_) in enumerate(MUTANTS)],
)
def test_a_game_that_breaks_a_rule_is_found_out(rule, module, old, new):
    source = SOURCES[module]
    assert source.count(old) == 1, f"{module} has changed; mend the table"
    mutant = load(module, source.replace(old, INSTEAD[old] if new is None else new))
    game = "trianon" if rule.startswith("T") else "loyatais"
    found = match_difference(mutant, game)
    try:
        found = found or difference(mutant, game, HUNTED, "hunt")
    except (ValueError, IndexError, KeyError, AssertionError) as error:
        found = repr(error)
    assert found is not None


def test_every_rule_has_a_mutant():
    wanted = {f"T{k}" for k in range(1, 20)} | {f"L{k}" for k in range(1, 13)}
    assert {rule for rule, *_ in MUTANTS} == wanted


def test_a_capot_is_scored_alike():
    """Rare at random: the taker takes all ten tricks."""
    rules, book = REAL.games["loyatais"], BOOKS["loyatais"]
    for partner in (-1, 1, 2):
        position = rules.position(REAL.shuffled(rules, "x", 1), 0)
        position.partner = partner
        position.won = [10, 0, 0]
        said = "alone" if partner < 0 else partner
        assert position.points() == book.deal_points(0, said, [10, 0, 0])
