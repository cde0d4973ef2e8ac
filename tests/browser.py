"""A browser for tests, and a server for it to look at.

The browser is Debian's Chromium, without a head, driven by Playwright's sync API: tests
that use it are plain functions.  Without either they are skipped.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

CHROMIUM = shutil.which("chromium")
SWITCHES = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
]


@pytest.fixture(scope="module")
def chromium():
    """One browser for all tests of a file.

    Not of a process: Playwright keeps an event loop running between its calls, and
    other files run loops of their own, or fork engines that would inherit it.
    """
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if CHROMIUM is None:
        pytest.skip("needs Debian's package chromium")
    switches = [*SWITCHES, "--no-sandbox"] if os.geteuid() == 0 else SWITCHES
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=switches, headless=True
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    """A page of its own in English, on a desk; whatever goes wrong in it is an error.

    What it asks of any host but loopback, too: nothing may come from elsewhere.
    """
    with open_page(chromium) as found:
        yield found


@contextmanager
def open_page(chromium, may_lose_server=False, **options):
    """Open a page; ``options`` are Playwright's, such as ``locale``, ``viewport``.

    ``may_lose_server``: then that nobody answers for a while is no error.
    """
    given = {"locale": "en-GB", "viewport": {"width": 1280, "height": 800}}
    context = chromium.new_context(**{**given, **options})
    found = context.new_page()
    wrong = []
    found.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    found.on(
        "console", lambda said: wrong.append(said.text) if is_wrong(said) else None
    )
    found.on(
        "request",
        lambda asked: wrong.append(asked.url) if not is_ours(asked.url) else None,
    )
    found.set_default_timeout(15_000)
    try:
        yield found
        if may_lose_server:
            wrong = [text for text in wrong if "net::ERR_" not in text]
        assert wrong == []
    finally:
        context.close()


def is_wrong(said):
    # What is not there is told by the page; the browser tells it beside.
    return said.type in ("error", "warning") and "the server responded" not in said.text


def is_ours(url):
    return re.match(r"(https?://(localhost|127\.0\.0\.1)[:/]|(blob|data|about):)", url)


@contextmanager
def serving(*args: object, port: object = 0) -> Iterator[str]:
    """Serve what ``args`` say beside ``trianon serve``; yield the address."""
    command = [sys.executable, "-m", "tournaments.cli", "serve", *map(str, args)]
    with subprocess.Popen(
        [*command, "--port", str(port)], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline().strip()
            assert line.startswith("http://"), line
            yield line
        finally:
            server.send_signal(signal.SIGINT)
            try:
                assert server.wait(20) == 130
            finally:
                server.kill()  # else leaving the block would wait without end
