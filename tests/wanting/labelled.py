"""Puts a word before each answer."""

import json

from tests.wanting._talk import honest, requests

for request in requests():
    print("answer:", json.dumps(honest(request)), flush=True)
