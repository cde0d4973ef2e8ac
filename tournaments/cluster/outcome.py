"""What a worker says came of a batch, held to what it was given.

A worker is somebody else's machine: it may tell what nobody asked, leave records out,
or forge them.  What is found true is passed on; the first thing that is not ends it.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.orders import Broken, Finished, Order, PlayOrder, ProbeOrder, Report
from arena.record import PART
from arena.result import MatchResult
from tournaments.cluster.evidence import flaw
from tournaments.cluster.posts import nothing_of
from tournaments.cluster.wire import Head, unpack


class Outcome:
    """The answer to a batch; ``reports`` is to be read to its end before the rest.

    Args:
        orders: what the worker had to do.
        raw: what it has sent.
        machine: what it calls itself, for the results.

    Attributes:
        done: orders that were carried out.
        unfit: why the worker is not used any more; None when it is.
        missing: the folders of bots that it lacks, by hash.
        took_s: how long it was busy, in seconds.
    """

    def __init__(self, orders: Sequence[Order], raw: bytes, machine: str) -> None:
        try:
            head, self._records = unpack(raw)
        except ValueError as error:
            head, self._records = Head(unfit=f"it has sent {error}"), {}
        self._todo = {_key(order): order for order in orders}
        self.done: list[Order] = []
        self._reports = head.reports
        self._machine = machine
        self.unfit = head.unfit
        self.missing = frozenset(head.missing)
        self.took_s = head.took_s

    @property
    def left(self) -> list[Order]:
        """Orders that others are to carry out."""
        return list(self._todo.values())

    def reports(self) -> Iterator[Report]:
        """Yield each report that is found true; its record is in its place then."""
        for report in self._reports:
            if isinstance(report, Broken):
                self.unfit = report.text
                continue
            order = self._todo.get(_key(report))
            if order is None or not _answers(report, order):
                self.unfit = "it tells what nobody asked"
                return
            if isinstance(report, Finished) and isinstance(order, PlayOrder):
                why = self._forgery(order, report)
                if why is not None:
                    self.unfit = f"its record of {report.match} is forged: {why}"
                    return
                result = report.result.model_copy(update={"machine": self._machine})
                report = report.model_copy(update={"result": result})
            self.done.append(self._todo.pop(_key(order)))
            yield report

    def _forgery(self, order: PlayOrder, report: Finished) -> str | None:
        """Put a record where it belongs; return what is wrong with it."""
        assert order.record is not None
        path = Path(order.record + PART)
        record = self._records.get(report.match)
        if record is not None:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(fd, "wb") as file:
                file.write(record)
        if report.result.reason == "void":
            return None
        if record is None:
            return "there is none"
        why = flaw(order, report.result, path)
        if why is not None:
            path.unlink()
        return why


def void(order: PlayOrder) -> Finished:
    """Return what is said of a match whose machine has gone."""
    result = MatchResult.model_validate(nothing_of(order))
    match = order.setup.match
    return Finished(match=match, attempt=order.attempt, result=result)


def _key(item: Order | Report) -> str:
    """Return by what an order and its report are known."""
    match item:
        case PlayOrder(setup=setup):
            return f"match {setup.match}"
        case Finished(match=match):
            return f"match {match}"
        case ProbeOrder(bot=bot):
            return f"bot {bot.name}"
        case _:
            return f"bot {getattr(item, 'name', '')}"


def _answers(report: Report, order: Order) -> bool:
    if isinstance(report, Finished):
        return isinstance(order, PlayOrder) and report.attempt == order.attempt
    return True
