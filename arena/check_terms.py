"""What the steps of a check have in common: their terms, the greeting, a short match.

Pure: generators of requests.  docs/check.md lists the steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import override

from arena import __version__
from arena.check_bout import (
    Bout,
    Dress,
    Listener,
    Opponents,
    Sitting,
    Trouble,
    Turn,
    as_it_is,
    trouble_of,
)
from arena.check_notes import Notes
from arena.check_talk import Script
from arena.diagnosis import Finding
from arena.effects import Answered
from arena.games import GAMES
from arena.greeting import hello_failure
from arena.naming import clean_name
from arena.setup import MatchSetup
from protocol.messages import (
    Hello,
    HelloAnswer,
    HelloLimits,
    MatchClock,
)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a check is held under.

    Attributes:
        name: what the bot is called.
        games: the games that are tried.
        clock: of the matches; None for none.
        limits: what hello tells.
        is_quick: whether the long steps are left out or cut short.
    """

    name: str
    games: tuple[str, ...]
    clock: MatchClock | None
    limits: HelloLimits
    is_quick: bool

    def setup(
        self, game: str, title: str, seat: int, deals: int, names: Sequence[str] = ()
    ) -> MatchSetup:
        """Return a match in which the bot has ``seat``."""
        others = iter(names or ("Left", "Right"))
        a, b, c = (self.name if k == seat else next(others) for k in range(3))
        return MatchSetup(
            game=game,
            options=GAMES[game].options({"deals": deals}),
            match=f"check/{title}",
            names=(a, b, c),
            deal_seed=f"check/{title}",
            seed="check",
            arena=__version__,
            clock=self.clock,
            strikes=1_000_000,  # the check says what is wrong; nobody goes out
            limits=self.limits,
        )

    def short(self, game: str) -> int:
        """Return the deals of a short match."""
        return 1 if game == "trianon" else 3


class Section:
    """Some steps that belong together, tried in one process.

    Attributes:
        steps: their names and games, in order.
        is_fresh: whether it needs a process of its own.
        is_unhelped: whether that process goes without what the arena's environment
            does for a bot.
        is_last: whether the process's input is closed behind it.
    """

    is_fresh = False
    is_unhelped = False
    is_last = False

    def __init__(self, steps: Sequence[tuple[str, str | None]]) -> None:
        self.steps = tuple(steps)

    def talk(self, sitting: Sitting, notes: Notes) -> Script[Trouble | None]:
        """Ask; return the trouble after which this process cannot be asked more."""
        raise NotImplementedError


def hello(terms: Terms, sitting: Sitting) -> Script[Trouble | None]:
    """Greet the bot."""
    limits = terms.limits
    line = Hello(id=0, arena=__version__, limits=limits).wire().encode("ascii") + b"\n"
    came = yield from sitting.ask(HelloAnswer, line, limits.hello_ms)
    if isinstance(came.happened, Answered):
        answer = came.happened.answer
        assert isinstance(answer, HelloAnswer)
        sitting.hello = answer
    games = playable(terms, sitting)
    failure = hello_failure(came.happened, games[0] if games else terms.games[0])
    if failure is not None:
        return trouble_of(came) or Trouble(Finding(failure), came)
    return None


def playable(terms: Terms, sitting: Sitting) -> tuple[str, ...]:
    """Return the games to try that the bot says it plays."""
    said = sitting.hello.games
    return tuple(game for game in terms.games if said is None or game in said)


def who(answer: HelloAnswer) -> str:
    """Return what a bot says of itself, in one line."""
    words = [clean_name(answer.name)] if answer.name else []
    if answer.version:
        words.append(answer.version)
    if answer.games:
        words.append("plays " + ", ".join(answer.games))
    if not answer.reuse:
        words.append("wants a fresh process for each match")
    return "; ".join(words)


def ends_sitting(trouble: Trouble) -> bool:
    """Tell whether nothing more can be asked of the process: it is silent or gone."""
    return trouble.is_silence or trouble.is_loss


class Strict(Listener):
    """Any trouble is the step's; the match goes on while the bot answers."""

    def __init__(self, notes: Notes, what: str = "") -> None:
        self.trouble: Trouble | None = None
        self._notes = notes
        self._what = what

    @override
    def after(self, turn: Turn, trouble: Trouble | None, size: int) -> bool:
        if trouble is None:
            return True
        if self._what and not self._notes.is_known(trouble.finding.cause):
            finding = trouble.finding
            trouble.finding = Finding(f"{self._what}: {finding.cause}", finding.hint)
        if ends_sitting(trouble):
            self.trouble = trouble
            return False
        self._notes.fail(trouble.finding)
        return True


def simple(
    terms: Terms,
    game: str,
    title: str,
    sitting: Sitting,
    notes: Notes,
    *,
    listener: Strict | None = None,
    dress: Dress = as_it_is,
    names: Sequence[str] = (),
) -> Script[Trouble | None]:
    """Play a short match, and return the trouble that has ended it."""
    listener = listener or Strict(notes)
    setup = terms.setup(game, f"{title}/{game}", 0, terms.short(game), names)
    opponents = Opponents(setup.deal_seed, False)
    bout = Bout(sitting, setup, 0, opponents, listener, dress)
    yield from bout.talk()
    return listener.trouble or bout.trouble
