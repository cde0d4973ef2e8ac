"""Row 10: answers that nobody has asked for yet.  Dropped, with a warning."""

from tests.rogues._wire import Request, play, text, write


def guess(request: Request, _seen: int) -> bool:
    write(b"".join(text({"id": number, "move": "pass"}) for number in range(20)))
    return True


play(guess, on="hello")
