"""Which Debian package brings a program that a bot's command or build begins with.

Only what the shipped samples are built and run with: whoever lacks one is told what
to install, and nothing is installed for them.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

PACKAGES: Final = {
    "bash": "bash",
    "cc": "gcc libc6-dev",
    "g++": "g++",
    "go": "golang-go",
    "java": "default-jre-headless",
    "javac": "default-jdk-headless",
    "jq": "jq",
    "lua5.4": "lua5.4",
    "mawk": "mawk",
    "node": "nodejs",
    "perl": "perl",
    "php": "php-cli",
    "python3": "python3",
    "ruby": "ruby",
    "rustc": "rustc",
    "tsc": "node-typescript",
}
"""Debian package names, several with blanks between, by program."""


SMALL: Final = {"perl": ("lib/*/perl-base", "share/perl/*/JSON/PP.pm")}
"""Programs that a smaller package brings, too: what is below its prefix then, and what
is not, though the samples need it.  Debian's perl-base has no JSON::PP."""


def missing_packages(programs: Iterable[str]) -> str | None:
    """Return the packages that bring what is missing of ``programs``, else None.

    A program whose package is not known stands for itself.
    """
    missing = [PACKAGES.get(name, name) for name in programs if not _is_whole(name)]
    return " ".join(dict.fromkeys(missing)) or None


def _is_whole(program: str) -> bool:
    path = shutil.which(program)
    if path is None or program not in SMALL:
        return path is not None
    base, rest = SMALL[program]
    prefix = Path(path).parent.resolve().parent
    return not any(prefix.glob(base)) or any(prefix.glob(rest))
