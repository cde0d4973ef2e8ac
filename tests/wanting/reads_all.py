"""Reads all of its input before it answers anything."""

import json
import sys

from tests.wanting._talk import honest, say

for line in sys.stdin.readlines():
    say(honest(json.loads(line)))
