"""Row 8: as many keys as a line holds, one near ``move``.  Taken, with a warning."""

from tests.rogues._wire import Request, honest, play, text, write


def pad(request: Request, _seen: int) -> bool:
    keys: dict[str, object] = {f"mov{number}": 1 for number in range(300)}
    write(text(keys | honest(request)))
    return True


play(pad)
