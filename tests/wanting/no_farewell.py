"""Does not answer ``end``, which it may skip."""

from tests.wanting._talk import honest, requests, say

for request in requests():
    if request["type"] != "end":
        say(honest(request))
