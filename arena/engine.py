"""An engine: plays the matches it is ordered to, some at a time, and reports.

It is a process in a session of its own (see ``link``), and the parent of every bot.
When its front is gone it sees the end of its input, kills everything below it and
ends.  The next match starts while the bots of the last one are still being buried.
"""

import contextlib
import gc
import os
import resource
import socket
import sys
import traceback
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final, assert_never

import trio

from arena import __version__, burial
from arena.bots import ProcessPipes, Yard, open_pipes
from arena.botspec import BotSpec
from arena.boxed import BoxError
from arena.effects import Ask, Dismiss, Effect, Write
from arena.greeting import Greeting
from arena.match import keep_pulse, new_pulse, play_match
from arena.orders import (
    ORDER,
    AdviseOrder,
    Broken,
    CheckOrder,
    Finished,
    Order,
    PlayOrder,
    Probed,
    ProbeOrder,
    Report,
    ResendOrder,
    Started,
    StopOrder,
    Told,
)
from arena.process import OUR_FAILURES, BotProcess
from arena.record import PART, Heading, RecordWriter
from arena.referee import Referee
from arena.result import MatchResult, PlayerResult, Style
from arena.setup import MatchSetup
from arena.vitals import why_out
from arena.witness import Own, TableWitness, Witness
from protocol.events import EndEvent, Event, FaultEvent, OutEvent, ScoreEvent
from protocol.records import RecordLimits

FDS_A_MATCH: Final = 28  # three bots with six each, the record, starting one more
FDS_OF_OURS: Final = 24
SWEEP_S: Final = 1.0  # how often orphans are reaped while matches go on
LAST_ATTEMPT: Final = 3  # of a match: its verdicts stand, stalls added to the time
MAX_ORDER: Final = 1024 * 1024  # bytes of one order
TOO_FEW_FILES: Final = (
    "too few open files are allowed for a single match; allow more:  ulimit -n 1024"
)
BUG: Final = 70  # exit status: sysexits' EX_SOFTWARE


def affordable_matches() -> int:
    """Return how many matches the limit on open files allows at a time."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and soft < hard:
        soft = min(hard, 65_536)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(0, (soft - FDS_OF_OURS) // FDS_A_MATCH)


def engine_main(channel: socket.socket, guard: int, jobs: int, engines: int = 1) -> int:
    """Run an engine until its orders end; return its exit status.

    Args:
        channel: orders come in, reports go out.
        guard: a descriptor that ends when the engine is to end at once.
        jobs: matches at a time.
        engines: how many share this machine.
    """
    burial.become_subreaper()
    gc.freeze()  # what is imported is no garbage: no decision waits for a look at it
    try:
        trio.run(_Engine(jobs, engines).run, channel, guard)
    except BaseException:  # noqa: BLE001 -- a bug: shown, and the exit status says so
        traceback.print_exc(file=sys.stderr)
        return BUG
    finally:
        burial.bury_everything()
    return 0


class _Engine:
    def __init__(self, jobs: int, engines: int = 1) -> None:
        afford = affordable_matches()
        self._yard = Yard()
        self._playing = trio.CapacityLimiter(max(1, min(jobs, afford)))
        # A probe waits for its bot to start, and nothing is measured meanwhile.
        probes = max(jobs, 2 * (os.cpu_count() or 1) // engines)
        self._probing = trio.CapacityLimiter(max(1, min(probes, afford)))
        self._tables = trio.CapacityLimiter(max(1, afford))  # played and being buried
        self._sending = trio.Lock()
        self._scopes: dict[str, trio.CancelScope] = {}  # of the matches, by name
        self._afford = afford
        self._own = Own()

    async def run(self, channel: socket.socket, guard: int) -> None:
        self._stream = trio.SocketStream(trio.socket.from_stdlib_socket(channel))
        self._pulse = new_pulse(self._own)
        with self._own:
            await self._take_orders(guard)

    async def _take_orders(self, guard: int) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_pulse, self._pulse, self._own)
            nursery.start_soon(self._watch_guard, guard, nursery.cancel_scope)
            nursery.start_soon(self._sweep)
            nursery.start_soon(self._watch_memory)
            if self._afford == 0:
                await self._report(Broken(text=TOO_FEW_FILES))
            async for raw in _lines(self._stream):
                nursery.start_soon(self._carry_out, ORDER.validate_json(raw))
            nursery.cancel_scope.cancel()  # the front has gone, or wants us to stop

    async def _watch_guard(self, guard: int, scope: trio.CancelScope) -> None:
        await trio.lowlevel.wait_readable(guard)
        scope.cancel()

    async def _sweep(self) -> None:
        # A long match with a forking bot would fill the machine with zombies.
        while True:
            await trio.sleep(SWEEP_S)
            self._yard.sweep()

    async def _watch_memory(self) -> None:
        while True:
            await trio.sleep(self._yard.watch_memory())

    async def _report(self, report: Report) -> None:
        async with self._sending:
            # When the front has gone, the end of its orders is read elsewhere.
            with contextlib.suppress(trio.BrokenResourceError):
                await self._stream.send_all(report.wire().encode("ascii") + b"\n")

    @contextlib.contextmanager
    def _stoppable(self, match: str) -> Iterator[None]:
        with trio.CancelScope() as scope:
            self._scopes[match] = scope
            try:
                yield
            finally:
                # A void match is reported, and played again, before its bots are gone.
                if self._scopes.get(match) is scope:
                    del self._scopes[match]

    async def _carry_out(self, order: Order) -> None:
        try:
            async with self._tables:
                match order:
                    case PlayOrder():
                        with self._stoppable(order.setup.match):
                            await self._play(order)
                    case ProbeOrder():
                        await self._probe(order)
                    case CheckOrder():
                        from arena.check_exam import examine  # no match needs it

                        async with self._playing:
                            await examine(
                                order, self._yard, self._witness, self._report
                            )
                    case ResendOrder():
                        from arena.resend import resend  # no match needs it

                        async with self._playing:
                            await self._report(await resend(order, self._yard))
                    case AdviseOrder():
                        from arena.resend import advise  # nor this

                        async with self._playing:
                            await self._report(await advise(order, self._yard))
                    case StopOrder(match=match) if match in self._scopes:
                        self._scopes[match].cancel()
                    case StopOrder():
                        pass  # it is over, and reported
                    case _ as never:
                        assert_never(never)
        except* OSError as errors:  # a group: it has come through a nursery
            error = _first(errors)
            await self._report(_failed_probe(error, order) or _broken(error, order))

    async def _probe(self, order: ProbeOrder) -> None:
        greeting = Greeting(order.game, __version__, order.hello)
        async with (
            self._probing,
            open_pipes([order.bot], order.level, order.limits, self._yard) as pipes,
        ):
            witness = self._witness(pipes.bots)
            await play_match(greeting, pipes, witness=witness)
        await self._yard.bury(pipes, is_polite=greeting.failure is None)
        failure = greeting.failure
        if failure is not None:
            failure = why_out(pipes.bots[0], failure, is_first=True)
        await self._report(
            Probed(
                name=order.bot.name,
                failure=failure,
                stderr=pipes.bots[0].stderr.text(),
            )
        )

    def _is_alone(self) -> bool:
        """Tell whether one match is being played, and no other waits for a turn."""
        return self._playing.borrowed_tokens == 1

    def _witness(self, bots: Sequence[BotProcess]) -> Witness:
        return TableWitness(self._pulse, self._own, bots)

    async def _play(self, order: PlayOrder) -> None:
        setup = order.match_setup()
        referee = Referee(setup)
        async with AsyncExitStack() as stack:
            async with self._playing:
                await self._report(Started(match=setup.match))
                watchers = _Watchers(order, setup, referee)
                stack.callback(watchers.close)
                pipes = await stack.enter_async_context(
                    open_pipes(
                        _bots(order),
                        order.level,
                        order.limits,
                        self._yard,
                        order.pondering,
                        self._is_alone,
                    )
                )
                watchers.bots = pipes.bots
                nursery = await stack.enter_async_context(trio.open_nursery())
                if order.is_told:
                    nursery.start_soon(self._tell, watchers)
                wall_ms = await play_match(
                    referee,
                    pipes,
                    watchers.watch,
                    may_void=order.attempt < LAST_ATTEMPT,
                    witness=self._witness(pipes.bots),
                    free_ms=None if setup.clock is None else setup.clock.move_ms,
                )
                watchers.close()
            try:
                await self._yard.bury(pipes, is_polite=True)
            finally:
                # What is over counts, also when we are being stopped.
                with trio.CancelScope(shield=True):
                    result = result_of(order, referee, pipes, wall_ms)
                    await self._report(
                        Finished(
                            match=setup.match, attempt=order.attempt, result=result
                        )
                    )

    async def _tell(self, watchers: "_Watchers") -> None:
        async for report in watchers.told:
            await self._report(report)


class _Watchers:
    """What listens to a match: its record, and the front's progress."""

    def __init__(self, order: PlayOrder, setup: MatchSetup, referee: Referee) -> None:
        self._referee = referee
        self._match = setup.match
        self._record: RecordWriter | None = None
        if order.record is not None:
            limits = RecordLimits(
                **setup.limits.model_dump(), **order.limits.model_dump()
            )
            heading = Heading(order.attempt, order.level.value, limits)
            path = Path(order.record + PART)
            self._record = RecordWriter(path, setup, heading)
        self._tell, self.told = trio.open_memory_channel[Told](10_000)
        self._is_told = order.is_told
        self._last_out: OutEvent | None = None
        self.bots: Sequence[BotProcess] = ()

    def watch(self, effect: Effect) -> None:
        """Take in one effect."""
        if self._record is not None:
            self._record.watch(effect)
        if not self._is_told:
            return
        match effect:
            case Ask() | Write(event=None):
                pass  # most of them
            case Write(event=ScoreEvent() | EndEvent() as event):
                self._send(event)
            case Write(event=FaultEvent() as event):
                hint = self._referee.ledger.faults[event.seat][-1].hint
                self._send(event, hint)
            case Write(event=OutEvent() as event):
                self._last_out = event
            case Dismiss(seat=seat, text=text) if self._last_out is not None:
                is_first = self._referee.ledger.moves[seat] == 0
                self._send(self._last_out, why_out(self.bots[seat], text, is_first))
            case _:
                pass

    def _send(self, event: Event, text: str = "") -> None:
        told = Told(
            match=self._match, names=self._referee.names, event=event, text=text
        )
        # A front that does not listen misses progress, not results.
        with contextlib.suppress(trio.WouldBlock):
            self._tell.send_nowait(told)

    def close(self) -> None:
        """Finish the record, and end what is told."""
        if self._record is not None:
            self._record.close()
            self._record = None
        self._tell.close()


def result_of(
    order: PlayOrder, referee: Referee, pipes: ProcessPipes, wall_ms: int
) -> MatchResult:
    """Return what a match came to; its bots have been buried."""
    ledger, setup = referee.ledger, referee.setup
    players = [
        PlayerResult(
            seat=seat,
            name=referee.names[seat],
            out=ledger.outs[seat],
            faults=ledger.faults[seat],
            fault_count=ledger.fault_counts[seat],
            warnings=dict(ledger.warnings[seat]),
            hints=ledger.hints[seat],
            moves=ledger.moves[seat],
            time_ms=ledger.time_ms[seat],
            slowest_ms=ledger.slowest_ms[seat],
            cpu_ms=bot.cpu_ms,
            exit=bot.exit,
            stderr=bot.stderr.text(),
            own_deals=ledger.own_deals[seat],
            own_points=ledger.own_points[seat],
            style=Style(
                contracts=ledger.own_contracts[seat],
                made=ledger.own_made[seat],
                levels=ledger.own_levels[seat],
                undeclared=ledger.own_undeclared[seat],
            ),
        )
        for seat, bot in enumerate(pipes.bots)
    ]
    return MatchResult(
        match=setup.match,
        game=setup.game,
        options=setup.options,
        reason=referee.reason,
        deals=ledger.deals,
        scores=ledger.scores,
        places=ledger.places,
        players=players,
        deal_seed=setup.deal_seed,
        commit=setup.commit,
        record=order.record,
        sandbox=order.level.value,
        wall_ms=wall_ms,
    )


def _bots(order: PlayOrder) -> list[BotSpec]:
    """Return the bots, kept from the record, which holds all hands."""
    if order.record is None:
        return list(order.bots)
    record = Path(order.record + PART).resolve()
    return [replace(bot, masked=(*bot.masked, record)) for bot in order.bots]


async def _lines(stream: trio.SocketStream) -> AsyncIterator[bytes]:
    buffer = bytearray()
    while data := await _receive(stream):
        buffer += data
        while (end := buffer.find(b"\n")) >= 0:
            yield bytes(buffer[:end])
            del buffer[: end + 1]
        if len(buffer) > MAX_ORDER:
            raise ValueError("an order without end")


async def _receive(stream: trio.SocketStream) -> bytes:
    try:
        return bytes(await stream.receive_some())
    except trio.BrokenResourceError:  # a front that was killed with reports unread
        return b""


def _first(errors: ExceptionGroup[OSError]) -> OSError:
    error = errors.exceptions[0]
    return _first(error) if isinstance(error, ExceptionGroup) else error


def _failed_probe(error: OSError, order: Order) -> Probed | None:
    """Return what is said of a bot that the box could not get at."""
    if not isinstance(error, BoxError) or not isinstance(order, ProbeOrder):
        return None
    if not error.blames(order.bot.cwd):
        return None
    text = f"cannot be started: {error.text}; let its folder be read by everybody"
    return Probed(name=order.bot.name, failure=text, stderr="")


def _broken(error: OSError, order: Order) -> Broken:
    if isinstance(error, BoxError):
        return Broken(text=str(error.strerror))
    if error.errno in OUR_FAILURES:
        text = f"no process can be started: {error.strerror}; use fewer jobs"
        return Broken(text=text)
    record = order.record if isinstance(order, PlayOrder) else None
    where = error.filename or record or "the engine"
    return Broken(text=f"{where}: {error.strerror}; free some room on the disk")
