"""Who plays the matches of a tournament: this machine, or the workers of a cluster."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from arena.botspec import BotSpec
from arena.engines import open_engines
from arena.host import Choice, choose_level, describe
from arena.link import Link
from arena.sandbox import Level
from tournaments.cluster.address import Address, read_address
from tournaments.config import Cup

Say: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Here:
    """Engines on this machine."""

    choice: Choice

    @property
    def level(self) -> Level:
        """How far bots are kept apart."""
        return self.choice.level

    @property
    def builds(self) -> bool:
        """Whether bots are built here."""
        return True

    def told(self, specs: Sequence[BotSpec]) -> str:
        """Return a line for the user: how bots are kept apart."""
        return describe(self.choice, specs)

    @contextmanager
    def open(self, cup: Cup, lock: int, _say: Say) -> Iterator[Link]:
        """Start the engines; ``lock`` is held until the last process is buried."""
        with open_engines(cup.jobs, cup.cores, keep=(lock,)) as link:
            yield link


@dataclass(frozen=True, slots=True)
class There:
    """The workers of a cluster: each builds bots, and keeps them apart as it can."""

    address: Address
    is_untrusted: bool

    @property
    def level(self) -> Level:
        """What orders say until it is known who carries them out."""
        return Level.BWRAP

    @property
    def builds(self) -> bool:
        """Whether bots are built here."""
        return False

    def told(self, specs: Sequence[BotSpec]) -> str:
        """Return a line for the user."""
        return f"{len(specs)} bots, played by the workers of {self.address.text}"

    @contextmanager
    def open(self, cup: Cup, _lock: int, say: Say) -> Iterator[Link]:
        """Find the workers."""
        from tournaments.cluster.front import Terms, open_cluster

        terms = Terms(cup.sandbox, self.is_untrusted, cup.cores)
        with open_cluster(self.address, terms, say) as link:
            yield link


Hands: TypeAlias = Here | There


def find_hands(engine: str, cup: Cup, *, is_untrusted: bool) -> Hands:
    """Return who plays.

    Args:
        engine: ``local``, or the address of a scheduler.
        cup: what is played.
        is_untrusted: whether nothing less will do than a box that holds.

    Raises:
        ArenaError: if ``engine`` is neither.
        RefusedError: if there is no such box here.
    """
    address = read_address(engine)
    if address is not None:
        return There(address, is_untrusted)
    choice = choose_level(cup.sandbox)
    if is_untrusted:
        from arena.doctor import require_box

        require_box(choice.level)
    return Here(choice)
