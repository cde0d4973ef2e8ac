"""The steps of a check in their order (docs/check.md), and the simplest of them."""

from typing import Final

from typing_extensions import override

from arena.check_bout import Sitting, Trouble, Turn
from arena.check_first import Again, FirstMatch
from arena.check_notes import Notes
from arena.check_oddities import Late, Names, Stall, Unknown
from arena.check_talk import Script
from arena.check_terms import Section, Strict, Terms, simple
from arena.diagnosis import Finding


def plan(terms: Terms) -> list[Section]:
    """Return what is tried after ``hello``, in order."""
    sections: list[Section] = []
    for game in terms.games:
        sections += [FirstMatch(terms, game), SecondMatch(terms, game)]
    game = terms.games[0]
    sections += [Unknown(terms, game), Names(terms, game), Late(terms, game)]
    if not terms.is_quick:
        sections.append(Stall(terms, game))
    sections += [Leave(), Unhelped(terms, game)]
    if not terms.is_quick:
        sections.append(Again(sections[0]))
    return sections


REUSE: Final = (
    'let each start begin everything anew; or say "reuse":false in hello, and the '
    "arena starts it afresh for each match"
)


class SecondMatch(Section):
    """A second match in the same process."""

    def __init__(self, terms: Terms, game: str) -> None:
        super().__init__([("second_match", game)])
        self._terms = terms
        self._game = game

    @override
    def talk(self, sitting: Sitting, notes: Notes) -> Script[Trouble | None]:
        notes.begin("second_match", self._game)
        if not sitting.hello.reuse:
            notes.remark("it wants a fresh process for each match")
            return None
        if not sitting.matches:
            before = simple(self._terms, self._game, "before", sitting, notes)
            trouble = yield from before
            if trouble is not None:
                return trouble
        if sitting.is_gone:
            notes.fail(
                Finding("it exits at the end of a match; another may follow", REUSE)
            )
            return None
        trouble = yield from simple(self._terms, self._game, "second", sitting, notes)
        if trouble is not None and trouble.is_loss:
            trouble.finding = Finding(trouble.finding.cause, REUSE)
        return trouble


class Leave(Section):
    """The end of the input, which means: exit."""

    is_last = True

    def __init__(self) -> None:
        super().__init__([("exit", None)])

    @override
    def talk(self, sitting: Sitting, notes: Notes) -> Script[Trouble | None]:
        notes.begin("exit")
        yield from ()
        return None


class Unhelped(Section):
    """The bot without what the arena's environment does for it: PYTHONUNBUFFERED."""

    is_fresh = True
    is_unhelped = True

    def __init__(self, terms: Terms, game: str) -> None:
        super().__init__([("flush", None)])
        self._terms = terms
        self._game = game

    @override
    def talk(self, sitting: Sitting, notes: Notes) -> Script[Trouble | None]:
        trouble = yield from simple(
            *(self._terms, self._game, "flush", sitting, notes), listener=Brief(notes)
        )
        return trouble


class Brief(Strict):
    """Two moves will do."""

    @override
    def after(self, turn: Turn, trouble: Trouble | None, size: int) -> bool:
        return super().after(turn, trouble, size) and turn.number < 1
