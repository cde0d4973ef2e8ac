"""Is what a worker says true?  Its record is played again, and tells the result.

A worker is somebody else's machine.  The record must be of the match that was ordered,
with the cards of its seed; everything that counts must follow from the record.
"""

from pathlib import Path
from typing import Any

from pydantic import BaseModel

from arena.errors import ArenaError
from arena.ledger import Ledger
from arena.orders import PlayOrder
from arena.record import read_record
from arena.result import MatchResult
from arena.verify import examine
from protocol.events import EndEvent
from protocol.records import RecordHeader, RecordLimits


def flaw(order: PlayOrder, result: MatchResult, record: Path) -> str | None:
    """Return what is not true of a finished match; None when all of it is.

    Args:
        order: what was to be played.
        result: what is said to have come of it; not void.
        record: its record.
    """
    try:
        read = read_record(record)
    except ArenaError as error:
        return str(error)
    wrong, ledger = examine(read)
    if wrong is not None:
        return f"line {wrong.line}: {wrong.text} ({wrong.rule})"
    if ledger is None or not isinstance(last := read.events[-1], EndEvent):
        return "it breaks off"
    due = {**_ordered(order), **_earned(ledger), "reason": last.reason}
    said = {**_headed(read.header), **_claimed(result), "reason": result.reason}
    for key, value in due.items():
        if _plain(said[key]) != _plain(value):
            return f"'{key}' is {_plain(said[key])}, should be {_plain(value)}"
    return None


def _ordered(order: PlayOrder) -> dict[str, Any]:
    setup = order.match_setup()
    limits = RecordLimits(**setup.limits.model_dump(), **order.limits.model_dump())
    return {
        "match": setup.match,
        "attempt": order.attempt,
        "game": setup.game,
        "options": setup.options,
        "names": setup.names,
        "seeds": [setup.bot_seed(seat) for seat in range(3)],
        "deal_seed": setup.deal_seed,
        "commit": setup.commit,
        "clock": setup.clock,
        "strikes": setup.strikes,
        "strict": setup.strict,
        "limits": limits,
        "sandbox": order.level.value,
        "told": [setup.match, setup.game, setup.deal_seed, setup.commit],
        "told names": setup.names,
    }


def _headed(header: RecordHeader) -> dict[str, Any]:
    return {
        "match": header.match,
        "attempt": header.attempt,
        "game": header.game,
        "options": header.options,
        "names": [player.name for player in header.players],
        "seeds": [player.seed for player in header.players],
        "deal_seed": header.deal_seed,
        "commit": header.commit,
        "clock": header.clock,
        "strikes": header.strikes,
        "strict": bool(header.strict),
        "limits": header.limits,
        "sandbox": header.sandbox,
    }


def _earned(ledger: Ledger) -> dict[str, Any]:
    return {
        "deals": ledger.deals,
        "scores": ledger.scores,
        "places": ledger.places,
        "out": ledger.outs,
        "fault_count": ledger.fault_counts,
        "moves": ledger.moves,
        "time_ms": ledger.time_ms,
        "slowest_ms": ledger.slowest_ms,
        "own_deals": ledger.own_deals,
        "own_points": ledger.own_points,
        "contracts": ledger.own_contracts,
        "made": ledger.own_made,
        "levels": ledger.own_levels,
        "undeclared": ledger.own_undeclared,
    }


def _claimed(result: MatchResult) -> dict[str, Any]:
    players = result.players
    return {
        "deals": result.deals,
        "scores": result.scores,
        "places": result.places,
        **{
            key: [getattr(player, key) for player in players]
            for key in (
                *("out", "fault_count", "moves", "time_ms", "slowest_ms"),
                *("own_deals", "own_points"),
            )
        },
        **{
            key: [getattr(player.style, key) for player in players]
            for key in ("contracts", "made", "levels", "undeclared")
        },
        "told": [result.match, result.game, result.deal_seed, result.commit],
        "told names": [player.name for player in players],
    }


def _plain(value: Any) -> Any:
    """Return a value as it can be compared and shown."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    return list(value) if isinstance(value, tuple) else value
