"""The table as a person is told it: events, hands and scores in words.

Standard library only, as ``arena.human``, whose half it is.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]

SUITS: Final = "CDHS"
SYMBOLS: Final = dict(zip(SUITS, "♣♦♥♠", strict=True))
RED: Final = "DH"
RANKS: Final = "AKQJT9876"  # high to low
SANS_SOUCI: Final = "T9876AKQJ"  # rule T14
DENOMINATIONS: Final = ("C", "S", "D", "H", "SS", "NT")


class Table:
    """What a seat knows of the match, and how it is put into words.

    Attributes:
        names: the players', as they are shown.
        you: the seat of the person.
        game: what is played.
        taker: the dealer, in Trianon; the taker, in Loyatais.
        is_pretty: whether the symbols of suits can be shown.
        is_coloured: whether colours can be shown.
        width: characters of a line.
    """

    def __init__(self, is_pretty: bool, is_coloured: bool, width: int) -> None:
        self.is_pretty = is_pretty
        self.is_coloured = is_coloured
        self.width = width
        self.names = ["0", "1", "2"]
        self.you = 0
        self.game = ""
        self.taker = 0
        self._contract: Json = {}  # the event that has fixed what is played
        self._trick: list[tuple[int, str]] = []

    def sit(self, request: Json) -> Iterator[str]:
        """Yield who plays what, at the start of a match."""
        self.you, self.game = request["you"], request["game"]
        self.names = [plain(name) for name in request["players"]]
        self.names[self.you] = "you"
        others = " and ".join(name for name in self.names if name != "you")
        options = request.get("options", {})
        deals = options.get("deals")
        length = (
            f"{deals} deals" if deals else f"to {options.get('target', 500)} points"
        )
        yield ""
        yield f" {self.game}, {length}: you and {others}"
        clock = request.get("clock")
        if clock is not None:
            yield (
                f" you have {clock['move_ms'] / 1000:g} s a move, and "
                f"{clock['bank_ms'] / 1000:g} s in the bank"
            )

    def told(self, event: Json) -> Iterator[str]:
        """Yield the lines that tell an event."""
        seat = event.get("seat", self.you)
        match event["e"]:
            case "deal":
                yield from self._open_deal(event)
            case "bid":
                bid = event["bid"]
                is_pass = bid == "pass"
                yield f"   {self.does(seat, 'pass' if is_pass else 'bid')}" + (
                    "" if is_pass else f" {self.bid(bid)}"
                )
            case "contract":
                self._contract = event
                who = self.names[event["declarer"]]
                yield f"   the contract is {self.bid(event['contract'])} by {who}"
            case "trianon":
                self._contract = event
                yield "   all have passed: Trianon, take as few tricks as you can"
            case "show":
                cards = " ".join(map(self.card, event["cards"]))
                yield f"   {self.does(seat, 'show')} {cards}"
            case "partner":
                self._contract = event
                yield f"   {self.does(seat, 'play')} {self.partner(event['partner'])}"
            case "play":
                self._trick.append((event["seat"], event["card"]))
            case "trick":
                yield self.trick_line(self._trick, event["winner"], event["no"])
                self._trick = []
            case "score":
                yield from self._told_score(event)
            case "fault":
                yield f"   ! a fault of {self.names[seat]}: {event['code']}"
            case "out":
                who = f"{self.names[seat]} ({event['code']})"
                yield f"   ! out: {who}; the house plays on"
            case _:
                pass

    def _open_deal(self, event: Json) -> Iterator[str]:
        self._trick, self._contract = [], {}
        self.taker = event["taker"] if "taker" in event else event["dealer"]
        does = self.does(self.taker, "take" if "taker" in event else "deal")
        rule = ("─" if self.is_pretty else "-") * min(60, self.width)
        scores = event.get("scores", [0, 0, 0])
        told = ", ".join(f"{self.names[s]} {scores[s]}" for s in range(3))
        yield ""
        yield rule
        yield f" deal {event['no']}, {does}"
        yield f" scores: {told}"
        yield rule

    def _told_score(self, event: Json) -> Iterator[str]:
        yield ""
        for line in self._why(event):
            yield f" {line}"
        for seat in range(3):
            tricks, points = event["tricks"][seat], event["points"][seat]
            yield (
                f"   {self.name(seat)} {tricks:>2} tricks {points:>+5}"
                f"   {event['scores'][seat]:>5} in all"
            )
        if event.get("aside"):
            cards = " ".join(map(self.card, event["aside"]))
            yield f"   set aside were {cards}"

    def _why(self, event: Json) -> Iterator[str]:
        """Say how the points of a deal come about."""
        tricks, points = event["tricks"], event["points"]
        match self._contract.get("e"):
            case "contract":
                yield from _why_contract(self._contract, self.names, tricks, points)
            case "trianon":
                yield "Trianon: who takes few tricks scores"
            case "partner":
                yield self._why_loyatais(tricks, points)
            case _:
                pass

    def _why_loyatais(self, tricks: list[int], points: list[int]) -> str:
        partner = self._contract["partner"]
        side = {self.taker} if partner == "alone" else {self.taker, partner}
        need = 5 if len(side) == 1 else 7
        took = sum(tricks[seat] for seat in side)
        who = " and ".join(self.names[seat] for seat in sorted(side))
        if took < need:
            return f"{who} needed {need} tricks and took {took}: 100 to the others"
        extra = f" + {took - need} x 20" if took > need else ""
        capot = " + 100 for all ten" if took == 10 else ""
        shared = ", shared" if len(side) == 2 else ""
        total = sum(points[seat] for seat in side)
        return (
            f"{who} needed {need} tricks and took {took}: 100{extra}{capot} = "
            f"{total}{shared}"
        )

    def state(self, deal: Json) -> str:
        """Return what is played, and how it stands."""
        won = deal.get("won", [0, 0, 0])
        counts = ", ".join(f"{self.names[s]} {won[s]}" for s in range(3))
        contract, partner = deal.get("contract"), deal.get("partner")
        if contract == "trianon":
            return f"Trianon, few tricks are good; so far {counts}"
        if contract is not None and deal.get("declarer") is not None:
            needs = self.does(deal["declarer"], "need")
            tricks = contract.rstrip("CDHSNT")
            return f"{self.bid(contract)}: {needs} {tricks} tricks; so far {counts}"
        if partner is not None:
            plays = self.does(self.taker, "play")
            need = 5 if partner == "alone" else 7
            how = f"{plays} {self.partner(partner)}, {need} tricks are needed"
            return f"{how}; so far {counts}"
        bids = [(s, b) for s, b in deal.get("auction", []) if b != "pass"]
        if bids:
            seat, bid = bids[-1]
            return f"the bid to beat is {self.bid(bid)} by {self.names[seat]}"
        return ""

    def step(self) -> int:
        """Return the way from a seat to the next on turn."""
        return 2 if self.game == "loyatais" else 1

    def name(self, seat: int) -> str:
        """Return a player's name, as wide as all others."""
        width = min(16, max(map(len, self.names)))
        return f"{self.names[seat][:width]:<{width}}"

    def does(self, seat: int, verb: str) -> str:
        """Return that a player does something: you deal, careful deals."""
        if seat == self.you:
            return f"you {verb}"
        return f"{self.names[seat]} {verb}{'es' if verb.endswith('s') else 's'}"

    def partner(self, partner: str | int) -> str:
        """Return how the taker plays."""
        return "alone" if partner == "alone" else f"with {self.names[int(partner)]}"

    def move(self, move: str) -> str:
        """Return a move as it is shown."""
        if move.startswith("with "):
            return f"with {self.names[int(move[5:])]}"
        return self.card(move) if is_card(move) else move

    def card(self, card: str) -> str:
        """Return a card as it is shown."""
        if not self.is_pretty:
            return card
        return self._coloured(card[0] + SYMBOLS[card[1]], card[1])

    def bid(self, bid: str) -> str:
        """Return a bid as it is shown."""
        level, suit = bid[:-1], bid[-1]
        if not self.is_pretty or not level.isdecimal():
            return bid
        return level + self._coloured(SYMBOLS[suit], suit)

    def _coloured(self, text: str, suit: str) -> str:
        is_red = self.is_coloured and suit in RED
        return f"\x1b[31m{text}\x1b[0m" if is_red else text

    def in_order(self, cards: list[str]) -> list[str]:
        """Return cards by suits, high to low in the order in force."""
        order = SANS_SOUCI if self._contract.get("contract", "")[-2:] == "SS" else RANKS
        return sorted(cards, key=lambda c: (SUITS.index(c[1]), order.index(c[0])))

    def hand(self, hand: list[str]) -> str:
        """Return a hand as it is shown, suit after suit."""
        suits = []
        for suit in SUITS:
            ranks = [card[0] for card in self.in_order(hand) if card[1] == suit]
            mark = SYMBOLS[suit] if self.is_pretty else suit
            suits.append(self._coloured(f"{mark} {' '.join(ranks) or '-'}", suit))
        return "   ".join(suits)

    def cards_of(self, cards: list[tuple[int, str]]) -> str:
        """Return cards with who has played them."""
        return "   ".join(f"{self.names[s]} {self.card(c)}" for s, c in cards)

    def trick_line(self, cards: list[tuple[int, str]], winner: int, no: int) -> str:
        """Return a trick in one line."""
        return f"   {no:>2}. {self.cards_of(cards)}   -> {self.names[winner]}"


def _why_contract(
    contract: Json, names: list[str], tricks: list[int], points: list[int]
) -> Iterator[str]:
    bid, declarer = contract["contract"], contract["declarer"]
    need = int(bid.rstrip("CDHSNT"))
    took, who = tricks[declarer], names[declarer]
    is_suit = bid[-2:] not in ("SS", "NT")
    if took >= need:
        each = 30 if is_suit else 40
        sum_ = f"{need - 4} x {each} = {points[declarer]}"
        yield f"{bid} made by {who} with {took} tricks: {sum_} for tricks bid above 4"
    else:
        each = 40 if is_suit else 50
        missing = need - took
        yield (
            f"{bid} failed by {who}, {missing} short: {missing} x {each} = "
            f"{missing * each} to each defender"
        )


def is_card(text: str) -> bool:
    """Tell whether a move is a card."""
    return len(text) == 2 and text[0] in RANKS and text[1] in SUITS


def plain(text: str) -> str:
    """Return a text of somebody else's without what a terminal would obey."""
    return "".join(char if char.isprintable() else "?" for char in text)
