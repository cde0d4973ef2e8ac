"""Cups of other schedules and formats, played by real processes."""

import json

import pytest

from tests.command import cup, trianon

pytestmark = pytest.mark.processes

BOTS = ("first", "random", "careful", "random")
MATCHES = 42  # four entrants and three house bots: seven triples


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The folders and tables of one cup, by how many matches were played at a time."""
    found = {}
    for jobs in (1, 2, 4):
        folder = tmp_path_factory.mktemp(f"jobs{jobs}")
        path = cup(folder, BOTS, jobs=jobs, schedule="steiner", format="deals")
        code, out, err = trianon("run", path, "--json", cwd=folder)
        assert code == 0, err
        found[jobs] = (folder, json.loads(out))
    return found


def without_times(table):
    for row in table["rows"]:
        del row["mean_ms"], row["slowest_ms"]
    return table


def test_the_table_does_not_depend_on_how_many_are_played_at_a_time(played):
    one, two, four = (without_times(played[jobs][1]) for jobs in (1, 2, 4))
    assert one == two == four


def test_matches_with_a_house_bot_are_played_and_not_counted(played):
    folder, table = played[1]
    assert table["finished"] == table["scheduled"] == MATCHES
    assert [row["bot"] for row in table["rows"] if "house" in row["bot"]] == []
    # One of the seven triples is of entrants alone.
    assert sorted(row["matches"] for row in table["rows"]) == [0, 6, 6, 6]
    code, out, _ = trianon("verify", folder / "cup", "--json")
    assert (code, json.loads(out)["agree"]) == (0, MATCHES)


def test_a_house_bot_plays_well(played):
    folder, _ = played[1]
    places = []
    for path in (folder / "cup/records").iterdir():
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        end = next(line for line in lines if line.get("e") == "end")
        for player, place in zip(lines[0]["players"], end["places"], strict=True):
            if player["name"].startswith("house#"):
                places.append(place)
    assert len(places) == 54
    assert sum(places) / len(places) < 2


def test_points_a_deal_rank(played):
    _, table = played[1]
    points = [row["points_per_deal"] for row in table["rows"]]
    assert points == sorted(points, key=lambda p: -1 if p is None else p, reverse=True)


def test_every_deal_is_declared_or_not(played):
    folder, _ = played[1]
    code, out, _ = trianon("table", folder / "cup", "--deals", "--json")
    assert code == 0
    rows = json.loads(out)["deals"]
    # Loyatais: every deal has a taker, who is one of three.
    assert sum(row["contracts"] for row in rows) * 3 == sum(r["deals"] for r in rows)
    assert {row["trianon_deals"] for row in rows} == {None}
    assert all(row["made"] + row["failed"] == row["contracts"] for row in rows)
