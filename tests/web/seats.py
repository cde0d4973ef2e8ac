"""A served table for tests: its addresses, and a person who talks to it over HTTP."""

import http.client
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

PATIENCE_S = 60


@dataclass
class Served:
    """A running server; ``address`` is the person's own."""

    root: str
    address: str
    process: subprocess.Popen[str]

    @property
    def key(self) -> str:
        return urlsplit(self.address).fragment

    def ask(self, method, path, said=None, **headers):
        """Send a request as a page would; return status and value."""
        where = urlsplit(self.root)
        connection = http.client.HTTPConnection(where.netloc, timeout=PATIENCE_S)
        given = {"Authorization": f"Bearer {self.key}", **headers}
        body = said if isinstance(said, bytes | None) else json.dumps(said)
        connection.request(method, f"/table/{path}", body, given)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        is_json = answer.headers.get_content_type() == "application/json"
        return answer.status, json.loads(text) if is_json else text

    def state(self, **wanted):
        status, value = self.ask("GET", f"state?{urlencode(wanted)}")
        assert status == 200, value
        return value

    def say(self, what, **said):
        return self.ask("POST", what, said)

    def wait(self, is_so):
        """Wait until the state is such; return it."""
        state = self.state()
        while not is_so(state):
            state = self.state(version=state["version"])
        return state

    def wait_turn(self):
        """Wait until the person is asked, or the match has ended."""
        return self.wait(
            lambda state: state["match"]["phase"] in ("asked", "over", "stopped")
        )

    def open(self, game, **given):
        status, value = self.say("open", game=game, **given)
        assert status == 200, value
        return self.wait_turn()["match"]


@contextmanager
def table(*bots, cwd, options=()) -> Iterator[Served]:
    """Serve a table in ``cwd``, with nothing else."""
    command = [sys.executable, "-m", "tournaments.cli", "serve", "--port", "0"]
    words = [*command, "--sandbox", "limits", *map(str, options), "--table", *bots]
    with subprocess.Popen(
        words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            root = process.stdout.readline().strip()
            assert root.startswith("http://"), root
            yield Served(root, process.stdout.readline().strip(), process)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            try:
                process.communicate(timeout=PATIENCE_S)
            finally:
                process.kill()  # else leaving the block would wait without end


# --- at the table in a browser -------------------------------------------------------


def open_form(page, served, pace="instant"):
    """Open the person's address, up to the form that begins a match."""
    page.add_init_script(f"localStorage['table-pace'] = '{pace}'")
    page.goto(served.address)
    page.locator("form.opening:visible, .again:visible").wait_for()
    if page.locator(".again:visible").count():  # of a match before
        page.locator(".again").click()


def sit_down(page, served, game, length, pace="instant"):
    """Open the person's address, and begin a match there."""
    open_form(page, served, pace)
    page.locator(f"input[value={game}]").check()
    page.locator("#seat-length").select_option(length)
    page.locator("form.opening button[type=submit]").click()


READY = "#seat :is(.is-lit, .asked button:not(:disabled), .go-on, .again):visible"


def wait_ready(page):
    """Wait until the person can do something; return what is asked: a kind of move, or
    ``score`` where a deal has been read, or ``over``."""
    page.locator(READY).first.wait_for()
    if page.locator(".again:visible").count():
        return "over"
    if page.locator(".go-on:visible").count():
        return "score"
    return page.locator(".asked").get_attribute("data-ask")
