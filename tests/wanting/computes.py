"""Thinks without end over its third move."""

from tests.wanting._talk import honest, requests, say

acts = 0
for request in requests():
    acts += request["type"] == "act"
    while acts == 3:
        pass
    say(honest(request))
