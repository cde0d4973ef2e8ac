"""A front on a worker's machine: one engine, for one slot of a Dask worker.

    python -m tournaments.cluster.station SLOT SLOTS CORES

A process of its own, since a Dask worker has many threads: bots are started from a
main thread, and engines are forked from a process that has no other.  Orders come in on
stdin, each with its bots as they travel; reports go out on stdout.  When stdin ends,
because the worker wants it or has been killed, everything below is buried.

    python -m tournaments.cluster.station inspect [doctor]

tells why there is no box on this machine, and what it lets through.
"""

import os
import select
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal

from pydantic import ConfigDict, TypeAdapter

from arena.botspec import BotSpec, keep_apart
from arena.builds import BuildError
from arena.engines import Cores, spread, usable_cores
from arena.errors import ArenaError, CannotGoOnError
from arena.host import box_fault
from arena.link import EngineLink, open_engine
from arena.orders import (
    Broken,
    Finished,
    Order,
    PlayOrder,
    Probed,
    ProbeOrder,
    Report,
)
from arena.sandbox import Level
from protocol.model import Model
from tournaments.cluster.parcels import FarBot, settle

CHUNK: Final = 1 << 16
IDLE_S: Final = 60.0  # without an order; its front may have been killed
CORES: TypeAdapter[Cores] = TypeAdapter(Cores)


class Bout(Model):
    """An order, and how its bots are found here, by seat."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    order: Order
    bots: tuple[FarBot, ...]


class Unfit(Model):
    """This machine cannot carry an order out, though others may."""

    tag: Literal["unfit"] = "unfit"
    unfit: str


class _Station:
    def __init__(self, link: EngineLink) -> None:
        self._link = link
        self._buffer = bytearray()
        self._open = 0
        self._settled: dict[tuple[str, Level], BotSpec] = {}

    def run(self) -> None:
        """Carry orders out until there are no more."""
        stdin = sys.stdin.fileno()
        while True:
            ready = select.select([stdin, self._link], [], [], IDLE_S)[0]
            if not ready and self._open == 0:
                break
            if stdin in ready:
                data = os.read(stdin, CHUNK)
                if not data:
                    break
                for bout in self._bouts(data):
                    self._order(bout)
            if self._link in ready:
                self._tell(self._link.reports(0))
        self._tell(self._link.stop())

    def _bouts(self, data: bytes) -> Iterator[Bout]:
        self._buffer += data
        while (end := self._buffer.find(b"\n")) >= 0:
            yield Bout.model_validate_json(self._buffer[:end])
            del self._buffer[: end + 1]

    def _order(self, bout: Bout) -> None:
        order = bout.order
        match order:
            case PlayOrder(level=level):
                try:
                    specs = [self._settle(bot, level) for bot in bout.bots]
                except CannotGoOnError as error:
                    self._tell([Broken(text=str(error))])
                except ArenaError as error:
                    _say(Unfit(unfit=str(error)))
                else:
                    one, two, three = keep_apart(specs)
                    bots = (one, two, three)
                    self._open += 1
                    self._link.order(order.model_copy(update={"bots": bots}))
            case ProbeOrder(bot=bot, level=level):
                try:
                    spec = self._settle(bout.bots[0], level)
                except CannotGoOnError as error:
                    self._tell([Broken(text=str(error))])
                except ArenaError as error:
                    said = f"cannot be started: {error}"
                    log = error.log if isinstance(error, BuildError) else ""
                    _say(Probed(name=bot.name, failure=said, stderr=log))
                else:
                    self._open += 1
                    self._link.order(order.model_copy(update={"bot": spec}))
            case _:
                raise ValueError(order)

    def _settle(self, bot: FarBot, level: Level) -> BotSpec:
        key = bot.digest + bot.name, level
        if key not in self._settled:
            self._settled[key] = settle(bot, level, lambda _line: None)
        return replace(self._settled[key], name=bot.name)

    def _tell(self, reports: Iterator[Report] | list[Report]) -> None:
        for report in reports:
            self._open -= isinstance(report, Finished | Probed)
            _say(report)


def _say(model: Model) -> None:
    sys.stdout.write(model.wire() + "\n")
    sys.stdout.flush()


def _inspect(*, is_thorough: bool) -> None:
    from tournaments.cluster.wire import Enlisted

    fault = box_fault()
    is_open = None
    if fault is None and is_thorough:
        from arena.doctor import require_box

        try:
            require_box(Level.BWRAP)
        except ArenaError as error:
            is_open = str(error)
    _say(Enlisted(machine="", version="", fault=fault, open=is_open))


def main(words: list[str]) -> int:
    """Serve a slot until stdin ends, or tell of the box; return the exit status."""
    if words[0] == "inspect":
        _inspect(is_thorough="doctor" in words)
        return 0
    slot, slots = int(words[0]), int(words[1])
    cores = CORES.validate_python(words[2])
    try:
        parts = spread(slots, cores, usable_cores())
        places = [place for jobs, place in parts for _ in range(jobs)]
        with open_engine(1, place=places[slot % len(places)]) as link:
            _Station(link).run()
    except CannotGoOnError as error:
        _say(Broken(text=str(error)))
        return error.exit_code
    except ArenaError as error:
        _say(Unfit(unfit=str(error)))
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
