"""From what was observed of a bot to the cause in words, and how to mend it.

Pure: evidence in, words out; shared by ``check``, ``play`` and ``run``.  What is proved
is stated; where the system cannot tell, the causes that remain are named.
"""

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, NamedTuple

BUSY: Final = 0.5
"""Share of a silence spent computing, from which on the computing is its cause."""
BUFFER: Final = 1024
"""Bytes at once from which on answers have been kept back on purpose: a buffer of
input as long as mawk's (4 KiB) holds a dozen requests, whose answers are fewer."""
NOT_FLUSHED: Final = "stdout is not flushed"

FLUSH: Final = {
    "python": "print(..., flush=True)",
    "ruby": "$stdout.sync = true, at the beginning",
    "perl": "$| = 1;  at the beginning",
    "java": "System.out.flush() after each line, or a PrintWriter with autoflush",
    "jq": "jq --unbuffered",
    "awk": "fflush() after each print",
    "mawk": "fflush() after each print, and  mawk -W interactive",
    "gawk": "fflush() after each print",
    "node": "process.stdout.write(line), which keeps nothing back",
    "sed": "sed -u",
    "grep": "grep --line-buffered",
    "lua": 'io.stdout:setvbuf("line")',
}
STDERR_LINES: Final = 15
"""Lines of stderr that are shown: of a trace of Node the error is the twelfth last."""
_ERROR: Final = re.compile(r"(Error|Exception|panic|[Ff]atal)\b.*:|^panic:")
ANY_FLUSH: Final = (
    "flush stdout after each line: fflush(stdout) in C, writer.Flush() in Go, "
    "std::endl in C++, print(..., flush=True) in Python"
)
SILENT: Final = (
    "flush stdout after every line; if it does, 'trianon check' finds out what it does "
    "instead"
)
SIGNALS: Final = {
    "SIGSEGV": "it used memory that is not its own: a bad pointer or index, or a "
    "recursion without end",
    "SIGABRT": "it gave up by itself: a failed assertion, or an error nobody caught",
    "SIGFPE": "a division by zero",
    "SIGILL": "an instruction this processor has not: built for another machine?",
    "SIGBUS": "it used memory that is not there",
    "SIGKILL": "somebody killed it: the system, when memory ran out?",
    "SIGXFSZ": "it wrote a file larger than it may",
    "SIGSYS": "it called the system for what the box forbids",
    "SIGPIPE": "it wrote to a pipe that nobody reads",
    "SIGTERM": "it was told to end",
}


class Finding(NamedTuple):
    """Why something went wrong, in words, and how to mend it."""

    cause: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Silence:
    """What was observed of a bot that owes an answer.

    Attributes:
        waited_ms: how long it was waited for.
        cpu_ms: what it computed meanwhile; None where the system does not tell.
        is_running: whether a process of it was computing at the deadline.
        is_stopped: whether a process of it is stopped.
        unread: bytes it has not read; None where the system does not tell.
        programs: the names of its processes.
        stray: a line that came and is no answer, with the hint; empty for none.
        late_ms: the answer came so long after the deadline; None when it did not.
        burst: bytes of the first answers that came while more requests were sent; 0:
            none.
        burst_after: how many requests it took.
        is_cut: whether those bytes end within a line.
        is_owed: whether the answer that was due is among them.
        at_end: bytes that came when its input was closed, after none before.
        ended: how its process ended after that; None: it did not.
        is_first: whether it has not answered anything before.
    """

    waited_ms: int
    cpu_ms: int | None = None
    is_running: bool = False
    is_stopped: bool = False
    unread: int | None = None
    programs: tuple[str, ...] = ()
    stray: str = ""
    late_ms: int | None = None
    burst: int = 0
    burst_after: int = 0
    is_cut: bool = False
    is_owed: bool = False
    at_end: int = 0
    ended: str | None = None
    is_first: bool = True

    @property
    def is_busy(self) -> bool:
        """Whether it was computing, and not waiting for something."""
        cpu = self.cpu_ms
        return cpu is not None and (self.is_running or cpu >= BUSY * self.waited_ms)

    @property
    def is_clear(self) -> bool:
        """Whether its cause is plain, and nothing more need be tried."""
        return bool(self.stray) or self.is_stopped or self.is_busy


def why_silent(seen: Silence) -> Finding:
    """Return why a bot has not answered by its deadline."""
    waited = f"nothing for {seen.waited_ms} ms"
    if seen.stray:
        return Finding(
            f"no answer; what came is none: {seen.stray}",
            "send one line for each request, the answer and nothing else",
        )
    if seen.is_stopped:
        return Finding(
            "no answer: its process is stopped",
            "look for what stops it: SIGSTOP, a debugger, a read from the terminal",
        )
    if seen.is_busy:
        return Finding(
            "no answer: it was computing, and still was at the deadline",
            f"{waited}, {seen.cpu_ms} ms of processor time: a loop without end, or a "
            "search that does not look at the clock; stop thinking before 'move_ms' of "
            "the request's 'clock' is over",
        )
    if seen.late_ms is not None:
        return _late(seen)
    if seen.burst:
        return _burst(seen)
    if seen.at_end:
        return Finding(
            "it answers only when its input has ended: it reads all of it first, or "
            "keeps all answers to the end",
            "answer each line as soon as it is read: no read() or readlines() of the "
            f"whole input; and {_flush(seen.programs)}",
        )
    if seen.unread:
        return Finding(
            "no answer: it does not read its input, and does not compute: it waits for "
            "something else",
            f"{waited}, {seen.unread} bytes lie unread: look for a sleep, a lock, a "
            "file or a connection that it waits for; and let it read stdin",
        )
    return _slept(seen, waited)


def _late(seen: Silence) -> Finding:
    return Finding(
        "it answers late, and is not computing all that time",
        f"the answer came {seen.late_ms} ms after the deadline, {_cpu(seen)} were "
        "spent computing: look for a sleep, a lock, a file or a connection",
    )


def _burst(seen: Silence) -> Finding:
    if seen.is_cut or seen.burst >= BUFFER:
        cut = ", cut within a line" if seen.is_cut else ""
        return Finding(
            NOT_FLUSHED,
            f"nothing came for {seen.waited_ms} ms, then {seen.burst} bytes at once "
            f"after {seen.burst_after} more requests{cut}: answers wait in a buffer; "
            f"{_flush(seen.programs)}",
        )
    if not seen.is_owed:
        return Finding(
            "no answer: it has skipped this request; those after it are answered",
            "answer every line, whatever is in it, with the id of that very line",
        )
    is_mawk = "mawk" in seen.programs
    whose = "mawk's" if is_mawk else "such as mawk's"
    mend = "use  mawk -W interactive" if is_mawk else "have it read line by line"
    return Finding(
        f"its input is buffered, {whose}: it sees a request only when more have come",
        f"the first answers ({seen.burst} bytes, whole lines) came after "
        f"{seen.burst_after} more requests; {mend}, and flush stdout too",
    )


def _slept(seen: Silence, waited: str) -> Finding:
    if seen.ended is not None and seen.is_first:
        return Finding(
            f"it never answers: not to any request, nor at the end of its input, when "
            f"it {_past(seen.ended)}",
            "does it write to stdout, and one line for every line that it reads?",
        )
    cpu = "" if seen.cpu_ms is None else f", {_cpu(seen)} of processor time"
    return Finding(
        "no answer, though it has read the request and does not compute: it waits for "
        "something, or its answer is still in its buffer, or it has skipped this one",
        f"{waited}{cpu}: answer every line, whatever its 'type'; "
        f"{_flush(seen.programs)}",
    )


def _cpu(seen: Silence) -> str:
    return "an unknown part" if seen.cpu_ms is None else f"{seen.cpu_ms} ms"


def _flush(programs: tuple[str, ...]) -> str:
    for program in programs:
        name = PurePath(program).name.rstrip("0123456789.")
        if name in FLUSH:
            return f"flush stdout after each line: {FLUSH[name]}"
    return ANY_FLUSH


def _past(ended: str) -> str:
    return f"was {ended}" if ended.startswith("killed") else ended


def why_gone(ended: str, stderr: str, is_first: bool) -> Finding:
    """Return why a bot has gone that was to answer.

    Args:
        ended: how, as ``BotProcess.exit_text`` says it.
        stderr: what is kept of it.
        is_first: whether it had not answered anything before.
    """
    words = ended.split()
    last = last_line(stderr)
    said = f"; its last words: {last}" if last else "; it said nothing on stderr"
    is_end = words[0] in ("exited", "killed")
    cause = f"it {_past(ended)}{said}" if is_end else ended
    missing = _missing(ended, last)
    if missing is not None:
        return Finding(cause, missing)
    if words[-1] in SIGNALS:
        return Finding(cause, SIGNALS[words[-1]])
    if ended.endswith("status 0"):
        when = "before its first answer" if is_first else "though its input was open"
        return Finding(
            f"it exited with status 0 {when}{said}",
            "let it read lines of stdin in a loop until there are no more",
        )
    return Finding(cause, "mend the error that stderr shows" if last else "")


def explained(text: str, stderr: str, is_first: bool, start: Finding | None) -> str:
    """Return why a bot is out, as the arena has said it, and the usual cause behind it.

    Args:
        text: what is known: how it ended, or that nothing came.
        stderr: what is kept of it.
        is_first: whether it had not answered anything before.
        start: why its program cannot be started; None when nothing speaks against it.
    """
    if start is not None:
        return f"{text}: {start.cause}; {start.hint}"
    if text.startswith("no answer within"):
        return f"{text}; {SILENT}"
    if text.startswith(("exited", "killed")):
        hint = why_gone(text, stderr, is_first).hint
        return f"{text}; {hint}" if hint else text
    return text


def _missing(ended: str, last: str) -> str | None:
    """Return the hint for a program that could not be run inside the box or a shell."""
    if ended.endswith("status 127"):
        return "a program that it needs is not there: install it, or mend the path"
    if ended.endswith("status 126"):
        return "a program that it needs cannot be executed: chmod +x, or its machine"
    if "No such file" in ended:
        return "the program, or the interpreter its first line names, is not there"
    if "ModuleNotFoundError" in last or "ImportError" in last:
        return (
            "in the box a bot sees its own folder and the interpreter's: put what it "
            "imports there"
        )
    return None


def last_line(stderr: str) -> str:
    """Return what a bot said last on stderr, empty if it said nothing.

    The line that names an error, where there is one: some languages write a trace
    behind it, or their version.
    """
    lines = last_lines(stderr)
    errors = [line for line in lines if _ERROR.search(line)]
    return [*lines[-1:], *errors][-1].strip() if lines else ""


def last_lines(stderr: str) -> list[str]:
    """Return the last lines of what a bot said on stderr, enough for a trace."""
    return stderr.strip().expandtabs(4).splitlines()[-STDERR_LINES:]


def why_lingering(waited_ms: int, cpu_ms: int | None, is_running: bool) -> Finding:
    """Return why a bot has not exited after the end of its input."""
    if cpu_ms is not None and (is_running or cpu_ms >= BUSY * waited_ms):
        return Finding(
            f"it spins at the end of its input: not gone after {waited_ms} ms, and "
            "computing",
            "end the loop when reading a line returns nothing",
        )
    return Finding(
        f"it does not exit at the end of its input: not gone after {waited_ms} ms",
        "exit when reading a line returns nothing; end what else is running: "
        "threads, children, connections",
    )
