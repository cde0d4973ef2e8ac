"""The one interface that a game implements.

A ``Position`` is one deal in play: a small mutable object with ``legal``, ``apply``
and ``clone``, the same for the referee, for tests and for whoever searches.  Chance
comes from outside: a position begins with the cards dealt.  A ``Game`` knows what
stands around the deals of a match: who deals, when it is over, how moves are spelt.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

from protocol.events import DealEvent, EndReason, Event
from protocol.messages import Ask, Options
from protocol.notation import Card
from protocol.snapshots import Table

Move: TypeAlias = int
"""A move as a number of its game's own; ``Game.names`` spells it."""


class Contract(NamedTuple):
    """What a declarer or taker had to reach in a finished deal, and whether it did."""

    declarer: int
    tricks: int
    is_made: bool


class Position(ABC):
    """One deal in play.  Seats are 0 to 2; cards and moves are numbers.

    Attributes:
        seat: the seat on turn; meaningless once ``is_over``.
        ask: what kind of move is asked of it.
        is_over: whether the deal is finished.
        won: tricks won by each seat.
        trick: the cards of the present trick, in the order played.
        lead: the seat that leads the present trick.
    """

    __slots__ = ("ask", "is_over", "lead", "seat", "trick", "won")

    ask: Ask
    is_over: bool
    lead: int
    seat: int
    trick: list[Card]
    won: list[int]

    @abstractmethod
    def legal(self) -> tuple[Move, ...]:
        """Return every legal move in the protocol's order, the mildest first.

        Never empty before the deal is over, empty after.
        """

    @abstractmethod
    def apply(self, move: Move) -> None:
        """Make the move of the seat on turn.

        Raises:
            ValueError: if the move is not legal; the position is then as before.
        """

    @abstractmethod
    def clone(self) -> Self:
        """Return a copy that shares nothing that either may change."""

    @abstractmethod
    def points(self) -> list[int]:
        """Return the points of a finished deal, one number a seat."""

    @abstractmethod
    def promise(self) -> Contract | None:
        """Return the contract of a finished deal; None when nobody declared."""

    @abstractmethod
    def hand(self, seat: int) -> list[Card]:
        """Return the cards that ``seat`` still holds, in the order of a shown hand."""


class Game(ABC):
    """A set of rules: the deck, the turns of the deal, the end of a match."""

    name: ClassVar[str]
    rules: ClassVar[int] = 1
    """The version of the rules; it changes when a deal would score otherwise."""
    deck: ClassVar[tuple[Card, ...]]
    names: ClassVar[Sequence[str]]
    """How each move is spelt; a bid and a card may share a spelling."""
    table: ClassVar[type[Table]]
    """How the events of a deal add up."""
    step: ClassVar[int]
    """From one seat to the next on turn: 1 clockwise, 2 counter-clockwise."""

    @abstractmethod
    def options(self, given: Mapping[str, Any]) -> Options:
        """Return the options of a match, defaults filled in.

        Raises:
            pydantic.ValidationError: if one is unknown or out of range.
        """

    @abstractmethod
    def dealer(self, no: int) -> int:
        """Return who deals deal ``no``, counted from 1."""

    @abstractmethod
    def position(self, cards: Sequence[Card], dealer: int) -> Position:
        """Return the position in which the shuffled deck has just been dealt."""

    @abstractmethod
    def deal_event(
        self, n: int, no: int, dealer: int, scores: list[int], position: Position
    ) -> DealEvent:
        """Return the event that opens a deal, with all three hands."""

    @abstractmethod
    def told(
        self, n: int, seat: int, ask: Ask, move: Move, after: Position
    ) -> list[Event]:
        """Return what a move before the tricks led to: numbered from ``n`` on.

        Args:
            n: the number of the first event.
            seat: who moved.
            ask: what was asked.
            move: the move made.
            after: the position after it.
        """

    @abstractmethod
    def aside(self, position: Position) -> list[Card] | None:
        """Return the cards set aside in the deck's order; None where there are none."""

    @abstractmethod
    def end_reason(
        self, options: Options, deals: int, scores: Sequence[int]
    ) -> EndReason | None:
        """Return why the match ends after ``deals`` deals, or None if it goes on."""

    def spell(self, moves: Sequence[Move]) -> list[str]:
        """Return the moves as the wire has them."""
        names = self.names
        return [names[move] for move in moves]

    def deal_hands(
        self, cards: Sequence[Card], dealer: int, hand_size: int
    ) -> list[list[Card]]:
        """Deal two at a time, from the seat after the dealer on (rules T3 and L3)."""
        hands: list[list[Card]] = [[], [], []]
        end = 3 * hand_size
        for turn in range(3):
            seat = (dealer + self.step * (turn + 1)) % 3
            first = 2 * turn
            hands[seat] = [*cards[first:end:6], *cards[first + 1 : end : 6]]
        return hands
