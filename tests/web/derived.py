"""What must lie on the table after each event of a record, by the arena's own rules.

Cards come from the seed, and every move goes through the game: nothing is taken from
the record but who did what.  So the pages, which add up the record's events, are held
against another way to the same table.
"""

from dataclasses import dataclass, field
from typing import Any

from arena.dealing import deal
from arena.games import GAMES
from protocol.events import (
    BidEvent,
    ContractEvent,
    DealEvent,
    PartnerEvent,
    PlayEvent,
    ScoreEvent,
    ShowEvent,
    TrickEvent,
)
from protocol.notation import ALONE, KEEP, SEATS, spell


@dataclass
class _Deal:
    position: Any = None
    won: list[int] = field(default_factory=lambda: [0, 0, 0])
    trick: dict[str, str] = field(default_factory=dict)
    scores: list[int] = field(default_factory=lambda: [0, 0, 0])


def tables(record):
    """Return one table for each event: what lies where, as plain data."""
    game = GAMES[record.header.game]
    seed = record.header.deal_seed
    now = _Deal()
    return [_after(now, game, seed, event) for event in record.events]


def _after(now, game, seed, event):
    position = now.position
    match event:
        case DealEvent(no=no):
            now.position = position = deal(game, seed, no)
            now.won, now.trick = [0, 0, 0], {}
        case BidEvent(bid=bid):
            _move(game, position, bid)
        case ContractEvent(contract=contract):
            if position.ask == "raise":
                legal = game.spell(position.legal())
                _move(game, position, contract if contract in legal else KEEP)
        case ShowEvent(cards=cards):
            _move(game, position, " ".join(cards))
        case PartnerEvent(partner=partner):
            _move(game, position, ALONE if partner == ALONE else f"with {partner}")
        case PlayEvent(card=card):
            now.trick[str(position.seat)] = card
            _move(game, position, card)
        case TrickEvent():
            now.won, now.trick = list(position.won), {}
        case ScoreEvent():
            pairs = zip(now.scores, position.points(), strict=True)
            now.scores = [score + points for score, points in pairs]
        case _:
            pass  # nothing moves
    hands = [sorted(spell(position.hand(s))) if position else [] for s in SEATS]
    return {
        "hands": hands,
        "trick": dict(now.trick),
        "won": list(now.won),
        "scores": list(now.scores),
    }


def _move(game, position, text):
    """Make a move; `6S` may be a bid or a card, and only one of them is legal."""
    moves = {game.names[move]: move for move in position.legal()}
    position.apply(moves[text])
