"""A player that picks any legal move; the same seed gives the same match again."""

import json
import random
import sys

rng = random.Random()

for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"]}
    if request["type"] == "start":
        rng = random.Random(request["seed"])
    elif request["type"] == "act":
        reply["move"] = rng.choice(request["legal"])
    print(json.dumps(reply), flush=True)
