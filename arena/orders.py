"""What passes between a front and an engine: typed values, a line of JSON each.

An engine may live in another process or on another machine; results are values and
are never read out of anything that a bot can write to.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter

from arena.botspec import BotSpec
from arena.check_report import CheckReport, CheckStep, Resent
from arena.games import GAMES
from arena.result import MatchResult
from arena.sandbox import Level, Limits, Pondering
from arena.setup import MatchSetup
from protocol.events import Event
from protocol.messages import HelloLimits, MatchClock
from protocol.model import DEFERRED, Model


class PlayOrder(Model):
    """Play this match.

    Attributes:
        bots: by seat.
        record: where its record is written, as a ``*.part``; None for none.
        is_told: whether the front wants to hear of deals and faults as they happen.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    tag: Literal["play"] = "play"
    setup: MatchSetup
    bots: tuple[BotSpec, BotSpec, BotSpec]
    level: Level
    limits: Limits
    pondering: Pondering = Pondering.ALLOWED
    record: str | None = None
    attempt: int = 1
    is_told: bool = False

    def match_setup(self) -> MatchSetup:
        """Return the setup with its options typed as its game has them."""
        given = self.setup.options.model_dump(exclude_none=True)
        return replace(self.setup, options=GAMES[self.setup.game].options(given))


class ProbeOrder(Model):
    """Start this bot, say hello, and let it go."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    tag: Literal["probe"] = "probe"
    bot: BotSpec
    game: str
    level: Level
    limits: Limits
    hello: HelloLimits


class CheckOrder(Model):
    """Try this bot against the protocol.

    Attributes:
        games: those to try it in.
        is_quick: whether the long steps are left out or cut short.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    tag: Literal["check"] = "check"
    bot: BotSpec
    games: tuple[str, ...]
    level: Level
    limits: Limits
    clock: MatchClock | None
    hello: HelloLimits
    is_quick: bool


class ResendOrder(Model):
    """Send the requests of a record's seat to this bot, up to number ``request``."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    tag: Literal["resend"] = "resend"
    bot: BotSpec
    record: Path
    seat: int
    request: int
    level: Level
    limits: Limits


class AdviseOrder(Model):
    """Ask this bot what it would do: send it ``lines``, the last of which counts.

    Attributes:
        lines: requests as a seat was sent them, from ``hello`` on, without newlines.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    tag: Literal["advise"] = "advise"
    bot: BotSpec
    lines: tuple[str, ...]
    level: Level
    limits: Limits


class StopOrder(Model):
    """Stop a match that was ordered: it comes to nothing, and nothing is reported."""

    tag: Literal["stop"] = "stop"
    match: str


Order: TypeAlias = Annotated[
    PlayOrder | ProbeOrder | CheckOrder | ResendOrder | AdviseOrder | StopOrder,
    Field(discriminator="tag"),
]
ORDER: TypeAdapter[Order] = TypeAdapter(Order, config=DEFERRED)


class Started(Model):
    """A match has begun."""

    tag: Literal["started"] = "started"
    match: str


class Told(Model):
    """Something happened in a match whose front wants to hear of it."""

    tag: Literal["told"] = "told"
    match: str
    names: tuple[str, str, str]
    event: Event
    text: str = ""
    """For a fault or an out: the words for the bot's author."""


class Finished(Model):
    """A match is over, and its bots are buried."""

    tag: Literal["finished"] = "finished"
    match: str
    attempt: int
    result: MatchResult


class Probed(Model):
    """A bot was started; ``failure`` says why it cannot play, if it cannot."""

    tag: Literal["probed"] = "probed"
    name: str
    failure: str | None
    stderr: str


class Stepped(Model):
    """A step of a check is done."""

    tag: Literal["stepped"] = "stepped"
    step: CheckStep


class Checked(Model):
    """A check is over."""

    tag: Literal["checked"] = "checked"
    report: CheckReport


class ResentReport(Model):
    """A bot has answered a request of a record, or one for advice, or has not."""

    tag: Literal["resent"] = "resent"
    resent: Resent


class Broken(Model):
    """The engine cannot go on: disk, descriptors, memory."""

    tag: Literal["broken"] = "broken"
    text: str


Report: TypeAlias = Annotated[
    Started | Told | Finished | Probed | Stepped | Checked | ResentReport | Broken,
    Field(discriminator="tag"),
]
REPORT: TypeAdapter[Report] = TypeAdapter(Report, config=DEFERRED)
