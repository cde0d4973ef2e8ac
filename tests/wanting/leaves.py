"""Exits at the end of a match, without a word."""

from tests.wanting._talk import honest, requests, say

for request in requests():
    if request["type"] == "end":
        break
    say(honest(request))
