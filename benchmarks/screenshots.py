"""The pictures of the README: the pages of a tournament that is played for them.

    python -m benchmarks.screenshots [OUT]

It plays a tournament of the sample bots with the deals of a fixed seed, serves it, and
takes its main pages with Chromium into ``docs/images``, or OUT.  Needs the extras
``web`` and ``dev``, and Debian's package chromium.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
TRIANON = (sys.executable, "-m", "tournaments.cli")
WIDE: ViewportSize = {"width": 1200, "height": 750}
CUP = """
name = "spring"
game = "trianon"
rounds = 8
jobs = 2
seed = "pictures"
sandbox = "none"
[options]
target = 200
"""
BOTS = ("strong", "careful", "random", "first")
LOYATAIS = (
    CUP.replace("spring", "harvest")
    .replace("trianon", "loyatais")
    .replace("target = 200", "deals = 3")
    .replace("rounds = 8", "rounds = 2")
)


def main() -> None:
    """Play, serve, and take the pictures."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    out.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("this needs Chromium (Debian: apt-get install chromium)")
    with tempfile.TemporaryDirectory(prefix="trianon-pictures-") as made:
        root = Path(made)
        play(root, CUP)
        play(root, LOYATAIS)
        switches = ["--disable-gpu"] + ["--no-sandbox"] * (os.geteuid() == 0)
        with serving(root) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=switches
            )
            context = browser.new_context(
                viewport=WIDE, locale="en-GB", color_scheme="light"
            )
            page = context.new_page()
            for name, path in PICTURES.items():
                page.goto(f"{address}en/{path}")
                take(page, out / f"{name}.png")
            page.goto(f"{address}en/t/spring/matches/strong/careful/won/1.html")
            page.locator("tbody a").first.click()
            page.wait_for_selector("#replay[aria-busy=false], #replay:not([aria-busy])")
            for _ in range(18):
                page.keyboard.press("ArrowRight")
            take(page, out / "replay.png")
            browser.close()


PICTURES = {
    "standings": "t/spring/",
    "heads": "t/spring/heads.html",
    "ratings": "t/spring/ratings.html",
    "bot": "t/spring/bot/careful.html",
}


def play(root: Path, cup: str) -> None:
    """Play a tournament to its end."""
    text = cup + "".join(f'[[bots]]\nbot = "{bot}"\n' for bot in BOTS)
    path = root / "pictures.toml"
    path.write_text(text)
    subprocess.run([*TRIANON, "run", path], cwd=root, check=True)


@contextmanager
def serving(root: Path) -> Iterator[str]:
    """Serve both tournaments; yield the address."""
    server = subprocess.Popen(
        [*TRIANON, "serve", "spring", "harvest", "--port", "0"],
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


def take(page: Page, path: Path) -> None:
    """Take a picture when the page has come to rest."""
    page.wait_for_timeout(600)
    page.screenshot(path=path)
    print(path)


if __name__ == "__main__":
    main()
