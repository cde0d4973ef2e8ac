"""Hostile and broken bots, each a program of its own, and what must come of each.

A program runs as ``python -m tests.rogues.NAME`` from the repository's root.
"""

import sys
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
HONEST: Final = f"{sys.executable} -S {ROOT}/sample_bots/python/first/bot.py"
TIMEOUTS: Final = ("timeout",) * 3


class Rogue(NamedTuple):
    """A rogue, and its match.

    Attributes:
        row: of the zoo, the list of kinds.
        faults: the codes of its faults, in order.
        out: the code with which it is out; None when it plays to the end.
        warnings: the codes of its warnings.
        ended: the exit status or signal of its process; None: any.
        args: more arguments to ``trianon play``.
        words: the rogue's own arguments.
        only_boxed: whether it is for the box alone: without one it would succeed.
    """

    name: str
    row: int
    faults: tuple[str, ...] = ()
    out: str | None = None
    warnings: frozenset[str] = frozenset()
    ended: int | str | None = None
    args: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    only_boxed: bool = False

    @property
    def command(self) -> str:
        """The BOT on a command line, in the repository's root."""
        module = f"{sys.executable} -S -m tests.rogues.{self.name}"
        return " ".join([module, *self.words])


def _warned(*codes: str) -> frozenset[str]:
    return frozenset(codes)


PATIENT: Final = ("--move-ms", "60000")
MANY: Final = ("--strikes", "99")

ROGUES: Final = (
    Rogue("flood_unending", 1, ("too_long",), "flood", ended="SIGKILL"),
    Rogue("flood_hello", 1, out="no_hello", ended="SIGKILL"),
    Rogue("line_100mb", 2, ("too_long",), "flood", ended="SIGKILL"),
    Rogue("line_10kb", 2, ("too_long",), ended=0),
    Rogue("short_lines", 3, (), "flood", _warned("stray_line"), "SIGKILL", PATIENT),
    Rogue("blank_lines", 3, (), "flood", ended="SIGKILL", args=PATIENT),
    Rogue(
        *("empty_objects", 3, (), "flood", _warned("stray_line"), "SIGKILL", PATIENT),
        words=("200",),
    ),
    Rogue("drip", 4, TIMEOUTS, "strikes", ended="SIGKILL"),
    Rogue("chatty", 5, TIMEOUTS, "strikes", _warned("stray_line"), "SIGKILL"),
    Rogue("busy_chatter", 5, ("timeout",), None, _warned("late_answer"), 0),
    Rogue("encodings", 6, ("bad_encoding",) * 4, None, _warned("bom"), 0, MANY),
    Rogue(
        "numbers",
        7,
        (
            *("not_json",) * 3,
            *("bad_message",) * 2,
            *("wrong_id",),
            *("bad_message",) * 2,
            *("wrong_id",),
            *("bad_message",) * 3,
            *("wrong_id", "bad_message"),
        ),
        None,
        _warned("id_form"),
        0,
        (*MANY, "--deals", "2"),
    ),
    Rogue("nested", 8, ("not_json",) * 4, ended=0, args=MANY),
    Rogue("nested_100k", 8, ("too_long",), "flood", ended="SIGKILL"),
    Rogue("many_keys", 8, (), None, _warned("unknown_field"), 0),
    Rogue("twin_keys", 9, ended=0),
    Rogue("early", 10, (), None, _warned("unknown_field", "stray_line"), 0),
    Rogue("twice", 10, (), None, _warned("late_answer"), 0),
    Rogue("old_ids", 10, (), None, _warned("late_answer"), 0),
    Rogue("future_id", 10, ("wrong_id",), ended=0),
    Rogue("late", 10, ("timeout",), None, _warned("late_answer"), 0),
    Rogue("half_line", 11, TIMEOUTS, "strikes", ended="SIGKILL"),
    Rogue("mute", 12, (), "closed", ended="SIGKILL"),
    Rogue("mute_waiting", 12, (), "closed", ended="SIGKILL"),
    Rogue("mute_hello", 12, (), "no_hello", ended="SIGKILL"),
    Rogue("deaf", 13, TIMEOUTS, "strikes", ended="SIGKILL"),
    Rogue("deaf_closed", 13, TIMEOUTS, "strikes", ended="SIGKILL"),
    Rogue("stderr_flood", 14, ended=0, args=PATIENT, words=("20",)),
    Rogue("debugger", 15, (), None, _warned("stray_line"), 0),
    Rogue("no_start", 16, (), "no_hello", ended=1),
    Rogue("other_version", 16, (), "no_hello", ended="SIGKILL"),
    Rogue("last_word", 17, (), "exited", ended=0),
    Rogue("leaver", 17, (), "exited", ended=0),
    Rogue("quits", 17, (), "exited", ended=7, args=("--no-clock",)),
    Rogue("segfault", 17, (), "exited", ended="SIGSEGV"),
    Rogue("bad_goodbye", 18, ended=3),
    Rogue("slow_start", 19, ended=0),
    Rogue("illegal", 20, ("illegal_move",) * 3, "strikes", ended="SIGKILL"),
    Rogue("stubborn", 21, ended="SIGKILL"),
    Rogue("stopped", 21, TIMEOUTS, "strikes", ended="SIGKILL"),
    Rogue("daemons", 22, ended=0),
    Rogue("wrapper", 22, ended=0),
    Rogue("nest", 22, TIMEOUTS, "strikes", ended="SIGKILL"),
    Rogue("heir", 22, (), "exited", ended=0),
    Rogue("forker", 23, ended=0),
    Rogue("orphans", 23, ended=0),
    Rogue("threads", 23, ended=0),
    Rogue("bomb", 23, ended=0, args=PATIENT, only_boxed=True),
    Rogue("hog", 24, (), "over_limit", ended="SIGKILL", args=PATIENT),
    Rogue("hog_children", 24, (), "over_limit", ended="SIGKILL", args=PATIENT),
    Rogue("hog_memfd", 24, ended=0, only_boxed=True),
    Rogue("filler", 25, ended=0, args=PATIENT),
    Rogue("too_long_file", 25, (), "exited", ended="SIGXFSZ"),
    Rogue("spinners", 26, ended=0, args=PATIENT),
    Rogue("dawdler", 27, ended=0),
    Rogue("spy", 28, ended=0, only_boxed=True),
    Rogue("tracer", 29, ended=0, only_boxed=True),
    Rogue("caller", 30, ended=0, only_boxed=True),
    Rogue("fd_heir", 31, ended=0, only_boxed=True),
    Rogue("keeper", 32, ended=0, only_boxed=True),
    Rogue("painter", 33, ("illegal_move",), ended=0),
    Rogue("long_name", 34, (), None, _warned("note_cut"), 0),
    Rogue("longest_name", 34, (), "no_hello", ended="SIGKILL"),
    Rogue("no_name", 34, ended=0),
    Rogue("same_name", 34, ended=0),
    Rogue("forger", 35, ("illegal_move",), None, _warned("stray_line"), 0),
    Rogue("crash", 36, (), "exited", ended=1),
    Rogue("seat_dawdler", 37, ended=0),
)
