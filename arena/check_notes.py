"""What a check writes down while it goes: one step after the other."""

from collections.abc import Callable, Sequence
from typing import Final

from arena.check_report import CheckStep
from arena.check_talk import Transcript
from arena.diagnosis import Finding

LINES_WRONG: Final = 8  # lines of the talk that a wrong step shows
LINES_RIGHT: Final = 2


class Notes:
    """The steps so far.  One is open at a time; its first trouble counts.

    Attributes:
        steps: those that are closed.
        transcript: the talk with the present process.
    """

    def __init__(self, tell: Callable[[CheckStep], None]) -> None:
        self.steps: list[CheckStep] = []
        self.transcript = Transcript()
        self._tell = tell
        self._open: tuple[str, str | None] | None = None
        self._mark = 0
        self._finding: Finding | None = None
        self._lines: list[str] = []
        self._remark = ""

    def begin(self, step: str, game: str | None = None) -> None:
        """Open a step, after closing the one before it; it may be open already."""
        if self._open == (step, game):
            return
        self.close()
        self._open = step, game
        self._mark = self.transcript.end
        self._finding, self._lines, self._remark = None, [], ""

    @property
    def has_failed(self) -> bool:
        """Whether the open step has had trouble."""
        return self._finding is not None

    def fail(self, finding: Finding, stderr: Sequence[str] = ()) -> None:
        """Write down what is wrong; what comes after it in the same step is not.

        Args:
            finding: the cause.
            stderr: the last lines that the bot has logged.
        """
        if self._finding is None:
            self._finding = finding
            self._lines = self.transcript.since(self._mark, LINES_WRONG)
            self._lines += [f"| {line}" for line in stderr]

    def is_known(self, cause: str) -> bool:
        """Tell whether a step before this one has failed for the same cause."""
        return any(step.ok is False and step.cause == cause for step in self.steps)

    def remark(self, text: str) -> None:
        """Say something of a step that is passed."""
        self._remark = text

    def close(self) -> None:
        """Close the open step, if there is one."""
        if self._open is None:
            return
        (step, game), self._open = self._open, None
        finding = self._finding
        if finding is None:
            lines = self.transcript.since(self._mark, LINES_RIGHT)
            self._add(
                CheckStep(
                    step=step, game=game, ok=True, cause=self._remark, lines=lines
                )
            )
        else:
            self._add(
                CheckStep(
                    step=step,
                    game=game,
                    ok=False,
                    cause=finding.cause,
                    hint=finding.hint,
                    lines=self._lines,
                )
            )

    def skip(self, step: str, game: str | None, why: str) -> None:
        """Write down a step that could not be tried."""
        self.close()
        self._add(CheckStep(step=step, game=game, ok=None, cause=f"not tried: {why}"))

    def _add(self, step: CheckStep) -> None:
        self.steps.append(step)
        self._tell(step)
