"""A record as text: what a spectator, or one seat, has seen of a match."""

from collections.abc import Iterator

from arena.errors import ArenaError
from arena.naming import shown
from arena.record import Record
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
    as_seen_by,
)

PLAIN = "simple"


def narrate(record: Record, deal_no: int | None, seat: int | None) -> Iterator[str]:
    """Yield the lines that tell a match.

    Args:
        record: the record.
        deal_no: this deal alone; None for the whole match.
        seat: show the hand of this seat alone; None for all three.

    Raises:
        ArenaError: if the record has no such deal.
    """
    names = [shown(player.name, PLAIN) for player in record.header.players]
    deals = [event.no for event in record.events if isinstance(event, DealEvent)]
    if deal_no is not None and deal_no not in deals:
        raise ArenaError(
            f"{record.path}: no deal {deal_no}; it has deals 1 to {len(deals)}"
        )
    header = record.header
    yield f"{header.game}, match {shown(header.match, PLAIN)}"
    for number, name in enumerate(names):
        you = "  (you)" if number == seat else ""
        yield f"  seat {number}: {name}{you}"
    teller = _Teller(names, seat)
    present = 0
    for event in record.events:
        if isinstance(event, DealEvent):
            present = event.no
        if deal_no is None or present == deal_no or isinstance(event, EndEvent):
            told = event if seat is None else as_seen_by(event, seat)
            yield from teller.tell(told, event)


class _Teller:
    def __init__(self, names: list[str], seat: int | None) -> None:
        self._names = names
        self._seat = seat
        self._trick: list[str] = []

    def tell(self, event: Event, recorded: Event) -> Iterator[str]:
        """Yield the lines of one event; a trick is one line."""
        names = self._names
        note = self._note(recorded)
        match event:
            case DealEvent():
                dealer = event.dealer if event.dealer is not None else event.taker
                role = "dealer" if event.dealer is not None else "taker"
                yield ""
                yield f"deal {event.no}: {role} {names[dealer or 0]}, {event.scores}"
                for number, hand in enumerate(event.hands):
                    if hand is not None:
                        yield f"  {names[number]}: {' '.join(hand)}"
            case BidEvent():
                yield f"  {names[event.seat]} bids {event.bid}{note}"
            case ContractEvent():
                yield f"  contract {event.contract} by {names[event.declarer]}{note}"
            case TrianonEvent():
                yield "  all pass: a Trianon deal"
            case ShowEvent():
                yield f"  {names[event.seat]} shows {' '.join(event.cards)}{note}"
            case PartnerEvent(partner=int(partner)):
                yield f"  {names[event.seat]} plays with {names[partner]}{note}"
            case PartnerEvent():
                yield f"  {names[event.seat]} plays alone{note}"
            case PlayEvent():
                self._trick.append(f"{names[event.seat]} {event.card}{note}")
            case TrickEvent():
                cards = "  ".join(self._trick)
                self._trick.clear()
                yield f"  {event.no:>2}. {cards}  -> {names[event.winner]}"
            case ScoreEvent():
                aside = f"; aside {' '.join(event.aside)}" if event.aside else ""
                yield (
                    f"  tricks {event.tricks}, points {event.points}, "
                    f"scores {event.scores}{aside}"
                )
            case FaultEvent():
                assert isinstance(recorded, FaultEvent)
                text = shown(recorded.text or "", PLAIN)
                yield (
                    f"  ! {names[event.seat]}: {event.code}: {text}; "
                    f"played {event.played}"
                )
                if recorded.line:
                    yield f"    {shown(recorded.line, PLAIN)}"
            case OutEvent():
                yield f"  ! {names[event.seat]} is out: {event.code}"
            case EndEvent():
                yield ""
                places = f"places {event.places}"
                yield f"end: {event.reason}, scores {event.scores}, {places}"

    def _note(self, event: Event) -> str:
        """Return a bot's note; other seats' notes are not for this seat."""
        match event:
            case (
                BidEvent(seat=seat, note=str(note))
                | ContractEvent(declarer=seat, note=str(note))
                | ShowEvent(seat=seat, note=str(note))
                | PartnerEvent(seat=seat, note=str(note))
                | PlayEvent(seat=seat, note=str(note))
            ) if self._seat in (None, seat):
                return f" «{shown(note, PLAIN)}»"
            case _:
                return ""
