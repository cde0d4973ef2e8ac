"""What bots in memory can do to a match's deadlines, and what a match owes them."""

import pytest
import trio
import trio.testing

from arena.bots import Data
from arena.match import play_match
from arena.referee import Referee
from tests.scripted import CLOSE, Played, ScriptedBot, ScriptedPipes, play, setup


class BusyPipes(ScriptedPipes):
    """There is always something to read, a byte a millisecond, from one seat."""

    def __init__(self, bots, clock, seat, data):
        super().__init__(bots)
        self._clock, self._seat, self._data = clock, seat, data

    async def wait_news(self):
        # A pipe that can be read at once: no deadline cuts the wait short.
        await trio.lowlevel.cancel_shielded_checkpoint()
        self._clock.jump(0.001)
        return [*self.poll(), Data(self._seat, self._data)]


def silent(request, acts):
    return [] if request["type"] == "act" else None


@pytest.mark.parametrize("noisy", [0, 1, 2])
@pytest.mark.parametrize("data", [b"\n", b"x\n"])
async def test_nothing_that_a_bot_sends_moves_a_deadline(noisy, data, mock_clock):
    """Neither its own nor another's: seat 1 is silent, ``noisy`` is not."""
    played = Played(Referee(setup()))
    bots = [ScriptedBot(), ScriptedBot(silent), ScriptedBot()]
    pipes = BusyPipes(bots, mock_clock, noisy, data)
    await play_match(played.referee, pipes, played.watch)
    faults = played.ledger.faults[1]
    assert [fault.code for fault in faults] == ["timeout"] * 3
    assert played.ledger.outs == [None, "strikes", None]
    assert played.ledger.slowest_ms[1] <= 402


def at_hello(*steps):
    return lambda request, _acts: steps if request["type"] == "hello" else None


@pytest.mark.parametrize(
    "steps",
    [
        [(0, b'{"id":0,\n'), (0, CLOSE)],
        [(0, b"x" * 5000), (0.1, b"x" * 70_000)],
        [(0, b"{}[\n"), (0.1, b"\n" * 1_100_000)],
    ],
)
async def test_a_bot_that_fails_twice_at_hello_is_out_once(
    steps, tmp_path, autojump_clock
):
    slow = ScriptedBot(at_hello((0.5, b'{"id":0}\n')))
    rogue = ScriptedBot(at_hello(*steps))
    played = await play(setup(), [ScriptedBot(), rogue, slow])
    assert [event["code"] for event in played.of("out")] == ["no_hello"]
    played.check(tmp_path)


async def test_what_came_before_a_request_is_no_answer_to_it(autojump_clock):
    def hasty(request, acts):
        if request["type"] != "start":
            return None
        early = b"".join(b'{"id":%d,"move":"pass"}\n' % n for n in range(2, 9))
        return [(0, b'{"id":1}\n' + early)]

    played = await play(setup(), [ScriptedBot(hasty), ScriptedBot(), ScriptedBot()])
    assert played.ledger.faults == [[], [], []]
    assert played.ledger.warnings[0] == {"stray_line": 7}


async def test_blank_lines_are_counted_by_their_bytes(autojump_clock):
    def blank(size):
        def script(request, acts):
            if request["type"] != "act" or acts:
                return None
            answer = b'{"id":%d,"move":"pass"}\n' % request["id"]
            return [(0, b" \r\n" * (size // 3) + answer)]

        return ScriptedBot(script)

    mebibyte = 1024 * 1024
    bots = [blank(mebibyte - 90), blank(mebibyte + 90), ScriptedBot()]
    played = await play(setup(), bots)
    assert played.ledger.outs == [None, "flood", None]
    assert played.ledger.warnings == [{}, {}, {}]
