"""Has an old terminal's idea of a name."""

from tests.wanting._talk import honest, requests, say

for request in requests():
    for name in request.get("players", []):
        name.encode("ascii")
    say(honest(request))
