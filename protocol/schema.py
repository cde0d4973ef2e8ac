"""JSON Schemas of all that passes on the wire and of the record."""

from typing import Any

from pydantic import TypeAdapter

from protocol.events import EVENT
from protocol.messages import REQUEST, HelloAnswer, MoveAnswer, PlainAnswer
from protocol.records import RECORD_LINE

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, Any]:
    """Return the schemas by name: requests, answers, events, lines of a record."""
    adapters: dict[str, TypeAdapter[Any]] = {
        "request": REQUEST,
        "event": EVENT,
        "record_line": RECORD_LINE,
        "hello_answer": TypeAdapter(HelloAnswer),
        "move_answer": TypeAdapter(MoveAnswer),
        "plain_answer": TypeAdapter(PlainAnswer),
    }
    return {
        name: {"$schema": DIALECT, **adapter.json_schema()}
        for name, adapter in adapters.items()
    }
