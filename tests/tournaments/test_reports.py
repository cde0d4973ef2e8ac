import csv
import json

import pytest
from tabulate import tabulate_formats

from arena.errors import ArenaError
from tests.tournaments.sums import TRIPLE, Matches, joined, match_list, table, whole
from tournaments.reports import formats, notes, render

ODD = ("=x|y", "a\x1b[2Jb", "c\u202e<d>")


def standings(blocks=4, **rest):
    parts = [whole([30 + k, 20, 20 - k], block=k) for k in range(1, blocks + 1)]
    return table(
        joined(parts), with_heads=True, with_seats=True, with_deals=True, **rest
    )


def odd():
    names = tuple(sorted(ODD))
    return table(whole([30, 20, 10], triple=names), bots=names, with_heads=True)


def test_a_table_for_people():
    lines = render(standings(scheduled=24), "simple").splitlines()
    assert [" ".join(line.split()) for line in [lines[0], *lines[2:]]] == [
        "rank bot matches wins win rate points a deal rating place faults outs "
        "mean ms slowest ms",
        "1 a 24 24 100 % (51-100) 3.2 (3.0-3.5) +0.9 (+0.7 to +1.1) 1.00 0 0 2.5 7",
        "2 b ≈ 24 0 0 % (0-49) 2.0 (2.0-2.0) -0.3 (-0.3 to -0.3) 2.00 0 0 2.5 7",
        "3 c 24 0 0 % (0-49) 1.8 (1.5-2.0) -0.6 (-0.8 to -0.4) 3.00 0 0 2.5 7",
        "",
        "Intervals are 95 %, from 4 whole blocks a bot (a block: six matches, all seat "
        "orders, on the same deals).",
        "≈ cannot be told apart from the next, by points a deal on the same deals "
        "(95 % for all neighbours together).",
    ]


@pytest.mark.parametrize("fmt", ["csv", "json", *tabulate_formats])
def test_every_format_has_every_bot_and_shows_what_would_be_hidden(fmt):
    text = render(odd(), fmt, heads=True)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "x1b" in text.replace("\\u00", "x")
    assert "u202e" in text
    assert fmt in formats()


@pytest.mark.parametrize(
    ("fmt", "seen"),
    [
        ("github", "=x\\|y"),
        ("pipe", "c\\\\u202e&lt;d>"),
        ("html", "&lt;d&gt;"),
        ("unsafehtml", "&lt;d&gt;"),
        ("latex", "\\ensuremath{<}d"),
        ("latex_raw", "\\ensuremath{<}d"),
        ("csv", "'=x|y"),
        ("tsv", "'=x|y"),
    ],
)
def test_names_are_escaped_once(fmt, seen):
    text = render(odd(), fmt)
    assert seen in text
    assert "&amp;" not in text


def test_json_is_the_value_itself():
    value = standings()
    text = render(value, "json", heads=True, seats=True, deals=True)
    assert json.loads(text) == value.model_dump(mode="json")
    assert text.isascii()
    assert "heads" not in json.loads(render(value, "json"))


def test_csv_has_every_number_and_one_table_after_another():
    rows, heads, seats = render(standings(2), "csv", heads=True, seats=True).split(
        "\n\n"
    )
    first, *_ = csv.DictReader(rows.splitlines())
    assert first["bot"] == "a"
    assert first["level_with"] == "b"
    assert first["points_low"] == ""
    assert float(first["points_per_deal"]) == 3.15
    assert heads.startswith("bot,against,matches,ahead,points_per_deal,low,high\na,b")
    assert len(seats.splitlines()) == 10


def test_heads_and_seats_follow_where_they_are_wanted():
    text = render(standings(), "simple", heads=True, seats=True)
    assert "against" in text
    assert "seat" in text.split("against")[1]
    assert "against" not in render(standings(), "simple")
    assert "contracts" not in text


def test_deals_have_a_table_of_their_own():
    text = render(standings(), "simple", deals=True)
    head, _, first, *_ = text.split("\n\n")[-1].splitlines()
    assert " ".join(head.split()) == (
        "bot deals contracts made failed mean level Trianon deals"
    )
    assert first.split() == ["a", "240", "72", "48", "24", "5.00", "24"]
    assert "Trianon" not in render(standings(game="loyatais"), "simple", deals=True)


def test_a_name_that_looks_like_a_number_stays_itself():
    names = ("007", "1e5", "nan")
    text = render(table(whole([3, 2, 1], triple=names), bots=names), "plain")
    assert all(name in text for name in names)


def test_points_below_zero_are_not_run_together():
    results = [whole([k - 3, 0, 0], block=k) for k in range(1, 4)]
    assert "(-0.3 to 0.1)" in render(table(joined(results)), "simple")


def test_why_there_are_no_intervals_and_what_the_mark_means():
    text = "\n".join(notes(standings(2)))
    assert "No intervals for any bot: fewer than 3 whole blocks so far" in text
    assert "≈ cannot be told apart from the next" in text
    assert "a ≈" in render(standings(2), "simple")
    assert "12 of 100 matches are finished." in text


def test_who_has_no_interval_or_rating():
    parts = [whole([30, 20, 10], block=k) for k in range(1, 5)]
    text = "\n".join(notes(table(joined(parts), bots=[*TRIPLE, "new"])))
    assert "from 4 whole blocks a bot" in text
    assert "No intervals for new: fewer than 3" in text
    assert "No ratings: not all bots are linked by matches yet." in text


def test_void_and_benched_are_told_when_there_are_any():
    lost = {("a", 0): 1, ("a", 2): 1}
    text = "\n".join(notes(standings(void=1, benched=2, lost=lost)))
    assert "Void: 1 match, the arena's fault, not counted." in text
    assert "Benched: 2 matches not played, since a had too many outs" in text
    assert "oid" not in "\n".join(notes(standings()))


def test_what_ranks_and_what_does_not_count_are_told():
    text = "\n".join(notes(standings(house=2, ranked_deals=12)))
    assert "Ranked by points a deal" in text
    assert "2 matches with a house bot" in text
    assert "anked" not in "\n".join(notes(standings()))


def test_an_empty_table_is_rendered_too():
    for fmt in formats():
        assert render(table(Matches()), fmt)
    assert render(table(match_list([[1, 0, 0]])), "simple")


def test_an_unknown_format_is_refused_with_those_there_are():
    with pytest.raises(ArenaError, match="no format 'xls'; write one of csv, json, "):
        render(standings(), "xls")
