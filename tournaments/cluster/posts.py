"""The workers as the front sees them: what each can do, has to do, and has done."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

from arena.orders import Order, PlayOrder
from arena.sandbox import Level

BATCH_S: Final = (1.0, 5.0)  # what a batch is to last, at first and later
AT_ONCE: Final = 0.1  # of the time so far: a short run ends with short batches
MOST: Final = 300  # orders in a batch
WINDOW: Final = 2  # batches at a worker for each of its slots: one played, one ready
RATE_S: Final = 30.0  # a rate is over so long


@dataclass(slots=True)
class Sent:
    """A batch on its way; the last match of ``begun`` is being played."""

    orders: Sequence[Order]
    begun: list[str] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Post:
    """A worker.

    Attributes:
        address: Dask's name for it.
        slots: matches that it plays at a time.
        machine: where it is; empty before it has told.
        box: how it keeps bots apart, at best; None before it has told.
        batches: what it has to do, by number.
        coming: hashes of folders that are on their way to it.
    """

    address: str
    slots: int
    machine: str = ""
    box: Level | None = None
    is_used: bool = True
    lacks_box: bool = False
    batches: dict[int, Sent] = field(default_factory=dict)
    coming: set[str] = field(default_factory=set)
    order_s: float | None = None  # what an order takes a slot
    played: int = 0
    since: float = field(default_factory=monotonic)
    _recent: list[float] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What it is called when it is spoken of."""
        where = self.address.partition("://")[2]
        return f"{self.machine} ({where})" if self.machine else where

    @property
    def is_ready(self) -> bool:
        """Whether it can take orders."""
        return self.is_used and self.box is not None and not self.coming

    @property
    def room(self) -> int:
        """How many batches more it is to have."""
        return WINDOW * self.slots - len(self.batches) if self.is_ready else 0

    @property
    def size(self) -> int:
        """How many orders a batch for it has.

        Between two batches a slot is idle while the last bots of the first are buried,
        some tenths of a second: so they are long, but not where there is little to do.
        """
        if self.order_s is None:
            return 1
        least_s, most_s = BATCH_S
        lasting_s = min(most_s, max(least_s, AT_ONCE * (monotonic() - self.since)))
        return max(1, min(MOST, round(lasting_s / max(self.order_s, 1e-3))))

    def take(self, orders: Sequence[Order], took_s: float) -> None:
        """Take in that it has carried a batch out."""
        now = monotonic()
        each = took_s / max(1, len(orders))
        # A match may well take five times as long as another: old ones count, too.
        self.order_s = each if self.order_s is None else (3 * self.order_s + each) / 4
        matches = sum(isinstance(order, PlayOrder) for order in orders)
        self.played += matches
        self._recent += [now] * matches
        self._recent = [at for at in self._recent if at > now - RATE_S]

    def told(self) -> str:
        """Return what it is and does, in a few words."""
        span = max(1.0, min(RATE_S, monotonic() - self.since))
        recent = sum(at > monotonic() - RATE_S for at in self._recent)
        box = "" if self.box is None else f", {self.box.value}"
        return f"{self.name}: {recent / span:.1f} a second, {self.slots} at a time{box}"


def nothing_of(order: PlayOrder) -> dict[str, Any]:
    """Return the result of a match whose machine has gone, as JSON: it is void."""
    setup = order.setup
    nothing: dict[str, Any] = {
        "out": None,
        "faults": [],
        "fault_count": 0,
        "warnings": {},
        "hints": {},
        "moves": 0,
        "time_ms": 0,
        "slowest_ms": 0,
        "cpu_ms": 0,
        "exit": None,
        "stderr": "",
        "own_deals": 0,
        "own_points": 0,
        "style": {"contracts": 0, "made": 0, "levels": 0, "undeclared": 0},
    }
    return {
        "match": setup.match,
        "game": setup.game,
        "options": setup.options.model_dump(exclude_none=True),
        "reason": "void",
        "deals": 0,
        "scores": [0, 0, 0],
        "places": None,
        "players": [
            {"seat": seat, "name": name, **nothing}
            for seat, name in enumerate(setup.names)
        ],
        "deal_seed": setup.deal_seed,
        "commit": setup.commit,
        "record": None,
        "sandbox": order.level.value,
        "wall_ms": 0,
    }
