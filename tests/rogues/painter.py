"""Row 33: markup, escapes, bidi and formulas in name, note, move.  Only shown."""

from tests.rogues._wire import Request, play, reply

TEXT = "<b>\x1b[31m\u202e\u200b|=cmd()`\r\n&amp;\u2028"


def paint(request: Request, seen: int) -> bool:
    if seen == 0:
        reply(request, move=TEXT)
        return True
    reply(request, note=TEXT)
    return True


play(paint, name=TEXT, version=TEXT, author=TEXT)
