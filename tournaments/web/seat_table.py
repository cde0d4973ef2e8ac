"""A table where a person plays against two bots: the front of one engine.

The engine plays the match as every match.  At the person's seat sits ``arena.relay``,
which passes the lines on to a socket here; what they mean to the person is in
``seat_match``.  One match at a time; whoever looks on waits for the next version.
"""

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

import trio

from arena import __version__
from arena.botspec import BotSpec
from arena.check_report import Resent
from arena.dealing import new_seed
from arena.errors import ArenaError
from arena.games import GAMES
from arena.link import EngineLink
from arena.naming import numbered
from arena.orders import (
    AdviseOrder,
    Broken,
    Checked,
    Finished,
    PlayOrder,
    Probed,
    Report,
    ResentReport,
    Started,
    Stepped,
    StopOrder,
    Told,
)
from arena.play import read_options
from arena.record import PART
from arena.result import MatchResult
from arena.sandbox import Level, Limits
from arena.setup import MatchSetup
from protocol.messages import MatchClock
from tournaments.web.seat_line import RelayLine, doorway, relay
from tournaments.web.seat_match import NotNowError, Over, SeatMatch, Stopped

Json: TypeAlias = dict[str, Any]

SEAT: Final = 0  # the person's: the deal goes round, and no seat is better for long
PERSON: Final = "you"


@dataclass(frozen=True, slots=True)
class Rules:
    """How matches at this table are played; the same for all of them.

    Attributes:
        bots: the two others, ready to be started.
        adviser: the bot that is asked for hints; None where there are none.
        level: how far the bots are kept apart.
        records: the folder for the records.
        clock: for everybody; None for no clock.
        seed: what the deals' seeds are made from; drawn for each match where None.
    """

    bots: tuple[BotSpec, BotSpec]
    adviser: BotSpec | None
    level: Level
    records: Path
    clock: MatchClock | None = None
    seed: str | None = None

    @property
    def games(self) -> tuple[str, ...]:
        """What both bots say they play."""
        return tuple(
            name
            for name in GAMES
            if all(bot.games is None or name in bot.games for bot in self.bots)
        )


@dataclass(slots=True)
class _Sitting:
    """A match in play: what the seat knows, and the way to its bot."""

    match: SeatMatch
    record: Path
    line: RelayLine | None = None
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)


@dataclass(slots=True)
class _Advice:
    """A bot is being asked what it would do."""

    done: trio.Event = field(default_factory=trio.Event)
    resent: Resent | None = None


class Table:
    """The table: give it orders, and wait for what comes of them.

    Args:
        link: an engine for two: a match, and a bot that is asked for advice.
        rules: how matches are played.
    """

    def __init__(self, link: EngineLink, rules: Rules) -> None:
        self.rules = rules
        self._link = link
        self._sitting: _Sitting | None = None
        self._count = 0
        self._version = 0
        self._changed = trio.Event()
        self._advice: _Advice | None = None
        self._nursery: trio.Nursery | None = None
        # Of another server, which may still be open in a window, no version is ours.
        self._era = secrets.token_hex(4)

    async def run(
        self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Listen to the engine until it is cancelled.

        Raises:
            CannotGoOnError: if the engine has gone.
        """
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            while True:
                await trio.lowlevel.wait_readable(self._link.fileno())
                for report in self._link.reports(0):
                    self._take(report)

    # --- what is seen ---

    def shown(self, since: int = 0, name: str | None = None) -> Json:
        """Return all that the page is told.

        Args:
            since: the number of the first event that is wanted.
            name: the match whose events are known so far; of another all are wanted.
        """
        sitting, rules = self._sitting, self.rules
        is_same = sitting is not None and sitting.match.name == name
        return {
            "version": f"{self._era}-{self._version}",
            "bots": numbered([bot.name for bot in rules.bots]),
            "adviser": None if rules.adviser is None else rules.adviser.name,
            "games": rules.games,
            "match": (
                None
                if sitting is None
                else sitting.match.shown(since if is_same else 0)
            ),
        }

    async def wait_change(self, version: str | None) -> None:
        """Wait until the table is no longer as it was in ``version``."""
        while version == f"{self._era}-{self._version}":
            await self._changed.wait()

    def _change(self) -> None:
        self._version += 1
        self._changed.set()
        self._changed = trio.Event()

    # --- what the person does ---

    async def open(self, game: str, given: Json, person: str = PERSON) -> None:
        """Begin a match.

        Args:
            game: one of the table's games.
            given: its options, as on the command line.
            person: what the person wants to be called.

        Raises:
            NotNowError: if a match is being played.
            ArenaError: if the options are out of range.
        """
        if self._sitting is not None and self._sitting.match.is_live:
            raise NotNowError(self._sitting.match.name)
        if game not in self.rules.games:
            raise ArenaError(f"{game}: not played at this table")
        options = read_options(game, given)
        self._count += 1
        name = f"table/{self._era}/{self._count}"
        match = SeatMatch(name, game, person)
        record = self.rules.records / f"{game}-{_now()}-{secrets.token_hex(2)}.jsonl"
        sitting = self._sitting = _Sitting(match, record)
        seed = self.rules.seed
        deal_seed = new_seed() if seed is None else f"{seed}/{self._count}"
        assert self._nursery is not None
        bot = await self._nursery.start(self._sit, sitting)
        one, two = self.rules.bots
        setup = MatchSetup(
            game=game,
            options=options,
            match=name,
            names=(person, one.name, two.name),
            deal_seed=deal_seed,
            seed=deal_seed,
            arena=__version__,
            is_named=False,
            clock=self.rules.clock,
        )
        self._link.order(
            PlayOrder(
                setup=setup,
                bots=(bot, one, two),
                level=self.rules.level,
                limits=Limits(),
                record=str(sitting.record),
            )
        )
        self._change()

    async def move(self, name: str, number: int, move: str) -> None:
        """Make the person's move.

        Args:
            name: the match.
            number: the ``id`` of the request that it answers.
            move: the move.

        Raises:
            NotNowError: if that is not asked.
            NotLegalError: if the move is not legal.
        """
        sitting = self._sitting_of(name)
        line = sitting.match.answer(number, move)
        self._change()
        if sitting.line is not None:
            await sitting.line.send(line)

    async def advise(self, name: str, number: int) -> str:
        """Return what the adviser would do now.

        Raises:
            NotNowError: if the person is not asked.
            ArenaError: if it has no advice.
        """
        adviser = self.rules.adviser
        if adviser is None:
            raise ArenaError("nobody gives hints at this table")
        while self._advice is not None:  # whoever asked for it may be gone
            await self._advice.done.wait()
        match = self._sitting_of(name).match
        match.open_request(number)
        advice = self._advice = _Advice()
        self._link.order(
            AdviseOrder(
                bot=adviser,
                lines=match.lines(),
                level=self.rules.level,
                limits=Limits(),
            )
        )
        await advice.done.wait()
        match.open_request(number)
        if advice.resent is None or advice.resent.move is None:
            trouble = "" if advice.resent is None else advice.resent.trouble
            raise ArenaError(f"{adviser.name} has no advice: {trouble or 'no move'}")
        return advice.resent.move

    async def resign(self, name: str) -> None:
        """Give the seat up: the house plays on for it, to the end.

        Raises:
            NotNowError: if that match is over.
        """
        sitting = self._live(name)
        sitting.match.resign()
        self._change()
        if sitting.line is not None:
            await sitting.line.close()

    def stop(self, name: str) -> None:
        """Stop the match: it comes to nothing.

        Raises:
            NotNowError: if it is over.
        """
        sitting = self._live(name)
        self._link.order(StopOrder(match=name))
        self._end(sitting, Stopped("stopped"))

    def record_of(self, name: str) -> Path | None:
        """Return where the record of the last match stands; None until it is over."""
        sitting = self._sitting
        if sitting is None or sitting.match.name != name:
            return None
        return sitting.record if isinstance(sitting.match.phase, Over) else None

    def _sitting_of(self, name: str) -> _Sitting:
        if self._sitting is None or self._sitting.match.name != name:
            raise NotNowError(name)
        return self._sitting

    def _live(self, name: str) -> _Sitting:
        sitting = self._sitting_of(name)
        if not sitting.match.is_live:
            raise NotNowError(name)
        return sitting

    # --- the seat ---

    async def _sit(
        self, sitting: _Sitting, *, task_status: trio.TaskStatus[BotSpec]
    ) -> None:
        """Wait for the relay, and be the bot behind it until the match is over."""
        match = sitting.match
        with sitting.scope:
            with doorway() as (door, path):
                task_status.started(relay(PERSON, path))
                stream = trio.SocketStream((await door.accept())[0])
            async with stream:
                line = sitting.line = RelayLine(stream)
                async for request in line.lines():
                    if match.is_resigned:
                        return
                    reply = match.hear(request)
                    self._change()
                    if reply is not None:
                        await line.send(reply)
            if match.is_live and not match.is_told_of_end:
                match.resign()  # the seat is lost
                self._change()

    # --- what the engine says ---

    def _take(self, report: Report) -> None:
        match report:
            case Finished(match=name, result=result):
                sitting = self._sitting
                if sitting is not None and sitting.match.name == name:
                    self._finish(sitting, result)
            case ResentReport(resent=resent):
                if self._advice is not None:
                    self._advice.resent = resent
                self._end_advice()
            case Broken(text=text):
                self._end_advice()
                if self._sitting is not None and self._sitting.match.is_live:
                    self._end(self._sitting, Stopped("broken", text))
            case Started() | Told() | Probed() | Stepped() | Checked():
                pass

    def _finish(self, sitting: _Sitting, result: MatchResult) -> None:
        if not sitting.match.is_live:
            return  # it was stopped at the very end
        if result.reason == "void":
            self._end(sitting, Stopped("void"))
        else:
            _part(sitting.record).replace(sitting.record)
            self._end(sitting, Over(result, sitting.record.name))

    def _end_advice(self) -> None:
        if self._advice is not None:
            self._advice.done.set()
            self._advice = None

    def _end(self, sitting: _Sitting, phase: Over | Stopped) -> None:
        sitting.match.phase = phase
        sitting.scope.cancel()
        if isinstance(phase, Stopped):
            _part(sitting.record).unlink(missing_ok=True)
        self._change()


def _part(record: Path) -> Path:
    return record.with_name(record.name + PART)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
