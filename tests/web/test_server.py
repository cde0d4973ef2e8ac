"""The server answers with pages, and with nothing that it should not."""

import http.client
import json
import signal
import socket
import subprocess
import sys
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from tests.browser import serving
from tests.command import start, trianon
from tests.web.folders import Told, played

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return played(tmp_path_factory.mktemp("cup"), name="small")


@pytest.fixture(scope="module")
def address(folder):
    with serving(folder) as found:
        yield found


def ask(address, path, **headers):
    where = urlsplit(address)
    with closing(http.client.HTTPConnection(where.hostname, where.port, 30)) as one:
        one.request("GET", path, headers=headers)
        answer = one.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/en/", 200),
        ("/fr/t/small/", 200),
        ("/en/t/small/matches/-/-/-/1.html", 200),
        ("/en/t/small/replay.html", 200),
        ("/words/fr.json", 200),
        ("/words/de.json", 404),
        ("/static/base.css", 200),
        ("/static/../pages.py", 404),
        ("/static/%2e%2e/pages.py", 404),
        ("/data/small/table.json", 200),
        ("/data/small/records/x.jsonl", 404),
        ("/data/other/records/x.jsonl", 404),
        ("/data/small/results.sqlite", 404),
        ("/de/", 404),
        ("/en/t/other/", 404),
        ("/live/en/nothing.html", 404),
        ("/en/t/small", 307),
        ("/" + "a" * 3000, 404),
    ],
)
def test_what_is_there_and_what_is_not(address, path, status):
    assert ask(address, path)[0] == status


@pytest.mark.parametrize(
    "path", ["/en/", "/static/page.js", "/nothing", "/words/en.json"]
)
def test_every_answer_has_the_strict_headers(address, path):
    _, headers, _ = ask(address, path)
    assert headers["content-security-policy"].startswith("default-src 'self'; ")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("127.0.0.1:1234", 200),
        ("[::1]:80", 200),
        ("LOCALHOST:80", 200),
        ("127.9.9.9", 200),
        ("[::1]", 200),
        ("10.0.0.1", 421),
        ("[::ffff:10.0.0.1]:80", 421),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:80", 421),
        ("", 421),
    ],
)
def test_at_loopback_no_other_name_is_answered(address, host, status):
    assert ask(address, "/en/", Host=host)[0] == status


def test_the_language_is_the_browsers_unless_the_address_says(address):
    status, headers, _ = ask(address, "/", **{"Accept-Language": "fr-FR,fr;q=0.9"})
    assert (status, headers["location"]) == (302, "fr/")
    assert '<html lang="en">' in ask(address, "/en/", **{"Accept-Language": "fr"})[2]


def test_the_table_is_that_of_the_command(folder, address):
    _, out, _ = trianon("table", folder, "--json", "--heads", "--seats")
    assert json.loads(ask(address, "/data/small/table.json")[2]) == json.loads(out)


def watch(address, path):
    """Connect as a viewer does; return the socket after the first state."""
    where = urlsplit(address)
    viewer = socket.create_connection((where.hostname, where.port), timeout=60)
    viewer.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return viewer


def read_until(viewer, mark):
    text = b""
    while mark not in text:
        chunk = viewer.recv(65536)
        assert chunk, "the stream has ended"
        text += chunk
    return text


def test_a_viewer_is_sent_the_page_and_then_each_change(tmp_path):
    told = Told(tmp_path / "cup", rounds=2)
    told.tell(6)
    with serving(told.folder) as found, watch(found, "/live/en/t/cup/") as viewer:
        first = read_until(viewer, b"6 of 12")
        assert b"text/event-stream" in first
        told.tell(1)
        read_until(viewer, b"7 of 12")


def test_ctrl_c_ends_it_though_viewers_hang_on(folder):
    process = start("serve", folder, "--port", "0")
    address = process.stdout.readline().strip()
    viewers = [watch(address, "/live/en/t/small/") for _ in range(5)]
    for viewer in viewers:
        read_until(viewer, b"\n\n")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    for viewer in viewers:
        viewer.close()
    assert process.returncode == 130
    assert err == "trianon: interrupted\n"


def test_sigterm_ends_it_too(folder):
    process = start("serve", folder, "--port", "0")
    process.stdout.readline()
    process.terminate()
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (143, "trianon: terminated\n")


def test_a_port_that_is_taken_is_told_in_one_line(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = trianon("serve", folder, "--port", port)
    assert (code, out) == (2, "")
    assert f"127.0.0.1:{port}: " in err
    assert "--port" in err
    assert err.count("\n") == 1


def test_a_folder_without_results_is_told_in_one_line(tmp_path):
    code, _, err = trianon("serve", tmp_path)
    assert code == 2
    assert err.startswith(f"trianon: {tmp_path}: no results there")


def test_two_tournaments_of_one_name_are_refused(folder):
    code, _, err = trianon("serve", folder, folder)
    assert code == 2
    assert "second tournament called 'small'" in err


@pytest.mark.parametrize("command", [("serve", "x"), ("site", "x", "y")])
def test_without_the_extra_one_line_says_what_to_install(command, tmp_path):
    hide = "import sys; sys.modules.update(dict.fromkeys(['starlette', 'jinja2']))"
    code = f"{hide}; sys.argv[1:] = {list(command)}; from tournaments.cli import main"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; main()"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "pip install 'trianon-arena[web]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_plain_help_needs_nothing_of_the_extra():
    code = (
        "import sys; from tournaments.cli import cli\n"
        "cli.main(['--help'], standalone_mode=False)\n"
        "print({'starlette', 'hypercorn', 'jinja2'} & set(sys.modules))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert out.endswith("set()\n")
    assert "serve" in out
