"""Row 3: small objects without end, each as dear to judge as can be.  ``flood``."""

from tests.rogues._wire import Request, play, write


def chat(_request: Request, _seen: int) -> bool:
    while True:
        write(b'{"aid":1,"mov":2}\n' * 4096)


play(chat)
