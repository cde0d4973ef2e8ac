"""Greets the world on stdout before its first answer."""

from tests.wanting._talk import honest, requests, say

print("*** Petit Trianon 1.0 is ready ***", flush=True)
for request in requests():
    say(honest(request))
