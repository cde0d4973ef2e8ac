"""The pictures of the README: the pages of a tournament while it is played.

    python -m benchmarks.screenshots [OUT]

It plays sample bots on the deals of a fixed seed, serves the results meanwhile, and
takes the five main pages with Chromium into ``docs/images``, or OUT.  Needs the extras
``web`` and ``dev``, and Debian's package chromium.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from arena.botspec import samples

IMAGES = Path(__file__).parent.parent / "docs" / "images"
TRIANON = (sys.executable, "-m", "tournaments.cli")
WIDE: ViewportSize = {"width": 1200, "height": 675}
ENOUGH = 210  # matches of the first tournament before its pictures are taken
AUTUMN = """
name = "autumn"
game = "loyatais"
rounds = 3
jobs = 2
seed = "pictures"
sandbox = "none"
[options]
deals = 3
"""
SPRING = """
name = "spring"
game = "trianon"
rounds = 1
jobs = 2
seed = "pictures"
sandbox = "none"
"""
FIELD = (
    "strong",
    "careful",
    "careful-javascript",
    "careful-cpp",
    "random",
    "first",
    "first-perl",
)
PICTURES = {
    "standings": "t/autumn/",
    "heads": "t/autumn/heads.html",
    "ratings": "t/autumn/ratings.html",
    "bot": "t/autumn/bot/careful.html",
}
SEAT = ("--table", "careful", "strong", "--seed", "pictures", "--sandbox", "none")


def main() -> None:
    """Play, serve, and take the pictures."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    out.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("this needs Chromium (Debian: apt-get install chromium)")
    switches = ["--disable-gpu", *["--no-sandbox"] * (os.geteuid() == 0)]
    with tempfile.TemporaryDirectory(prefix="trianon-pictures-") as made:
        root = Path(made)
        with playing(root, SPRING, ("strong", "careful", "random"), 6):
            pass
        with (
            playing(root, AUTUMN, FIELD, ENOUGH),
            serving(root) as (address, table),
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(
                executable_path=chromium, args=switches
            )
            page = browser.new_context(viewport=WIDE, locale="en-GB").new_page()
            for name, path in PICTURES.items():
                page.goto(f"{address}en/{path}")
                take(page, out / f"{name}.png")
            page.goto(f"{address}en/t/spring/matches/strong/-/won/1.html")
            page.locator("tbody a").first.click()
            page.wait_for_selector("#replay:not([aria-busy=true])")
            for _ in range(18):
                page.keyboard.press("ArrowRight")
            take(page, out / "replay.png")
            sit_down(page, table)
            take(page, out / "table.png")
            browser.close()


@contextmanager
def playing(root: Path, cup: str, bots: Sequence[str], matches: int) -> Iterator[None]:
    """Play until so many matches are finished, and on until the block ends."""
    here = [bot for bot in bots if samples()[bot].needs is None]
    text = cup + "".join(f'[[bots]]\nbot = "{bot}"\n' for bot in here)
    path = root / "pictures.toml"
    path.write_text(text)
    run = subprocess.Popen(
        [*TRIANON, "run", path, "--json-events"],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert run.stdout is not None
    for line in run.stdout:
        matches -= json.loads(line)["event"] == "match_finished"
        if not matches:
            break
    try:
        yield
    finally:
        run.send_signal(signal.SIGINT)
        run.communicate()


@contextmanager
def serving(root: Path) -> Iterator[tuple[str, str]]:
    """Serve both tournaments, and a table; yield the addresses of both."""
    server = subprocess.Popen(
        [*TRIANON, "serve", "spring", "autumn", "--port", "0", *SEAT],
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip(), server.stdout.readline().strip()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


def sit_down(page: Page, table: str) -> None:
    """Play some tricks at the table, and ask for a hint."""
    page.add_init_script("localStorage['table-pace'] = 'instant'")
    page.goto(table)
    page.locator("form.opening button[type=submit]").click()
    page.locator(".asked button").first.click()
    for _ in range(4):
        page.locator(".is-lit").last.click()
    page.locator(".is-lit").first.wait_for()
    page.get_by_role("button", name="Hint").click()
    page.locator(".is-hinted").wait_for()


def take(page: Page, path: Path) -> None:
    """Take a picture when the page has come to rest."""
    page.wait_for_timeout(1000)
    page.screenshot(path=path)
    print(path)


if __name__ == "__main__":
    main()
