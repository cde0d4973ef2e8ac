"""Refuses a request that has a field it does not know."""

from tests.wanting._talk import honest, requests, say

KNOWN = {
    "id", "type", "protocol", "version", "arena", "limits", "game", "rules", "options",
    "match", "players", "you", "clock", "strikes", "seed", "commit", "ask", "legal",
    "deal", "events", "faults", "reason", "scores", "places",
}  # fmt: skip

for request in requests():
    unknown = request.keys() - KNOWN
    if unknown:
        raise ValueError(f"unknown fields: {unknown}")
    say(honest(request))
