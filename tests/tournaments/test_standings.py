import math
import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.sums import (
    DEALS,
    TRIPLE,
    Matches,
    joined,
    match_list,
    table,
    whole,
)
from tournaments.intervals import t_quantile
from tournaments.opponents import Opponents
from tournaments.ratings import Scores, ratings
from tournaments.schedule import ORDERS

KEYS = {
    "rows": "rank bot level_with matches wins win_rate win_rate_low win_rate_high "
    "mean_place points_per_deal points_low points_high rating rating_low rating_high "
    "faults outs mean_ms slowest_ms",
    "heads": "bot against matches ahead points_per_deal low high",
    "seats": "bot seat matches wins points_per_deal",
}


def column(standings, key):
    return {row.bot: getattr(row, key) for row in standings.rows}


def numbers(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, float):
        yield value


# -- rows ------------------------------------------------------------------------------


def test_the_keys_are_those_of_the_page_in_their_order():
    dump = table(whole([30, 20, 10]), with_heads=True, with_seats=True).model_dump(
        mode="json"
    )
    top = " ".join(dump)
    assert top == "tournament game scheduled finished void benched rows heads seats"
    for part, keys in KEYS.items():
        assert " ".join(dump[part][0]) == keys


def test_heads_and_seats_are_absent_unless_asked_for():
    dump = table(whole([30, 20, 10])).model_dump(mode="json")
    assert not {"heads", "seats", "deals"} & set(dump)


def test_one_row_in_full():
    results = [[300, 200, 100], [300, 300, 0], [0, 300, 0]] * 2
    row = table(match_list(results)).rows[0]
    assert row.model_dump() == {
        "rank": 1,
        "bot": "b",
        "level_with": ["a"],
        "matches": 6,
        "wins": 3.0,
        "win_rate": 0.5,
        "win_rate_low": None,
        "win_rate_high": None,
        "mean_place": pytest.approx(4 / 3),
        "points_per_deal": pytest.approx(80 / 3),
        "points_low": None,
        "points_high": None,
        "rating": pytest.approx(80 / 3 - 150 / 9),
        "rating_low": None,
        "rating_high": None,
        "faults": 0,
        "outs": 0,
        "mean_ms": 2.5,
        "slowest_ms": 4,
    }


def test_first_places_are_shared_in_thirds():
    standings = table(match_list([[10, 10, 10]]))
    assert column(standings, "wins") == dict.fromkeys(TRIPLE, pytest.approx(1 / 3))
    assert [row.rank for row in standings.rows] == [1, 1, 1]
    assert [row.bot for row in standings.rows] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("results", "outs", "order", "ranks"),
    [
        # More wins go before more points.
        ([[20, 10, 0], [20, 10, 0], [0, 90, 0]], (0, 0, 0), "abc", [1, 2, 3]),
        # Fewer outs go before more points.
        ([[20, 10, 10], [0, 5, 0]], (1, 0, 1), "bac", [1, 2, 3]),
        # Points a deal are last.
        ([[20, 10, 0], [0, 20, 10]], (0, 0, 0), "bac", [1, 2, 3]),
        # Full ties share the rank, and the next one counts both.
        ([[20, 20, 0], [0, 0, 0]], (0, 0, 0), "abc", [1, 1, 3]),
    ],
)
def test_the_rank(results, outs, order, ranks):
    standings = table(match_list(results, outs=outs))
    assert "".join(row.bot for row in standings.rows) == order
    assert [row.rank for row in standings.rows] == ranks


@pytest.mark.parametrize(
    ("results", "outs", "order", "ranks"),
    [
        # More points go before more wins.
        ([[20, 10, 0], [20, 10, 0], [0, 90, 0]], (0, 0, 0), "bac", [1, 2, 3]),
        # Fewer outs go before more wins.
        ([[20, 10, 0], [0, 10, 5]], (1, 0, 0), "bac", [1, 2, 3]),
        ([[20, 20, 0], [0, 0, 0]], (0, 0, 0), "abc", [1, 1, 3]),
    ],
)
def test_the_rank_by_points_a_deal(results, outs, order, ranks):
    standings = table(match_list(results, outs=outs), ranked_deals=DEALS)
    assert "".join(row.bot for row in standings.rows) == order
    assert [row.rank for row in standings.rows] == ranks


def test_leaving_while_ahead_is_no_way_up():
    matches = match_list([[60, 100, 0]] * 6).but("a", deals=1, points=50)
    standings = table(matches, ranked_deals=DEALS)
    assert column(standings, "points_per_deal") == {"a": 50, "b": 10, "c": 0}
    assert [row.bot for row in standings.rows] == ["b", "a", "c"]


def test_counts_are_of_the_matches_themselves():
    standings = table(match_list([[3, 2, 1]] * 4), void=2, benched=1)
    assert (standings.scheduled, standings.finished) == (100, 4)
    assert (standings.void, standings.benched) == (2, 1)


def test_bots_that_have_not_played_are_there_with_nulls():
    standings = table(whole([3, 2, 1]), bots=[*TRIPLE, "new"])
    last = standings.rows[-1]
    assert (last.bot, last.rank, last.matches, last.wins) == ("new", 4, 0, 0)
    assert last.win_rate is last.points_per_deal is last.mean_place is None
    assert last.mean_ms is last.rating is None
    assert last.level_with == ["c"]


def test_nothing_played_at_all():
    standings = table(Matches(), with_heads=True, with_seats=True)
    assert [row.rank for row in standings.rows] == [1, 1, 1]
    assert standings.finished == 0
    assert not list(numbers([row.win_rate for row in standings.rows]))


def test_the_order_of_the_matches_does_not_matter():
    rng = random.Random(1)
    played = joined(
        whole([rng.randrange(300) for _ in range(3)], triple, block)
        for block in range(1, 9)
        for triple in combinations("abcd", 3)
    )
    once = table(played, bots="abcd", with_heads=True)
    shuffled = list(played.players.items())
    rng.shuffle(shuffled)
    assert table(Matches(dict(shuffled)), bots="dcba", with_heads=True) == once


# -- intervals -------------------------------------------------------------------------


def test_an_unfinished_block_counts_for_the_numbers_but_not_for_the_intervals():
    blocks = [whole([30, 20, k], block=k) for k in range(1, 4)]
    before = table(joined(blocks)).rows[0]
    after = table(joined([*blocks, match_list([[900, 0, 0]] * 5, block=4)])).rows[0]
    assert after.matches == before.matches + 5
    assert after.points_per_deal > before.points_per_deal
    for key in ("win_rate_low", "points_low", "points_high", "rating_low", "blocks"):
        assert getattr(after, key) == getattr(before, key)


def test_two_blocks_are_too_few_for_any_interval():
    standings = table(joined(whole([30 + k, 20, 10], block=k) for k in (1, 2)))
    for row in standings.rows:
        assert row.rating is not None
        assert row.win_rate_low is row.points_high is row.rating_low is None


def test_a_bot_that_was_out_at_once_has_no_points():
    played = joined(whole([30, 20 + k, 0], block=k) for k in range(1, 5))
    row = table(played.but("c", points=0, deals=0)).rows[-1]
    assert row.bot == "c"
    assert row.points_per_deal is row.points_low is row.rating is None
    assert row.win_rate == 0


@given(st.integers(0, 10**6))
def test_no_table_has_a_number_that_is_none(seed):
    rng = random.Random(seed)
    bots = "abcde"[: rng.randint(3, 5)]
    most = rng.choice([0, 1, 500])
    parts = [
        match_list(
            [
                [rng.randint(0, most) for _ in range(3)]
                for _ in range(rng.randint(1, 6))
            ],
            triple,
            block,
            deals=rng.choice([0, 1, 12]),
        )
        for triple in combinations(bots, 3)
        for block in range(1, rng.choice([1, 4, 9]))
        if rng.random() < 0.8
    ]
    standings = table(joined(parts), bots=bots, with_heads=True)
    assert all(map(math.isfinite, numbers(standings.model_dump())))
    for row in standings.rows:
        if row.win_rate_low is not None:
            assert 0 <= row.win_rate_low <= row.win_rate_high <= 1


@pytest.mark.parametrize("points", [[0, 0, 0], [500, 0, 0]])
def test_fields_where_all_is_won_or_lost_are_finite(points):
    standings = table(joined(whole(points, block=k) for k in range(1, 30)))
    assert all(map(math.isfinite, numbers(standings.model_dump())))
    for row in standings.rows:
        assert row.win_rate_low < row.win_rate_high


# -- who cannot be told apart ----------------------------------------------------------


def test_neighbours_are_told_apart_by_points_on_the_same_deals():
    rng = random.Random(3)
    parts = []
    for block in range(1, 11):
        luck = rng.randint(0, 300)  # common to all, and larger than what is between
        noise = rng.randint(-8, 8)
        parts.append(whole([330 + luck, 300 + luck, 300 + luck - noise], block=block))
    level = column(table(joined(parts)), "level_with")
    assert level["a"] == []
    assert {*level["b"], *level["c"]} == {"b", "c"}


@pytest.mark.parametrize("blocks", [1, 2])
def test_fewer_than_three_shared_blocks_tell_nobody_apart(blocks):
    parts = [whole([300, 200, 100], block=k) for k in range(1, blocks + 1)]
    level = column(table(joined(parts)), "level_with")
    assert level == {"a": ["b"], "b": ["a", "c"], "c": ["b"]}


def test_more_neighbours_need_more_evidence():
    gains = [2, 5, 9, 12, 7]  # t = 4.1: beyond 2.78, not beyond what many tests need
    parts = [whole([100 + g, 100, 0], block=k) for k, g in enumerate(gains, 1)]
    assert column(table(joined(parts)), "level_with")["a"] == []
    others = [f"x{i}" for i in range(40)]
    wider = table(joined(parts), bots=[*TRIPLE, *others])
    assert column(wider, "level_with")["a"] == ["b"]


# -- ratings ---------------------------------------------------------------------------


def rate(bots, *blocks):
    """Rate from blocks: their scores, whose (those of TRIPLE), whether whole (yes)."""
    sheet = Scores(bots, 6)

    def add(values, names=TRIPLE, is_whole=True):
        sheet.add(names, values, 6 if is_whole else 4)

    for block in blocks:
        add(*block)
    return ratings(sheet)


def test_three_bots_are_rated_by_their_centred_means():
    rated = rate(TRIPLE, ([4, 2, 0],), ([5, 1, 3],), ([9, 3, 0],), ([2, 2, 2],))
    centred = [2, 2, 5, 0]  # of a
    assert rated["a"].value == pytest.approx(9 / 4)
    spread = math.sqrt(sum((x - 9 / 4) ** 2 for x in centred) / 3 / 4)
    reach = t_quantile(0.975, 3) * spread
    assert rated["a"].interval == pytest.approx((9 / 4 - reach, 9 / 4 + reach))
    assert sum(one.value for one in rated.values()) == pytest.approx(0)


def test_strengths_are_found_though_few_triples_have_met():
    strength = dict(zip("abcdefg", [5, 3, 1, 0, -1, -2, -6], strict=True))
    blocks = [
        ([10 + k + strength[bot] for bot in triple], triple)
        for k, triple in enumerate(["abc", "cde", "efg", "adg"])
    ]
    rated = rate("abcdefg", *blocks)
    for bot, value in strength.items():
        assert rated[bot].value == pytest.approx(value)


def test_a_block_of_two_scores_rates_those_two():
    blocks = [([4 + k, None, 1], TRIPLE) for k in range(4)]
    assert rate(TRIPLE, *blocks) == {}  # nothing is known of b
    rated = rate(TRIPLE, *blocks, ([9, 5, 5],), ([8, 5, 5],), ([9, 6, 5],))
    assert rated["a"].value > rated["b"].value > rated["c"].value
    assert rated["a"].interval[0] > 0


def test_bots_that_no_block_links_are_not_rated():
    blocks = [([3, 2, 1], "abc"), ([3, 2, 1], "def")]
    assert rate("abcdef", *blocks) == {}
    assert rate("abcd", blocks[0]) == {}


def test_a_rating_needs_three_whole_blocks_for_its_interval():
    blocks = [([3, 2, 1],), ([4, 2, 2],), ([9, 1, 1], TRIPLE, False)]
    assert all(one.interval is None for one in rate(TRIPLE, *blocks).values())
    more = rate(TRIPLE, *blocks, ([5, 2, 2],))
    assert all(one.interval is not None for one in more.values())


def test_knowing_whom_a_bot_met_does_not_widen_its_rating():
    rng = random.Random(6)
    bots = "abcdef"
    sheet, met = Scores(bots, 6), [Opponents() for _ in bots]
    for triple in list(combinations(range(6), 3)) * 4:
        values = [i + rng.gauss(0, 2) for i in triple]
        sheet.add([bots[i] for i in triple], values, 6)
        for i in triple:
            met[i].add(*(j for j in triple if j != i))
    plain, known = ratings(sheet), ratings(sheet, met)
    for bot in bots:
        assert known[bot].value == plain[bot].value
        before, after = plain[bot].interval, known[bot].interval
        assert before is not None
        assert after is not None
        assert 0.8 < (after[1] - after[0]) / (before[1] - before[0]) < 1.1


# -- heads and seats -------------------------------------------------------------------


def test_heads_are_one_anothers_mirror():
    rng = random.Random(5)
    parts = [whole([rng.randrange(99) for _ in TRIPLE], block=k) for k in range(1, 31)]
    heads = {(h.bot, h.against): h for h in table(joined(parts), with_heads=True).heads}
    assert len(heads) == 6
    for (bot, against), head in heads.items():
        other = heads[against, bot]
        assert head.ahead + other.ahead == head.matches == 180
        assert head.points_per_deal == -other.points_per_deal
        assert (head.low, head.high) == (-other.high, -other.low)
        assert head.low <= head.points_per_deal <= head.high


def test_a_shared_place_is_half_ahead():
    heads = table(match_list([[20, 20, 0], [10, 0, 0]]), with_heads=True).heads
    ahead = {h.bot + h.against: h.ahead for h in heads}
    assert ahead == {"ab": 1.5, "ba": 0.5, "ac": 2, "ca": 0, "bc": 1.5, "cb": 0.5}


def test_seats_have_every_bot_in_every_seat():
    seats = table(match_list([[30, 20, 10], [0, 60, 0]]), with_seats=True).seats
    assert [(s.bot, s.seat) for s in seats] == [(b, s) for b in "bac" for s in range(3)]
    by_seat = {(s.bot, s.seat): s for s in seats}
    assert by_seat["b", 0].model_dump() == {  # in the order 120 b sits in seat 0
        "bot": "b",
        "seat": 0,
        "matches": 1,
        "wins": 1.0,
        "points_per_deal": 6.0,
    }
    assert by_seat["b", 2].points_per_deal is None


def test_deals_tell_how_a_bot_bids():
    played = match_list([[3, 2, 1]] * 2)
    row = table(played, with_deals=True).deals[0]
    assert row.model_dump() == {
        "bot": "a",
        "deals": 20,
        "contracts": 6,
        "made": 4,
        "failed": 2,
        "mean_level": 5.0,
        "trianon_deals": 2,
    }
    assert (
        table(played, with_deals=True, game="loyatais").deals[0].trianon_deals is None
    )
    idle = table(played.but("b", contracts=0, levels=0), with_deals=True).deals[1]
    assert idle.mean_level is None


def test_a_whole_block_has_as_many_matches_as_there_are_seat_orders():
    assert table(joined(whole([3, 2, 1], block=k) for k in (1, 2))).rows[0].blocks == 2
    assert table(match_list([[3, 2, 1]] * (len(ORDERS) - 1))).rows[0].blocks == 0


def test_benched_matches_are_lost_for_the_benched_and_none_for_the_others():
    lost = {("a", 0): 2, ("a", 1): 1}
    parts = [whole([30 + k, 20, 10], block=k) for k in range(1, 5)]
    standings = table(joined(parts), benched=3, lost=lost, with_seats=True)
    assert column(standings, "matches") == {"a": 27, "b": 24, "c": 24}
    assert column(standings, "wins")["a"] == 24
    assert column(standings, "mean_place")["a"] == pytest.approx((24 + 9) / 27)
    assert (standings.finished, standings.benched) == (24, 3)
    seats = {(s.bot, s.seat): s.matches for s in standings.seats or []}
    assert [seats["a", seat] for seat in range(3)] == [10, 9, 8]
    assert [seats["b", seat] for seat in range(3)] == [8, 8, 8]


def test_a_benched_bot_has_no_interval_of_wins_but_one_of_points():
    parts = [whole([30 + k, 20, 10], block=k) for k in range(1, 5)]
    standings = table(joined(parts), benched=1, lost={("a", 0): 1})
    assert column(standings, "win_rate_low")["a"] is None
    assert column(standings, "points_low")["a"] is not None
    assert column(standings, "win_rate_low")["b"] is not None
