"""A finished match as rows of the store: its own, and one of each player.

Pure but for the record's bytes, whose hash the row holds.
"""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from arena.result import MatchResult
from tournaments.schedule import Pairing
from tournaments.sums import Row


class Kept(NamedTuple):
    """What the store holds of a finished match: its row, and its players' by seat.

    ``machine``: where it was played, if that was not here.
    """

    match: Row
    players: list[Row]
    machine: str | None = None


def match_row(result: MatchResult, pairing: Pairing, record: Path, attempt: int) -> Row:
    """Return the row of a match whose record is written."""
    raw = record.read_bytes()
    is_plain = result.is_clean and not any(p.warnings for p in result.players)
    return {
        "match": result.match,
        "triple": "+".join(pairing.triple),
        "block": pairing.block,
        "has_house": pairing.has_house,
        "attempt": attempt,
        "reason": result.reason,
        "deals": result.deals,
        "sandbox": result.sandbox,
        "wall_ms": result.wall_ms,
        "record": record.name,
        "size": len(raw),
        "sha256": hashlib.sha256(raw).hexdigest(),
        "result": None if is_plain else json.dumps(result.public()),
    }


def player_rows(result: MatchResult) -> list[Row]:
    """Return the rows of a match's players, by seat."""
    places = result.places
    assert places is not None
    return [
        {
            "match": result.match,
            "seat": player.seat,
            "bot": player.name,
            "place": places[player.seat],
            "score": result.scores[player.seat],
            "points": player.own_points,
            "deals": player.own_deals,
            "faults": player.fault_count,
            "out": player.out,
            "moves": player.moves,
            "time_ms": player.time_ms,
            "slowest_ms": player.slowest_ms,
            "cpu_ms": player.cpu_ms,
            **player.style.model_dump(),
        }
        for player in result.players
    ]
