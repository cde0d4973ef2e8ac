"""Row 10: an old id before each answer, with a good move.  Dropped, with a warning."""

from tests.rogues._wire import Request, play, reply


def answer(request: Request, _seen: int) -> None:
    reply(request, id=request["id"] - 1)


play(answer)
