"""What a check of a bot came to: its steps, and how they are shown.

A value like the result of a match: made inside the arena, sent as JSON, printed by the
front.  The steps and their order are in docs/check.md.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

from pydantic import Field

from arena.naming import shown
from protocol.events import WarningCode
from protocol.model import Model

PLAIN: Final = "simple"
SHOWN_LINE: Final = 160
"""Characters of an exchanged line that a terminal gets; JSON has more of it."""
WIDTH: Final = 24


class CheckStep(Model):
    """One step.

    Attributes:
        step: its name in docs/check.md.
        game: the game it was tried in; None where it belongs to none.
        ok: whether it was passed; None when it could not be tried.
        cause: what is wrong, or what else there is to say.
        hint: how to mend it.
        lines: the last lines exchanged, ``→`` to the bot, ``←`` from it, with the time
            since the bot was started; and the last lines of its stderr, after ``|``.
    """

    step: str
    game: str | None = None
    ok: bool | None
    cause: str = ""
    hint: str = ""
    lines: list[str] = Field(default_factory=list)

    @property
    def title(self) -> str:
        """The name with its game."""
        return self.step if self.game is None else f"{self.step} ({self.game})"


class CheckReport(Model):
    """The whole check; ``hints`` has the first line of each kind of warning."""

    bot: str
    steps: list[CheckStep]
    warnings: dict[WarningCode, int]
    hints: dict[WarningCode, str]
    is_strict: bool = False

    @property
    def ok(self) -> bool:
        """Whether nothing is wanting; with ``--strict`` a warning is wanting too."""
        passed = all(step.ok for step in self.steps)
        return passed and not (self.is_strict and self.warnings)

    def public(self) -> dict[str, Any]:
        """Return what ``--json`` prints (docs/commands.md)."""
        return {
            "bot": self.bot,
            "ok": self.ok,
            "steps": [step.model_dump(mode="json") for step in self.steps],
            "warnings": dict(self.warnings),
        }


class Resent(Model):
    """What a bot has said to a request that was another's.

    Attributes:
        request: the last request that it was sent; an earlier one than was meant if
            it did not come so far.
        answer: its line, what cannot be printed escaped; None for none.
        move: the legal move that it means; None for none.
        took_ms: the time of that answer.
        trouble: what is wrong with it; empty if nothing is.
        warnings: what was forgiven, and lines that were none.
        stderr: what is kept of it.
    """

    request: int
    answer: str | None = None
    move: str | None = None
    took_ms: int = 0
    trouble: str = ""
    warnings: list[str] = Field(default_factory=list)
    stderr: str = ""


def step_lines(step: CheckStep, seen: dict[str, str]) -> Iterator[str]:
    """Yield a step as a terminal shows it; the exchange only where it is wanting.

    Args:
        step: the step.
        seen: the first step of each cause so far; it is added to.
    """
    if step.ok is None:
        return  # told in the summary
    cause = shown(step.cause, PLAIN)
    if step.ok:
        yield f"  ok     {step.title:<{WIDTH}} {cause}".rstrip()
        return
    before = seen.setdefault(step.cause, step.title)
    if before != step.title:
        yield f"  WRONG  {step.title:<{WIDTH}} as in {before}"
        return
    yield f"  WRONG  {step.title}"
    yield f"           cause: {cause}"
    if step.hint:
        yield f"           mend:  {shown(step.hint, PLAIN)}"
    for line in step.lines:
        yield f"           {shown(line, PLAIN, SHOWN_LINE)}"


def summary_lines(report: CheckReport) -> Iterator[str]:
    """Yield what was not tried, the warnings and the verdict."""
    for why, steps in groupby(
        report.steps, lambda step: step.ok is None and step.cause
    ):
        if why:
            titles = [step.title for step in steps]
            more = f" and {len(titles) - 3} more" if len(titles) > 3 else ""
            yield f"  -      {', '.join(titles[:3])}{more}: {shown(why, PLAIN)}"
    if report.warnings:
        told = ", ".join(f"{code} {n}" for code, n in report.warnings.items())
        yield f"warnings: {told}"
        for code, hint in report.hints.items():
            yield f"  {code}: {shown(hint, PLAIN)}"
    wrong = [step.title for step in report.steps if step.ok is False]
    name = shown(report.bot, PLAIN)
    if wrong:
        yield f"{name} is found wanting: {', '.join(wrong)}"
    elif not report.ok:
        yield f"{name} is found wanting: it has warnings, and --strict was asked for"
    else:
        also = "; see the warnings" if report.warnings else ""
        yield f"{name} is in order{also}"
