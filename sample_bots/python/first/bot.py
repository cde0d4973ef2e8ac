"""The smallest player: it answers every question with the first legal move."""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"]}
    if request["type"] == "act":
        reply["move"] = request["legal"][0]
    print(json.dumps(reply), flush=True)
