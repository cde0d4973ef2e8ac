"""The Markdown pages of the project, and what the tests need of them.

A fenced block is what its language says.  A ``console`` block is a session: commands
after ``$``, each with what it prints on stdout; ``...`` stands for lines left out.  A
comment ``<!-- file: NAME -->`` before a block says that it is that file, which the
sessions further down on the page find in their folder.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = sorted([README, ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])

_BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^\n]*) -->\n)?"
    r"^```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; ``note`` is the comment right before it, if there is one."""

    note: str
    kind: str
    text: str


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, kind: str | None = None) -> list[Block]:
    found = [
        Block(match["note"] or "", match["kind"], match["text"])
        for match in _BLOCK.finditer(read(page))
    ]
    return [block for block in found if kind in (None, block.kind)]


def links(page: Path) -> list[tuple[Path, str]]:
    """Return the files that a page links to, each with the anchor, which may be ""."""
    prose = _BLOCK.sub("", read(page))
    parts = [target.partition("#") for target in _LINK.findall(prose)]
    return [
        ((page.parent / path).resolve() if path else page, anchor)
        for path, _, anchor in parts
    ]


def anchors(page: Path) -> set[str]:
    """Return the anchors that a host of Markdown gives to the headings of a page."""
    found: dict[str, int] = {}
    for heading in _HEADING.findall(_BLOCK.sub("", read(page))):
        text = re.sub(r"\]\([^)]*\)", "]", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found[anchor] = found.get(anchor, 0) + 1
    return {
        anchor if again == 0 else f"{anchor}-{again}"
        for anchor, times in found.items()
        for again in range(times)
    }


# --- sessions -----------------------------------------------------------------------


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a session, each with what is shown of its output."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def run(command: str, folder: Path, last_code: int = 0) -> tuple[int, str, str]:
    """Run a command as somebody does who has followed the README."""
    places = (str(Path(sys.executable).parent), os.environ["PATH"])
    done = subprocess.run(
        ["bash", "-c", f"(exit {last_code})\n{command}"],
        cwd=folder,
        env={**os.environ, "PATH": os.pathsep.join(places)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def settled(text: str) -> list[list[str]]:
    """Return an output as words, without what differs from one run to the next.

    That is times, the level of the box, and how wide the columns are.  In the tables
    of results the last two columns are times.
    """
    text = re.sub(r"\b\d+ ms", "N ms", text)
    text = re.sub(r"sandbox \w+", "sandbox LEVEL", text)
    rows = []
    is_table = False
    for line in text.strip().splitlines():
        words = line.split()
        is_rule = bool(words) and all(set(word) == {"-"} for word in words)
        is_table = is_rule or (is_table and bool(words))
        if not is_rule:
            rows.append(words[:-2] if is_table else words)
    return rows


def is_shown(output: str, shown: str) -> bool:
    """Return whether an output is as shown, ``...`` being any lines or none."""
    real = ["\0".join(words) for words in settled(output)]
    parts: list[list[str]] = [[]]
    for words in settled(shown):
        if words == ["..."]:
            parts.append([])
        else:
            parts[-1].append("\0".join(words))
    if len(parts) == 1:
        return real == parts[0]
    first, *middle, last = parts
    if real[: len(first)] != first or (last and real[-len(last) :] != last):
        return False
    at, end = len(first), len(real) - len(last)
    for part in middle:
        starts = range(at, end - len(part) + 1)
        at = next((i for i in starts if real[i : i + len(part)] == part), -1)
        if at < 0:
            return False
        at += len(part)
    return at <= end
