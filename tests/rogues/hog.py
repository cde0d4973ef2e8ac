"""Row 24: takes memory without end on its heap.  Out, ``over_limit``."""

from tests.rogues._wire import Request, play

MEGABYTE = 1024 * 1024
ENOUGH = 1024  # MiB: twice what it may have


def take(_request: Request, seen: int) -> None:
    if seen == 0:
        held = [bytearray(b"x") * MEGABYTE for _ in range(ENOUGH)]
        held.clear()


play(take)
