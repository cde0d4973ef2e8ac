"""Gives up when nothing is asked for a second."""

import json
import select

from tests.wanting._talk import honest, say

with open(0, "rb", buffering=0) as stdin:  # so that select sees what is to be read
    while select.select([stdin], [], [], 1.0)[0]:
        line = stdin.readline()
        if not line:
            break
        say(honest(json.loads(line)))
