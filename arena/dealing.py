"""Cards and seeds from text, by SHA-256 alone: anyone can check them in one line.

Protocol page, sections 3 and 7.  The only place that makes cards from a seed.
"""

import hashlib
import secrets
from collections.abc import Sequence

from arena.games.base import Game, Position
from protocol.notation import CARD_NAMES, Card


def shuffled(game: Game, deal_seed: str, no: int) -> list[Card]:
    """Return the game's deck in the order in which deal ``no`` (from 1) is dealt."""

    def key(card: Card) -> str:
        return _sha256(f"{deal_seed}/{no}/{CARD_NAMES[card]}")

    return sorted(game.deck, key=key)


def deal(game: Game, deal_seed: str, no: int) -> Position:
    """Return deal ``no`` (from 1) of a match dealt from ``deal_seed``."""
    return game.position(shuffled(game, deal_seed, no), game.dealer(no))


def new_seed() -> str:
    """Return a seed that nobody can guess: 32 random bytes in hex."""
    return secrets.token_hex(32)


def commitment(match: str, deal_seed: str) -> str:
    """Return what binds the arena to the deals of a match before they are shown."""
    return "sha256:" + _sha256(f"trianon-arena/1 {match} {deal_seed}")


def bot_seed(seed: str, match: str, seat: int) -> int:
    """Return the seed for a bot's own randomness, below 2^31.

    Args:
        seed: the cup's seed; for a single match its deal seed.
        match: the match's name.
        seat: where the bot sits.
    """
    return int(_sha256(f"bot/{seed}/{match}/{seat}")[:8], 16) >> 1


def block_seed(cup_seed: str, names: Sequence[str], block: int) -> str:
    """Return the deal seed of a triple's block number ``block``, counted from 1."""
    return _sha256(f"{cup_seed}/{'+'.join(sorted(names))}/{block}")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
