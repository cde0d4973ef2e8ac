"""Spins at the end of its input: an empty line does not end its loop."""

import json
import sys

from tests.wanting._talk import honest, say

while True:
    line = sys.stdin.readline()
    if line.strip():
        say(honest(json.loads(line)))
