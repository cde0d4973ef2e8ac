"""What rogues share: the ordinary talk of a bot.  Standard library only."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

Request = dict[str, Any]
Misdeed = Callable[[Request, int], object]


def requests() -> Iterator[Request]:
    """Yield what the arena asks, until it closes our input."""
    for line in sys.stdin.buffer:
        yield json.loads(line)


def honest(request: Request, **changed: Any) -> dict[str, Any]:
    """Return the mildest answer to a request, some fields changed."""
    answer = {"id": request["id"]}
    if request["type"] == "act":
        answer["move"] = request["legal"][0]
    return answer | changed


def text(answer: dict[str, Any]) -> bytes:
    """Return an answer as its line."""
    return json.dumps(answer).encode() + b"\n"


def write(data: bytes, fd: int = 1) -> None:
    """Write all of ``data`` at once, past every buffer."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def reply(request: Request, **changed: Any) -> None:
    """Answer a request."""
    write(text(honest(request, **changed)))


def play(
    misdeed: Misdeed | None = None, on: str | tuple[str, ...] = "act", **hello: Any
) -> None:
    """Play honestly to the end of input, save where the misdeed says True.

    Args:
        misdeed: is given a request of the kind ``on`` and how many it has been given
            before; what it returns tells whether it has dealt with it.
        on: the kind of request it is given, or several.
        hello: more for the answer to ``hello``.
    """
    seen = 0
    kinds = (on,) if isinstance(on, str) else on
    for request in requests():
        if request["type"] in kinds and misdeed is not None:
            seen += 1
            if misdeed(request, seen - 1):
                continue
        reply(request, **(hello if request["type"] == "hello" else {}))
