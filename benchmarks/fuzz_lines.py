"""Random lines as answers: always a verdict of the protocol page's section 6.

    python -m benchmarks.fuzz_lines [LINES] [--seed N] [--seconds S]

Lines are random bytes, and good answers that were bent: cut, doubled, spliced, with
other values, other encodings, other brackets.  An exception is a bug, and ends it.
"""

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Final, get_args

from protocol.codec import Flood, Frame, Line, LineBuffer, Rest, TooLong
from protocol.events import FaultCode, WarningCode
from protocol.judge import (
    AnswerKind,
    Asked,
    Bad,
    Dropped,
    Good,
    Verdict,
    find_move,
    judge,
    judge_unasked,
    show_line,
    too_long,
)
from protocol.messages import HelloAnswer, MoveAnswer, PlainAnswer

FAULTS: Final = frozenset(get_args(FaultCode))
WARNINGS: Final = frozenset(get_args(WarningCode))
KINDS: Final[tuple[AnswerKind, ...]] = (HelloAnswer, PlainAnswer, MoveAnswer)
LEGAL: Final = ["7C AS", "TH", "6S", "pass", "with 1", "12NT"]
MAX_TEXT: Final = 300
PIECES: Final = (
    *(b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b"\\u0069d", b"\\ud800"),
    *(b"NaN", b"Infinity", b"-Infinity", b"1e400", b"-0", b"1.5", b"7.0", b'"7"'),
    *(b"9" * 60, b"9" * 4000, b"true", b"null", b'"id"', b'"move"', b'"note"'),
    *(b"\0", b"\r", b"\n", b"\xff", b"\xef\xbb\xbf", b"\xfe\xff", b"\xc3", b"\x1b[31m"),
    *(b'"protocol":2', b'"games":["x"]', b'"name":""', b'"reuse":1', b"{}" * 40),
    *("\u2028", "\u202e", "é", "\U0001f0a1", "\u0661"),
)
VALUES: Final[tuple[object, ...]] = (
    *(7, -1, 0, 6, 8, 10**30, 7.0, 1.5, True, None, "7", "-7", "", [], {}, [[]]),
    *("KH", "10h", "as 7c", "PASS", "x" * 500, "\ud800", "\0", {"id": 7}, [7]),
)
KEYS: Final = ("id", "move", "note", "name", "games", "protocol", "reuse", "ID", "mov")


def random_line(rng: random.Random) -> bytes:
    """Return a line that may be anything, its newline left out."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randbytes(rng.choice((0, 1, 2, 5, 40, 400)))
    answer: dict[str, object] = {"id": 7, "move": rng.choice(LEGAL)}
    for _ in range(rng.choice((0, 0, 1, 2, 5))):
        answer[rng.choice(KEYS)] = rng.choice(VALUES)
    line = json.dumps(answer, ensure_ascii=rng.random() < 0.5).encode(
        rng.choice(("utf-8",) * 12 + ("utf-16", "utf-16-be", "utf-32")),
        "surrogatepass",
    )
    if kind == 1:
        return line
    for _ in range(rng.choice((1, 1, 2, 4, 30))):
        at = rng.randrange(len(line) + 1)
        piece = rng.choice(PIECES)
        piece = piece.encode() if isinstance(piece, str) else piece
        match rng.randrange(5):
            case 0:
                line = line[:at] + piece + line[at:]
            case 1:
                line = line[:at]
            case 2:
                line = line[:at] + line[at + 1 :]
            case 3:
                times = 3 if piece == b"\n" else rng.choice((1, 70, 2000))
                line = line[:at] + piece * times + line[at:]
            case _:
                line = line + line[at:]
    return line[:100_000]


def frames(buffer: LineBuffer, data: bytes, rng: random.Random) -> Iterator[Frame]:
    """Feed ``data`` in pieces, as pipes do."""
    while data:
        size = rng.choice((1, 7, 100, 4096, 65536)) if len(data) < 300 else 4096
        yield from buffer.feed(data[:size])
        data = data[size:]


def check(verdict: Verdict, asked: Asked) -> str:
    """Hold a verdict to what the protocol page promises, and return its code."""
    match verdict:
        case Good(answer=answer, warnings=warnings):
            assert answer.id == asked.id
            assert WARNINGS.issuperset(warnings)
            if isinstance(answer, MoveAnswer):
                assert answer.note is None or len(answer.note) <= 400
                json.dumps(answer.move, ensure_ascii=False).encode()
                find_move(answer.move, "play", LEGAL)
            return "good"
        case Dropped(warning=warning):
            assert warning is None or warning in WARNINGS
            return warning or "blank"
        case Bad(code=code, text=text, hint=hint, warnings=warnings):
            assert code in FAULTS
            assert 0 < len(text) <= MAX_TEXT
            assert hint
            assert WARNINGS.issuperset(warnings)
            (text + hint).encode()
            return code


def fuzz(lines: int, seed: int, seconds: float = float("inf")) -> Counter[str]:
    """Judge ``lines`` random lines; return how often each verdict came."""
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    until = time.monotonic() + seconds
    buffer = LineBuffer()
    done = 0
    while done < lines and time.monotonic() < until:
        done += 1
        asked = Asked(7, rng.choice(KINDS), {0, 1})
        for frame in frames(buffer, random_line(rng) + b"\n", rng):
            match frame:
                case Line(raw=raw):
                    assert len(raw) <= 4096
                    counts[check(judge(raw, asked), asked)] += 1
                    check(judge_unasked(raw, 8), asked)
                    assert show_line(raw).isprintable()
                case TooLong(raw=raw):
                    counts[check(too_long(raw), asked)] += 1
                    assert show_line(raw).isprintable()
                case Rest():
                    pass
                case Flood():
                    counts["flood"] += 1
                    buffer = LineBuffer()  # the bot is out; here comes another
                    break
    return counts


def main() -> None:
    """Run, and print how often each verdict came."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("lines", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float)
    given = parser.parse_args()
    began = time.monotonic()
    if given.seconds is None:
        counts = fuzz(given.lines, given.seed)
    else:
        counts = fuzz(2**62, given.seed, given.seconds)
    for code, count in counts.most_common():
        print(f"{count:>10}  {code}")
    total, took = sum(counts.values()), time.monotonic() - began
    print(f"{total:>10}  verdicts in {took:.1f} s, no exception")


if __name__ == "__main__":
    main()
