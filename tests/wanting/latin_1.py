"""Writes Latin-1."""

import json
import sys

from tests.wanting._talk import honest, requests

for request in requests():
    answer = honest(request)
    if request["type"] == "hello":
        answer["name"] = "Zoé"
    line = json.dumps(answer, ensure_ascii=False) + "\n"
    sys.stdout.buffer.write(line.encode("latin-1"))
    sys.stdout.buffer.flush()
