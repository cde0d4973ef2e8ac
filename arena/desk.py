"""What the referee keeps for one seat: its ids, its clock, what it will be told."""

from arena.clock import Clock
from protocol.messages import FaultReport, MatchClock


class Desk:
    """One seat's papers.

    Attributes:
        clock: its time; None in a match without a clock.
        last_id: the id of its last request; -1 before the first.
        untold: events, as JSON, that the next request tells.
    """

    def __init__(self, control: MatchClock | None) -> None:
        self.clock = None if control is None else Clock(control)
        self.last_id = -1
        self.untold: list[str] = []
        self._reports: list[FaultReport] = []

    def next_id(self) -> int:
        """Return the id of a new request."""
        self.last_id += 1
        return self.last_id

    def report(self, report: FaultReport) -> None:
        """Put a fault of the seat's own into the next request."""
        self._reports.append(report)

    def take_events(self) -> str:
        """Return what is to be told, joined by commas, and forget it."""
        text = ",".join(self.untold)
        self.untold.clear()
        return text

    def take_reports(self) -> str:
        """Return the last key of the next request, or nothing, and forget it."""
        if not self._reports:
            return ""
        text = ",".join(report.wire() for report in self._reports)
        self._reports.clear()
        return f',"faults":[{text}]'
