"""Answers rightly, but does not flush stdout."""

import json

from tests.wanting._talk import honest, requests

for request in requests():
    print(json.dumps(honest(request)))
