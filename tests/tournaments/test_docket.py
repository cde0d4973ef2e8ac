"""What is played next, who is benched, and that neither depends on the clock."""

import heapq
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.docket import Docket, fair_share
from tournaments.schedule import WHOLE, Pairing, Plan, Share, pairings

NAMES = ("a", "b", "c", "d", "e", "f", "g")


def schedule(names=NAMES, rounds=1, share=WHOLE):
    return pairings(Plan("cup", "s", names, rounds, share=share))


def nothing_yet(match):
    return None


def is_out(bot, match, crashing):
    """Crashing bots are out always, or now and then, by the match alone."""
    return random.Random(f"{bot}{match}").random() < crashing.get(bot, 0.0)


class Season:
    """Plays a docket's matches on so many tables, each as long as its bots take."""

    def __init__(self, names=NAMES, jobs=1, crashing=(), slow=(), seed=0, void=0.0):
        self.names, self.jobs, self.void = names, jobs, void
        self.crashing, self.slow = dict(crashing), dict(slow)
        self.random = random.Random(seed)
        self.saved: dict[str, frozenset[str]] = {}
        self.benched: dict[str, frozenset[str]] = {}
        self.sat: list[Counter[str]] = []
        self.share = WHOLE

    def play(self, stop_after=None, rounds=1):
        """Go on from what is saved; end early after some matches."""
        docket = Docket(
            schedule(self.names, rounds, self.share),
            self.saved.get,
            self.names,
            3,
            self.jobs,
            self.benched.__contains__,
            is_share=not self.share.is_whole,
        )
        tables: list[tuple[float, str, Pairing]] = []
        now, ended = 0.0, 0
        while True:
            while len(tables) < self.jobs and (due := docket.take()):
                triple = due.pairing.triple
                took = self.random.random() + sum(self.slow.get(b, 0) for b in triple)
                heapq.heappush(tables, (now + took, due.pairing.match, due.pairing))
            self.settle(docket)
            if not tables or ended == stop_after:
                return docket
            self.sat.append(Counter(bot for _, _, p in tables for bot in p.triple))
            now, match, pairing = heapq.heappop(tables)
            if self.random.random() < self.void:
                docket.void(match)
                continue
            outs = {b for b in pairing.triple if is_out(b, match, self.crashing)}
            self.saved[match] = frozenset(outs)
            times = {b: 1 + int(1000 * self.slow.get(b, 0)) for b in pairing.triple}
            docket.played(match, outs, times)
            ended += 1

    def settle(self, docket):
        for item in docket.settled():
            match = item.pairing.match
            if item.losers:
                self.benched[match] = item.losers
                self.saved.pop(match, None)
            else:
                del self.benched[match]

    def table(self):
        return self.saved, self.benched


def by_the_book(names, rounds, crashing):
    """The rule once more: match after match, in the schedule's order."""
    streaks: Counter[str] = Counter()
    saved, benched = {}, {}
    for pairing in schedule(names, rounds):
        losers = frozenset(b for b in pairing.triple if streaks[b] >= 3)
        if losers:
            benched[pairing.match] = losers
            continue
        outs = {b for b in pairing.triple if is_out(b, pairing.match, crashing)}
        saved[pairing.match] = frozenset(outs)
        for bot in pairing.triple:
            streaks[bot] = streaks[bot] + 1 if bot in outs else 0
    return saved, benched


@given(st.integers(0, 10**6))
def test_who_is_benched_does_not_depend_on_tables_time_or_stops(seed):
    rng = random.Random(seed)
    names = NAMES[: rng.randint(3, 7)]
    crashing = {bot: rng.choice((0, 0, 0.3, 0.7, 1)) for bot in names}
    slow = {bot: rng.choice((0, 0, 5)) for bot in names}
    season = Season(names, rng.choice((1, 2, 4)), crashing, slow, seed, 0.05)
    for _ in range(rng.randint(0, 3)):
        season.play(stop_after=rng.randint(0, 20))
        season.jobs = rng.choice((1, 2, 4))
    season.play()
    assert season.table() == by_the_book(names, 1, crashing)


def test_more_rounds_are_settled_as_if_they_had_always_been_there():
    crashing = {"b": 0.6, "d": 1}
    season = Season(jobs=2, crashing=crashing)
    season.play()
    season.play(rounds=2)
    assert season.table() == by_the_book(NAMES, 2, crashing)


def merged(names, rounds, crashing, shards):
    """Play so many shards, and go on with all that they have played as one whole."""
    whole = Season(names, crashing=crashing)
    for number in range(1, shards + 1):
        season = Season(names, 2, crashing, seed=number)
        season.share = Share(number, shards)
        season.play(rounds=rounds)
        whole.saved |= season.saved
    before = dict(whole.saved)
    whole.play(rounds=rounds)
    return whole, len(whole.saved.keys() - before.keys())


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_shards_come_to_what_one_run_comes_to_once_they_are_merged(seed):
    rng = random.Random(seed)
    names = NAMES[: rng.randint(3, 7)]
    crashing = {bot: rng.choice((0, 0, 0.3, 0.7, 1)) for bot in names}
    rounds = rng.randint(1, 3)
    whole, _ = merged(names, rounds, crashing, rng.randint(2, 5))
    assert whole.table() == by_the_book(names, rounds, crashing)


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_of_bots_that_fail_always_the_shards_have_played_all_that_one_run_plays(seed):
    rng = random.Random(seed)
    names = NAMES[: rng.randint(4, 7)]
    crashing = {bot: rng.choice((0, 0, 1)) for bot in names}
    _, played_after = merged(names, rng.randint(1, 3), crashing, rng.randint(2, 5))
    assert played_after == 0


def test_a_shard_does_not_bench_for_outs_in_two_blocks():
    """What lies between them is played elsewhere, and may have gone well."""
    docket = Docket(schedule(share=Share(1, 2)), nothing_yet, NAMES, 7, is_share=True)
    while due := docket.take():
        docket.played(due.pairing.match, {"a"} & set(due.pairing.triple), {})
    assert not docket.benched


def test_a_benched_match_is_lost_for_all_of_its_bots_that_are_benched():
    season = Season(NAMES[:4], crashing={"a": 1, "b": 1})
    season.play()
    assert frozenset("ab") in season.benched.values()
    assert not any(set(losers) - set("ab") for losers in season.benched.values())


def test_none_is_benched_where_the_cup_says_never():
    docket = Docket(schedule(), nothing_yet, NAMES, 0)
    while due := docket.take():
        docket.played(due.pairing.match, due.pairing.triple[:2], {})
    assert not any(item.losers for item in docket.settled())
    assert not docket.benched


def test_few_matches_are_played_in_vain():
    """While a first match goes on, none of its bots' others can be settled."""
    docket = Docket(schedule(NAMES[:4], 5), nothing_yet, NAMES[:4], 3, jobs=4)
    first = docket.take()
    assert first is not None
    crashing = first.pairing.triple[0]
    crashed = 0
    while due := docket.take():
        triple = due.pairing.triple
        crashed += crashing in triple
        docket.played(due.pairing.match, {crashing} & set(triple), {})
    assert crashed == 3
    docket.played(first.pairing.match, {crashing}, {})
    assert docket.benched == {crashing}
    vain = [s for s in docket.settled() if s.losers and s.was_played]
    assert len(vain) == 1


@pytest.mark.parametrize(
    ("bots", "jobs", "share"),
    [(3, 4, 4), (4, 2, 1), (5, 2, 1), (7, 2, 1), (7, 4, 2), (30, 4, 1), (6, 1, 1)],
)
def test_the_share_of_the_tables_that_one_bot_may_hold(bots, jobs, share):
    assert fair_share(bots, jobs) == share


@pytest.mark.parametrize(("bots", "jobs"), [(4, 2), (5, 2), (7, 2), (7, 4)])
def test_a_slow_bot_does_not_hold_all_tables_while_others_wait(bots, jobs):
    names = NAMES[:bots]
    season = Season(names, jobs, slow={"a": 50})
    docket = season.play()
    assert not docket.benched
    # At the end there is nothing left but its own matches.
    waiting = season.sat[: len(season.sat) // 3]
    held = sum(sat["a"] == jobs for sat in waiting)
    assert held <= 1, "until its first match has ended nobody knows that it is slow"


def test_a_match_that_was_void_is_next_and_at_its_second_attempt():
    docket = Docket(schedule(), nothing_yet, NAMES, 3)
    first = docket.take()
    assert first is not None
    docket.void(first.pairing.match)
    again = docket.take()
    assert again is not None
    assert (again.pairing, again.attempt) == (first.pairing, 2)
