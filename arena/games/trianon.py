"""Trianon: 36 cards, an auction, twelve tricks (docs/rules-trianon.md, T1 to T19)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Self

from typing_extensions import override

from arena.games.base import Contract, Game, Move, Position
from arena.games.tricks import CLOCKWISE, SUIT_OF, CardOrder, Takes, TrickPosition
from protocol.events import (
    BidEvent,
    ContractEvent,
    DealEvent,
    EndReason,
    Event,
    TrianonEvent,
)
from protocol.messages import Ask, Options, TrianonOptions
from protocol.notation import (
    BID_NAMES,
    CARD_NAMES,
    DENOMINATIONS,
    KEEP,
    PASS,
    RANKS,
    SUITS,
    Card,
    spell,
)
from protocol.snapshots import TrianonTable

HAND: Final = 12
LEAST_BID: Final = 4  # T5
POINTS_MADE, POINTS_MADE_NO_TRUMP = 30, 40  # T15: a trick bid above four
POINTS_DOWN, POINTS_DOWN_NO_TRUMP = 40, 50  # T15: a missing trick, to each defender
TRIANON_POINTS: Final = (150, 105, 70, 35)  # T16: by tricks taken; more score nothing
DEFAULT_TARGET, DEFAULT_MAX_DEALS = 500, 200  # T17, T18

# Moves: cards as they are, then bids by rank, then the two that are no bid.
FIRST_BID: Final = len(CARD_NAMES)
PASS_MOVE: Final = FIRST_BID + len(BID_NAMES)
KEEP_MOVE: Final = PASS_MOVE + 1
LAST_BID: Final = PASS_MOVE - 1
NO_BID: Final = FIRST_BID - 1

SANS_SOUCI_RANKS: Final = "JQKA6789T"  # T14, low to high


def _by_rank(ranks: str) -> CardOrder:
    """Weakest rank first, equal ranks in the order of the suits."""
    return CardOrder(
        [SUITS.index(s) * len(RANKS) + RANKS.index(r) for r in ranks for s in SUITS]
    )


NORMAL: Final = _by_rank(RANKS)  # T1
SANS_SOUCI: Final = _by_rank(SANS_SOUCI_RANKS)

_BIDS_ABOVE: Final = tuple(
    tuple(range(bid + 1, PASS_MOVE)) for bid in range(NO_BID, PASS_MOVE)
)
_CALLS: Final = tuple((PASS_MOVE, *bids) for bids in _BIDS_ABOVE)
_RAISES: Final = tuple((KEEP_MOVE, *bids) for bids in _BIDS_ABOVE)
_ALL_THREE: Final = 0b111
_BUT: Final = (0b110, 0b101, 0b011, -1)  # all but this seat; -1 is nobody


def _takes(order: CardOrder, trump: str | None = None) -> Takes:
    """Return which card takes the trick from which (T13)."""
    bits = [order.bit[card] for card in range(len(CARD_NAMES))]
    cards = list(zip(SUIT_OF, bits, strict=True))
    trumps = None if trump is None else SUITS.index(trump)
    return tuple(
        tuple([bit > best if suit == led else suit == trumps for suit, bit in cards])
        for led, best in cards
    )


_TAKES: Final = {suit: _takes(NORMAL, suit) for suit in SUITS} | {
    "NT": _takes(NORMAL),
    "SS": _takes(SANS_SOUCI),
}


class TrianonPosition(TrickPosition):
    """One deal of Trianon.

    Attributes:
        dealer: who dealt.
        bid: the highest bid so far as a move, ``NO_BID`` before the first.
        bidder: who has bid it; -1 before the first.
        declarer: who has won the auction; -1 before it is over and in a Trianon deal.
        passed: the seats out of the auction, as bits.
        contract: the contract as a move; None before it is fixed and in a Trianon deal.
        is_trianon: whether all three have passed (T9).
    """

    __slots__ = (
        "bid",
        "bidder",
        "contract",
        "dealer",
        "declarer",
        "is_trianon",
        "passed",
    )

    def __init__(self, hands: Iterable[Sequence[Card]], dealer: int) -> None:
        super().__init__(NORMAL, hands, CLOCKWISE)
        self.dealer = dealer
        self.seat = (dealer + 1) % 3  # T7
        self.ask: Ask = "bid"
        self.bid = NO_BID
        self.bidder = -1
        self.passed = 0
        self.contract: Move | None = None
        self.declarer = -1
        self.is_trianon = False

    @override
    def _choices(self) -> tuple[Move, ...]:
        if self.ask == "bid":
            return _CALLS[self.bid - NO_BID]
        return _RAISES[self.bid - NO_BID] if self.ask == "raise" else ()

    @override
    def _choose(self, move: Move) -> None:
        if self.ask == "bid":
            self._call(move)
        elif self.ask == "raise":
            self._raise(move)
        else:
            raise ValueError(f"move {move} is no card that may be played")

    def _call(self, move: Move) -> None:
        seat = self.seat
        if move == PASS_MOVE:
            self.passed |= 1 << seat  # T7: out of the auction
        elif self.bid < move <= LAST_BID:
            self.bid, self.bidder = move, seat
        else:
            raise ValueError(f"move {move} is not legal in the auction")
        passed = self.passed
        if passed == _ALL_THREE:
            self.is_trianon = True
            self._begin_tricks(self.dealer, _TAKES["NT"])  # T16
        elif passed == _BUT[self.bidder]:
            self._end_auction()
        else:
            seat = (seat + 1) % 3
            self.seat = (seat + 1) % 3 if passed >> seat & 1 else seat

    def _end_auction(self) -> None:
        self.declarer = self.seat = self.bidder  # T8
        if self.bid == LAST_BID:
            self._fix_contract()  # T10: nothing to ask
        else:
            self.ask = "raise"

    def _raise(self, move: Move) -> None:
        if self.bid < move <= LAST_BID:
            self.bid = move
        elif move != KEEP_MOVE:
            raise ValueError(f"move {move} is no raise")
        self._fix_contract()

    def _fix_contract(self) -> None:
        self.contract = self.bid
        denomination = denomination_of(self.bid)
        if denomination == "SS":  # T14
            self._hands = [SANS_SOUCI.mask(NORMAL.cards(h)) for h in self._hands]
            self._order = SANS_SOUCI
        self._begin_tricks((self.declarer + 1) % 3, _TAKES[denomination])  # T11

    @override
    def clone(self) -> Self:
        new = type(self)((), self.dealer)
        new._copy_tricks(self)
        new.bid, new.bidder, new.passed = self.bid, self.bidder, self.passed
        new.contract = self.contract
        new.declarer, new.is_trianon = self.declarer, self.is_trianon
        return new

    @override
    def points(self) -> list[int]:
        if self.is_trianon:
            return [
                TRIANON_POINTS[tricks] if tricks < len(TRIANON_POINTS) else 0
                for tricks in self.won
            ]
        contract = self.promise()
        assert contract is not None
        bid = contract.tricks
        has_trump = denomination_of(self.bid) in SUITS
        missing = bid - self.won[self.declarer]
        if missing <= 0:
            made = POINTS_MADE if has_trump else POINTS_MADE_NO_TRUMP
            score = (bid - LEAST_BID) * made
            return [score if seat == self.declarer else 0 for seat in range(3)]
        down = POINTS_DOWN if has_trump else POINTS_DOWN_NO_TRUMP
        return [0 if seat == self.declarer else missing * down for seat in range(3)]

    @override
    def promise(self) -> Contract | None:
        if self.contract is None:
            return None
        bid = tricks_of(self.contract)
        return Contract(self.declarer, bid, self.won[self.declarer] >= bid)


def tricks_of(bid: Move) -> int:
    """Return the number of tricks that a bid promises: 4 to 12 (T5)."""
    return LEAST_BID + (bid - FIRST_BID) // len(DENOMINATIONS)


def denomination_of(bid: Move) -> str:
    """Return the denomination of a bid (T5)."""
    return DENOMINATIONS[(bid - FIRST_BID) % len(DENOMINATIONS)]


class Trianon(Game):
    """The rules of Trianon around its deals."""

    name = "trianon"
    deck = tuple(range(len(CARD_NAMES)))
    names = (*CARD_NAMES, *BID_NAMES, PASS, KEEP)
    table = TrianonTable
    step = 1  # T2

    @override
    def options(self, given: Mapping[str, Any]) -> TrianonOptions:
        options = TrianonOptions.model_validate(dict(given))
        if options.deals is not None:
            return TrianonOptions(deals=options.deals)  # T19: no target, no cap
        return TrianonOptions(
            target=options.target or DEFAULT_TARGET,
            max_deals=options.max_deals or DEFAULT_MAX_DEALS,
        )

    @override
    def dealer(self, no: int) -> int:
        return (no - 1) % 3  # T4

    @override
    def position(self, cards: Sequence[Card], dealer: int) -> TrianonPosition:
        return TrianonPosition(self.deal_hands(cards, dealer, HAND), dealer)

    @override
    def deal_event(
        self, n: int, no: int, dealer: int, scores: list[int], position: Position
    ) -> DealEvent:
        hands: list[list[str] | None] = [spell(position.hand(s)) for s in range(3)]
        return DealEvent(n=n, no=no, dealer=dealer, scores=scores, hands=hands)

    @override
    def told(
        self, n: int, seat: int, ask: Ask, move: Move, after: Position
    ) -> list[Event]:
        assert isinstance(after, TrianonPosition)
        events: list[Event] = []
        if ask == "bid":
            events.append(BidEvent(n=n, seat=seat, bid=self.names[move]))
        if after.ask == "play":
            number = n + len(events)
            if after.is_trianon:
                events.append(TrianonEvent(n=number))
            else:
                assert after.contract is not None
                contract = self.names[after.contract]
                events.append(
                    ContractEvent(n=number, declarer=after.declarer, contract=contract)
                )
        return events

    @override
    def aside(self, position: Position) -> None:
        return None

    @override
    def end_reason(
        self, options: Options, deals: int, scores: Sequence[int]
    ) -> EndReason | None:
        assert isinstance(options, TrianonOptions)
        if options.deals is not None:
            return "deals" if deals >= options.deals else None  # T19
        assert options.target is not None
        assert options.max_deals is not None
        if max(scores) >= options.target:  # T17, also on the last deal allowed
            return "target"
        return "max_deals" if deals >= options.max_deals else None  # T18
