"""All that decides a match beforehand, save the bots themselves."""

from dataclasses import dataclass
from typing import Final

from arena.dealing import bot_seed, commitment
from protocol.messages import HelloLimits, MatchClock, Options

DEFAULT_CLOCK: Final = MatchClock(move_ms=1000, bank_ms=10_000)
DEFAULT_LIMITS: Final = HelloLimits()


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """All that decides a match, save the bots' answers.

    Attributes:
        names: by seat; where ``is_named`` is false, what a bot is called whose
            ``hello`` gives no name.
        seed: what the bots' own seeds are made from: the cup's seed, or the deals'.
        strict: whether the first fault or out ends the match.
    """

    game: str
    options: Options
    match: str
    names: tuple[str, str, str]
    deal_seed: str
    seed: str
    arena: str
    is_named: bool = True
    clock: MatchClock | None = DEFAULT_CLOCK
    strikes: int = 3
    strict: bool = False
    limits: HelloLimits = DEFAULT_LIMITS

    @property
    def commit(self) -> str:
        """What binds the arena to the deals."""
        return commitment(self.match, self.deal_seed)

    def bot_seed(self, seat: int) -> int:
        """Return the seed of the bot at ``seat``."""
        return bot_seed(self.seed, self.match, seat)
