"""A seat for a person: a bot like any other, that asks at the terminal.

It speaks the protocol on stdin and stdout and talks to the person on the terminal whose
path it is given, so that the referee need not know who thinks.  Standard library only:
it is started as a file of its own.
"""

import json
import os
import sys
from collections.abc import Iterator
from typing import IO, Any, TypeAlias

Json: TypeAlias = dict[str, Any]

QUESTIONS = {
    "bid": "your bid",
    "raise": "raise, or keep",
    "play": "your card",
    "show": "two cards to show",
    "partner": "alone, or with whom",
}
A_LINE = 18  # legal moves a line


def main() -> None:
    """Answer each request, asking the person where a move is wanted."""
    # Not O_NOCTTY by accident: the terminal stays the arena's, and so does Ctrl-C.
    terminal = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
    with open(terminal, "r+b", buffering=0) as raw:  # noqa: PTH123 -- a descriptor
        person = Person(raw)
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
                    person.tell(request["events"])
                case _:
                    pass
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


class Person:
    """What is shown and asked at the terminal."""

    def __init__(self, terminal: IO[bytes]) -> None:
        self._terminal = terminal
        self._names = ["0", "1", "2"]
        self._you = 0

    def start(self, request: Json) -> None:
        """Show who plays."""
        self._you = request["you"]
        self._names = [_plain(name) for name in request["players"]]
        self._names[self._you] = "you"
        self._say(
            f"{request['game']}: you sit in seat {self._you}, against "
            + " and ".join(n for n in self._names if n != "you")
        )

    def choose(self, request: Json) -> str:
        """Show the table, and ask until the person names a legal move."""
        self.tell(request["events"])
        for fault in request.get("faults", []):
            self._say(f"  ! {_plain(fault['text'])}; {fault['played']} was played")
        legal: list[str] = request["legal"]
        deal = request["deal"]
        self._say("")
        self._say("  your hand:  " + " ".join(deal["hand"]))
        if deal["trick"]:
            self._say("  the trick:  " + " ".join(deal["trick"]))
        if len(legal) <= A_LINE:
            self._say(
                "  legal:      "
                + " ".join(
                    move.replace(" ", "+") if request["ask"] == "show" else f"[{move}]"
                    for move in legal
                )
            )
        else:
            self._say(
                f"  legal:      {legal[0]}, {legal[1]} ... {legal[-1]}  (? for all)"
            )
        while True:
            text = self._ask(QUESTIONS.get(request["ask"], "your move"))
            move = _find(text, legal)
            if move is not None:
                return move
            for start in range(0, len(legal), A_LINE):
                self._say("    " + ", ".join(legal[start : start + A_LINE]))

    def tell(self, events: list[Json]) -> None:
        """Say what has happened since the last question."""
        for event in events:
            for line in self._words(event):
                self._say(line)

    def _words(self, event: Json) -> Iterator[str]:
        name = self._names[event["seat"]] if "seat" in event else ""
        match event["e"]:
            case "deal":
                dealer = event["dealer"] if "dealer" in event else event["taker"]
                yield ""
                yield f"--- deal {event['no']}, by {self._names[dealer]} ---"
            case "bid":
                yield f"  {name}: {event['bid']}"
            case "contract":
                yield (
                    f"  contract: {event['contract']} by "
                    f"{self._names[event['declarer']]}"
                )
            case "trianon":
                yield "  all have passed: Trianon, take as few tricks as you can"
            case "show":
                yield f"  {name}: shows {' '.join(event['cards'])}"
            case "partner":
                partner = event["partner"]
                whom = "alone" if partner == "alone" else f"with {self._names[partner]}"
                yield f"  {name}: plays {whom}"
            case "play":
                yield f"  {name}: {event['card']}"
            case "trick":
                yield f"    trick {event['no']} to {self._names[event['winner']]}"
            case "score":
                for seat, player in enumerate(self._names):
                    yield (
                        f"  {player}: {event['tricks'][seat]} tricks, "
                        f"+{event['points'][seat]}, {event['scores'][seat]} in all"
                    )
            case "out":
                yield f"  {name} is out: {event['code']}"
            case _:
                pass

    def _say(self, text: str) -> None:
        self._terminal.write(text.encode("utf-8") + b"\n")

    def _ask(self, question: str) -> str:
        self._terminal.write(f"  {question}> ".encode())
        answer = self._terminal.readline()
        if not answer:
            sys.exit(0)  # the terminal has gone
        return answer.decode("utf-8", "replace").strip()


def _find(text: str, legal: list[str]) -> str | None:
    """Return the legal move that is meant, in any case and with any blanks."""
    wanted = text.casefold().replace("+", " ").split()
    return next((move for move in legal if move.casefold().split() == wanted), None)


def _plain(text: str) -> str:
    """Return a text of somebody else's without what a terminal would obey."""
    return "".join(char if char.isprintable() else "?" for char in text)


if __name__ == "__main__":
    main()
