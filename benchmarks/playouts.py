"""Random playouts through the games' public interface, in decisions a second.

    python -m benchmarks.playouts [--runs N] [--deals N]

The peer is OpenSpiel's oh_hell, the trick game nearest to ours (three players, 36
cards, 11 tricks: one card has to turn up trumps), driven from Python by the same loop;
``make peers`` fetches it.  A whole playout begins with the deal: 36 draws on either
side.  "Dealt" leaves the deal out on both.  Time is the processor's, which nobody else
can take away.  With ``make compiled`` the very same files are measured as mypyc
compiles them.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final

from arena.games import GAMES, Position
from arena.games.rollouts import playouts, shuffled_deal
from benchmarks.common import ROOT, Measure, Row, compare, tell

PEERS: Final = ROOT / ".peers"
COMPILED: Final = ROOT / ".compiled"
OH_HELL: Final = {
    "players": 3,
    "num_suits": 4,
    "num_cards_per_suit": 9,
    "num_tricks_fixed": 11,
}
BATCH: Final = 20  # playouts of one position, as a search asks for them


def rows(runs: int, deals: int) -> Iterator[Row]:
    """Yield playouts of each game, plain and compiled, beside the peer's."""
    peer = "OpenSpiel oh_hell, whole"
    dealt_peer = "OpenSpiel oh_hell, dealt"
    whole: dict[str, Measure] = {}
    dealt: dict[str, Measure] = {}
    with suppress(ImportError):
        load_peer()
        whole[peer] = partial(peer_rate, deals, True)
        dealt[dealt_peer] = partial(peer_rate, deals, False)
    whole["the loop alone"] = partial(idle_loop, 40 * deals)
    for game in GAMES:
        name = game.capitalize()
        whole[f"{name}, whole playouts"] = partial(whole_rate, game, deals)
        dealt[f"{name}, dealt"] = partial(dealt_rate, game, deals)
        dealt[f"{name}, playouts() of a dealt position"] = partial(
            batch_rate, game, deals
        )
        if COMPILED.is_dir():
            whole[f"{name}, whole playouts, compiled"] = partial(
                compiled, "whole_rate", game, deals
            )
            whole[f"{name}, whole by playouts(), compiled"] = partial(
                compiled, "whole_batch_rate", game, deals
            )
            dealt[f"{name}, playouts(), compiled"] = partial(
                compiled, "batch_rate", game, deals
            )
    yield from compare(
        "decisions/s", whole, peer if peer in whole else "the loop alone", runs
    )
    yield from compare(
        "decisions/s", dealt, dealt_peer if dealt_peer in dealt else None, runs
    )


def whole_rate(game: str, deals: int) -> float:
    """Return decisions a second of whole playouts, by ``legal`` and ``apply``."""
    rules = GAMES[game]
    draw = random.Random(1).random
    began = time.process_time()
    count = sum(_play(shuffled_deal(rules, no % 3, draw), draw) for no in range(deals))
    return count / (time.process_time() - began)


def whole_batch_rate(game: str, deals: int) -> float:
    """Return the same with one call of ``playouts`` for each deal."""
    rules = GAMES[game]
    draw = random.Random(1).random
    counted = random.Random(1).random  # the same draws, so the same playouts
    count = sum(
        _play(shuffled_deal(rules, no % 3, counted), counted) for no in range(deals)
    )
    began = time.process_time()
    for no in range(deals):
        playouts(shuffled_deal(rules, no % 3, draw), 1, draw)
    return count / (time.process_time() - began)


def dealt_rate(game: str, deals: int) -> float:
    """Return decisions a second from dealt positions."""
    draw = random.Random(1).random
    positions = [shuffled_deal(GAMES[game], no % 3, draw) for no in range(deals)]
    began = time.process_time()
    count = sum(_play(position, draw) for position in positions)
    return count / (time.process_time() - began)


def batch_rate(game: str, deals: int) -> float:
    """Return decisions a second of ``playouts``, of fewer positions more of each."""
    draw = random.Random(1).random
    positions = [
        shuffled_deal(GAMES[game], no % 3, draw) for no in range(1 + deals // BATCH)
    ]
    state = random.Random(2)
    counted = random.Random(2).random
    count = sum(
        _play(position.clone(), counted) for position in positions for _ in range(BATCH)
    )
    began = time.process_time()
    for position in positions:
        playouts(position, BATCH, state.random)
    return count / (time.process_time() - began)


def _play(position: Position, draw: Callable[[], float]) -> int:
    count = 0
    while not position.is_over:
        legal = position.legal()
        position.apply(legal[int(draw() * len(legal))])
        count += 1
    return count


def load_peer() -> Any:
    """Return OpenSpiel's game.

    Raises:
        ImportError: if it is not there.
    """
    if str(PEERS) not in sys.path:
        sys.path.append(str(PEERS))
    import pyspiel  # type: ignore[import-not-found]  # where it installs

    return pyspiel.load_game("oh_hell", OH_HELL)


def peer_rate(deals: int, is_whole: bool) -> float:
    """Return decisions a second of the peer."""
    game = load_peer()
    draw = random.Random(1).random
    count = 0
    if is_whole:
        began = time.process_time()
        for _ in range(deals):
            count += _play_peer(_deal_peer(game, draw), draw)
        return count / (time.process_time() - began)
    states = [_deal_peer(game, draw) for _ in range(deals)]
    began = time.process_time()
    for state in states:
        count += _play_peer(state, draw)
    return count / (time.process_time() - began)


def _deal_peer(game: Any, draw: Callable[[], float]) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():  # who deals, each card, the trump
        outcomes = state.chance_outcomes()  # all equally likely
        state.apply_action(outcomes[int(draw() * len(outcomes))][0])
    return state


def _play_peer(state: Any, draw: Callable[[], float]) -> int:
    count = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(draw() * len(legal))])
        count += 1
    return count


def idle_loop(decisions: int) -> float:
    """Return turns a second of the loop and its random numbers alone."""
    draw = random.Random(1).random
    legal = tuple(range(7))

    def apply(_move: int) -> None:
        pass

    began = time.process_time()
    for _ in range(decisions):
        apply(legal[int(draw() * len(legal))])
    return decisions / (time.process_time() - began)


def compiled(measure: str, game: str, deals: int) -> float:
    """Return what a measure of this module gives where the games are compiled."""
    code = (
        "import sys\n"
        "from arena.games import trianon\n"
        "assert not trianon.__file__.endswith('.py'), trianon.__file__\n"
        f"from benchmarks.playouts import {measure} as measure\n"
        "game, deals = sys.argv[1], int(sys.argv[2])\n"
        "measure(game, deals)  # warm, as the others are after their first run\n"
        "print(measure(game, deals))"
    )
    # -P: this folder is not searched first, where the plain files are.
    command = [sys.executable, "-P", "-c", code, game, str(deals)]
    path = os.pathsep.join([str(COMPILED), str(ROOT)])
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path}, stdout=-1, check=True
    )
    return float(done.stdout)


if __name__ == "__main__":
    tell(rows, __doc__, deals=1000)
