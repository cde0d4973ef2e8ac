"""The cards of a replay are those of the record, at every step of it."""

import json
import random

import pytest

from arena.record import read_record
from protocol.notation import CARD_NAMES
from tests.browser import open_page
from tests.scripted import playout, setup
from tests.web.derived import tables
from tests.web.looking import all_steps, differences
from tournaments.web.words import language

GAMES = ["trianon", "loyatais"]
MATCHES = [(game, seed) for game in GAMES for seed in range(10)]
DEALS = {"trianon": {"deals": 2}, "loyatais": {"deals": 3}}


@pytest.fixture
def reader(at):
    """Return what reads every step of a record off the page."""
    return lambda path: all_steps(at(path))


def recorded(game, seed, trouble=0.03):
    options = DEALS[game]
    match = setup(game, options, deal_seed=f"seed {seed}", match=f"m/{seed}", strikes=9)
    return playout(match, random.Random(seed), trouble)


@pytest.mark.processes
@pytest.mark.parametrize(("game", "seed"), MATCHES)
def test_every_step_shows_the_cards_of_the_record(game, seed, reader, tmp_path):
    path = recorded(game, seed).save(tmp_path)
    assert differences(reader(path), tables(read_record(path))) == []


def first(events, kind):
    return next(event for event in events if event["e"] == kind)


def swap_two_cards(events):
    a, b, _ = first(events, "deal")["hands"]
    a[0], b[0] = b[0], a[0]


def play_another_card(events):
    one, other = [event for event in events if event["e"] == "play"][:2]
    one["card"], other["card"] = other["card"], one["card"]


def give_the_trick_to_another(events):
    trick = first(events, "trick")
    trick["winner"] = (trick["winner"] + 1) % 3


def score_more(events):
    first(events, "score")["scores"][0] += 20


def leave_out_a_card(events):
    events.remove(first(events, "play"))


@pytest.mark.processes
@pytest.mark.parametrize(
    "change",
    [
        swap_two_cards,
        play_another_card,
        give_the_trick_to_another,
        score_more,
        leave_out_a_card,
    ],
)
@pytest.mark.parametrize("game", GAMES)
def test_a_record_that_was_changed_is_shown_as_changed(game, change, reader, tmp_path):
    played = recorded(game, 1, trouble=0)
    derived = tables(played.record(tmp_path))
    events = played.events
    change(events)
    path = tmp_path / "changed.jsonl"
    lines = [played.lines[0], *map(json.dumps, events)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    assert differences(reader(path), derived) != []


DRAWN = """
async () => {
  const cards = await import('../static/cards.js');
  const {CARDS} = await import('../static/notation.js');
  const {loadWords} = await import('../static/text.js');
  const t = await loadWords();
  document.body.classList.add('board');
  return CARDS.map((name) => {
    const svg = cards.face(t, name);
    document.body.append(svg);
    return [name, {
      name: svg.getAttribute('aria-label'),
      index: svg.querySelector('text').textContent,
      colour: getComputedStyle(svg).color,
      drawing: svg.innerHTML,
    }];
  });
}
"""


@pytest.mark.processes
@pytest.mark.parametrize("code", ["en", "fr"])
def test_no_two_cards_look_or_sound_alike(code, chromium, replays):
    with open_page(chromium) as page:
        page.goto(f"{replays}{code}/replay.html")
        drawn = dict(page.evaluate(DRAWN))
    assert sorted(drawn) == sorted(CARD_NAMES)
    for what in ("name", "drawing"):
        assert len({card[what] for card in drawn.values()}) == 36
    assert len({card["index"] for card in drawn.values()}) == 9
    by_suit = {name[1]: card["colour"] for name, card in drawn.items()}
    assert len(set(by_suit.values())) == 4
    words = language(code)
    king = drawn["KS"]
    assert king["index"] == words.text("card.index_K")
    assert words.text("card.suit_S") in king["name"]
