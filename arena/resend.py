"""A request of another seat's, sent to a bot: of a record, or to have its advice.

A crash can so be had again at will.  The bot gets the lines that the seat was sent up
to that request, so that it is in the state for it; what it answers to the earlier ones
decides nothing.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from arena.bots import Yard, open_pipes
from arena.check_report import Resent
from arena.check_talk import Control, Interview, Script, Tap
from arena.diagnosis import Finding
from arena.effects import Answered, Ask, Garbled, Lost, TimedOut
from arena.ledger import Ledger
from arena.match import play_match
from arena.orders import AdviseOrder, ResendOrder, ResentReport
from arena.record import read_record
from arena.replay import requests_to
from arena.vitals import why_out
from protocol.judge import AnswerKind, find_move, illegal, show_line
from protocol.messages import HelloAnswer, MoveAnswer, PlainAnswer

KINDS: Final[dict[str, AnswerKind]] = {"hello": HelloAnswer, "act": MoveAnswer}
PATIENCE_MS: Final = 60_000  # for each answer: somebody may be looking with a debugger


async def resend(order: ResendOrder, yard: Yard) -> ResentReport:
    """Send the lines up to the one that counts, and report what came of that."""
    lines = requests_to(read_record(order.record), order.seat)[: order.request + 1]
    return ResentReport(resent=await _send_all(order, lines, yard))


async def advise(order: AdviseOrder, yard: Yard) -> ResentReport:
    """Send the lines, and report what the bot says to the last."""
    lines = [line.encode("ascii") + b"\n" for line in order.lines]
    return ResentReport(resent=await _send_all(order, lines, yard))


async def _send_all(
    order: ResendOrder | AdviseOrder, lines: Sequence[bytes], yard: Yard
) -> Resent:
    ledger = Ledger()
    async with open_pipes([order.bot], order.level, order.limits, yard) as pipes:
        bot = pipes.bots[0]
        tap = Tap(pipes, Control())
        course = _Course(lines)
        if bot.failure is None:
            interview = Interview(course.script(), ledger, tap)
            while not interview.is_over:
                await play_match(interview, tap)
    await yard.bury(pipes, is_polite=isinstance(course.happened, Answered))
    number = len(lines) - 1
    if bot.failure is not None:
        trouble = why_out(bot, bot.failure, is_first=True)
        return Resent(request=0, trouble=trouble, stderr="")
    answer, found, took = course.verdict()
    if isinstance(course.happened, Lost):
        text = why_out(bot, found.cause, is_first=course.at == 0)
        found = Finding(text, found.hint)
    trouble = "; ".join(part for part in found if part)
    hints = [f"{code}: {hint}" for code, hint in ledger.hints[0].items()]
    return Resent(
        request=min(course.at, number),
        answer=answer,
        move=course.move() if course.at == number else None,
        took_ms=took,
        trouble=trouble,
        warnings=hints,
        stderr=bot.stderr.text(),
    )


class _Course:
    """Asks line after line; stops where nothing more can come.

    Attributes:
        at: the request that was asked last.
        happened: what came of it.
    """

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.at = 0
        self.happened: Answered | Garbled | TimedOut | Lost | None = None
        self._lines = lines

    def script(self) -> Script[None]:
        """Ask, as far as the bot goes along."""
        for number, line in enumerate(self._lines):
            self.at = number
            request = json.loads(line)
            kind = KINDS.get(request["type"], PlainAnswer)
            came = yield Ask(0, request["id"], kind, line, PATIENCE_MS)
            self.happened = came.happened
            if isinstance(came.happened, Lost | TimedOut):
                return

    def move(self) -> str | None:
        """Return the legal move that the last answer means; None for none."""
        match self.happened:
            case Answered(answer=MoveAnswer(move=move)):
                request = self._request()
                index, _ = find_move(move, request["ask"], request["legal"])
                return None if index is None else str(request["legal"][index])
            case _:
                return None

    def _request(self) -> dict[str, Any]:
        request: dict[str, Any] = json.loads(self._lines[self.at])
        return request

    def verdict(self) -> tuple[str | None, Finding, int]:
        """Return the answer, what is wrong with it, and its time in ms."""
        match self.happened:
            case Answered(answer=MoveAnswer(move=move), raw=raw, took_ms=took):
                legal = self._request()["legal"]
                bad = illegal(move, legal) if self.move() is None else None
                wrong = "" if bad is None else f"{bad.code}: {bad.text}"
                hint = "" if bad is None else bad.hint
                return show_line(raw), Finding(wrong, hint), took
            case Answered(raw=raw, took_ms=took):
                return show_line(raw), Finding(""), took
            case Garbled(bad=bad, line=line, took_ms=took):
                return line, Finding(f"{bad.code}: {bad.text}", bad.hint), took
            case TimedOut(took_ms=took):
                return None, Finding(f"no answer within {took} ms"), took
            case Lost(text=text, took_ms=took):
                return None, Finding(text), took
            case None:
                return None, Finding("nothing was asked"), 0
