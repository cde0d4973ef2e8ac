"""Takes a request with a fault in it for the answer to its last move."""

from tests.wanting._talk import honest, requests, say

for request in requests():
    answer = honest(request)
    if request.get("faults"):
        answer["id"] = request["faults"][0]["id"]
    say(answer)
