"""Several engines on this machine that look like one to their front.

An engine is one thread.  When bots answer at once it is the arena that bounds a
tournament, and more cores only help if they run more engines.  A table, that is an
engine and the bots of its matches, is best kept on cores of its own: a wake-up across
cores costs twice one on the same core, and no table waits for another's bots.
"""

import os
import resource
import select
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from typing import Final, Literal, TypeAlias, assert_never

from arena.errors import ArenaError
from arena.interrupts import let_in
from arena.link import EngineLink, Link, Place, open_engine
from arena.orders import (
    Broken,
    Checked,
    Finished,
    Order,
    PlayOrder,
    Probed,
    Report,
    ResentReport,
    Started,
    Stepped,
    Told,
)

FDS_AN_ENGINE: Final = 4  # two that stay, two more while it is being started
FDS_OF_OURS: Final = 24  # the store, the lock, the standard streams

CAN_PIN: Final = hasattr(os, "sched_setaffinity")

Cores: TypeAlias = Literal["auto", "one", "all"]
"""Which of the machine's cores a table has.

``auto``: an equal share of its own, where there is a core for each table, else all.
``one``: a single core; where there are fewer than tables, some share theirs.
``all``: wherever the system puts it.
"""


@contextmanager
def open_engines(
    jobs: int, cores: Cores = "auto", keep: tuple[int, ...] = ()
) -> Iterator[Link]:
    """Start as many engines as ``jobs`` matches at a time can use; bury them all.

    Args:
        jobs: matches at a time.
        cores: which cores each table has.
        keep: descriptors that stay open until the last process is buried: a lock.

    Raises:
        ArenaError: if ``cores`` asks for what this system cannot do.
        CannotGoOnError: if no process can be started.
    """
    parts = spread(jobs, cores, usable_cores(), most=_affordable_engines())
    with ExitStack() as stack:
        links = [
            stack.enter_context(open_engine(count, keep, place))
            for count, place in parts
        ]
        yield links[0] if len(links) == 1 else Engines(links)


def spread(
    jobs: int,
    cores: Cores,
    usable: Sequence[int],
    *,
    can_pin: bool = CAN_PIN,
    most: int = 256,
) -> list[tuple[int, Place]]:
    """Return each engine's part of ``jobs`` matches, and its place.  Pure.

    Args:
        jobs: matches at a time.
        cores: which cores each table has.
        usable: the cores that there are.
        can_pin: whether the system can keep a process on some of them.
        most: how many engines we can keep in touch with.

    Raises:
        ArenaError: if ``cores`` asks for what the system cannot do.
    """
    if cores == "one" and not can_pin:
        raise ArenaError(
            'this system cannot keep a table on one core; write  cores = "all"'
        )
    engines = min(jobs, len(usable), max(1, most))
    shares = _cores_of(engines, cores, usable, is_shared=not can_pin or jobs > engines)
    counts = [len(share) for share in _shares(range(jobs), engines)]
    places = [Place(cores=share, engines=engines) for share in shares]
    return list(zip(counts, places, strict=True))


def _cores_of(
    engines: int, cores: Cores, usable: Sequence[int], *, is_shared: bool
) -> list[frozenset[int]]:
    """Return the cores of each engine; none: any."""
    match cores:
        case "one":
            return [frozenset({core}) for core in usable[:engines]]
        case "auto" if engines > 1 and not is_shared:
            return [frozenset(share) for share in _shares(usable, engines)]
        case "auto" | "all":
            return [frozenset()] * engines
        case _ as never:
            assert_never(never)


def _shares(things: Sequence[int], count: int) -> list[Sequence[int]]:
    """Cut ``things`` into ``count`` parts as equal as can be, neighbours together."""
    size, more = divmod(len(things), count)
    ends = [number * size + min(number, more) for number in range(count + 1)]
    return [things[begin:end] for begin, end in pairwise(ends)]


def usable_cores() -> Sequence[int]:
    """Return the numbers of the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return range(os.cpu_count() or 1)


def _affordable_engines() -> int:
    """Return how many the limit on open files allows the front."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (soft - FDS_OF_OURS) // FDS_AN_ENGINE


class Engines:
    """Several engines behind the interface of one.  Use ``open_engines``."""

    def __init__(self, links: Sequence[EngineLink]) -> None:
        self._links = links
        self._loads = {link: _Load(link.jobs) for link in links}
        self.jobs = sum(link.jobs for link in links)
        # One at each engine: an order that waits with the front costs it a wake-up.
        self.ahead = max(1 + self.jobs // 4, len(links))

    def order(self, order: Order) -> None:
        """Hand an order to the engine that will come to it first."""
        link = min(self._links, key=lambda link: self._loads[link].key)
        self._loads[link].add(order)
        link.order(order)

    def reports(self, within_s: float | None = None) -> Iterator[Report]:
        """Yield what has come, after waiting for it at most ``within_s`` seconds.

        Raises:
            CannotGoOnError: if an engine has gone.
        """
        with let_in():
            ready = select.select(self._links, [], [], within_s)[0]
        for link in ready:
            for report in link.reports(0):
                self._loads[link].take(report)
                yield report

    def stop(self) -> Iterator[Report]:
        """Stop every match at once; yield what was finished and not yet heard of."""
        while True:
            left = {link: link.hang_up() for link in self._links}  # all, before we wait
            heard = [link for link in self._links if left[link] > 0]
            if not heard:
                return
            for link in select.select(heard, [], [], max(left.values()))[0]:
                yield from link.read()

    def whereabouts(self) -> Sequence[str]:
        """Return nothing: they play here."""
        return ()


class _Load:
    """What an engine has to do, as far as its front knows."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._open = 0
        self._waiting: set[str] = set()  # matches that have not begun

    @property
    def key(self) -> tuple[int, float]:
        """The less, the sooner it comes to another order.

        Matches that are over and whose bots take their time to go are open, too, and
        keep nobody waiting: so what has not begun counts first.
        """
        return len(self._waiting), self._open / self._jobs

    def add(self, order: Order) -> None:
        """Take in an order."""
        self._open += 1
        if isinstance(order, PlayOrder):
            self._waiting.add(order.setup.match)

    def take(self, report: Report) -> None:
        """Take in what the engine says."""
        match report:
            case Started(match=match):
                self._waiting.discard(match)
            case Finished() | Probed() | Checked() | ResentReport():
                self._open -= 1
            case Told() | Stepped() | Broken():
                pass
            case _ as never:
                assert_never(never)
