"""A record as text: what a spectator, or one seat, has seen of a match, deal by deal.

Cards lie in the columns of who played them; the leader is marked ``>``, the winner
``*``.  Times are in milliseconds.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.errors import ArenaError
from arena.naming import shown
from arena.record import Record, RecordError
from arena.verify import lines_sent
from protocol.events import (
    BidEvent,
    ContractEvent,
    DealEvent,
    Decision,
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
from protocol.notation import ALONE, RANKS, SUITS

PLAIN: Final = "simple"
NAME_WIDTH: Final = 16  # characters of a name in a table
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")


def narrate(record: Record, deal_no: int | None, seat: int | None) -> Iterator[str]:
    """Yield the lines that tell a match.

    Args:
        record: the record.
        deal_no: this deal alone; None for the whole match.
        seat: show the hand, notes and times of this seat alone; None for all three.

    Raises:
        ArenaError: if the record has no such deal.
    """
    names = [shown(player.name, PLAIN) for player in record.header.players]
    deals = [event.no for event in record.events if isinstance(event, DealEvent)]
    if deal_no is not None and deal_no not in deals:
        has = f"it has deals 1 to {len(deals)}" if deals else "it has no deals"
        raise ArenaError(f"{record.path}: no deal {deal_no}; {has}")
    header = record.header
    yield f"{header.game}, match {shown(header.match, PLAIN)}"
    clock = header.clock
    if clock is not None:
        yield f"  clock: {clock.move_ms} ms a move, {clock.bank_ms} ms in the bank"
    for number, player in enumerate(header.players):
        version = f" {shown(player.version, PLAIN)}" if player.version else ""
        you = "  (you)" if number == seat else ""
        yield f"  seat {number}: {names[number]}{version}{you}"
    teller = _Teller(names, seat)
    present = 0
    for event in record.events:
        if isinstance(event, DealEvent):
            present = event.no
        if deal_no is None or present == deal_no or isinstance(event, EndEvent):
            yield from teller.tell(event)
    if not record.is_finished:
        yield ""
        yield "the record has no end: the match was cut short"


def request_line(record: Record, seat: int, number: int) -> bytes:
    """Return the line that a seat was sent as request ``number``, byte for byte.

    Raises:
        ArenaError: if there was no such request.
        RecordError: if the record is not true, so that nothing can be rebuilt from it.
    """
    lines = requests_to(record, seat)
    if not 0 <= number < len(lines):
        raise ArenaError(
            f"{record.path}: seat {seat} was sent no request {number}; it has "
            f"requests 0 to {len(lines) - 1}"
        )
    return lines[number]


def requests_to(record: Record, seat: int) -> list[bytes]:
    """Return every line that a seat was sent; the id of each is its place.

    Raises:
        RecordError: if the record is not true.
    """
    try:
        return [item.line for item in lines_sent(record) if item.seat == seat]
    except ValueError as error:
        text = f"what was sent cannot be rebuilt from this record: {error}"
        raise RecordError(record.path, 1, text) from None


class _Teller:
    def __init__(self, names: list[str], seat: int | None) -> None:
        self._names = [name[:NAME_WIDTH] for name in names]
        self._width = max(len(name) for name in self._names)
        self._seat = seat
        self._trick: list[PlayEvent] = []
        self._beside: list[str] = []  # what is told behind the trick in hand
        self._bid = ""  # the highest so far
        self._is_table_open = False  # whether the heads of the tricks are written

    def tell(self, event: Event) -> Iterator[str]:
        """Yield the lines of one event; a trick is one line."""
        match event:
            case DealEvent():
                yield from self._deal(event)
            case BidEvent(seat=seat, bid=bid):
                self._bid = bid if bid != "pass" else self._bid
                yield f"  {self._name(seat)}  {bid:<6}{self._aside(event)}".rstrip()
            case ContractEvent():
                yield from self._contract(event)
            case TrianonEvent():
                yield "  all have passed: a Trianon deal, to take few tricks"
            case ShowEvent(seat=seat, cards=cards):
                text = f"  {self._name(seat)}  shows {' '.join(cards)}"
                yield f"{text}{self._aside(event)}"
            case PartnerEvent(seat=seat, partner=partner):
                whom = ALONE if partner == ALONE else f"with {self._plain(partner)}"
                yield f"  {self._name(seat)}  plays {whom}{self._aside(event)}"
            case PlayEvent():
                self._trick.append(event)
            case TrickEvent():
                yield from self._end_trick(event)
            case ScoreEvent():
                yield from self._score(event)
            case FaultEvent():
                yield from self._fault(event)
            case OutEvent(seat=seat, code=code):
                yield from self._interrupt(f"  ! {self._plain(seat)} is out: {code}")
            case EndEvent():
                yield from self._open_trick()
                yield from self._end(event)

    def _plain(self, seat: int | str | None) -> str:
        return self._names[seat] if isinstance(seat, int) else str(seat)

    def _name(self, seat: int) -> str:
        return f"{self._names[seat]:<{self._width}}"

    def _sees(self, seat: int) -> bool:
        return self._seat is None or self._seat == seat

    def _aside(self, event: Decision) -> str:
        """Return the time and the note of a decision, where they may be seen."""
        seat = event.declarer if isinstance(event, ContractEvent) else event.seat
        if not self._sees(seat):
            return ""
        ms = "" if event.ms is None else f"  ({event.ms} ms)"
        note = "" if event.note is None else f"  «{shown(event.note, PLAIN)}»"
        return ms + note

    def _deal(self, event: DealEvent) -> Iterator[str]:
        self._bid, self._is_table_open = "", False
        self._trick.clear()
        dealer = event.dealer if event.dealer is not None else event.taker
        role = "dealer" if event.dealer is not None else "taker"
        scores = "  ".join(
            f"{name} {score}"
            for name, score in zip(self._names, event.scores, strict=True)
        )
        yield ""
        yield f"deal {event.no}: {role} {self._plain(dealer)}; before it  {scores}"
        hands = [
            (self._names[seat], _by_suit(hand))
            for seat, hand in enumerate(event.hands)
            if hand is not None and self._sees(seat)
        ]
        widths = [
            max(len(name), *(len(suits[k]) for _, suits in hands)) if hands else 0
            for k, name in enumerate(SUIT_NAMES)
        ]
        if hands:
            yield f"  {'':<{self._width}}  {_row(SUIT_NAMES, widths)}"
        for name, suits in hands:
            yield f"  {name:<{self._width}}  {_row(suits, widths)}"

    def _contract(self, event: ContractEvent) -> Iterator[str]:
        raised = ", kept" if event.contract == self._bid else f", from {self._bid}"
        name = self._plain(event.declarer)
        yield f"  contract {event.contract} by {name}{raised}{self._aside(event)}"

    def _heads(self) -> Iterator[str]:
        if not self._is_table_open:
            self._is_table_open = True
            columns = "  ".join(f"{name:<{self._cell}}" for name in self._names)
            yield f"  trick  {columns}".rstrip()

    @property
    def _cell(self) -> int:
        return max(self._width, len(">TH*  99999 ms"))

    def _end_trick(self, event: TrickEvent) -> Iterator[str]:
        yield from self._heads()
        yield self._cards(f"{event.no:>5}", event.winner)
        for play in self._trick:
            if play.note is not None and self._sees(play.seat):
                note = shown(play.note, PLAIN)
                yield f"         {self._plain(play.seat)}: «{note}»"
        yield from self._beside
        self._trick.clear()
        self._beside.clear()

    def _open_trick(self) -> Iterator[str]:
        """Tell of a trick that the end of the match has cut short."""
        if self._trick:
            yield from self._heads()
            yield self._cards("    -", None)
        yield from self._beside
        self._beside.clear()

    def _cards(self, head: str, winner: int | None) -> str:
        cells = [""] * 3
        for place, play in enumerate(self._trick):
            lead = ">" if place == 0 else " "
            won = "*" if play.seat == winner else " "
            is_timed = play.ms is not None and self._sees(play.seat)
            ms = f"{play.ms:>5} ms" if is_timed else ""
            cells[play.seat] = f"{lead}{play.card}{won} {ms}"
        columns = "  ".join(f"{cell:<{self._cell}}" for cell in cells)
        return f"  {head}  {columns}".rstrip()

    def _score(self, event: ScoreEvent) -> Iterator[str]:
        yield from self._beside  # of who was lost in the last trick
        self._beside.clear()
        yield f"  {'':<{self._width}}  tricks  points   score"
        for seat in range(3):
            yield (
                f"  {self._name(seat)}  {event.tricks[seat]:>6}"
                f"  {event.points[seat]:>+6}  {event.scores[seat]:>6}"
            )
        if event.aside:
            yield f"  set aside: {' '.join(event.aside)}"

    def _fault(self, event: FaultEvent) -> Iterator[str]:
        name = self._plain(event.seat)
        if not self._sees(event.seat):
            text = f"  ! {name}: {event.code}; played {event.played}"
            yield from self._interrupt(text)
            return
        request = "" if event.id is None else f", request {event.id}"
        text = shown(event.text or "", PLAIN)
        lines = [f"  ! {name}: {event.code}{request}: {text}; played {event.played}"]
        if event.line:
            lines.append(f"    came: {shown(event.line, PLAIN)}")
        yield from self._interrupt(*lines)

    def _interrupt(self, *lines: str) -> Iterator[str]:
        """Tell of something beside the cards: behind the trick it came in."""
        if self._trick or self._is_table_open:
            self._beside += lines
        else:
            yield from lines

    def _end(self, event: EndEvent) -> Iterator[str]:
        yield ""
        yield f"end: {event.reason}"
        places = event.places or [0, 0, 0]
        for seat in sorted(range(3), key=places.__getitem__):
            place = f"{places[seat]}." if event.places else "- "
            yield f"  {place}  {self._name(seat)}  {event.scores[seat]:>6}"


def _by_suit(hand: Sequence[str]) -> list[str]:
    """Return the ranks of each suit, high to low, as ``AQT6``; ``-`` for none."""
    suits = []
    for suit in SUITS:
        ranks = [card[0] for card in hand if card[1] == suit]
        high = sorted(ranks, key=RANKS.index, reverse=True)
        suits.append(" ".join(high) or "-")
    return suits


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    pairs = zip(cells, widths, strict=True)
    return "   ".join(f"{cell:<{width}}" for cell, width in pairs).rstrip()
