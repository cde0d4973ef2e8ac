"""One match as the seat of a person sees it: what it was told, is asked, has answered.

Nothing is read or written here.  All that it knows are the lines that the seat was
sent, as a bot at that seat would be; so nothing more can come to be shown, and a bot
that is asked for advice is sent the same lines.
"""

import json
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from arena.result import MatchResult

Json: TypeAlias = dict[str, Any]


class NotNowError(Exception):
    """It is not asked: answered before, perhaps in another window, or not yet."""


class NotLegalError(Exception):
    """No legal move of the decision that is asked for."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Others are on turn, or have yet to sit down; ``move`` is the seat's own last."""

    move: str | None = None
    ask: str | None = None

    def shown(self) -> Json:
        """Return it as the page is told it."""
        return {"phase": "waiting", "ask": self.ask, "move": self.move}


@dataclass(frozen=True, slots=True)
class Asked:
    """The person is to move."""

    request: Json

    def shown(self) -> Json:
        """Return it as the page is told it."""
        told = {key: self.request[key] for key in ("id", "ask", "legal", "clock")}
        return {"phase": "asked", **told}


@dataclass(frozen=True, slots=True)
class Over:
    """The match has its result, and its record stands."""

    result: MatchResult
    record: str

    def shown(self) -> Json:
        """Return it as the page is told it."""
        result = self.result
        return {
            "phase": "over",
            "reason": result.reason,
            "scores": list(result.scores),
            "places": result.places,
            "outs": [player.out for player in result.players],
            "record": self.record,
        }


@dataclass(frozen=True, slots=True)
class Stopped:
    """The match has come to nothing: it was stopped, or could not go on.

    Attributes:
        why: the words of the page have a sentence for it.
        text: what the engine says, where it is broken.
    """

    why: Literal["stopped", "void", "broken"]
    text: str = ""

    def shown(self) -> Json:
        """Return it as the page is told it."""
        return {"phase": "stopped", "why": self.why, "text": self.text}


Phase: TypeAlias = Waiting | Asked | Over | Stopped

LIVE: Final = (Waiting, Asked)


class SeatMatch:
    """What the seat knows of its match.

    Attributes:
        name: the match's, by which its reports are known.
        game: what is played.
        person: what the person wants to be called.
        phase: how it stands.
        is_resigned: whether the seat was given up, and the house plays on for it.
        is_told_of_end: whether it was told how the match has ended.
    """

    def __init__(self, name: str, game: str, person: str) -> None:
        self.name = name
        self.game = game
        self.person = person
        self.phase: Phase = Waiting()
        self.is_resigned = False
        self.is_told_of_end = False
        self._start: Json = {}
        self._events: list[Json] = []
        self._faults: list[Json] = []
        self._greeting: list[str] = []  # hello and start
        self._deal: list[str] = []  # the requests of the deal in play

    def resign(self) -> None:
        """Give the seat up; what happens then is not told to it any more."""
        self.is_resigned = True
        self.phase = Waiting()

    @property
    def is_live(self) -> bool:
        """Whether it goes on."""
        return isinstance(self.phase, LIVE)

    def hear(self, line: bytes) -> bytes | None:
        """Take in a request; return its answer, or None where the person is to give it.

        Args:
            line: as the seat was sent it, without its newline.
        """
        text = line.decode("ascii")
        request: Json = json.loads(text)
        reply: Json = {"id": request["id"]}
        self._events += request.get("events", [])
        self._faults += request.get("faults", [])
        match request["type"]:
            case "hello":
                self._greeting.append(text)
                reply["name"] = self.person
            case "start":
                self._greeting.append(text)
                self._start = request
            case "act":
                if any(event["e"] == "deal" for event in request["events"]):
                    self._deal.clear()
                self._deal.append(text)
                self.phase = Asked(request)
                return None
            case "end":
                self.is_told_of_end = True
            case _:
                pass  # a kind that is yet to be thought of
        return _line(reply)

    def answer(self, number: int, move: str) -> bytes:
        """Make the person's move; return the answer to be sent.

        Args:
            number: the ``id`` of the request that the move answers.
            move: one of its ``legal``.

        Raises:
            NotNowError: if that request is not open.
            NotLegalError: if the move is not legal: no fault, nothing has been sent.
        """
        request = self.open_request(number)
        if move not in request["legal"]:
            raise NotLegalError(move)
        self.phase = Waiting(move, request["ask"])
        return _line({"id": number, "move": move})

    def open_request(self, number: int) -> Json:
        """Return the request that is open, which must have this ``id``.

        Raises:
            NotNowError: if it is not open.
        """
        match self.phase:
            case Asked(request=request) if request["id"] == number:
                return request
            case _:
                raise NotNowError(number)

    def lines(self) -> tuple[str, ...]:
        """Return what a bot is to be sent that is asked for advice.

        Of the deals before only the scores matter, and those stand in each request: it
        gets the greeting and the present deal.
        """
        return (*self._greeting, *self._deal)

    def shown(self, since: int) -> Json:
        """Return the match as the page is told it.

        Args:
            since: the number of the first event that is wanted.
        """
        start = self._start
        return {
            "name": self.name,
            "game": self.game,
            "players": start.get("players"),
            "you": start.get("you"),
            "options": start.get("options"),
            "since": since,
            "events": self._events[since:],
            "faults": self._faults,
            "resigned": self.is_resigned,
            **self.phase.shown(),
        }


def _line(reply: Json) -> bytes:
    return json.dumps(reply).encode("ascii") + b"\n"
