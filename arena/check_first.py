"""The first match of a check: from start to end, and once more in a fresh process."""

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from arena.check_bout import Bout, Listener, Opponents, Sitting, Trouble, Turn
from arena.check_notes import Notes
from arena.check_talk import Script
from arena.check_terms import Section, Terms, ends_sitting
from arena.diagnosis import Finding
from protocol.messages import MAX_REQUEST

DEALS: Final = 21  # of the first match: more than two hundred decisions of the bot's
DEALS_QUICK: Final = 3
REQUESTS: Final = 200
REQUESTS_QUICK: Final = 30
RUNGS: Final = (1000, 1100, 2000, 2100, 4000, 4200, 8100, 8300, 12_000, MAX_REQUEST)
"""Bytes of the lines that are tried, on both sides of the sizes buffers have."""
FEW: Final = 9  # moves
POSSIBLE: Final = {
    "trianon": {
        "bid one", "bid few", "bid many", "raise few", "raise many",
        "play one", "play few", "play many",
    },
    "loyatais": {"show many", "partner few", "play one", "play few", "play many"},
}  # fmt: skip
READS_LINES: Final = (
    f"read whole lines, of any length up to {MAX_REQUEST:,} bytes: a buffer of fixed "
    "size, as in fgets(line, 1024, stdin), cuts them"
)


class FirstMatch(Section):
    """From ``start`` to ``end``: first move, long lines, every question, 200 moves."""

    def __init__(self, terms: Terms, game: str) -> None:
        names = ("start", "first_move", "lines", "questions", "requests", "match")
        super().__init__([(name, game) for name in names])
        self.moves: list[str] = []
        self._terms = terms
        self._game = game

    def bout(self, sitting: Sitting, listener: Listener) -> Bout:
        """Return the match, the same each time."""
        deals = DEALS_QUICK if self._terms.is_quick else DEALS
        setup = self._terms.setup(self._game, f"first/{self._game}", 1, deals)
        return Bout(sitting, setup, 1, Opponents(setup.deal_seed, True), listener)

    @override
    def talk(self, sitting: Sitting, notes: Notes) -> Script[Trouble | None]:
        notes.begin("start", self._game)
        phases = Phases(notes, sitting, self._game, self._terms.is_quick)
        bout = self.bout(sitting, phases)
        yield from bout.talk()
        self.moves = bout.moves
        if phases.trouble is not None:
            return phases.trouble
        if bout.trouble is None and bout.started:
            phases.finish()
        return bout.trouble


class Ladder(Listener):
    """Every second request is padded with blanks, each longer than the last."""

    def __init__(self) -> None:
        self._rungs = list(RUNGS)
        self.rung = 0  # bytes of the last padded line

    @override
    def before(self, turn: Turn) -> None:
        if turn.number % 2 and self._rungs:
            turn.dress = self._pad

    def _pad(self, line: bytes) -> bytes:
        while self._rungs and self._rungs[0] < len(line):
            self._rungs.pop(0)
        if self._rungs:
            self.rung = self._rungs.pop(0)
            blanks = b" " * (self.rung - len(line))
            line = line[:-2] + blanks + line[-2:]
        return line

    @property
    def is_climbed(self) -> bool:
        """Whether the longest line has been tried."""
        return not self._rungs


class Phases(Ladder):
    """The steps of the first match, one after the other."""

    def __init__(
        self, notes: Notes, sitting: Sitting, game: str, is_quick: bool
    ) -> None:
        super().__init__()
        self.trouble: Trouble | None = None
        self._notes = notes
        self._sitting = sitting
        self._game = game
        self._wanted = set(POSSIBLE[game])
        self._requests = REQUESTS_QUICK if is_quick else REQUESTS
        self._phase = "start"
        self._had_trouble = False
        self._extra = 0  # lines that answered nothing
        self._is_extra = False  # whether there were such before
        self._longest = 0  # bytes of the longest request that was answered well

    def _enter(self, phase: str) -> None:
        self._phase = phase
        self._notes.begin(phase, self._game)

    @override
    def before(self, turn: Turn) -> None:
        if self._phase == "start":
            self._enter("first_move")
        elif self._phase == "first_move":
            self._enter("lines")
        elif self._phase == "lines" and (
            self._notes.has_failed or (self.is_climbed and turn.number % 2)
        ):
            self._enter("questions")
        elif self._phase == "questions" and (
            not self._wanted or turn.number >= 3 * self._requests // 4
        ):
            self._tell_wanting()
            self._enter("requests")
        elif self._phase == "requests" and turn.number >= self._requests:
            self._tell_times()
            self._enter("match")
        if self._phase == "lines":
            super().before(turn)

    @override
    def after(self, turn: Turn, trouble: Trouble | None, size: int) -> bool:
        extra, self._extra = self._extra, self._count_extra()
        if trouble is None:
            self._wanted.discard(f"{turn.ask} {size_of(turn.legal)}")
            if self._phase == "lines" and self._extra > extra and not self._is_extra:
                self._notes.fail(self._taken_for_several("a line came that is none"))
            self._is_extra = self._is_extra or self._extra > extra
            if size < RUNGS[0] or not self._notes.has_failed:
                self._longest = max(self._longest, size)
            return True
        if self._phase == "lines" and not self._had_trouble:
            trouble.finding = self._of_length(trouble, size)
        self._had_trouble = True
        if ends_sitting(trouble):
            self.trouble = trouble
            return False
        self._notes.fail(trouble.finding)
        return True

    def _count_extra(self) -> int:
        """Return how many lines came so far that answer nothing."""
        warned = self._sitting.ledger.warnings[0]
        return warned["late_answer"] + warned["stray_line"]

    def _of_length(self, trouble: Trouble, size: int) -> Finding:
        """Return the trouble as one of length, where nothing speaks against that.

        A silence may come of anything: it is looked into.
        """
        finding = trouble.finding
        if not self.rung or trouble.is_silence or trouble.is_loss:
            return finding
        if size <= self._longest:
            return self._taken_for_several(finding.cause)
        return Finding(
            f"a request of {size:,} bytes is not answered as it should be "
            f"({finding.cause}); those of up to {self._longest:,} bytes are",
            READS_LINES,
        )

    def _taken_for_several(self, cause: str) -> Finding:
        return Finding(
            f"after a request of {self.rung:,} bytes more comes than its answer "
            f"({cause}): the line is taken for several",
            READS_LINES,
        )

    def _tell_wanting(self) -> None:
        if self._wanted:
            asked = ", ".join(sorted(self._wanted))
            self._notes.remark(f"its play never led to: {asked}")

    def _tell_times(self) -> None:
        self._notes.remark(f"{self._requests} moves")

    def finish(self) -> None:
        """Close what a match that ended early has left open."""
        order = ["start", "first_move", "lines", "questions", "requests", "match"]
        while self._phase != "match":
            if self._phase == "questions":
                self._tell_wanting()
            self._enter(order[order.index(self._phase) + 1])


def size_of(legal: int) -> str:
    """Return whether so many moves are one, few or many."""
    return "one" if legal == 1 else "few" if legal <= FEW else "many"


class Again(Section):
    """The first match once more, in a fresh process: the same moves?"""

    is_fresh = True

    def __init__(self, first: Section) -> None:
        super().__init__([("same_seed", None)])
        assert isinstance(first, FirstMatch)
        self._first = first

    @override
    def talk(self, sitting: Sitting, notes: Notes) -> Script[Trouble | None]:
        notes.begin("same_seed")
        before = list(self._first.moves)
        bout = self._first.bout(sitting, Repeat())
        yield from bout.talk()
        if bout.trouble is not None:
            return bout.trouble
        same = _common(before, bout.moves)
        if same < max(len(before), len(bout.moves)):
            notes.remark(
                f"reported only: with the same seed move {same + 1} is another, so a "
                "match cannot be had again; take 'seed' of start for all randomness"
            )
        else:
            notes.remark(f"the same {same} moves")
        return None


class Repeat(Ladder):
    """Asks as the first match did, and lets everything pass."""

    @override
    def before(self, turn: Turn) -> None:
        if turn.number:
            super().before(turn)

    @override
    def after(self, turn: Turn, trouble: Trouble | None, size: int) -> bool:
        return trouble is None or not ends_sitting(trouble)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    pairs = zip(a, b, strict=False)
    return next((k for k, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))
