"""Sends its ids as text."""

from tests.wanting._talk import honest, requests, say

for request in requests():
    say(honest(request) | {"id": str(request["id"])})
