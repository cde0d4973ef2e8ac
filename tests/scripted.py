"""Matches without processes: bots in memory, played live or by hand.

``ScriptedPipes`` stands where ``ProcessPipes`` stands in a real match, its bots think
in virtual seconds.  ``playout`` leads a referee by hand, without any time at all.
"""

import heapq
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio
from trio.testing import MockClock

from arena.bots import Closed, Data, Exited, News
from arena.effects import (
    Answered,
    Ask,
    Dismiss,
    Effect,
    Finish,
    Garbled,
    Happened,
    Lost,
    Seated,
    TimedOut,
    Write,
)
from arena.games import GAMES
from arena.match import play_match
from arena.record import Heading, Record, header_of, read_record
from arena.referee import Referee
from arena.setup import MatchSetup
from arena.verify import lines_sent, verify
from protocol.events import OutCode
from protocol.judge import Asked, Bad, Dropped, Good, judge, show_line
from protocol.messages import MatchClock, MoveAnswer
from tests.rulebook import check_record

SHORT = {"trianon": {"deals": 2}, "loyatais": {"deals": 3}}
CLOCK = MatchClock(move_ms=100, bank_ms=300, deal_add_ms=50)
STARTED = "2026-03-01T12:00:00.000+00:00"


def setup(game="trianon", options=None, **given):
    """Return a short match of ``game``."""
    given.setdefault("names", ("a", "b", "c"))
    given.setdefault("deal_seed", "9f2c")
    given.setdefault("match", "play/1")
    given.setdefault("clock", CLOCK)
    return MatchSetup(
        game=game,
        options=GAMES[game].options(SHORT[game] if options is None else options),
        seed=given.pop("seed", "cup"),
        arena="0.1.0",
        **given,
    )


# --- a match written down -----------------------------------------------------------


@dataclass
class Played:
    """All that came out of a match."""

    referee: Referee
    lines: list[str] = field(default_factory=list)  # of the record
    asks: list[Ask] = field(default_factory=list)
    dismissed: list[Dismiss] = field(default_factory=list)
    sent: list[tuple[int, bytes]] = field(default_factory=list)  # through the pipes

    def watch(self, effect: Effect) -> None:
        match effect:
            case Seated():
                header = header_of(self.referee.setup, Heading(), effect)
                fixed = header.model_copy(update={"started": STARTED})
                self.lines.append(fixed.wire())
            case Write(line=line):
                self.lines.append(line)
            case Ask():
                self.asks.append(effect)
            case Dismiss():
                self.dismissed.append(effect)
            case Finish():
                pass

    @property
    def ledger(self):
        return self.referee.ledger

    @property
    def events(self):
        return [json.loads(line) for line in self.lines[1:]]

    @property
    def end(self):
        return self.events[-1]

    def kinds(self):
        return [event["e"] for event in self.events]

    def of(self, kind):
        return [event for event in self.events if event["e"] == kind]

    def record(self, folder: Path) -> Record:
        return read_record(self.save(folder))

    def save(self, folder: Path) -> Path:
        path = folder / "record.jsonl"
        path.write_text("".join(line + "\n" for line in self.lines), encoding="ascii")
        return path

    def check(self, folder: Path) -> None:
        """Hold the record against the arena, the rule book and what was sent."""
        record = self.record(folder)
        assert verify(record) is None
        assert check_record(self.lines) == []
        rebuilt = [(item.seat, item.line) for item in lines_sent(record)]
        assert rebuilt == [(ask.seat, ask.line) for ask in self.asks]


# --- bots in memory -----------------------------------------------------------------

CLOSE = "close"
EXIT = "exit"
Request = dict[str, Any]
Step = tuple[float, bytes | str]
"""When, in seconds from the request on, and what: bytes, ``CLOSE`` or ``EXIT``."""


def reply(request, move=None, **more):
    """Return an answer as a line."""
    answer = {"id": request["id"]} | ({} if move is None else {"move": move}) | more
    return json.dumps(answer).encode() + b"\n"


class ScriptedBot:
    """Plays at random and honestly, save where its script says otherwise.

    Args:
        script: called with each request and the number of ``act`` before it; returns
            steps, or None for an honest answer.
        think_s: virtual seconds before an honest answer to ``act``.
        seed: of its own randomness.
    """

    def __init__(
        self,
        script: Callable[[Request, int], Sequence[Step] | None] = lambda *_: None,
        think_s: float = 0.0,
        seed: int = 1,
    ) -> None:
        self._script = script
        self._think_s = think_s
        self._random = random.Random(seed)
        self._acts = 0
        self.requests: list[Request] = []

    def steps(self, line: bytes) -> Sequence[Step]:
        request = json.loads(line)
        self.requests.append(request)
        steps = self._script(request, self._acts)
        move = None
        if request["type"] == "act":
            self._acts += 1
            move = self._random.choice(request["legal"])
        if steps is not None:
            return steps
        return [(self._think_s if move else 0.0, reply(request, move))]


def on_act(number, *steps):
    """Return a script that takes ``steps`` at act ``number``; a step may be a call."""

    def script(request, acts):
        if request["type"] != "act" or acts != number:
            return None
        return [
            (when, what(request) if callable(what) else what) for when, what in steps
        ]

    return script


class ScriptedPipes:
    """Three bots in memory; time is trio's, so that a mock clock rules it."""

    def __init__(self, bots: Sequence[ScriptedBot]) -> None:
        self.bots = bots
        self.sent: list[tuple[int, bytes]] = []
        self._due: list[tuple[float, int, int, bytes | str]] = []
        self._count = 0
        self._gone: set[int] = set()

    def send(self, seat: int, line: bytes) -> None:
        assert seat not in self._gone, "sent to a bot that is no more"
        self.sent.append((seat, line))
        now = trio.current_time()
        for after, what in self.bots[seat].steps(line):
            heapq.heappush(self._due, (now + after, self._count, seat, what))
            self._count += 1

    async def wait_news(self) -> Sequence[News]:
        await trio.lowlevel.checkpoint()
        while not (news := self.poll()):
            if self._due:
                await trio.sleep_until(self._due[0][0])
            else:
                await trio.sleep_forever()
        return news

    def poll(self) -> Sequence[News]:
        news: list[News] = []
        while self._due and self._due[0][0] <= trio.current_time():
            _, _, seat, what = heapq.heappop(self._due)
            if seat in self._gone:
                continue
            if what == EXIT:
                self._gone.add(seat)
                news += [Closed(seat), Exited(seat, "exited with status 3")]
            elif what == CLOSE:
                news.append(Closed(seat))
            else:
                assert isinstance(what, bytes)
                news.append(Data(seat, what))
        return news

    def rest(self, seat: int) -> None:
        """Nothing thinks here."""

    def dismiss(self, seat: int) -> None:
        self._gone.add(seat)


async def play(match: MatchSetup, bots: Sequence[ScriptedBot]) -> Played:
    """Play a match between bots in memory; ``autojump_clock`` makes it instant."""
    played = Played(Referee(match))
    pipes = ScriptedPipes(bots)
    await play_match(played.referee, pipes, played.watch)
    played.sent = pipes.sent
    return played


def play_instantly(match: MatchSetup, bots: Sequence[ScriptedBot]) -> Played:
    """Play it in virtual time, which passes only while all wait."""
    return trio.run(play, match, bots, clock=MockClock(autojump_threshold=0))


# --- a referee led by hand ----------------------------------------------------------


class Hand:
    """Leads a referee step by step; ``ask`` is the request that is open."""

    def __init__(self, match: MatchSetup) -> None:
        self.played = Played(Referee(match))
        self.open: list[Ask] = []
        self.is_finished = False
        self._take(self.played.referee.start())

    def _take(self, effects: Sequence[Effect]) -> None:
        self.open = []
        for effect in effects:
            self.played.watch(effect)
            if isinstance(effect, Ask):
                self.open.append(effect)
            self.is_finished |= isinstance(effect, Finish)

    @property
    def ask(self) -> Ask:
        assert len(self.open) == 1
        return self.open[0]

    @property
    def request(self):
        return json.loads(self.ask.line)

    def tell(self, *happened: Happened) -> "Hand":
        self._take(self.played.referee.receive(happened))
        return self

    def void(self) -> "Hand":
        self._take(self.played.referee.void())
        return self

    def good(self, ask: Ask, move: str | None = None, took_ms: int = 0, **more):
        """Return what a good answer to ``ask`` is."""
        more = {} if move is None else {"move": move, **more}
        return Answered(ask.seat, ask.kind(id=ask.id, **more), took_ms, b"{}")

    def begin(self) -> "Hand":
        """Answer ``hello`` and ``start`` for all."""
        for _ in range(2):
            self.tell(*(self.good(ask) for ask in self.open))
        return self

    def move(self, move: str | None = None, *lost: Lost, took_ms: int = 0) -> "Hand":
        """Answer with ``move``, or the first legal one."""
        chosen = self.request["legal"][0] if move is None else move
        return self.tell(self.good(self.ask, chosen, took_ms), *lost)

    def fault(self, code="bad_message", *lost: Lost, took_ms=0) -> "Hand":
        bad = Bad(code, f"text of {code}", "hint")
        # Escaped: a verifier cannot judge such a line again.
        return self.tell(Garbled(self.ask.seat, bad, "\\x07", took_ms), *lost)

    def lose(self, code="exited", *lost: Lost, took_ms=0) -> "Hand":
        return self.tell(Lost(self.ask.seat, code, "text", took_ms), *lost)

    def until(self, seat: int, ask: str | None = None) -> "Hand":
        """Play on until ``seat`` is on turn (for a move of that kind)."""
        while self.ask.seat != seat or (ask and self.request["ask"] != ask):
            self.move()
        return self

    def rest(self) -> "Hand":
        """Play to the end, and take leave."""
        while not self.is_finished:
            if self.open[0].kind is MoveAnswer:
                self.move()
            else:
                self.tell(*(self.good(ask) for ask in self.open))
        return self


LOST: tuple[OutCode, ...] = ("exited", "closed", "flood", "over_limit")
WRONG_LINES = (
    b'{"id":%d}',
    b'{"id":%d,"move":"ZZ"}',
    b'{"id":%d,"move":7}',
    b"{'id':%d}",
    b'{"id":999999,"move":"%d"}',
    b"[%d]",
    b'{"id":%d,"move":"\xff"}',
    '{"id":%d,"move":"Zoé 四"}'.encode(),
    b'{"id":%d,"move":"x","note":1}',
    b'{"id":%d,"move":"\\ud800"}',
)


def judged(ask: Ask, raw: bytes, took_ms: int) -> Happened:
    """Return what a raw line comes to, as the match would have it."""
    verdict = judge(raw, Asked(ask.id, ask.kind, (0, 1)))
    match verdict:
        case Good(answer=answer):
            return Answered(ask.seat, answer, took_ms, raw)
        case Bad():
            return Garbled(ask.seat, verdict, show_line(raw), took_ms)
        case Dropped():
            return TimedOut(ask.seat, took_ms)


def playout(match: MatchSetup, rng: random.Random, trouble: float = 0.0) -> Played:
    """Play a match at random; ``trouble`` is how likely each decision goes wrong."""
    hand = Hand(match)
    outs = hand.played.ledger.outs
    while not hand.is_finished:
        if rng.random() < trouble / 10 and hand.played.lines:
            hand.void()
            continue
        if hand.open[0].kind is not MoveAnswer:
            hand.tell(*(_leave(ask, rng, trouble) for ask in hand.open))
            continue
        ask = hand.ask
        limit = ask.within_ms
        took = rng.choice((0, 1, 7)) if limit is None else rng.randint(0, limit)
        happened: list[Happened] = []
        if rng.random() >= trouble:
            move = rng.choice(hand.request["legal"])
            note = rng.choice((None, None, "so", "é\x00\U0001f0a1"))
            raw = json.dumps({"id": ask.id, "move": move, "note": note}).encode()
            happened.append(judged(ask, raw, took))
        elif (kind := rng.randrange(4)) == 0 and limit is not None:
            happened.append(TimedOut(ask.seat, limit + 1))
        elif kind == 1:
            code = rng.choice(LOST)
            happened.append(Lost(ask.seat, code, "lost", took))
        else:
            happened.append(judged(ask, rng.choice(WRONG_LINES) % ask.id, took))
        for seat in range(3):
            if rng.random() < trouble / 4 and outs[seat] is None:
                code = rng.choice(LOST[1:])
                if not isinstance(happened[0], Lost) or seat != ask.seat:
                    happened.append(Lost(seat, code, "lost"))
        hand.tell(*happened)
    return hand.played


def _leave(ask: Ask, rng: random.Random, trouble: float) -> Happened:
    if rng.random() >= trouble / 3:
        return judged(ask, b'{"id":%d}' % ask.id, 0)
    return rng.choice(
        (
            Lost(ask.seat, "exited", "gone"),
            TimedOut(ask.seat, ask.within_ms or 0),
            Garbled(ask.seat, Bad("not_json", "no JSON", "hint"), "x"),
        )
    )
