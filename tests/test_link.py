"""Front, warden and engine: starting, stopping, and what goes wrong between them."""

import errno
import os
import resource
import signal
import socket
import subprocess
import sys
from functools import partial

import pytest
import trio

from arena import engine, link
from arena.errors import CannotGoOnError
from tests.processes import below, exists, orphanage, reap, strays, wait_until
from tests.rogues import HONEST, ROOT
from tests.test_rogues import TRIANON

pytestmark = pytest.mark.processes


def start(*args):
    return subprocess.Popen(
        [TRIANON, "play", *args, "--sandbox", "limits", "--json"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


def python(program):
    """Run a program of a few lines, since a fork of the tests would be a large one."""
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_an_interrupt_while_the_engine_is_being_started_is_told_once():
    with orphanage():
        for _ in range(3):
            process = start(HONEST, HONEST, f"{HONEST} early-interrupt")
            assert wait_until(partial(below, process.pid))
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=30)
            assert (process.returncode, out) == (130, "")
            assert err.strip() == "trianon: interrupted"
            assert strays("early-interrupt") == []


def test_links_may_be_closed_in_any_order():
    done = python(
        "from arena.link import open_engine\n"
        "one, two = open_engine(1), open_engine(1)\n"
        "one.__enter__(); two.__enter__()\n"
        "one.__exit__(None, None, None); two.__exit__(None, None, None)\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_children_of_the_caller_that_are_not_ours_are_left_alone():
    done = python(
        "import os, signal, subprocess, time\n"
        "from arena.link import open_engine\n"
        "with open_engine(1) as link:\n"
        "    other = subprocess.Popen(['sleep', '600'])\n"
        "assert other.poll() is None\n"
        "other.kill(); other.wait()\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_link_leaves_no_descriptor_and_no_child():
    done = python(
        "import os\n"
        "from arena import burial\n"
        "from arena.link import open_engine\n"
        "before = os.listdir('/proc/self/fd')\n"
        "for _ in range(3):\n"
        "    with open_engine(1):\n"
        "        pass\n"
        "assert os.listdir('/proc/self/fd') == before\n"
        "assert burial.children(os.getpid()) == []\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_when_no_process_can_be_started_the_user_is_told(monkeypatch):
    def fork():
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", fork)
    before = os.listdir("/proc/self/fd")  # noqa: PTH208 -- names are all we want
    with pytest.raises(CannotGoOnError, match="no process"), link.open_engine(1):
        pytest.fail("there is no engine")
    assert os.listdir("/proc/self/fd") == before  # noqa: PTH208
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()


def test_a_record_that_cannot_be_written_is_one_line(tmp_path):
    record = tmp_path / "record.jsonl"

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    done = subprocess.run(
        [TRIANON, "play", *[HONEST] * 3, "--deals", "9", "--record", str(record)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=little_room,
    )
    assert done.returncode == 4
    last = [line for line in done.stderr.splitlines() if line.startswith("trianon: ")]
    assert len(last) == 1
    assert "File too large" in last[0]


async def test_a_front_that_is_killed_with_reports_unread_is_no_bug():
    front, ours = socket.socketpair()
    stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
    await stream.send_all(b"a report that nobody reads\n")
    front.close()
    lines = engine._lines(stream)
    assert [line async for line in lines] == []
    await stream.aclose()


def test_an_engine_with_a_bug_shows_its_traceback_and_the_front_says_so():
    done = python(
        "import arena.engine\n"
        "def broken(*_):\n"
        "    raise ZeroDivisionError\n"
        "arena.engine._Engine.run = broken\n"
        "from arena.link import EngineBugError, open_engine\n"
        "try:\n"
        "    with open_engine(1) as link:\n"
        "        list(link.reports()); list(link.reports())\n"
        "except EngineBugError:\n"
        "    print('a bug')\n"
    )
    assert (done.returncode, done.stdout) == (0, "a bug\n")
    assert "ZeroDivisionError" in done.stderr


@pytest.mark.parametrize("broken", ["_ignore_signals", "_engine", "_watch"])
def test_a_child_that_fails_never_goes_on_with_the_work_of_its_caller(broken):
    done = python(
        "import os\n"
        "from arena import link\n"
        "front = os.getpid()\n"
        "def fail(*_):\n"
        "    raise ZeroDivisionError\n"
        f"link.{broken} = fail\n"
        "try:\n"
        "    with link.open_engine(1) as opened:\n"
        "        list(opened.reports()); list(opened.reports())\n"
        "except BaseException as error:\n"
        "    print(type(error).__name__, os.getpid() == front, flush=True)\n"
    )
    assert (done.returncode, done.stdout) == (0, "EngineBugError True\n")
    assert "ZeroDivisionError" in done.stderr


def test_a_link_that_nobody_closed_is_no_business_of_the_next():
    done = python(
        "import os, socket\n"
        "from arena.link import EngineLink, open_engine\n"
        "ours, theirs = socket.socketpair()\n"
        "EngineLink(ours, -1, -1, 1)\n"
        "ours.close()\n"
        "with open_engine(1) as link:\n"
        "    list(link.reports(0.2))\n"
        "print('well')\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "well\n", "")


def test_another_engine_can_be_started_where_the_first_has_died():
    done = python(
        "import os, signal\n"
        "from arena.errors import CannotGoOnError\n"
        "from arena.link import open_engine\n"
        "with open_engine(1) as first:\n"
        "    os.kill(first._warden, signal.SIGKILL)\n"
        "    try:\n"
        "        while True:\n"
        "            list(first.reports())\n"
        "    except CannotGoOnError:\n"
        "        with open_engine(1) as second:\n"
        "            list(second.reports(0.2))\n"
        "        print('well')\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "well\n", "")


def test_a_closed_terminal_ends_it_all():
    with orphanage():
        hangs = f"{sys.executable} -S -m tests.rogues.deaf closed-terminal"
        process = start(hangs, hangs, hangs, "--no-clock")
        assert wait_until(lambda: len(strays("closed-terminal")) == 3)
        (warden,) = below(process.pid)
        process.stdout.close()
        process.stderr.close()
        os.killpg(process.pid, signal.SIGHUP)
        assert process.wait(30) != 0
        assert strays("closed-terminal") == []
        reap((warden,))
        assert not exists(warden)
