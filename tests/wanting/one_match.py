"""Can play one match only."""

from tests.wanting._talk import honest, requests, say

table = None
for request in requests():
    if request["type"] == "start":
        if table is not None:
            raise RuntimeError("the table is laid already")
        table = request["players"]
    say(honest(request))
