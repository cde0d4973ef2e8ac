"""The ``deal`` of a request: all that one seat can see of the present deal.

A snapshot is nothing but the sum of the events told so far: ``Table`` adds them up,
one event at a time, and spells the sum from parts that rarely change, since a whole
dump of a dozen tricks would cost more than all the rest of a request.
"""

from abc import ABC, abstractmethod
from typing import Annotated, ClassVar, TypeAlias

from pydantic import Field
from typing_extensions import override

from protocol.events import (
    BidEvent,
    ContractEvent,
    DealEvent,
    EndEvent,
    Event,
    FaultEvent,
    OutEvent,
    PartnerEvent,
    PlayEvent,
    ScoreEvent,
    ShowEvent,
    TrianonEvent,
    TrickEvent,
)
from protocol.model import Call, CardName, Int31, Model, PartnerChoice, SeatNo, Three
from protocol.notation import ALONE, CARDS, TRIANON

ContractName: TypeAlias = str
"""A bid, or ``trianon``."""


class Trick(Model):
    """A complete trick; its cards in the order played, from the leader's on."""

    lead: SeatNo
    cards: Annotated[list[CardName], Field(min_length=3, max_length=3)]
    winner: SeatNo


class TrianonSnapshot(Model):
    """What a seat sees of a deal of Trianon; ``scores`` are those before it."""

    no: Int31
    dealer: SeatNo
    scores: Three
    hand: list[CardName]
    auction: list[tuple[SeatNo, Call]]
    contract: ContractName | None
    declarer: SeatNo | None
    tricks: list[Trick]
    won: Three
    lead: SeatNo | None
    trick: list[CardName]


class LoyataisSnapshot(Model):
    """What a seat sees of a deal of Loyatais; ``scores`` are those before it."""

    no: Int31
    taker: SeatNo
    scores: Three
    hand: list[CardName]
    shown: Annotated[list[list[CardName]], Field(min_length=3, max_length=3)]
    partner: PartnerChoice | None
    tricks: list[Trick]
    won: Three
    lead: SeatNo | None
    trick: list[CardName]


DealSnapshot: TypeAlias = TrianonSnapshot | LoyataisSnapshot


class Table(ABC):
    """The events of a match, added up: what lies on the table in the present deal.

    It is told the events of one seat (or of all) and can say no more than they do.
    """

    step: ClassVar[int]
    """The distance from a seat to the next on turn: 1 clockwise, 2 the other way."""

    def __init__(self) -> None:
        self.no = 0
        self._begin(DealEvent(n=0, no=0, scores=[0, 0, 0], hands=[None] * 3))

    def _begin(self, event: DealEvent) -> None:
        self.no = event.no
        self.scores = list(event.scores)
        self.hands = [
            None if hand is None else sorted(hand, key=CARDS.__getitem__)
            for hand in event.hands
        ]
        self.won = [0, 0, 0]
        self.lead: int | None = None
        self.trick: list[str] = []
        self._tricks: list[tuple[int, list[str], int]] = []  # lead, cards, winner
        self._head = f'{{"no":{self.no},{self._who(event)},"scores":{_row(self.scores)}'
        self._tricks_text = ""
        self._middle: str | None = None  # from what was said to the present trick

    def tell(self, event: Event) -> None:
        """Add one event, the next in the order of their numbers."""
        match event:  # the commonest first
            case PlayEvent(seat=seat, card=card):
                self.play(seat, card)
            case TrickEvent(winner=winner):
                self.end_trick(winner)
            case DealEvent():
                self._begin(event)
            case (
                BidEvent()
                | ContractEvent()
                | TrianonEvent()
                | ShowEvent()
                | PartnerEvent()
            ):
                self._tell_game(event)
                self._middle = None
            case ScoreEvent() | FaultEvent() | OutEvent() | EndEvent():
                pass

    def play(self, seat: int, card: str) -> None:
        """Add a card played."""
        hand = self.hands[seat]
        if hand is not None:
            hand.remove(card)
        self.trick.append(card)

    def end_trick(self, winner: int) -> None:
        """Add a complete trick."""
        assert self.lead is not None
        self._tricks.append((self.lead, self.trick, winner))
        if self._tricks_text:
            self._tricks_text += ","
        cards = _names(self.trick)
        self._tricks_text += f'{{"lead":{self.lead},"cards":{cards},"winner":{winner}}}'
        self.won[winner] += 1
        self.lead = winner
        self.trick = []
        self._middle = None

    @property
    def tricks(self) -> list[Trick]:
        """The complete tricks of this deal."""
        return [
            Trick(lead=lead, cards=cards, winner=winner)
            for lead, cards, winner in self._tricks
        ]

    @abstractmethod
    def _tell_game(self, event: Event) -> None:
        """Add an event that only this game knows."""

    @abstractmethod
    def snapshot(self, seat: int) -> DealSnapshot:
        """Return the sum as ``seat`` may see it; its hand must have been told."""

    @abstractmethod
    def _who(self, event: DealEvent) -> str:
        """Spell who deals, or who takes."""

    @abstractmethod
    def _said(self) -> str:
        """Spell what came before the tricks."""

    def text(self, seat: int) -> str:
        """Return the same as JSON, equal to the model's own dump byte for byte."""
        middle = self._middle
        if middle is None:
            lead = "null" if self.lead is None else self.lead
            middle = self._middle = (
                f'{self._said()},"tricks":[{self._tricks_text}],'
                f'"won":{_row(self.won)},"lead":{lead}'
            )
        hand = self.hands[seat]
        if hand is None:
            raise _untold(seat)
        trick = _names(self.trick)
        return f'{self._head},"hand":{_names(hand)},{middle},"trick":{trick}}}'

    def hand(self, seat: int) -> list[str]:
        """Return the cards that ``seat`` holds, sorted as the protocol has them."""
        hand = self.hands[seat]
        if hand is None:
            raise _untold(seat)
        return list(hand)


class TrianonTable(Table):
    """A deal of Trianon: the auction, the contract, the tricks."""

    step = 1

    @override
    def _begin(self, event: DealEvent) -> None:
        super()._begin(event)
        self.dealer = event.dealer or 0
        self.auction: list[tuple[int, str]] = []
        self.contract: str | None = None
        self.declarer: int | None = None

    @override
    def _tell_game(self, event: Event) -> None:
        match event:
            case BidEvent(seat=seat, bid=bid):
                self.auction.append((seat, bid))
            case ContractEvent(declarer=declarer, contract=contract):
                self.contract, self.declarer = contract, declarer
                self.lead = (declarer + 1) % 3  # rule T11
            case TrianonEvent():
                self.contract, self.lead = TRIANON, self.dealer  # rule T16
            case _:
                raise ValueError(f"no such event in Trianon: {event.e}")

    @override
    def _who(self, event: DealEvent) -> str:
        return f'"dealer":{event.dealer or 0}'

    @override
    def _said(self) -> str:
        calls = ",".join(f'[{seat},"{bid}"]' for seat, bid in self.auction)
        contract = "null" if self.contract is None else f'"{self.contract}"'
        declarer = "null" if self.declarer is None else self.declarer
        return f'"auction":[{calls}],"contract":{contract},"declarer":{declarer}'

    @override
    def snapshot(self, seat: int) -> TrianonSnapshot:
        return TrianonSnapshot(
            no=self.no,
            dealer=self.dealer,
            scores=self.scores,
            hand=self.hand(seat),
            auction=list(self.auction),
            contract=self.contract,
            declarer=self.declarer,
            tricks=self.tricks,
            won=list(self.won),
            lead=self.lead,
            trick=list(self.trick),
        )


class LoyataisTable(Table):
    """A deal of Loyatais: the shown cards, the partner, the tricks."""

    step = 2

    @override
    def _begin(self, event: DealEvent) -> None:
        super()._begin(event)
        self.taker = event.taker or 0
        self.shown: list[list[str]] = [[], [], []]
        self.partner: int | str | None = None

    @override
    def _tell_game(self, event: Event) -> None:
        match event:
            case ShowEvent(seat=seat, cards=cards):
                self.shown[seat] = list(cards)
            case PartnerEvent(partner=partner):
                self.partner, self.lead = partner, self.taker  # rule L7
            case _:
                raise ValueError(f"no such event in Loyatais: {event.e}")

    @override
    def _who(self, event: DealEvent) -> str:
        return f'"taker":{event.taker or 0}'

    @override
    def _said(self) -> str:
        shown = ",".join(map(_names, self.shown))
        match self.partner:
            case None:
                partner = "null"
            case int(seat):
                partner = str(seat)
            case _:
                partner = f'"{ALONE}"'
        return f'"shown":[{shown}],"partner":{partner}'

    @override
    def snapshot(self, seat: int) -> LoyataisSnapshot:
        return LoyataisSnapshot(
            no=self.no,
            taker=self.taker,
            scores=self.scores,
            hand=self.hand(seat),
            shown=[list(cards) for cards in self.shown],
            partner=self.partner,
            tricks=self.tricks,
            won=list(self.won),
            lead=self.lead,
            trick=list(self.trick),
        )


def _untold(seat: int) -> ValueError:
    return ValueError(f"the hand of seat {seat} was never told")


def _row(numbers: list[int]) -> str:
    return f"[{numbers[0]},{numbers[1]},{numbers[2]}]"


def _names(cards: list[str]) -> str:
    return '["' + '","'.join(cards) + '"]' if cards else "[]"
