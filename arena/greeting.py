"""How a bot is greeted, and why its start has failed."""

from collections.abc import Sequence
from typing import Final, assert_never

from arena.effects import (
    Answered,
    Ask,
    Effect,
    Finish,
    Garbled,
    Happened,
    Lost,
    TimedOut,
)
from arena.ledger import Ledger
from protocol import VERSION
from protocol.messages import Hello, HelloAnswer, HelloLimits

MAX_HELLO_TEXT: Final = 64
"""Characters kept of a bot's version and author."""


class Greeting:
    """A referee for a single bot that is only to say hello."""

    def __init__(self, game: str, arena: str, limits: HelloLimits) -> None:
        self.ledger = Ledger()
        self.failure: str | None = None
        self._game = game
        self._hello = Hello(id=0, arena=arena, limits=limits)

    def start(self) -> list[Effect]:
        """Return the only request."""
        line = (self._hello.wire() + "\n").encode("ascii")
        return [Ask(0, 0, HelloAnswer, line, self._hello.limits.hello_ms)]

    def receive(self, happened: Sequence[Happened]) -> list[Effect]:
        """Take in what came of it."""
        self.failure = hello_failure(happened[0], self._game)
        return [Finish("void")]

    def void(self) -> list[Effect]:
        """End without a verdict."""
        return [Finish("void")]


def hello_failure(item: Happened, game: str) -> str | None:
    """Return why a bot's ``hello`` has failed, or None when it has not."""
    match item:
        case Answered(answer=HelloAnswer(protocol=spoken, games=games)):
            if spoken != VERSION:
                return (
                    f"it speaks protocol version {spoken}; this arena speaks {VERSION}"
                )
            if games is not None and game not in games:
                return f"it plays {' '.join(games)}, not {game}"[:300]
            return None
        case _:
            return start_failure(item)


def start_failure(item: Happened, cause: str | None = None) -> str | None:
    """Return why a request of the start has failed, or None when it was answered.

    Args:
        item: what came of it.
        cause: why no answer came, where that is known.
    """
    match item:
        case Answered():
            return None
        case Garbled(bad=bad):
            return f"{bad.text}; {bad.hint}"
        case TimedOut(took_ms=took):
            text = f"no answer within {took} ms"
            return text if cause is None else f"{cause} ({text})"
        case Lost(text=text):
            return text
        case _ as never:
            assert_never(never)


def short(text: str | None) -> str | None:
    """Return a bot's version or author, cut to what a record keeps."""
    return None if text is None else text[:MAX_HELLO_TEXT]
