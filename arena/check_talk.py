"""The talk with one bot that is checked: the same reader as in a match, listened to.

``Interview`` stands where the referee stands: a generator says what to ask and is told
what came of it.  ``Tap`` stands between the match and the bot's pipes: it writes down
every line, and can hold an answer back or wait before a request, as a script wishes.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias, TypeVar

import trio

from arena.bots import Closed, Data, Exited, News, OverLimit, ProcessPipes
from arena.effects import Ask, Effect, Finish, Happened, Lost, TimedOut
from arena.ledger import Ledger
from arena.vitals import Vitals, look_at
from protocol.judge import show_line
from protocol.messages import MoveAnswer

KEPT_LINES: Final = 400  # of the talk with one process; the oldest are forgotten
NEVER: Final = float("inf")


class Came(NamedTuple):
    """What came of a request.

    Attributes:
        happened: as a referee is told it.
        lost: that the bot was lost besides, if it was.
        asked: its vitals when it was asked.
        vitals: its vitals now; None for one that has gone.
    """

    happened: Happened
    lost: Lost | None
    asked: Vitals | None
    vitals: Vitals | None

    @property
    def cpu_ms(self) -> int | None:
        """What it has computed since it was asked."""
        if self.asked is None or self.vitals is None:
            return None
        return self.vitals.cpu_ms - self.asked.cpu_ms


T = TypeVar("T")
Script: TypeAlias = Generator[Ask, Came, T]
"""Yields requests, is sent what came of each, returns what it came to."""


@dataclass(slots=True)
class Control:
    """What a script wants done with its next request.

    Attributes:
        pause_s: seconds to wait before it is sent.
        is_held: whether the answer to it is held back until the request after it.
    """

    pause_s: float = 0.0
    is_held: bool = False


@dataclass(slots=True)
class Transcript:
    """The last lines exchanged, with their times."""

    lines: list[str] = field(default_factory=list)
    forgotten: int = 0

    @property
    def end(self) -> int:
        """How many lines there have been."""
        return self.forgotten + len(self.lines)

    def add(self, arrow: str, at_ms: int, raw: bytes) -> None:
        """Write a line down; a long one is cut, and its length told."""
        text = show_line(raw)
        if len(raw) > len(text):
            text += f"… ({len(raw) + 1} bytes)"
        self.lines.append(f"{arrow} {at_ms} ms {text}")
        if len(self.lines) > KEPT_LINES:
            del self.lines[0]
            self.forgotten += 1

    def since(self, mark: int, limit: int) -> list[str]:
        """Return the last lines, ``limit`` at most, from ``mark`` on."""
        return self.lines[max(0, mark - self.forgotten) :][-limit:]


class Tap:
    """The pipes of one bot, listened to.

    Attributes:
        bot: the bot.
        asked: its vitals when it was last asked.
        received: bytes of its stdout so far.
    """

    def __init__(self, pipes: ProcessPipes, control: Control) -> None:
        self.transcript = Transcript()
        self.asked: Vitals | None = None
        self.received = 0
        self.bot = pipes.bots[0]
        self._pipes = pipes
        self._control = control
        self._began = trio.current_time()
        self._part = bytearray()
        self._is_holding = False
        self._held: list[News] = []
        self._ready: list[News] = []
        self._waiting: tuple[float, bytes] | None = None

    @property
    def at_ms(self) -> int:
        """Milliseconds since the bot was started."""
        return int((trio.current_time() - self._began) * 1000)

    def send(self, seat: int, line: bytes) -> None:
        """Send a line, now or after the pause that is wanted."""
        self._ready += self._held
        self._held.clear()
        self._is_holding, self._control.is_held = self._control.is_held, False
        if self._control.pause_s:
            self._waiting = trio.current_time() + self._control.pause_s, line
            self._control.pause_s = 0.0
        else:
            self._send_now(line)

    def _send_now(self, line: bytes) -> None:
        self.transcript.add("→", self.at_ms, line.rstrip(b"\n"))
        self.asked = look_at(self.bot)
        self._pipes.send(0, line)

    async def wait_news(self) -> Sequence[News]:
        """Wait until something has come that is not held back."""
        while True:
            if news := self.poll():
                return news
            until = NEVER if self._waiting is None else self._waiting[0]
            with trio.move_on_at(until):
                self._take(await self._pipes.wait_news())
            self._send_waiting()

    def _send_waiting(self) -> None:
        if self._waiting is not None and trio.current_time() >= self._waiting[0]:
            _, line = self._waiting
            self._waiting = None
            self._send_now(line)

    def poll(self) -> Sequence[News]:
        """Return what has come and is not held back."""
        self._take(self._pipes.poll())
        news, self._ready = self._ready, []
        return news

    def _take(self, news: Sequence[News]) -> None:
        for item in news:
            match item:
                case Data(data=data):
                    self._write_down(data)
                    (self._held if self._is_holding else self._ready).append(item)
                case Closed():
                    self._ready.append(item)
                case Exited(text=text) | OverLimit(text=text):
                    self.transcript.add("←", self.at_ms, f"[{text}]".encode())
                    self._ready.append(item)

    def _write_down(self, data: bytes) -> None:
        self.received += len(data)
        *lines, rest = (bytes(self._part) + data).split(b"\n")
        for line in lines:
            self.transcript.add("←", self.at_ms, line)
        self._part = bytearray(rest[-4096:])

    def rest(self, seat: int) -> None:
        """Leave the bot as it is: what it does meanwhile is part of the check."""

    def dismiss(self, seat: int) -> None:
        """Kill the bot at once."""
        self._pipes.dismiss(seat)


class Interview:
    """The umpire of a talk with one bot.

    A match gives a bot up that has not answered ``start``; ``end`` may be skipped, and
    more may be asked.  So after such a silence the talk goes on in a match of its own.

    Attributes:
        is_over: whether the script has come to its end.
    """

    def __init__(self, script: Script[None], ledger: Ledger, tap: Tap) -> None:
        self.ledger = ledger
        self.is_over = False
        self._script = script
        self._kept: Came | None = None  # what the script is to be told first
        self._asked: Ask | None = None
        self._tap = tap
        self._bot = tap.bot

    def start(self) -> list[Effect]:
        """Return the first request, or the next one."""
        kept, self._kept = self._kept, None
        return self._after(kept)

    def receive(self, happened: Sequence[Happened]) -> list[Effect]:
        """Take in what came of the open request, and return the next one."""
        first, *others = happened
        lost = next((item for item in others if isinstance(item, Lost)), None)
        came = Came(first, lost, self._tap.asked, look_at(self._bot))
        is_plain = self._asked is not None and self._asked.kind is not MoveAnswer
        if is_plain and isinstance(first, TimedOut):
            self._kept = came
            return [Finish("void")]
        return self._after(came)

    def void(self) -> list[Effect]:
        """End the talk."""
        self.is_over = True
        self._script.close()
        return [Finish("void")]

    def _after(self, came: Came | None) -> list[Effect]:
        try:
            ask = next(self._script) if came is None else self._script.send(came)
        except StopIteration:
            self.is_over = True
            return [Finish("void")]
        self._asked = ask
        return [ask]
