"""What a decision costs without its bots, beside ``json`` on the very same lines.

    python -m benchmarks.codec [--runs N] [--deals N]

Of one match, in microseconds; time is the processor's.  Reading an answer is what
stands between a bot's line and its move; the referee is all that makes a request of a
move: rules, events, clock, the snapshot and the line.
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from arena.record import read_record
from arena.verify import lines_sent
from benchmarks.common import Row, c_bot, compare, tell
from benchmarks.decisions import play
from protocol.judge import Asked, Good, judge
from protocol.messages import MoveAnswer


def rows(runs: int, deals: int) -> Iterator[Row]:
    """Yield microseconds a decision."""
    with tempfile.TemporaryDirectory(prefix="trianon-bench-") as folder:
        path = Path(folder) / "match.jsonl"
        play(str(c_bot()), deals, path)
        record = read_record(path)
    sent = [item.line for item in lines_sent(record) if b'"type":"act"' in item.line]
    requests = [json.loads(line) for line in sent]
    answers = [
        json.dumps({"id": request["id"], "move": request["legal"][0]}).encode()
        for request in requests
    ]
    asked = [Asked(request["id"], MoveAnswer) for request in requests]

    def judge_all() -> None:
        for line, open_request in zip(answers, asked, strict=True):
            assert isinstance(judge(line, open_request), Good)

    per = partial(microseconds, count=len(sent))
    floor = "json.loads of an answer"
    reading = {
        floor: partial(per, lambda: [json.loads(line) for line in answers]),
        "an answer judged and typed": partial(per, judge_all),
    }
    yield from compare("us", reading, floor, runs)
    floor = "json.dumps of a request"
    writing = {
        floor: partial(per, lambda: [json.dumps(one) for one in requests]),
        "the referee, from an answer to the next request": partial(
            per, lambda: lines_sent(record)
        ),
    }
    yield from compare("us", writing, floor, runs)


def microseconds(work: Callable[[], object], count: int) -> float:
    """Return what one of ``count`` pieces of the work takes."""
    began = time.process_time()
    work()
    return 1e6 * (time.process_time() - began) / count


if __name__ == "__main__":
    tell(rows, __doc__, deals=40)
