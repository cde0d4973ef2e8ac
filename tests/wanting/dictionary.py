"""Prints a Python dictionary, which is no JSON."""

from tests.wanting._talk import honest, requests

for request in requests():
    print(honest(request), flush=True)
