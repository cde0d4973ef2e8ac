"""A shard: a share of a tournament's blocks, played in a folder of its own.

The folders of all shards lie in the tournament's own, so that what hides that one from
the bots hides them too.
"""

import re
from pathlib import Path
from typing import Final

from arena.errors import ArenaError
from tournaments.config import Cup
from tournaments.schedule import WHOLE, Share
from tournaments.store import FILE, Store

FOLDER: Final = "shards"
MAX_SHARDS: Final = 10_000
_NOTE: Final = "shard"
_SHARE: Final = re.compile(r"(\d{1,9})/(\d{1,9})", re.ASCII)


def read_share(text: str) -> Share:
    """Return the share that ``K/N`` names.

    Raises:
        ArenaError: if there is no such share.
    """
    found = _SHARE.fullmatch(text)
    if found is None:
        raise ArenaError(f"--shard {text!r}: write K/N, such as 1/4 for the first of 4")
    number, of = int(found[1]), int(found[2])
    if not 1 <= of <= MAX_SHARDS:
        raise ArenaError(f"--shard {text}: there can be 1 to {MAX_SHARDS} shards")
    if not 1 <= number <= of:
        raise ArenaError(
            f"--shard {text}: shards are counted from 1, so write 1/{of} to {of}/{of}"
        )
    return Share(number, of)


def folder_of(cup: Cup, share: Share | None) -> Path:
    """Return the folder of results of a shard, or of the whole tournament."""
    if share is None:
        return cup.folder
    return cup.folder / FOLDER / f"{share.number}-of-{share.of}"


def seed_for_all(path: Path, cup: Cup) -> str:
    """Return the seed that the shards of a cup have in common, where it names none.

    Raises:
        ArenaError: if none was drawn for the whole tournament before.
    """
    if (cup.folder / FILE).is_file():
        with Store(cup.folder, is_read_only=True, is_still=True) as store:
            seed = store.note("seed")
        if seed is not None:
            return seed
    raise ArenaError(
        f"{path}: all shards need one seed; write it into the cup file, or draw it "
        f"once for all:  trianon run {path} --commit"
    )


def share_of(store: Store) -> Share:
    """Return which share of its tournament a folder of results is for."""
    text = store.note(_NOTE)
    return WHOLE if text is None else read_share(text)


def keep_share(folder: Path, share: Share | None, store: Store) -> None:
    """Hold a folder to its share.

    Raises:
        ArenaError: if it is for another.
    """
    noted = store.note(_NOTE)
    if noted is not None and noted != str(share):
        raise ArenaError(
            f"{folder}: here is shard {noted} of a tournament; put the shards "
            f"together with  trianon merge, or go on with  --shard {noted}"
        )
    if share is None:
        return
    if noted is None and store.counts() != (0, 0):
        raise ArenaError(
            f"{folder}: here are results already, of no shard; move them away"
        )
    store.set_note(_NOTE, str(share))
