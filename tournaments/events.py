"""What ``trianon run --json-events`` prints, as models: a JSON object a line each.

The models make the schema (``trianon schema``), and a test holds a run's events to it.
"""

from collections.abc import Collection
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter, create_model

from arena.result import OURS, MatchResult, PlayerResult
from protocol.model import Int31, Model
from tournaments.table import Standings

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def _fields(model: type[Model], without: Collection[str]) -> dict[str, Any]:
    return {
        name: (field.annotation, field)
        for name, field in model.model_fields.items()
        if name not in without
    }


# A player without what only the table needs; a result with such players.
PublicPlayer: Any = create_model(
    "PublicPlayer", __base__=Model, **_fields(PlayerResult, OURS)
)
_players: dict[str, Any] = {
    "players": (list[PublicPlayer], Field(min_length=3, max_length=3))
}
PublicResult: Any = create_model(
    "PublicResult", __base__=Model, **_fields(MatchResult, ["players"]) | _players
)


class MatchStarted(Model):
    """A match has begun."""

    event: Literal["match_started"] = "match_started"
    match: str


_finished: dict[str, Any] = {"event": (Literal["match_finished"], ...)}
MatchFinished: Any = create_model("MatchFinished", __base__=PublicResult, **_finished)
"""A match is finished and kept, with its result as ``play`` prints it."""


class StandingsTold(Standings):
    """The table as it stands, as ``table`` prints it."""

    event: Literal["standings"]


class Done(Model):
    """Every match is accounted for; ``void`` counts attempts that were played again."""

    event: Literal["done"] = "done"
    finished: Int31
    scheduled: Int31
    void: Int31


RunEvent: TypeAlias = Annotated[
    MatchStarted | MatchFinished | StandingsTold | Done, Field(discriminator="event")
]


def run_event() -> TypeAdapter[Any]:
    """Return what reads one line of ``--json-events``."""
    return TypeAdapter(RunEvent)


def schemas() -> dict[str, Any]:
    """Return the schemas of what commands print, by name."""
    adapters: dict[str, TypeAdapter[Any]] = {
        "run_event": run_event(),
        "result": TypeAdapter(PublicResult),
        "table": TypeAdapter(Standings),
    }
    return {
        name: {"$schema": DIALECT, **adapter.json_schema(mode="serialization")}
        for name, adapter in adapters.items()
    }
