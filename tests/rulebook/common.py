"""What both rule books need: cards from a seed, places, numbers in options.

Everything is a plain string, list or integer. Nothing here knows a game.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any


def shuffled(cards: Sequence[str], deal_seed: str, no: int) -> list[str]:
    """Return the deck of deal ``no`` (protocol page, section 7), first card first."""

    def key(card: str) -> str:
        return sha256(f"{deal_seed}/{no}/{card}".encode()).hexdigest()

    return sorted(cards, key=key)


def two_by_two(deck: Sequence[str], seats: Sequence[int]) -> list[list[str]]:
    """Deal all of ``deck`` two cards at a time (T3, L3), to ``seats`` in turn.

    The hands come back by seat, each in the order in which its cards arrived.
    """
    hands: list[list[str]] = [[], [], []]
    for start in range(0, len(deck), 2):
        seat = seats[(start // 2) % 3]
        hands[seat].extend(deck[start : start + 2])
    return hands


def places(scores: Sequence[int], out: Sequence[int] = ()) -> list[int]:
    """Return the place of each seat, 1 to 3.

    T17, L12: the most points win, and players level on points share their place:
    a place is one more than the number of players who have more points.
    Protocol page, section 6: a seat that is out has place 3 whatever its score, and
    the others are placed among themselves; with two out that is 1, 3, 3.
    """
    playing = [seat for seat in range(3) if seat not in out]
    return [
        1 + sum(scores[other] > scores[seat] for other in playing)
        if seat in playing
        else 3
        for seat in range(3)
    ]


def check_numbers(options: dict[str, Any], known: Sequence[str]) -> None:
    """Refuse an option that is unknown, or no whole number from 1 up.

    A null value counts as absent (protocol page, section 1).
    """
    for name, value in options.items():
        if name not in known:
            raise ValueError(f"unknown option {name!r}; known are {', '.join(known)}")
        if value is None:
            continue
        if type(value) is not int or value < 1:  # a bool is no number of deals
            raise ValueError(f"option {name} is {value!r}; wanted a whole number >= 1")


def number(options: dict[str, Any], name: str, default: int) -> int:
    """Return an option's value, or its default where it is absent."""
    value = options.get(name)
    return default if value is None else value


def pairs(cards: Sequence[str]) -> Iterator[str]:
    """Yield every pair as (0,1), (0,2), ... (1,2), ..., spelt with one blank."""
    for first in range(len(cards)):
        for second in range(first + 1, len(cards)):
            yield f"{cards[first]} {cards[second]}"
