"""The games that the arena knows; a new one is a file here and a line below."""

from typing import Final

from arena.games.base import Game, Move, Position
from arena.games.loyatais import Loyatais
from arena.games.trianon import Trianon

GAMES: Final[dict[str, Game]] = {game.name: game for game in (Trianon(), Loyatais())}

__all__ = ["GAMES", "Game", "Move", "Position"]
