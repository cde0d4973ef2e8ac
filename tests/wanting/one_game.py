"""Plays Loyatais only, and says so."""

from tests.wanting._talk import honest, requests, say

for request in requests():
    answer = honest(request)
    if request["type"] == "hello":
        answer["games"] = ["loyatais"]
    if request.get("game") == "trianon":
        raise NotImplementedError("no Trianon")
    say(answer)
