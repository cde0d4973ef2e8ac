"""Where each page stands: the same tree from a server and as a folder.

    /                            picks the language
    /static/NAME                 styles, scripts, pictures
    /words/LANG.json             the words, for scripts
    /data/CUP/records/ID.jsonl   a record in its public form
    /data/CUP/table.json         the table
    /LANG/                       all tournaments
    /LANG/replay.html            a record from a file
    /LANG/table/                 a seat at the table (from a server only)
    /LANG/t/CUP/                 standings
    /LANG/t/CUP/PAGE.html        the other pages of a tournament
    /LANG/t/CUP/replay.html?match=ID#DEAL/STEP

Links are relative, so that the folder works wherever it is put.  ``CUP`` and the names
of bots in addresses are made of ASCII letters, digits and ``-``; ``ID`` is what a
record's file is called, without its ending.
"""

import hashlib
import re
import unicodedata
from typing import Final

MAX_SLUG: Final = 48
_TOKEN = 6  # hex digits that tell apart names which look alike in an address


def slug(name: str) -> str:
    """Return a name as it stands in an address; different names give different ones.

    A name of small ASCII letters, digits and ``-`` stays as it is.  Any other ends in
    some digits of its hash, so that what it becomes depends on no other name.
    """
    if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) and len(name) <= MAX_SLUG:
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[
        : MAX_SLUG - _TOKEN - 1
    ]
    token = hashlib.sha256(name.encode()).hexdigest()[:_TOKEN]
    return f"{words}-{token}".lstrip("-")


def up(path: str) -> str:
    """Return the way from the page at ``path`` to the root, such as ``../../``.

    Args:
        path: without a slash at its beginning, such as ``en/t/demo/index.html``.
    """
    return "../" * path.count("/")
