"""The page for authors shows messages as they are printed: each one is made again."""

import re
from typing import get_args

import pytest

from arena import play
from arena.diagnosis import explained
from arena.match import CLOSED_TEXT
from arena.memory import MEGABYTE, over_text
from arena.orders import Told
from protocol.events import FaultCode, FaultEvent, OutCode, OutEvent, WarningCode
from protocol.hints import FORGIVEN
from protocol.judge import (
    Asked,
    Bad,
    Dropped,
    Good,
    illegal,
    judge,
    show_line,
    timeout,
    too_long,
)
from protocol.messages import MoveAnswer
from tests.rogues import ROOT

PAGE = (ROOT / "docs/not-working.md").read_text(encoding="utf-8")
OPEN = Asked(17, MoveAnswer, (0, 1))
NAMES = ("mybot", "b", "c")


def blocks():
    """Yield the code that a message stands under, and the message."""
    for section in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]:
        code = section.split("`")[1]
        text = section.partition("\n## ")[0]
        for block in re.findall(
            r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
        ):
            yield code, block


BLOCKS = list(blocks())


def printed(event, text, capsys):
    play._print_told(Told(match="play/1", names=NAMES, event=event, text=text))
    return capsys.readouterr().out


def bad_of(code, block):
    """Return the fault that the line in the block is, and the line."""
    line = block.splitlines()[1].strip()
    numbers = [int(number) for number in re.findall(r"(\d+) ms", block)]
    match code:
        case "timeout":
            return timeout(*numbers), None
        case "too_long":
            return too_long(b""), line
        case _:
            raw = line.encode("ascii").decode("unicode_escape").encode("latin-1")
            raw = raw if "\\x" in line else line.encode()
            verdict = judge(raw, OPEN)
            if isinstance(verdict, Good):
                assert isinstance(verdict.answer, MoveAnswer)
                return illegal(verdict.answer.move, ["6C", "8C"]), line
            assert isinstance(verdict, Bad)
            return verdict, show_line(raw)


@pytest.mark.parametrize(
    ("code", "block"), [(c, b) for c, b in BLOCKS if c in get_args(FaultCode)]
)
def test_a_fault_is_printed_as_shown(code, block, capsys):
    bad, line = bad_of(code, block)
    event = FaultEvent(
        n=9, seat=0, code=bad.code, played="6C", id=17, text=bad.text, line=line
    )
    assert bad.code == code
    assert printed(event, bad.hint, capsys) == block


OUTS = {
    "no_hello": [
        explained("no answer within 10000 ms", "", True, None),
        explained("exited with status 127", "sh: mybot: not found", True, None),
    ],
    "no_start": [explained("exited with status 1", "KeyError: 'x'", False, None)],
    "exited": [
        explained("killed by signal SIGSEGV", "", False, None),
        explained("exited with status 0", "", False, None),
    ],
    "closed": [CLOSED_TEXT],
    "flood": ["64 KiB came without a newline"],
    "over_limit": [over_text(600 * MEGABYTE, 512)],
    "strikes": [f"3 faults: {timeout(11_000, None).text}"],
}


@pytest.mark.parametrize("code", get_args(OutCode))
def test_an_out_is_printed_as_shown(code, capsys):
    event = OutEvent(n=9, seat=0, code=code)
    shown = [block for under, block in BLOCKS if under == code]
    assert shown == [printed(event, text, capsys) for text in OUTS[code]]


@pytest.mark.parametrize(
    ("code", "block"), [(c, b) for c, b in BLOCKS if c in get_args(WarningCode)]
)
def test_a_warning_is_printed_as_shown(code, block):
    # The line of an answer is what follows the last hint; it begins with what no hint
    # of ours begins with.
    for at in range(len(block)):
        line = block[at:].strip()
        verdict = judge(line.encode(), OPEN)
        match verdict:
            case Dropped(warning=warning, hint=hint):
                pass
            case Good(warnings=(warning,)):
                hint = FORGIVEN[warning]
            case _:
                continue
        if warning == code and f"  {code}: {hint}: {line}\n" == block:
            return
    pytest.fail(f"no line of this comes out as {block!r}")


def test_every_code_has_its_heading():
    headings = re.findall(r"^### `(\w+)`$", PAGE, re.MULTILINE)
    codes = [*get_args(FaultCode), *get_args(OutCode), *get_args(WarningCode)]
    assert sorted(headings) == sorted(codes)
