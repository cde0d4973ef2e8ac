"""What happens in a match, as bots are told it and as the record keeps it.

One vocabulary for both (protocol page, sections 4 and 8).  The fields that only the
record holds (``ms``, ``note``; ``id``, ``text``, ``line`` of a fault) are absent
from what a bot sees.  ``ms`` stands on a fault or an out only where the match ends
with it, and no move is left to carry the time of the decision.  Numbers ``n`` run
from 0 through a match without gap.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from protocol.model import (
    DEFERRED,
    BidName,
    Call,
    CardName,
    FaultText,
    Int31,
    Model,
    Ms,
    NoteText,
    PartnerChoice,
    SeatNo,
    Three,
    optional,
)
from protocol.notation import TRIANON

FaultCode: TypeAlias = Literal[
    "too_long",
    "bad_encoding",
    "not_json",
    "bad_message",
    "wrong_id",
    "illegal_move",
    "timeout",
]
OutCode: TypeAlias = Literal[
    "exited", "closed", "flood", "no_hello", "no_start", "over_limit", "strikes"
]
WarningCode: TypeAlias = Literal[
    "bom",
    "stray_line",
    "id_form",
    "late_answer",
    "move_form",
    "unknown_field",
    "note_cut",
    "end_faulty",
]
EndReason: TypeAlias = Literal[
    "target", "deals", "max_deals", "walkover", "all_out", "strict", "void"
]


class DealEvent(Model):
    """A deal begins; a bot sees its own hand, and null for the others."""

    n: Int31
    e: Literal["deal"] = "deal"
    no: Int31
    dealer: SeatNo | None = optional()
    taker: SeatNo | None = optional()
    scores: Three
    hands: Annotated[list[list[CardName] | None], Field(min_length=3, max_length=3)]


class BidEvent(Model):
    """A seat bids or passes (rule T7)."""

    n: Int31
    e: Literal["bid"] = "bid"
    seat: SeatNo
    bid: Call
    ms: Ms | None = optional()
    note: NoteText | None = optional()


class ContractEvent(Model):
    """The auction is over, and the raise made or declined (rule T10)."""

    n: Int31
    e: Literal["contract"] = "contract"
    declarer: SeatNo
    contract: BidName
    ms: Ms | None = optional()
    note: NoteText | None = optional()


class TrianonEvent(Model):
    """All three have passed (rule T9)."""

    n: Int31
    e: Literal["trianon"] = TRIANON


class ShowEvent(Model):
    """A seat shows two cards, the weaker first (rule L5)."""

    n: Int31
    e: Literal["show"] = "show"
    seat: SeatNo
    cards: Annotated[list[CardName], Field(min_length=2, max_length=2)]
    ms: Ms | None = optional()
    note: NoteText | None = optional()


class PartnerEvent(Model):
    """The taker plays alone or with a partner (rule L6)."""

    n: Int31
    e: Literal["partner"] = "partner"
    seat: SeatNo
    partner: PartnerChoice
    ms: Ms | None = optional()
    note: NoteText | None = optional()


class PlayEvent(Model):
    """A seat plays a card to the present trick."""

    n: Int31
    e: Literal["play"] = "play"
    seat: SeatNo
    card: CardName
    ms: Ms | None = optional()
    note: NoteText | None = optional()


class TrickEvent(Model):
    """A trick is complete; ``no`` counts from 1 in each deal."""

    n: Int31
    e: Literal["trick"] = "trick"
    no: Int31
    winner: SeatNo


class ScoreEvent(Model):
    """A deal is over: its tricks and points, and the match's scores after it."""

    n: Int31
    e: Literal["score"] = "score"
    no: Int31
    tricks: Three
    points: Three
    scores: Three
    aside: list[CardName] | None = optional()


class FaultEvent(Model):
    """A seat's answer was wrong; the house plays ``played`` for it.

    ``cpu_ms``, in a record only: of a timeout, the processor time that the bot used.
    """

    n: Int31
    e: Literal["fault"] = "fault"
    seat: SeatNo
    code: FaultCode
    played: str
    id: Int31 | None = optional()
    text: FaultText | None = optional()
    line: str | None = optional()
    cpu_ms: Ms | None = optional()
    ms: Ms | None = optional()


class OutEvent(Model):
    """A seat is out: the house holds it to the end of the match."""

    n: Int31
    e: Literal["out"] = "out"
    seat: SeatNo
    code: OutCode
    ms: Ms | None = optional()


class EndEvent(Model):
    """The match is over; ``places`` is null for a void match or a strict end."""

    n: Int31
    e: Literal["end"] = "end"
    reason: EndReason
    scores: Three
    places: Three | None


Event: TypeAlias = Annotated[
    DealEvent
    | BidEvent
    | ContractEvent
    | TrianonEvent
    | ShowEvent
    | PartnerEvent
    | PlayEvent
    | TrickEvent
    | ScoreEvent
    | FaultEvent
    | OutEvent
    | EndEvent,
    Field(discriminator="e"),
]
Decision: TypeAlias = BidEvent | ContractEvent | ShowEvent | PartnerEvent | PlayEvent
"""The events that a bot's answer leads to."""

EVENT: TypeAdapter[Event] = TypeAdapter(Event, config=DEFERRED)


def as_seen_by(event: Event, seat: int | None) -> Event:
    """Return the event as ``seat`` is told it; ``None`` stands for the public.

    Other seats' hands become null, and what only the record keeps is left out.
    """
    match event:
        case DealEvent():
            hands = [h if s == seat else None for s, h in enumerate(event.hands)]
            return event.model_copy(update={"hands": hands})
        case FaultEvent():
            kept = ("id", "text", "line", "cpu_ms", "ms")
            return event.model_copy(update=dict.fromkeys(kept))
        case OutEvent():
            return event.model_copy(update={"ms": None})
        case BidEvent() | ContractEvent() | ShowEvent() | PartnerEvent() | PlayEvent():
            return event.model_copy(update={"ms": None, "note": None})
        case _:
            return event
