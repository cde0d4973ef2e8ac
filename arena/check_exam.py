"""A whole check, with real processes: starts the bot, talks, looks into a silence.

Runs in an engine, so that whatever the bot does nothing of it is left.  What is asked
comes from ``arena.check_steps``; here it is carried out, in as many processes as it
takes: a bot that has gone, or is silent, is started anew for the steps that are left.
"""

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

import trio

from arena.bots import EXIT_GRACE_MS, ProcessPipes, Yard, open_pipes
from arena.botspec import BotSpec
from arena.check_bout import Sitting, Trouble
from arena.check_notes import Notes
from arena.check_probe import look_into_silence
from arena.check_report import CheckReport, CheckStep
from arena.check_steps import plan
from arena.check_talk import Interview, Script, Tap
from arena.check_terms import Section, Terms, hello, playable, who
from arena.diagnosis import (
    NOT_FLUSHED,
    Finding,
    last_lines,
    why_gone,
    why_lingering,
    why_silent,
)
from arena.diagnosis_start import why_no_start
from arena.effects import Lost, TimedOut
from arena.match import play_match
from arena.orders import Checked, CheckOrder, Report, Stepped
from arena.process import KEPT, BotProcess
from arena.sandbox import Level, Limits
from arena.vitals import look_at
from arena.witness import Witness
from protocol.events import WarningCode

MUCH_STDERR: Final = 1024 * 1024  # bytes in a check; writing them costs thinking time
MAX_SILENCES: Final = 3  # each takes as long as a bot may think at most
HELPED: Final = (
    "in a match it is heard all the same, since the arena sets PYTHONUNBUFFERED; "
    "elsewhere it is not"
)


async def examine(
    order: CheckOrder,
    yard: Yard,
    witness: Callable[[Sequence[BotProcess]], Witness],
    report: Callable[[Report], Awaitable[None]],
) -> None:
    """Check a bot as ordered; report each step when it is done, and the whole."""
    terms = Terms(
        name=order.bot.name,
        games=order.games,
        clock=order.clock,
        limits=order.hello,
        is_quick=order.is_quick,
    )
    # Unbounded: a check has a few dozen steps.
    send, receive = trio.open_memory_channel[CheckStep](math.inf)
    exam = Exam(
        order.bot, terms, order.level, order.limits, yard, witness, send.send_nowait
    )

    async def tell() -> None:
        async for step in receive:
            await report(Stepped(step=step))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(tell)
        with send:
            found = await exam.run()
    await report(Checked(report=found))


class Exam:
    """One check of one bot."""

    def __init__(
        self,
        spec: BotSpec,
        terms: Terms,
        level: Level,
        limits: Limits,
        yard: Yard,
        witness: Callable[[Sequence[BotProcess]], Witness],
        tell: Callable[[CheckStep], None],
    ) -> None:
        self._spec = spec
        self._terms = terms
        self._level = level
        self._limits = limits
        self._yard = yard
        self._witness = witness
        self._notes = Notes(tell)
        self._warnings: Counter[WarningCode] = Counter()
        self._hints: dict[WarningCode, str] = {}
        self._sections = plan(terms)
        self._stderr = 0
        self._name = spec.name
        self._is_known = False  # whether it has said hello
        self._silences = 0
        self._slept: Finding | None = None  # what the first silence was found to be
        self._trouble: Trouble | None = None  # after which a process is asked no more
        self._is_leaving = False  # whether its input is to be closed

    async def run(self) -> CheckReport:
        """Try everything, and return what it came to."""
        self._notes.begin("starts")
        found = why_no_start(self._spec.argv[0], self._spec.path)
        if found is not None:
            self._notes.fail(found)
            self._give_up("it cannot be started")
        while self._sections:
            await self._sit()
        self._notes.close()
        if self._is_known:
            self._report_stderr()
        return CheckReport(
            bot=self._name,
            steps=self._notes.steps,
            warnings=dict(self._warnings),
            hints=self._hints,
        )

    # --- one process ---

    async def _sit(self) -> None:
        """Try as many sections as one process will do."""
        section = self._sections[0]
        spec = self._spec
        if section.is_unhelped:
            spec = replace(spec, env={**spec.env, "PYTHONUNBUFFERED": ""})
        async with open_pipes([spec], self._level, self._limits, self._yard) as pipes:
            await self._talk(pipes)
        await self._yard.bury(pipes, is_polite=self._trouble is None)
        self._count_stderr(pipes)

    async def _talk(self, pipes: ProcessPipes) -> None:
        bot = pipes.bots[0]
        if bot.failure is not None:
            self._notes.fail(Finding(bot.failure, "check the bot's command"))
            self._give_up("it cannot be started")
            return
        sitting = Sitting()
        tap = Tap(pipes, sitting.control)
        self._notes.transcript = tap.transcript
        interview = Interview(self._script(sitting), sitting.ledger, tap)
        while not interview.is_over:
            await play_match(interview, tap, witness=self._witness(pipes.bots))
        self._warnings.update(sitting.ledger.warnings[0])
        for code, hint in sitting.ledger.hints[0].items():
            self._hints.setdefault(code, hint)
        if self._trouble is not None:
            await self._settle(self._trouble, pipes, sitting)
        elif self._is_leaving:
            tap.transcript.add("→", tap.at_ms, b"[its input is closed]")
            await self._see_off(pipes)
            self._sections.pop(0)

    def _script(self, sitting: Sitting) -> Script[None]:
        """Greet, then try section after section, as long as this process will do."""
        self._is_leaving = False
        self._begin(self._sections[0])
        self._trouble = yield from hello(self._terms, sitting)
        if self._trouble is not None:
            return
        self._know(sitting)
        is_used = False
        while self._sections:
            section = self._sections[0]
            is_worn = sitting.is_gone or (
                sitting.matches > 0 and self._is_single(sitting)
            )
            if is_worn or (is_used and section.is_fresh):
                return
            is_used = True
            self._trouble = yield from section.talk(sitting, self._notes)
            self._is_leaving = section.is_last
            if self._trouble is not None or section.is_last:
                return
            self._sections.pop(0)

    def _is_single(self, sitting: Sitting) -> bool:
        """Tell whether a process is good for one match: it says so, or it has shown."""
        return not sitting.hello.reuse or any(
            step.step == "second_match" and step.ok is False
            for step in self._notes.steps
        )

    def _begin(self, section: Section) -> None:
        """Open the section's first step before the bot of a new process is greeted."""
        if self._is_known:
            self._notes.begin(*section.steps[0])
        else:
            self._notes.begin("hello")

    def _know(self, sitting: Sitting) -> None:
        if not self._is_known:
            self._is_known = True
            self._terms = replace(self._terms, games=playable(self._terms, sitting))
            self._sections = plan(self._terms)
            self._notes.remark(who(sitting.hello))
            self._name = sitting.hello.name or self._name

    async def _settle(
        self, trouble: Trouble, pipes: ProcessPipes, sitting: Sitting
    ) -> None:
        """Find out what the trouble is, and go on behind the section it came in."""
        finding = await self._finding(trouble, pipes, sitting)
        self._notes.fail(finding, last_lines(pipes.bots[0].stderr.text()))
        if not self._is_known:
            self._give_up("it has not said hello")
            return
        section = self._sections.pop(0)
        self._silences += isinstance(trouble.came.happened, TimedOut)
        tried = {(step.step, step.game) for step in self._notes.steps}
        self._notes.close()
        tried |= {(step.step, step.game) for step in self._notes.steps}
        for step in section.steps:
            if step not in tried:
                self._notes.skip(*step, "its match was cut short")
        if self._silences >= MAX_SILENCES:
            self._give_up("it was silent too often")

    async def _finding(
        self, trouble: Trouble, pipes: ProcessPipes, sitting: Sitting
    ) -> Finding:
        happened = trouble.came.happened
        lost = happened if isinstance(happened, Lost) else trouble.came.lost
        bot = pipes.bots[0]
        found = trouble.finding
        context, _, bare = found.cause.partition(": ")
        if isinstance(happened, TimedOut):
            found = await self._why_silent(trouble, pipes, sitting)
        elif lost is not None and lost.code == "exited":
            gone = why_gone(lost.text, bot.stderr.text(), sitting.answered == 0)
            found = Finding(gone.cause, gone.hint or found.hint)
        else:
            return found
        is_told = bare and context.startswith(("an unknown", "after "))
        if not is_told or self._notes.is_known(found.cause):
            return found
        hint = trouble.finding.hint or found.hint
        return Finding(f"{context}: {found.cause}", hint)

    async def _why_silent(
        self, trouble: Trouble, pipes: ProcessPipes, sitting: Sitting
    ) -> Finding:
        """Look into a silence; of those that nothing explains, into the first alone."""
        is_unhelped = self._sections[0].is_unhelped
        is_thorough = self._slept is None or is_unhelped
        seen = await look_into_silence(
            trouble.came, pipes, sitting, self._terms, is_thorough
        )
        found = why_silent(seen)
        if seen.is_clear:
            return found
        if is_unhelped and found.cause == NOT_FLUSHED:
            return Finding(found.cause, f"{found.hint}; {HELPED}")
        self._slept = self._slept or found
        return self._slept

    def _give_up(self, why: str) -> None:
        """Write down all that is left as not tried."""
        self._notes.close()
        if not self._is_known and self._notes.steps[-1].step != "hello":
            self._notes.skip("hello", None, why)
        for section in self._sections:
            for step, game in section.steps:
                self._notes.skip(step, game, why)
        self._sections.clear()

    async def _see_off(self, pipes: ProcessPipes) -> None:
        """Close the bot's input, and see whether it goes."""
        bot = pipes.bots[0]
        before = look_at(bot)
        pipes.close_input(0)
        pipes.mute(0)
        with trio.move_on_after(EXIT_GRACE_MS / 1000):
            while not bot.reap():
                await pipes.wait_news()
        if bot.status is None:
            after = look_at(bot)
            cpu_ms = None
            if before is not None and after is not None:
                cpu_ms = after.cpu_ms - before.cpu_ms
            is_running = after is not None and after.is_running
            self._notes.fail(why_lingering(EXIT_GRACE_MS, cpu_ms, is_running))
            return
        self._notes.remark(bot.exit_text())

    def _count_stderr(self, pipes: ProcessPipes) -> None:
        scrap = pipes.bots[0].stderr
        kept = 2 * KEPT if scrap.dropped else len(scrap.text())
        self._stderr += kept + scrap.dropped

    def _report_stderr(self) -> None:
        self._notes.begin("stderr")
        text = f"{self._stderr:,} bytes in the whole check"
        if self._stderr > MUCH_STDERR:
            self._notes.fail(
                Finding(
                    f"{text}: writing so much costs thinking time, and of each match "
                    f"only the first and last {KEPT:,} bytes are kept",
                    "log less, or only when a variable of its own asks for it",
                )
            )
        elif self._stderr > 2 * KEPT:
            text += f"; of each process the first and last {KEPT:,} are kept"
        self._notes.remark(text)
        self._notes.close()
