"""What may change in a cup file once results are there, and what may not.  Pure."""

import shlex
from collections.abc import Iterator
from typing import Any, Final

from tournaments.config import BotEntry, Cup
from tournaments.toml_text import spelt

ABSENT: Final = "not given"
FREE: Final = frozenset({"jobs", "cores", "out", "sandbox"})
"""Keys that may change while results exist: they say how and where matches are played,
not what is played."""


def differences(old: Cup, new: Cup, *, is_share: bool = False) -> str | None:
    """Return the first change that results already there do not allow, in words.

    More rounds and more bots are fine, so are ``FREE`` keys; bots are known by their
    names where they have them (``Cup.named``), else by their programs.  To a shard of a
    tournament no bots are added: another field has its blocks elsewhere.
    """
    return next(_differences(old, new, is_share), None)


def unlike(one: Cup, other: Cup) -> str | None:
    """Return the first thing in which two cups are not the same, in words."""
    ones, others = _all_values(one), _all_values(other)
    for key in dict.fromkeys([*ones, *others]):
        here, there = ones.get(key, ABSENT), others.get(key, ABSENT)
        if here != there:
            return f"{key} {here}, and not {there}"
    return None


def _all_values(cup: Cup) -> dict[str, str]:
    """Return every value that says what is played, as an error tells it."""
    values = {f"`{key}`": _told(value) for key, value in _fixed(cup).items()}
    values["`rounds`"] = str(cup.rounds)
    return values | {f"bot {spelt(bot.name)}": _program(bot) for bot in cup.bots}


def _differences(old: Cup, new: Cup, is_share: bool) -> Iterator[str]:
    if new.rounds < old.rounds:
        yield (
            f"`rounds` was {old.rounds}, is now {new.rounds}; rounds can only be added"
        )
    was, now = _fixed(old), _fixed(new)
    for key in dict.fromkeys([*was, *now]):
        before, after = was.get(key), now.get(key)
        if before != after:
            yield f"`{key}` was {_told(before)}, is now {_told(after)}"
    if new.schedule == "steiner" and len(new.bots) > len(old.bots):
        yield (
            f"`bots` were {len(old.bots)}, are now {len(new.bots)}; another field has "
            'other triples when `schedule` is "steiner"'
        )
    if is_share and len(new.bots) > len(old.bots):
        yield (
            f"`bots` were {len(old.bots)}, are now {len(new.bots)}; bots are added to "
            "the whole tournament, not to a shard"
        )
    entries = {bot.name or bot.program: bot for bot in new.bots}
    for bot in old.bots:
        known = entries.get(bot.name or bot.program)
        called = bot.name or " ".join(bot.program[1:])
        if known is None:
            yield f"`bots` had {spelt(called)}, which is gone; bots can only be added"
        elif known.program != bot.program:
            yield (
                f"`bots`: {spelt(called)} was {_program(bot)}, is now {_program(known)}"
            )


def _fixed(cup: Cup) -> dict[str, object]:
    """Return every value that may not change, by its dotted key."""
    values: dict[str, Any] = cup.model_dump(exclude={"bots", "rounds", *FREE})
    values["options"] = cup.match_options.model_dump()
    if cup.clock.none:
        for key in ("move_ms", "bank_ms", "deal_add_ms"):
            del values["clock"][key]
    flat: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            flat |= {f"{key}.{inner}": item for inner, item in value.items()}
        else:
            flat[key] = value
    return flat


def _told(value: object) -> str:
    return ABSENT if value is None else spelt(value)


def _program(bot: BotEntry) -> str:
    kind, *words = bot.program
    if kind == "bot":
        return spelt(words[0])
    return f"{spelt(shlex.join(words[1:]))} in {spelt(words[0])}"
