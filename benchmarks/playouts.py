"""Random playouts through the games' public interface, in decisions a second.

    python -m benchmarks.playouts [--runs N] [--deals N]

The floor is the same loop over a position that does nothing, to show what the loop and
its random numbers cost by themselves.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence

from arena.dealing import deal
from arena.games import GAMES, Game, Position
from benchmarks.common import in_turn


def playouts(game: Game, deals: int) -> float:
    """Return decisions a second of random play; dealing is not counted."""
    rng = random.Random(1).random
    positions = [deal(game, "bench", no) for no in range(1, deals + 1)]
    began = time.perf_counter()
    count = sum(_playout(position, rng) for position in positions)
    return count / (time.perf_counter() - began)


def _playout(position: Position, rng: Callable[[], float]) -> int:
    count = 0
    while not position.is_over:
        legal = position.legal()
        position.apply(legal[int(rng() * len(legal))])
        count += 1
    return count


def idle_loop(decisions: int) -> float:
    """Return turns a second of the loop alone."""
    rng = random.Random(1).random
    legal: Sequence[int] = tuple(range(7))

    def apply(_move: int) -> None:
        pass

    began = time.perf_counter()
    for _ in range(decisions):
        apply(legal[int(rng() * len(legal))])
    return decisions / (time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--deals", type=int, default=2000)
    given = parser.parse_args()
    games = list(GAMES.values())
    floor, *rows = in_turn(
        given.runs,
        lambda: idle_loop(40 * given.deals),
        *(lambda game=game: playouts(game, given.deals) for game in games),
    )
    print(f"decisions a second in random playouts, median of {given.runs}")
    named = [("the loop alone", floor)]
    named += zip((game.name for game in games), rows, strict=True)
    for name, (low, mid, high) in named:
        ratio = mid / floor[1]
        print(f"  {name:<16}{mid:>11,.0f}  ({low:,.0f} to {high:,.0f})  {ratio:.2f}")


if __name__ == "__main__":
    main()
