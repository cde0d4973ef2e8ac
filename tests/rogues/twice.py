"""Row 10: each answer twice in one write.  The second is late: a warning."""

from tests.rogues._wire import Request, honest, play, text, write


def answer(request: Request, _seen: int) -> bool:
    write(text(honest(request)) * 2)
    return True


play(answer)
