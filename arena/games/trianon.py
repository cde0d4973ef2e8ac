"""Trianon: 36 cards, an auction, twelve tricks (docs/rules-trianon.md, T1 to T19)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

from typing_extensions import override

from arena.games.base import Contract, Game, Move, Position
from arena.games.tricks import SUIT_OF, CardOrder
from protocol.events import (
    BidEvent,
    ContractEvent,
    DealEvent,
    EndReason,
    Event,
    PlayEvent,
    TrianonEvent,
    TrickEvent,
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
_NO_TRUMP: Final = -1


class TrianonPosition(Position):
    """One deal of Trianon.

    Attributes:
        dealer: who dealt.
        bid: the highest bid so far as a move, ``NO_BID`` before the first.
        declarer: who has bid it; -1 before the auction is over and in a Trianon deal.
        passed: the seats out of the auction, as bits.
        contract: the contract as a move; None before it is fixed and in a Trianon deal.
        is_trianon: whether all three have passed (T9).
    """

    __slots__ = (
        "_hands",
        "_order",
        "_trump",
        "bid",
        "bidder",
        "contract",
        "dealer",
        "declarer",
        "is_trianon",
        "passed",
    )

    def __init__(self, hands: Sequence[Sequence[Card]], dealer: int) -> None:
        self.dealer = dealer
        self.seat = (dealer + 1) % 3  # T7
        self.ask: Ask = "bid"
        self.is_over = False
        self.bid = NO_BID
        self.bidder = -1
        self.passed = 0
        self.contract: Move | None = None
        self.declarer = -1
        self.is_trianon = False
        self.lead = -1
        self.trick = []
        self.won = [0, 0, 0]
        self._order = NORMAL
        self._trump = _NO_TRUMP
        self._hands = [NORMAL.mask(hand) for hand in hands]

    @override
    def legal(self) -> tuple[Move, ...]:
        if self.ask == "play":
            order = self._order
            return order.cards(order.playable(self._hands[self.seat], self.trick))
        if self.ask == "bid":
            return _CALLS[self.bid - NO_BID]
        return _RAISES[self.bid - NO_BID]

    @override
    def apply(self, move: Move) -> None:
        if self.ask == "play":
            self._play(move)
        elif self.ask == "bid":
            self._call(move)
        else:
            self._raise(move)

    def _call(self, move: Move) -> None:
        seat = self.seat
        if move == PASS_MOVE:
            self.passed |= 1 << seat  # T7: out of the auction
        elif self.bid < move <= LAST_BID:
            self.bid, self.bidder = move, seat
        else:
            raise ValueError(f"move {move} is not legal in the auction")
        left = [s for s in range(3) if not self.passed >> s & 1]
        if not left:
            self._begin_trianon()
        elif left == [self.bidder]:
            self._end_auction()
        else:
            seat = (seat + 1) % 3
            self.seat = seat if seat in left else (seat + 1) % 3

    def _begin_trianon(self) -> None:
        self.is_trianon = True
        self._begin_play(self.dealer)  # T16

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
        elif denomination != "NT":
            self._trump = SUITS.index(denomination)
        self._begin_play((self.declarer + 1) % 3)  # T11

    def _begin_play(self, leader: int) -> None:
        self.ask = "play"
        self.seat = self.lead = leader

    def _play(self, card: Move) -> None:
        order = self._order
        seat, trick = self.seat, self.trick
        hand = self._hands[seat]
        bit = order.bit[card] if 0 <= card < FIRST_BID else 0
        if not bit & order.playable(hand, trick) or self.is_over:
            raise ValueError(f"move {card} is no card that may be played")
        self._hands[seat] = hand ^ bit
        trick.append(card)
        if len(trick) < 3:
            self.seat = (seat + 1) % 3
            return
        self.seat = self.lead = self._trick_winner()
        self.won[self.lead] += 1
        self.trick = []
        self.is_over = not self._hands[seat]

    def _trick_winner(self) -> int:
        """Return who wins the complete trick (T13)."""
        bit = self._order.bit
        trick = self.trick
        best = trick[0]
        winner = 0
        for place in (1, 2):
            card = trick[place]
            suit = SUIT_OF[card]
            if suit == SUIT_OF[best]:
                if bit[card] > bit[best]:
                    best, winner = card, place
            elif suit == self._trump:
                best, winner = card, place
        return (self.lead + winner) % 3

    @override
    def clone(self) -> Self:
        new = type(self).__new__(type(self))
        new.dealer, new.seat, new.ask = self.dealer, self.seat, self.ask
        new.is_over, new.bid, new.bidder = self.is_over, self.bid, self.bidder
        new.passed, new.contract = self.passed, self.contract
        new.declarer, new.is_trianon = self.declarer, self.is_trianon
        new.lead, new.trick, new.won = self.lead, self.trick[:], self.won[:]
        new._order, new._trump = self._order, self._trump
        new._hands = self._hands[:]
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
        has_trump = self._trump != _NO_TRUMP
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

    @override
    def hand(self, seat: int) -> list[Card]:
        return sorted(self._order.cards(self._hands[seat]))


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
        if ask == "play":
            events.append(PlayEvent(n=n, seat=seat, card=CARD_NAMES[move]))
            if not after.trick:
                events.append(TrickEvent(n=n + 1, no=sum(after.won), winner=after.lead))
            return events
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
