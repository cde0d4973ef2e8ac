"""What a bot's start looks like: levels, limits, environment.  Pure: nothing starts.

Level ``limits`` bounds a bot and keeps it apart in a session of its own; it is no
security: bots of one user can reach each other.  Level ``none`` is for debugging.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from arena.botspec import BotSpec
from protocol.model import Model

MARK: Final = "TRIANON_BOT"
"""The environment variable by which strays of a bot are known; its value is random
and tells nothing."""


class Level(StrEnum):
    """How far a bot is kept from the rest of the machine."""

    LIMITS = "limits"
    NONE = "none"


class Limits(Model):
    """What one bot may use."""

    memory_mb: int = 512
    processes: int = 64
    tmp_mb: int = 16
    file_mb: int = 16
    open_files: int = 256


@dataclass(frozen=True, slots=True)
class Launch:
    """All that starting a process needs; ``rlimits`` by their names in ``resource``."""

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    rlimits: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choice:
    """The level in force, and what to tell the user about it, if anything."""

    level: Level
    warning: str | None = None


def choose_level(asked: str) -> Choice:
    """Return the level for ``--sandbox``: auto, limits, none, or bwrap.

    The box of bubblewrap is not built yet: ``auto`` takes ``limits`` and says so.
    """
    if asked in ("auto", "bwrap"):
        return Choice(
            Level.LIMITS,
            f"sandbox {asked}: bots run at level 'limits', which is no security; "
            "play only bots that you trust",
        )
    return Choice(Level(asked))


def plan(spec: BotSpec, level: Level, limits: Limits, mark: str) -> Launch:
    """Return how ``spec`` is started at ``level``.

    Args:
        spec: the bot.
        level: how far it is kept apart.
        limits: what it may use, at level ``limits``.
        mark: a random text by which its strays are known.
    """
    env = {
        "PATH": spec.path,
        "HOME": str(spec.cwd),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        MARK: mark,
        **spec.env,
    }
    if level is Level.NONE:
        return Launch(spec.argv, spec.cwd, env)
    megabyte = 1024 * 1024
    rlimits = {
        # The JVM and V8 reserve far more addresses than they use: this bounds
        # nothing but runaways; the box measures what is resident.
        "RLIMIT_AS": max(limits.memory_mb, 4096) * megabyte,
        "RLIMIT_FSIZE": limits.file_mb * megabyte,
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_CORE": 0,
    }
    if sys.platform == "darwin":
        del rlimits["RLIMIT_AS"]  # not enforced there, and refused when set
    return Launch(spec.argv, spec.cwd, env, rlimits)
