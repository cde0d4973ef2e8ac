"""Random lines come to a verdict; the long run is ``benchmarks/fuzz_lines.py``."""

from typing import get_args

import pytest

from benchmarks.fuzz_lines import fuzz
from protocol.events import FaultCode

JUDGED_LATER = {"timeout", "illegal_move"}  # the clock and the rules say so


@pytest.mark.parametrize("seed", range(3))
def test_random_lines_always_come_to_a_verdict_of_the_protocol(seed):
    counts = fuzz(1500, seed)
    assert set(get_args(FaultCode)) - JUDGED_LATER <= counts.keys()
    assert counts["good"] > 100
