"""Row 10: one answer to a request that has not been made.  A strike, ``wrong_id``."""

from tests.rogues._wire import Request, play, reply


def answer(request: Request, seen: int) -> bool:
    if seen == 0:
        reply(request, id=request["id"] + 5)
    return seen == 0


play(answer)
