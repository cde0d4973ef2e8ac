"""Row 15: prints debug text to stdout before each answer.  A warning, plays on."""

from tests.rogues._wire import Request, play, write


def chat(request: Request, _seen: int) -> None:
    write(f"my move is {request['legal'][0]}\n".encode())


play(chat)
