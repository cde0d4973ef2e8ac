"""The folder of results: one run holds it, and it keeps what the run goes by.

That is the cup as it is run, its seed, and the proof that binds the one to the other.
"""

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.dealing import new_seed
from arena.errors import ArenaError, CannotGoOnError
from arena.record import PART
from tournaments.audit import CUP, bots_of
from tournaments.changes import differences
from tournaments.config import Cup, load_cup
from tournaments.durable import Disk
from tournaments.proof import Proof, commitment, read_proof, write_proof
from tournaments.shards import share_of
from tournaments.store import Store

LOCK: Final = ".lock"
RECORDS, RUNNING, VOID = "records", "running", "void"
LOCK_PATIENCE_S: Final = 1.5  # a killed run's warden needs some 50 ms to let go
BEGUN: Final = "begun"
"""The note that a match was started: from then on nothing may change."""


def make_folders(folder: Path) -> None:
    """Make the folder of results, and those in it."""
    for name in ("", RECORDS, RUNNING, VOID):
        _make_folder(folder / name)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(exist_ok=True, parents=True)
    except FileExistsError:
        raise ArenaError(
            f'{path}: there is a file of that name; move it, or write  out = "other"'
        ) from None
    except OSError as error:
        raise CannotGoOnError(
            f'{path}: {error.strerror}; choose another folder:  out = "other"'
        ) from None


@contextmanager
def locked(folder: Path) -> Iterator[int]:
    """Hold the folder for this run alone, until its last process is buried."""
    fd = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        patience = time.monotonic() + LOCK_PATIENCE_S
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if time.monotonic() > patience:
                    raise ArenaError(
                        f"{folder}: another  trianon run  plays here; wait for it, or "
                        "end it"
                    ) from None
                time.sleep(0.05)
        yield fd
    finally:
        os.close(fd)


@contextmanager
def undisturbed(folder: Path) -> Iterator[None]:
    """Keep runs from a folder while it is read, and change nothing in it.

    Raises:
        ArenaError: if one plays there.
    """
    try:
        fd = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        yield  # a copy, perhaps without its hidden files
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise ArenaError(
            f"{folder}: a  trianon run  plays here; wait for it, or end it"
        ) from None
    finally:
        os.close(fd)


def keep_cup(folder: Path, path: Path, cup: Cup, store: Store, disk: Disk) -> None:
    """Hold the cup to the results that are there, and keep it as it is run.

    Raises:
        ArenaError: if the cup was changed in what may not change any more.
    """
    kept = folder / CUP
    if kept.is_file() and has_begun(store):
        share = share_of(store)
        change = differences(cup_of(folder, store), cup, is_share=not share.is_whole)
        if change is not None:
            raise ArenaError(
                f"{path}: {change}; results are there already: undo it, or give "
                "another name or `out`"
            )
    if not kept.is_file() or kept.read_bytes() != path.read_bytes():
        part = kept.with_suffix(PART)
        shutil.copyfile(path, part)
        disk.put(part, kept)
    store.set_note("bots", "\n".join(bot.name or "" for bot in cup.bots))


def cup_of(folder: Path, store: Store) -> Cup:
    """Return the cup as it was run, with the names of all its bots."""
    cup, names = load_cup(folder / CUP), bots_of(store)
    if len(names) < len(cup.bots):
        return cup
    return cup.with_entrants(names[len(cup.bots) :]).named(names)


def has_begun(store: Store) -> bool:
    """Tell whether any match was started."""
    return store.note(BEGUN) is not None or store.counts() != (0, 0)


def keep_seed(
    cup: Cup,
    path: Path,
    folder: Path,
    store: Store,
    disk: Disk,
    draw: Callable[[], str] = new_seed,
) -> Proof:
    """Draw the seed once and bind the cup to it; return the proof, seed and all.

    Args:
        cup: what is played.
        path: its file.
        folder: of the results.
        store: the results.
        disk: how files are put in their places.
        draw: returns the seed of a cup that names none.

    Raises:
        ArenaError: if the cup is bound to another seed already.
    """
    noted = store.note("seed")
    seed = cup.seed or noted or draw()
    commit = commitment(cup.name, seed)
    before = read_proof(folder)
    if before is not None and before.commit != commit:
        raise ArenaError(
            f"{path}: `name` and `seed` are not those of the commitment in {folder}; "
            "undo the change, or give another `out`"
        )
    store.set_note("seed", seed)
    proof = Proof(
        tournament=cup.name, bots=[], commit=commit, public=cup.public, seed=seed
    )
    if before is None:
        disk.keep(write_proof(folder, proof.model_copy(update={"seed": None})))
    return proof


def bind(folder: Path, proof: Proof, cup: Cup, disk: Disk) -> Proof:
    """Complete the proof by the names of the bots; return it, seed and all.

    ``cup`` was held to what is there: its public draw is the one that counts.
    """
    before = read_proof(folder)
    told = None if before is None else before.seed
    proof = proof.model_copy(update={"bots": [bot.name or "" for bot in cup.bots]})
    disk.keep(write_proof(folder, proof.model_copy(update={"seed": told})))
    return proof


def reveal(folder: Path, proof: Proof, disk: Disk) -> None:
    """Tell the seed: every match is accounted for."""
    disk.keep(write_proof(folder, proof))
