"""Sleeps over one answer until its time is over, and gives it then."""

import time

from tests.wanting._talk import honest, requests, say

acts = 0
for request in requests():
    if request["type"] == "act":
        acts += 1
        if acts == 3:
            clock = request["clock"]
            time.sleep((clock["move_ms"] + clock["bank_ms"] + 300) / 1000)
    say(honest(request))
