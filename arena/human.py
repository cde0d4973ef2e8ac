"""A seat for a person: a bot like any other, that asks at the terminal.

It speaks the protocol on stdin and stdout and talks to the person on the terminal whose
path it is given, so that the referee need not know who thinks.  Standard library only,
so that it starts at once.
"""

import json
import os
import sys
import textwrap
from collections.abc import Callable
from typing import IO, Final, NoReturn

from arena.human_words import DENOMINATIONS, SYMBOLS, Json, Table, plain

FEW: Final = 15  # moves that are listed with numbers
HELP: Final = (
    ("a number or a name", "a move, as it is listed: 2, 8D, d8, 10h, 5nt, pass"),
    ("?", "all legal moves"),
    ("h", "your hand and the table again"),
    ("l", "the last trick"),
    ("t", "all tricks of this deal"),
    ("s", "the scores, and how this deal scores"),
    ("quit", "give up your seat (Ctrl-C ends the match)"),
)
SCORING: Final = {
    "contract": "made: the declarer scores 30 for each trick bid above four, 40 in SS "
    "and NT, overtricks nothing; failed: 40 for each missing trick to each defender, "
    "50 in SS and NT. A match is over when somebody has the target.",
    "trianon": "each for itself, by tricks taken: none 150, one 105, two 70, three 35, "
    "more nothing.",
    "loyatais": "the taker needs 5 tricks alone, 7 with a partner: 100, 20 for each "
    "trick above that, 100 more for all ten, shared by the side; failed: 100 to the "
    "other side, shared.",
}


def main() -> None:
    """Answer each request, asking the person where a move is wanted."""
    # Not O_NOCTTY by accident: the terminal stays the arena's, and so does Ctrl-C.
    terminal = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
    styles = set(sys.argv[2:])
    with open(terminal, "r+b", buffering=0) as raw:  # noqa: PTH123 -- a descriptor
        person = Person(raw, "plain" not in styles, "colour" in styles)
        for line in sys.stdin:
            request = json.loads(line)
            reply: Json = {"id": request["id"]}
            match request["type"]:
                case "hello":
                    reply["name"] = "you"
                case "start":
                    person.start(request)
                case "act":
                    reply["move"] = person.choose(request)
                case "end":
                    person.end(request)
                case _:
                    pass
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


class Person:
    """What is shown and asked at the terminal.

    Args:
        terminal: to read from and write to.
        is_pretty: whether it can show the symbols of suits.
        is_coloured: whether it can show colours.
    """

    def __init__(
        self, terminal: IO[bytes], is_pretty: bool = False, is_coloured: bool = False
    ) -> None:
        self._terminal = terminal
        self._table = Table(is_pretty, is_coloured, self._width())

    # --- what happens ---

    def start(self, request: Json) -> None:
        """Show who plays what."""
        self._say(*self._table.sit(request))
        self._say(" h shows the table, l the last trick, s the scores; ? helps")

    def end(self, request: Json) -> None:
        """Tell the last events, and who has won."""
        self.tell(request["events"])
        places, scores = request.get("places"), request.get("scores", [0, 0, 0])
        self._say("", f" the match is over: {request.get('reason', 'end')}")
        if places is not None:
            for seat in sorted(range(3), key=places.__getitem__):
                self._say(
                    f"   {places[seat]}. {self._table.name(seat)} {scores[seat]:>5}"
                )

    def tell(self, events: list[Json]) -> None:
        """Say what has happened since the last question."""
        for event in events:
            self._say(*self._table.told(event))

    # --- what is asked ---

    def choose(self, request: Json) -> str:
        """Show the table, and ask until the person names a legal move."""
        self.tell(request["events"])
        for fault in request.get("faults", []):
            self._say(f"   ! {plain(fault['text'])}; {fault['played']} was played")
        ask, legal, deal = request["ask"], request["legal"], request["deal"]
        if ask == "play":
            legal = self._table.in_order(legal)
        self._show_table(deal)
        self._show_moves(ask, legal, deal["hand"])
        commands: dict[str, Callable[[], object]] = {
            "?": lambda: self._show_all(ask, legal),
            "h": lambda: self._show_table(deal),
            "l": lambda: self._show_last(deal.get("tricks", [])),
            "t": lambda: self._show_tricks(deal.get("tricks", [])),
            "s": lambda: self._show_scores(deal),
            "quit": self._leave,
        }
        while True:
            text = self._ask(f" {_question(ask)}> ")
            move = self._find(text, ask, legal, deal["hand"])
            if move is not None:
                return move
            command = commands.get(text.strip().casefold())
            if command is not None:
                command()
            elif text.strip():
                self._say(f"   {_why_not(text, ask, deal['hand'])}")
                self._show_moves(ask, legal, deal["hand"])

    def _show_table(self, deal: Json) -> None:
        self._say("")
        state = self._table.state(deal)
        if state:
            self._say(f" {state}")
        shown = [
            f"{self._table.names[seat]} {' '.join(map(self._table.card, cards))}"
            for seat, cards in enumerate(deal.get("shown", []))
            if cards
        ]
        if shown:
            self._say(" shown          " + "   ".join(shown))
        if deal.get("trick"):
            lead, step = deal["lead"], self._table.step()
            cards = [
                ((lead + step * k) % 3, card) for k, card in enumerate(deal["trick"])
            ]
            self._say(" on the table   " + self._table.cards_of(cards))
        elif deal.get("lead") == self._table.you:
            self._say(" you lead")
        self._say(" your hand      " + self._table.hand(deal["hand"]))

    def _show_moves(self, ask: str, legal: list[str], hand: list[str]) -> None:
        table = self._table
        if ask == "show":
            head = "show two of"
            moves = [f"{k} {table.card(card)}" for k, card in enumerate(hand, 1)]
        elif ask in ("bid", "raise"):
            head = "you may"
            moves = [table.bid(move) for move in legal]
            if len(moves) > FEW:
                moves = [*moves[:6], "...", moves[-1]]
        else:
            head = "you may"
            moves = [f"{k} {table.move(move)}" for k, move in enumerate(legal, 1)]
        self._say(f" {head:<14} {'   '.join(moves)}")

    def _show_all(self, ask: str, legal: list[str]) -> None:
        if ask in ("bid", "raise"):
            self._say(f"   {legal[0]}")
            for level in range(4, 13):
                row = [f"{level}{d}" for d in DENOMINATIONS]
                if any(bid in legal for bid in row):
                    cells = [bid if bid in legal else "." for bid in row]
                    self._say("   " + " ".join(f"{cell:<5}" for cell in cells))
        else:
            moves = ", ".join(map(self._table.move, legal))
            for line in textwrap.wrap(moves, self._width() - 4):
                self._say(f"   {line}")
        self._say("")
        for key, what in HELP:
            self._say(f"   {key:<20} {what}")

    def _show_last(self, tricks: list[Json]) -> None:
        self._show_tricks(tricks[-1:], len(tricks))

    def _show_tricks(self, tricks: list[Json], first: int = 1) -> None:
        if not tricks:
            self._say("   no trick has been played in this deal")
        step = self._table.step()
        for no, trick in enumerate(tricks, first):
            cards = [
                ((trick["lead"] + step * k) % 3, card)
                for k, card in enumerate(trick["cards"])
            ]
            self._say(self._table.trick_line(cards, trick["winner"], no))

    def _show_scores(self, deal: Json) -> None:
        scores = deal.get("scores", [0, 0, 0])
        for seat in range(3):
            self._say(f"   {self._table.name(seat)} {scores[seat]:>5} before this deal")
        kind = self._table.game
        if self._table.game == "trianon":
            kind = "trianon" if deal.get("contract") == "trianon" else "contract"
        for line in textwrap.wrap(SCORING.get(kind, ""), self._width() - 4):
            self._say(f"   {line}")

    def _find(
        self, text: str, ask: str, legal: list[str], hand: list[str]
    ) -> str | None:
        """Return the legal move that is meant: by number, by name, in any spelling."""
        words = text.casefold().replace("+", " ").replace(",", " ").split()
        if not words:
            return None
        if ask == "show":
            pair = {_card_of(word, hand) for word in words}
            return next((move for move in legal if set(move.split()) == pair), None)
        if ask in ("bid", "raise"):
            call = "".join(words)
            call = {"p": "pass", "k": "keep"}.get(call, call)
            return next((move for move in legal if move.casefold() == call), None)
        if len(words) == 1 and words[0].isascii() and words[0].isdecimal():
            number = int(words[0][:4])
            return legal[number - 1] if 1 <= number <= len(legal) else None
        if ask == "play":
            return _card_of("".join(words), legal)
        names = {f"with {s}": self._table.names[s].casefold() for s in range(3)}
        wanted = " ".join(words)
        return next(
            (m for m in legal if wanted in (m, names.get(m), f"with {names.get(m)}")),
            None,
        )

    def _leave(self) -> NoReturn:
        sys.exit(0)

    # --- the terminal ---

    def _width(self) -> int:
        try:
            return max(40, os.get_terminal_size(self._terminal.fileno()).columns)
        except (OSError, ValueError):
            return 80

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._terminal.write(line.encode("utf-8") + b"\n")

    def _ask(self, question: str) -> str:
        self._terminal.write(question.encode())
        answer = self._terminal.readline()
        if not answer:
            self._leave()  # the terminal has gone
        return answer.decode("utf-8", "replace").strip()


def _question(ask: str) -> str:
    return {
        "bid": "your call",
        "raise": "raise it, or keep",
        "play": "your card",
        "show": "two cards",
        "partner": "alone, or with whom",
    }.get(ask, "your move")


def _why_not(text: str, ask: str, hand: list[str]) -> str:
    if ask == "show":
        return "name two of your cards, by their numbers or names, such as 1 4"
    if text.strip().isdecimal():
        return "no move has that number"
    if ask == "play" and _card_of(text.strip(), hand) is not None:
        return "you must follow the suit that was led"
    if ask == "play":
        return "you hold no such card"
    return "that is none of the moves you have; ? lists them"


def _card_of(word: str, cards: list[str]) -> str | None:
    """Return which of the cards is meant: its number, 8D, d8, 10h, or with a symbol."""
    if word.isascii() and word.isdecimal():
        number = int(word[:4])
        return cards[number - 1] if 1 <= number <= len(cards) else None
    name = word.upper().replace("10", "T").replace(" ", "")
    for suit, symbol in SYMBOLS.items():
        name = name.replace(symbol, suit)
    return next((card for card in (name, name[::-1]) if card in cards), None)


if __name__ == "__main__":
    main()
