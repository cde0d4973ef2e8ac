"""What binds a tournament to its deals before it begins, and opens when it is over.

``proof.json`` in the folder of results holds a commitment to the cup's seed from before
the first match, and at the end the seed (docs/proof.md).
"""

import hashlib
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from arena.errors import ArenaError

FILE: Final = "proof.json"


class Proof(BaseModel):
    """What others need, beside the records, to check a tournament.

    ``seed`` is null until every match is accounted for; ``public`` is what was drawn in
    public after the commitment was told, if anything was; ``bots`` are all names.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tournament: str
    bots: list[str]
    commit: str
    public: str | None
    seed: str | None


def commitment(tournament: str, seed: str) -> str:
    """Return what binds a cup of this name to its seed."""
    return "sha256:" + _sha256(f"trianon-arena/1 cup {tournament} {seed}")


def dealt_from(seed: str, public: str | None) -> str:
    """Return the seed that all deal seeds come from: with the public draw mixed in."""
    return seed if public is None else _sha256(f"{seed}/{public}")


def read_proof(folder: Path) -> Proof | None:
    """Return the proof of the tournament in ``folder``; None where there is none.

    Raises:
        ArenaError: if it cannot be read.
    """
    path = folder / FILE
    try:
        return Proof.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError):
        raise ArenaError(
            f"{path}: it cannot be read; put a copy in its place"
        ) from None


def write_proof(folder: Path, proof: Proof) -> Path:
    """Keep a proof, whole or not at all; return where."""
    path = folder / FILE
    part = path.with_suffix(".part")
    part.write_text(proof.model_dump_json(indent=1) + "\n", encoding="utf-8")
    part.replace(path)
    return path


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
