"""Random play to the end: what a search, a statistic and a benchmark ask most for."""

from collections.abc import Callable

from arena.games.base import Game, Position


def shuffled_deal(game: Game, dealer: int, draw: Callable[[], float]) -> Position:
    """Return a deal of cards shuffled by chance.

    For play by chance only: what is dealt in a match follows from its seed.

    Args:
        game: its deck and its way of dealing.
        dealer: who deals, 0 to 2; in Loyatais, who takes.
        draw: as for ``playouts``.
    """
    return game.position(sorted(game.deck, key=lambda _card: draw()), dealer)


def playouts(
    position: Position, number: int, draw: Callable[[], float]
) -> list[list[int]]:
    """Play a position to the end so many times, every move by chance.

    The position stays as it is.  Whoever does not see all the hands shares out those
    unseen first, and asks for a few playouts of each such position.

    Args:
        position: where each playout begins; its deal may be over.
        number: how many playouts.
        draw: returns numbers from 0 to below 1, such as ``random.Random(7).random``.

    Returns:
        The points of each playout, one number a seat.
    """
    return [_playout(position.clone(), draw) for _ in range(number)]


def _playout(position: Position, draw: Callable[[], float]) -> list[int]:
    while not position.is_over:
        moves = position.legal()
        position.apply(moves[int(draw() * len(moves))])
    return position.points()
