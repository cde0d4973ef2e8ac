"""Row 36: crashes in each match.  Out, ``exited``, with its traceback."""

from tests.rogues._wire import Request, play


def crash(request: Request, _seen: int) -> None:
    raise KeyError(request["no such key"])


play(crash)
