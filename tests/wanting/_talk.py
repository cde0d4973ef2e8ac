"""What the bots of this folder share: an honest answer.  Standard library only."""

import json
import sys
from collections.abc import Iterator
from typing import Any


def requests() -> Iterator[dict[str, Any]]:
    """Yield what the arena asks."""
    for line in sys.stdin:
        yield json.loads(line)


def honest(request: dict[str, Any]) -> dict[str, Any]:
    """Return the mildest answer."""
    answer = {"id": request["id"]}
    if request["type"] == "act":
        answer["move"] = request["legal"][0]
    return answer


def say(answer: dict[str, Any]) -> None:
    """Send an answer."""
    print(json.dumps(answer), flush=True)
