"""A record of a match, held against the rules. Only reads; mends nothing.

A wrong number is a complaint and the reading goes on with the right one; where the
thread is lost (an illegal move, an event out of order) the complaints end. "Section"
is one of the protocol page; T and L are the numbers of the two rule pages.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from . import common, loyatais, trianon

GAMES = {"trianon": trianon, "loyatais": loyatais}

# Section 4: the event that each kind of decision leads to; a raise has none of its
# own, the contract tells it.
EVENT_OF = {
    "bid": "bid",
    "raise": "contract",
    "play": "play",
    "show": "show",
    "partner": "partner",
}

# The rules that say what is legal, and section 6.
RULES_OF = {
    "trianon": {"bid": "T7", "raise": "T10", "play": "T12"},
    "loyatais": {"show": "L5", "partner": "L6", "play": "L8"},
}
FAULTS = [
    "too_long",
    "bad_encoding",
    "not_json",
    "bad_message",
    "wrong_id",
    "illegal_move",
    "timeout",
]
OUTS = [
    "exited",
    "closed",
    "flood",
    "no_hello",
    "no_start",
    "over_limit",
    "strikes",
]


def check_record(lines: Iterable[str]) -> list[str]:
    """Return what is wrong with a record, in words; nothing when it agrees.

    Args:
        lines: the JSON lines of one record (section 8), header first, all hands open.
    """
    check = _Check()
    try:
        check.read(lines)
        check.header()
        check.match()
    except _Stop:
        pass
    return check.complaints


class _Stop(Exception):  # noqa: N818 - what is wrong is in the complaints
    """There is nothing more to read: the end was reached, or the thread is lost."""


def _same(one: Any, other: Any) -> bool:
    """Tell whether two JSON values are the same, where 1, 1.0 and true are three."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


class _Check:
    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.head: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.at = 0  # index of the next event; event k is on line k + 2
        self.scores = [0, 0, 0]
        self.out: list[int] = []
        self.strikes = [0, 0, 0]
        self.moves = 0  # decisions read so far in the match
        self.trouble_at: int | None = None  # `moves` at the first fault or out

    # -- small tools ----------------------------------------------------------

    def complain(self, text: str, line: int | None = None) -> None:
        # The event last taken is on line `at + 1`.
        self.complaints.append(f"line {line or self.at + 1}: {text}")

    def expect(self, event: dict[str, Any], field: str, wanted: Any, rule: str) -> None:
        if not _same(event.get(field), wanted):
            self.complain(
                f"{event.get('e')}.{field} is {event.get(field)!r}, "
                f"should be {wanted!r} ({rule})"
            )

    def peek(self) -> dict[str, Any]:
        if self.at == len(self.events):
            self.complain("the record stops without an end event (section 8)")
            raise _Stop
        return self.events[self.at]

    def take(self, kind: str) -> dict[str, Any]:
        """Take the next event, which has to be of this kind."""
        event = self.peek()
        if event.get("e") == "end" and event.get("reason") == "void":
            self.end(["void"])  # Section 6: a failure of the arena's own, any time.
        if event.get("e") == "out" and kind not in EVENT_OF.values():
            # Section 6: written after the decision in hand; section 4: what follows
            # from a decision follows it at once.
            self.take_out(None)
            self.complain(f"an out event stands where {kind} belongs (section 4)")
            return self.take(kind)
        self.at += 1
        if event.get("e") != kind:
            self.complain(f"event {event.get('e')!r} where {kind!r} belongs")
            raise _Stop
        return event

    # -- the file -------------------------------------------------------------

    def read(self, lines: Iterable[str]) -> None:
        values = []
        for no, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except ValueError:
                value = None
            if not isinstance(value, dict):
                self.complain("not a JSON object (section 8)", no)
                raise _Stop
            values.append(value)
        if not values:
            self.complain("the record is empty (section 8)", 1)
            raise _Stop
        self.head, self.events = values[0], values[1:]
        for k, event in enumerate(self.events):
            # Section 4: from 0 in each match and without gap.
            if not _same(event.get("n"), k):
                self.complain(f"n is {event.get('n')!r}, should be {k}", k + 2)

    def header(self) -> None:
        head = self.head
        for field in ("record", "rules"):
            if not _same(head.get(field), 1):
                self.complain(f"header: {field} is not 1 (section 8)", 1)
        if head.get("game") not in list(GAMES):
            self.complain(f"header: no rules for game {head.get('game')!r}", 1)
            raise _Stop
        self.name = head["game"]
        self.game = GAMES[self.name]
        self.rules_of = RULES_OF[self.name]
        players = head.get("players")
        if not isinstance(players, list) or len(players) != 3:
            self.complain("header: there are not three players (T2, L2)", 1)
        options = head.get("options")
        if not isinstance(options, dict):
            self.complain("header: options is not an object (section 8)", 1)
            raise _Stop
        try:
            self.game.check_options(options)
        except ValueError as error:
            self.complain(f"header: options: {error} (T17-T19, L12)", 1)
            raise _Stop from None
        self.options = options
        self.seed = head.get("deal_seed")
        if not isinstance(self.seed, str):
            # The public form of a record has no seed yet: it cannot be said to agree.
            self.complain("header: without a deal_seed nothing can be checked", 1)
            raise _Stop
        # Section 3: what binds the arena to the deals.
        text = f"trianon-arena/1 {head.get('match')} {self.seed}"
        commit = "sha256:" + sha256(text.encode()).hexdigest()
        if head.get("commit") != commit:
            self.complain(f"header: commit should be {commit} (section 3)", 1)

    # -- the match ------------------------------------------------------------

    def match(self) -> None:
        # Section 6: a bot that fails at hello or start is out; section 4: there may
        # then be no deal at all.
        while self.peek().get("e") == "out":
            self.take_out(None)
            # Section 3: strict ends the match at the first out as at the first fault.
            if self.peek().get("reason") == "strict":
                self.end(["strict"])
        self.end_if_it_must(None)
        no = 0
        while True:
            no += 1
            self.deal(no)
            # T17-T19, L12: asked after each deal.
            reason = self.game.match_reason(self.options, no, self.scores)
            if reason is not None:
                self.end([reason])

    def deal(self, no: int) -> None:
        event = self.take("deal")
        dealer = self.game.dealer_of(no)
        hands, aside = self.game.deal_cards(self.seed, no)
        self.expect(event, "no", no, "section 4")
        if self.name == "trianon":
            self.expect(event, "dealer", dealer, "T4")
        else:
            self.expect(event, "taker", dealer, "L4")
        self.expect(event, "scores", self.scores, "section 4")
        self.expect(event, "hands", hands, "section 7, T3, L3")
        if self.is_dealt(event.get("hands"), hands):
            hands = event["hands"]  # One complaint is enough: go on with these.
        deal = self.game.Deal(hands, dealer)
        while not deal.over:
            self.decision(deal)
        event = self.take("score")
        self.scores = [
            before + points
            for before, points in zip(self.scores, deal.points, strict=True)
        ]
        self.expect(event, "no", no, "section 4")
        self.expect(event, "tricks", deal.won, "T13, L9")
        self.expect(event, "points", deal.points, "T15, T16, L10, L11")
        self.expect(event, "scores", self.scores, "T17, L12")
        # L3: the two cards that nobody held, told when the deal is over.
        self.expect(event, "aside", aside or None, "L3")

    def is_dealt(self, hands: Any, like: list[list[str]]) -> bool:
        """Tell whether these could be hands of the game, of whatever seed."""
        if not isinstance(hands, list) or len(hands) != 3:
            return False
        if not all(isinstance(hand, list) for hand in hands):
            return False
        cards = [card for hand in hands for card in hand]
        return (
            [len(hand) for hand in hands] == [len(hand) for hand in like]
            and all(isinstance(card, str) for card in cards)
            and all(card in self.game.DECK for card in cards)
            and len(set(cards)) == len(cards)
        )

    # -- one decision ---------------------------------------------------------

    def decision(self, deal: Any) -> None:
        """Read faults and outs, the move, and the events that follow from it."""
        seat, ask, mildest = deal.seat, deal.ask, deal.legal[0]
        faulted = self.faults_and_outs(deal)
        event = self.take(EVENT_OF[ask])
        if event["e"] == "contract":
            self.expect(event, "declarer", seat, "T8")
        else:
            self.expect(event, "seat", seat, "T2, T7, L2, L5, L7")
        move = self.move_of(event, deal)
        if move not in deal.legal:
            self.complain(
                f"{event['e']}: {move!r} is not legal ({self.rules_of[ask]}); "
                f"legal are {' '.join(deal.legal)}"
            )
            raise _Stop
        if (faulted or seat in self.out) and move != mildest:
            # Section 6: the house plays legal[0].
            self.complain(f"the house played {move!r} for seat {seat}, not {mildest!r}")
        for field, kind in (("ms", int), ("note", str)):
            value = event.get(field)
            if value is not None and type(value) is not kind:
                self.complain(f"{event['e']}.{field} is {value!r} (section 8)")
        self.moves += 1
        tricks = len(deal.tricks)
        deal.play(move)
        # Section 4: bid [contract | trianon], play [trick ...].
        if ask == "bid" and deal.contract == "trianon":
            self.take("trianon")  # T9
        elif ask == "bid" and deal.contract is not None:
            event = self.take("contract")  # T10: 12NT, there was nothing to ask.
            self.expect(event, "declarer", deal.declarer, "T8")
            self.expect(event, "contract", deal.contract, "T10")
        if len(deal.tricks) > tricks:
            event = self.take("trick")
            self.expect(event, "no", len(deal.tricks), "section 4")
            self.expect(event, "winner", deal.tricks[-1]["winner"], "T13, T14, L9")

    def move_of(self, event: dict[str, Any], deal: Any) -> Any:
        """Return the move, spelt as in ``legal``, that led to this event."""
        match event["e"]:
            case "bid":
                return event.get("bid")
            case "contract":
                # The event has the final bid: the last one again means `keep`.
                final = event.get("contract")
                return "keep" if final == deal.last_bid() else final
            case "play":
                return event.get("card")
            case "show":
                cards = event.get("cards")
                # A pair may be a list, as in `shown`, or a text, as in `legal`.
                if isinstance(cards, list):
                    return " ".join(str(card) for card in cards)
                return cards
            case _:
                partner = event.get("partner")
                return f"with {partner}" if type(partner) is int else partner

    # -- faults, outs, the end ------------------------------------------------

    def faults_and_outs(self, deal: Any) -> bool:
        """Read what stands before a move; tell whether the seat on turn faulted."""
        faulted = False
        others: list[int] = []  # seats not on turn that went out just now
        while self.peek().get("e") in ("fault", "out"):
            if self.peek()["e"] == "out":
                seat = self.take_out(deal)
                if seat != deal.seat:
                    if others and seat < others[-1]:
                        self.complain("outs are not in seat order (section 6)")
                    others.append(seat)
            elif faulted:
                # Section 6: the first fault already has legal[0] played for it.
                self.at += 1
                self.complain("a second fault in one decision (section 6)")
            else:
                faulted = True
                self.take_fault(deal)
            self.end_if_it_must(deal)
        if self.peek().get("e") == "end":
            self.end_early()
        return faulted

    def take_fault(self, deal: Any) -> None:
        event = self.take("fault")
        if self.trouble_at is None:
            self.trouble_at = self.moves
        seat = deal.seat
        # Section 6: nothing is asked of the others, so they cannot be at fault; and
        # the moves of the house are never faults.
        self.expect(event, "seat", seat, "section 6")
        if seat in self.out:
            self.complain(f"a fault of seat {seat}, which is out (section 4)")
        if event.get("code") not in FAULTS:
            self.complain(f"unknown code {event.get('code')!r} of a fault (section 6)")
        following = self.events[self.at] if self.at < len(self.events) else {}
        ended = following.get("e") == "end"
        if not (ended and event.get("played") is None):
            # When the match ends with this fault there is no move to name.
            self.expect(event, "played", deal.legal[0], "section 6")
        self.strikes[seat] += 1
        # Section 4: the last strike allowed has its fault event and then out.
        goes_out = (
            following.get("e") == "out"
            and _same(following.get("seat"), seat)
            and following.get("code") == "strikes"
        )
        if self.strikes[seat] == self.allowed() and not (goes_out or ended):
            self.complain(f"seat {seat} should be out by strikes (section 6)")

    def allowed(self) -> int | None:
        """Return the number of strikes at which a seat is out, when there is one."""
        strikes = self.head.get("strikes")
        return strikes if type(strikes) is int and strikes > 0 else None

    def take_out(self, deal: Any) -> int:
        """Read an out event; ``deal`` is None where nobody is on turn."""
        event = self.peek()
        self.at += 1
        if self.trouble_at is None:
            self.trouble_at = self.moves
        seat, code = event.get("seat"), event.get("code")
        if type(seat) is not int or seat not in (0, 1, 2):
            self.complain(f"out: there is no seat {seat!r}")
            raise _Stop
        if seat in self.out:
            self.complain(f"out: seat {seat} is out already (section 6)")
            return seat
        if code not in OUTS:
            self.complain(f"unknown code {code!r} of an out (section 6)")
        if code == "strikes" and self.strikes[seat] != self.allowed():
            self.complain(
                f"out: seat {seat} has {self.strikes[seat]} strikes (section 6)"
            )
        if code in ("no_hello", "no_start") and self.moves:
            self.complain(f"out: {code} after the first move (section 6)")
        if code == "exited" and deal is not None and seat != deal.seat:
            # Section 6: that a bot has exited counts at its own next turn.
            self.complain(f"out: seat {seat} exited while not on turn (section 6)")
        self.out.append(seat)
        return seat

    def end_if_it_must(self, deal: Any) -> None:
        """When two seats or three are out nothing but the end may follow."""
        if len(self.out) < 2:
            return
        while self.peek().get("e") == "out":
            self.take_out(deal)
        # Section 3: two are out, all are out.
        reason = "all_out" if len(self.out) == 3 else "walkover"
        if self.peek().get("reason") == "strict":
            self.end_early()
        self.end([reason])

    def end_early(self) -> None:
        """Read an end in mid-deal."""
        event = self.peek()
        # Section 3: strict ends the match at the first fault, before any move.
        first = self.trouble_at is not None and self.trouble_at == self.moves
        if event.get("reason") == "strict" and not first:
            self.complain("strict, but this is no first fault (section 3)", self.at + 2)
        self.end(["strict", "void"])

    def end(self, reasons: list[str]) -> None:
        """Read the end event, for one of these reasons, as the last of all."""
        event = self.peek()
        self.at += 1
        if event.get("e") != "end":
            self.complain(
                f"event {event.get('e')!r} where the match ends ({reasons[0]}; "
                "T17-T19, L12, section 6)"
            )
            raise _Stop
        reason = event.get("reason")
        if reason not in [*reasons, "void"]:
            self.complain(
                f"end.reason is {reason!r}, should be {' or '.join(reasons)} "
                "(T17-T19, L12, section 3)"
            )
        # Section 4: an unfinished deal scores nothing.
        self.expect(event, "scores", self.scores, "T17, L12")
        if reason in ("strict", "void"):
            self.expect(event, "places", None, "section 3")
        else:
            places = common.places(self.scores, self.out)
            self.expect(event, "places", places, "T17, L12, section 6")
        if self.at != len(self.events):
            self.complain(
                "there are lines after the end event (section 8)", self.at + 2
            )
        raise _Stop
