"""Row 9: each key twice.  The last wins, so every answer is good."""

import json

from tests.rogues._wire import Request, play, write


def double(request: Request, _seen: int) -> bool:
    move = json.dumps(request["legal"][0])
    write(f'{{"id":0,"move":"ZZ","id":{request["id"]},"move":{move}}}\n'.encode())
    return True


play(double)
