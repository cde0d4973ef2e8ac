"""Counts its answers itself, from 1."""

from tests.wanting._talk import honest, requests, say

for number, request in enumerate(requests(), 1):
    say(honest(request) | {"id": number})
