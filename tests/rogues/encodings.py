"""Row 6: bad UTF-8, half a surrogate pair, UTF-16, NUL: strikes; a BOM: a warning."""

from tests.rogues._wire import Request, honest, play, text, write


def garble(request: Request, seen: int) -> bool:
    answer = honest(request)
    lines = [
        text(answer).replace(b"move", b"mo\xff\xfeve"),
        text(answer | {"note": "\ud800"}),
        b"\xfe\xff" + text(answer).decode().encode("utf-16-be"),
        text(answer).replace(b"move", b"mo\0ve"),
        b"\xef\xbb\xbf" + text(answer),
    ]
    if seen < len(lines):
        write(lines[seen])
    return seen < len(lines)


play(garble)
