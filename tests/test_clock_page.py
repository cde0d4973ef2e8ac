"""The accounts on the page of the clock are those that the arena keeps."""

import re

import pytest

from arena.clock import Clock
from protocol.messages import MatchClock
from tests import pages
from tests.pages import ROOT

PAGE = ROOT / "docs/clock.md"
TABLE = pages.read(PAGE).partition("<!-- account -->\n")[2].partition("\n\n")[0]
ACCOUNTS = [
    tuple(int(cell) for cell in re.findall(r"\| (\d+) (?=\|)", line))
    for line in TABLE.splitlines()[2:]
]


@pytest.mark.parametrize(("took", "before", "cost", "after"), ACCOUNTS)
def test_an_answer_costs_what_the_page_says(took, before, cost, after):
    clock = Clock(MatchClock(move_ms=1000, bank_ms=before, deal_add_ms=0))
    assert took <= clock.limit_ms
    clock.spend(took)
    assert (clock.bank_ms, before - clock.bank_ms) == (after, cost)
