"""What the thieves among the rogues share: who gets hold of anything leaves with it."""

import os
import sys
from collections.abc import Callable

from tests.rogues._wire import Request, play

CAUGHT = 66


def steal(*attempts: Callable[[], object]) -> None:
    """Try everything at the first move; play on honestly if nothing came of it."""

    def misdeed(_request: Request, seen: int) -> None:
        for attempt in attempts if seen == 0 else ():
            try:
                loot = attempt()
            except OSError:
                continue
            if loot:
                print(attempt.__name__, loot, file=sys.stderr, flush=True)
                os._exit(CAUGHT)

    play(misdeed)
