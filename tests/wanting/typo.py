"""Misspells a key."""

from tests.wanting._talk import honest, requests, say

for request in requests():
    answer = honest(request)
    if "move" in answer:
        answer["mvoe"] = answer.pop("move")
    say(answer)
