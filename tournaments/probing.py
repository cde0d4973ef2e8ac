"""Every bot started once before the first match, so that none is missing later."""

from collections.abc import Iterable

from arena.botspec import BotSpec
from arena.diagnosis import last_lines
from arena.errors import CannotGoOnError
from arena.interrupts import held
from arena.link import Link
from arena.naming import shown
from arena.orders import (
    Broken,
    Checked,
    Finished,
    Probed,
    ProbeOrder,
    ResentReport,
    Started,
    Stepped,
    Told,
)
from arena.sandbox import Level, Limits
from protocol.messages import HelloLimits


@held()
def probe(
    link: Link,
    specs: Iterable[BotSpec],
    game: str,
    level: Level,
    limits: Limits,
    hello: HelloLimits,
) -> list[Probed]:
    """Start each bot, say hello and let it go; return those that cannot play.

    Raises:
        CannotGoOnError: if the engine cannot start any.
    """
    left = 0
    for spec in specs:
        link.order(
            ProbeOrder(bot=spec, game=game, level=level, limits=limits, hello=hello)
        )
        left += 1
    failed: list[Probed] = []
    while left:
        for report in link.reports():
            match report:
                case Probed(failure=failure):
                    left -= 1
                    if failure is not None:
                        failed.append(report)
                case Broken(text=text):
                    raise CannotGoOnError(text)
                case Started() | Told() | Finished():
                    pass
                case Stepped() | Checked() | ResentReport():
                    pass
    return failed


def last_words(probed: Probed) -> list[str]:
    """Return the last lines that a bot has written to its stderr, to be shown."""
    name = shown(probed.name, "simple")
    lines = last_lines(probed.stderr)
    return [f"  {name} | {shown(line, 'simple')}" for line in lines]


def complaint(failed: Iterable[Probed]) -> str:
    """Return what is wrong with bots that cannot play, in one line."""
    return "; ".join(
        f"bot {probed.name!r} {shown(probed.failure or '', 'simple')}"
        for probed in failed
    )
