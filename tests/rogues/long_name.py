"""Row 34: a name of 3,000 characters, and notes as long.  Cut."""

from tests.rogues._wire import Request, play, reply


def tell(request: Request, _seen: int) -> bool:
    reply(request, note="n" * 3000)
    return True


play(tell, name="n" * 3000)
