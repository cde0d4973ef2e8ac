"""Row 7: numbers that are none, or far too large, for an id.  Each is a strike."""

import json

from tests.rogues._wire import Request, play, write

IDS = [
    *("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" + "0" * 4000),
    *("true", "1.5", "-1", "[]", "{}", '"x"', '"' + "9" * 4000 + '"', '"\\u0661"'),
]


def count(request: Request, seen: int) -> bool:
    if seen < len(IDS):
        move = json.dumps(request["legal"][0])
        write(f'{{"id":{IDS[seen]},"move":{move}}}\n'.encode())
    return seen < len(IDS)


play(count)
