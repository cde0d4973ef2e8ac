"""Row 3: short lines without end, none an answer.  Out, ``flood``, at 1 MiB."""

from tests.rogues._wire import Request, play, write


def chat(_request: Request, _seen: int) -> bool:
    while True:
        write(b"thinking about the next card\n" * 2048)


play(chat)
