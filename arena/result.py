"""What a match came to: the value that ``play`` prints and tournaments count.

A result is never read out of anything that a bot can write to: the referee and the
match make it, and it travels as a typed value.
"""

from typing import Annotated, Any

from pydantic import Field

from protocol.events import EndReason, FaultCode, OutCode, WarningCode
from protocol.messages import Options
from protocol.model import Int31, Model, Ms, SeatNo, Three, optional

OURS = frozenset({"own_deals", "own_points", "style", "fault_count", "hints"})
"""What a player's result holds for the table alone, and for a person's eyes."""
MAX_FAULTS_LISTED = 50
"""Faults of one player that a result lists; the record holds all of them."""


class FaultResult(Model):
    """One fault, with all that its author needs to have it again."""

    id: Int31
    deal: Int31
    code: FaultCode
    text: str
    line: str | None
    hint: str
    played: str


class Exit(Model):
    """How a bot's process ended: a status, or the signal that killed it."""

    status: int | None = optional()
    signal: str | None = optional()


class Style(Model):
    """How a bot bids, over the finished deals that it played to their end itself.

    ``contracts`` it declared (in Loyatais: took), of which ``made`` were made;
    ``levels`` is the sum of the tricks they promised, ``undeclared`` the deals in which
    nobody declared: Trianon deals.
    """

    contracts: Int31
    made: Int31
    levels: Int31
    undeclared: Int31


class PlayerResult(Model):
    """What one seat did.

    ``hints`` has the first line dropped for each kind of warning, and the remedy;
    ``moves`` counts the bot's own answers; ``own_deals`` and ``own_points`` are of the
    finished deals that it played to their end itself, before it was out.
    """

    seat: SeatNo
    name: str
    out: OutCode | None
    faults: list[FaultResult]
    fault_count: Int31
    warnings: dict[WarningCode, int]
    hints: dict[WarningCode, str]
    moves: Int31
    time_ms: Ms
    slowest_ms: Ms
    cpu_ms: Ms
    exit: Exit | None
    stderr: str
    own_deals: Int31
    own_points: Int31
    style: Style


class MatchResult(Model):
    """A finished match; ``places`` is null for a void match or a strict end."""

    match: str
    game: str
    options: Options
    reason: EndReason
    deals: Int31
    scores: Three
    places: Three | None
    players: Annotated[list[PlayerResult], Field(min_length=3, max_length=3)]
    deal_seed: str
    commit: str
    record: str | None
    sandbox: str
    wall_ms: Ms
    machine: str | None = optional()
    """Where it was played, when that was not here."""

    def public(self) -> dict[str, Any]:
        """Return the result as ``--json`` prints it (docs/commands.md)."""
        return self.model_dump(mode="json", exclude={"players": {"__all__": set(OURS)}})

    @property
    def is_clean(self) -> bool:
        """Whether no bot was faulty or out."""
        return not any(p.out or p.fault_count for p in self.players)
