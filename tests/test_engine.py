"""An engine in this process: orders in, reports out, real bots."""

import os
import socket
from pathlib import Path

import pytest
import trio

from arena.botspec import find_bot
from arena.engine import _Engine
from arena.orders import (
    REPORT,
    Broken,
    Finished,
    PlayOrder,
    Probed,
    ProbeOrder,
    Started,
)
from arena.record import read_record
from arena.sandbox import Level, Limits
from arena.verify import verify
from protocol.messages import HelloLimits
from tests.scripted import setup

pytestmark = pytest.mark.processes

BAD = "import sys\nfor line in sys.stdin: print('{', flush=True)\n"


async def reports_of(*orders, jobs=2):
    """Give an engine its orders, and return its reports until all are answered."""
    front, channel = socket.socketpair()
    guard, alarm = os.pipe()
    reports = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_Engine(jobs).run, channel, guard)
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(front))
        for order in orders:
            await stream.send_all(order.wire().encode() + b"\n")
        buffer = b""
        answered = 0
        while answered < len(orders):
            buffer += await stream.receive_some()
            *lines, buffer = buffer.split(b"\n")
            for line in lines:
                report = REPORT.validate_json(line)
                reports.append(report)
                answered += isinstance(report, Finished | Probed | Broken)
        await stream.aclose()
    channel.close()
    os.close(alarm)
    os.close(guard)
    return reports


def order(tmp_path, *bots, **given):
    specs = tuple(find_bot(bot, tmp_path) for bot in bots)
    options = {"setup": setup("loyatais"), "level": Level.LIMITS, "limits": Limits()}
    return PlayOrder(bots=specs, **{**options, **given})


async def test_a_match_is_played_told_and_recorded(tmp_path):
    (tmp_path / "bad.py").write_text(BAD)
    path = str(tmp_path / "match.jsonl")
    given = {"record": path, "is_told": True}
    reports = await reports_of(order(tmp_path, "first", "random", "first", **given))
    assert isinstance(reports[0], Started)
    assert reports[-1].result.is_clean
    told = [report.event.e for report in reports if report.tag == "told"]
    assert told == ["score", "score", "score", "end"]
    assert verify(read_record(Path(path + ".part"))) is None


async def test_faults_and_outs_are_told_in_words(tmp_path):
    (tmp_path / "bad.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    r = json.loads(line)\n"
        "    is_act = r['type'] == 'act'\n"
        "    print('{' if is_act else json.dumps({'id': r['id']}), flush=True)\n"
    )
    bots = ("python3 bad.py", "first", "first")
    reports = await reports_of(order(tmp_path, *bots, is_told=True))
    told = [report for report in reports if report.tag == "told"]
    assert [r.event.e for r in told if r.event.e in ("fault", "out")] == [
        "fault", "fault", "fault", "out",
    ]  # fmt: skip
    assert all(r.text for r in told if r.event.e in ("fault", "out"))
    assert reports[-1].result.players[0].out == "strikes"


async def test_a_probe_says_why_a_bot_cannot_play(tmp_path):
    (tmp_path / "bad.py").write_text("raise SystemExit(3)\n")
    probes = [
        ProbeOrder(bot=find_bot(bot, tmp_path), game="trianon", level=Level.LIMITS,
                   limits=Limits(), hello=HelloLimits())
        for bot in ("first", "python3 bad.py")
    ]  # fmt: skip
    reports = {report.name: report.failure for report in await reports_of(*probes)}
    assert reports == {"first": None, "bad": "exited with status 3"}


async def test_a_record_that_cannot_be_written_breaks_the_engine(tmp_path):
    nowhere = str(tmp_path / "nowhere" / "match.jsonl")
    bots = ("first", "first", "first")
    reports = await reports_of(order(tmp_path, *bots, record=nowhere))
    assert isinstance(reports[-1], Broken)
    assert "No such file or directory" in reports[-1].text
