"""What a bot's start looks like: levels, limits, environment.  Pure: nothing starts.

Level ``bwrap`` is the box (``arena.box``).  Level ``limits`` bounds a bot and keeps it
apart in a session of its own; it is no security: bots of one user can reach each other.
Level ``none`` is for debugging.
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

    BWRAP = "bwrap"
    LIMITS = "limits"
    NONE = "none"


class Pondering(StrEnum):
    """What bots may do while it is not their turn."""

    ALLOWED = "allowed"
    FROZEN = "frozen"  # they and all below them are stopped


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


def clean_environment(spec: BotSpec, mark: str) -> dict[str, str]:
    """Return all that a bot finds in its environment."""
    return {
        "PATH": spec.path,
        "HOME": str(spec.cwd),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        MARK: mark,
        **spec.env,
    }


def plan(spec: BotSpec, level: Level, limits: Limits, mark: str) -> Launch:
    """Return how ``spec`` is started at ``limits`` or ``none``.

    Args:
        spec: the bot.
        level: how far it is kept apart.
        limits: what it may use, at level ``limits``.
        mark: a random text by which its strays are known.
    """
    env = clean_environment(spec, mark)
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
