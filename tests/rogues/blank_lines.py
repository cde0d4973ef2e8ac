"""Row 3: nothing but newlines.  Out, ``flood``, at 1 MiB; no warning."""

from tests.rogues._wire import Request, play, write


def chat(_request: Request, _seen: int) -> bool:
    while True:
        write(b"\n" * 65536)


play(chat)
