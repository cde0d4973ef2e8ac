"""Who may sit down at the table, and the line to the seat: without a server."""

import socket

import pytest
import trio

from tournaments.web.seat_door import RefusedError, admit
from tournaments.web.seat_line import RelayLine

KEY = "the-key"
GOOD = {"authorization": f"Bearer {KEY}", "host": "127.0.0.1:8000"}


@pytest.mark.parametrize("client", ["127.0.0.1", "127.9.9.9", "::1"])
@pytest.mark.parametrize("more", [{}, {"origin": "http://127.0.0.1:8000"}])
def test_who_has_the_key_at_this_machine_is_let_in(client, more):
    admit(KEY, client, GOOD | more)


@pytest.mark.parametrize(
    ("client", "more", "words"),
    [
        ("192.168.1.7", {}, "who sits at this machine"),
        ("2001:db8::1", {}, "who sits at this machine"),
        ("a name", {}, "who sits at this machine"),
        (None, {}, "who sits at this machine"),
        ("127.0.0.1", {"authorization": ""}, "the key is missing"),
        ("127.0.0.1", {"authorization": "Bearer the-ke"}, "the key is missing"),
        ("127.0.0.1", {"authorization": "Bearer \udcff"}, "the key is missing"),
        ("127.0.0.1", {"origin": "http://127.0.0.1:8001"}, "another page"),
        ("127.0.0.1", {"origin": "https://127.0.0.1:8000"}, "another page"),
        ("127.0.0.1", {"origin": "null"}, "another page"),
    ],
)
def test_everybody_else_is_refused(client, more, words):
    with pytest.raises(RefusedError, match=words):
        admit(KEY, client, GOOD | more)


async def test_an_answer_waits_for_the_one_before_it_to_be_sent():
    ours, theirs = socket.socketpair()
    line = RelayLine(trio.SocketStream(trio.socket.from_stdlib_socket(ours)))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(line.send, b"move\n")
        nursery.start_soon(line.send, b"end\n")
    await line.close()
    with theirs:
        assert sorted(theirs.makefile()) == ["end\n", "move\n"]
