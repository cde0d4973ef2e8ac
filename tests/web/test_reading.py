"""What a reader finds in a store that somebody else may be writing."""

import sqlite3

import pytest

from tests.web.folders import Told, fault
from tournaments.reading import Choice, Reader, Wanted


@pytest.fixture
def told(tmp_path):
    told = Told(tmp_path / "cup", bots=("a", "ab", "b", "c"), rounds=1)
    told.tell(5)
    told.tell(1, faults={"a": [fault()], "b": [fault()]})
    told.tell(14)
    return told


def test_nothing_can_be_changed(told):
    with Reader(told.folder) as reader, pytest.raises(Exception, match="readonly"):
        reader.set_note("seed", "another")


def test_a_run_goes_on_writing_while_a_reader_sees_one_moment(told):
    with Reader(told.folder) as reader:
        before = reader.counts()[0]
        told.tell(3)
        assert reader.counts()[0] == before
        assert len(list(reader.lines_after(0))) == before
        with Reader(told.folder) as newer:
            assert newer.counts()[0] == before + 3


def test_matches_come_in_the_order_in_which_they_were_finished(told):
    with Reader(told.folder) as reader:
        names = [line.match for line in reader.lines_after(0)]
        assert len(set(names)) == reader.counts()[0] == 20
        last = reader.newest(3)
        assert [line.match for line in last] == names[-3:]
        assert reader.last_number() == last[-1].number
        assert list(reader.lines_after(last[-1].number)) == []
        assert [line.match for line in reader.lines_after(last[0].number)] == names[-2:]


def test_the_players_of_a_match_stand_by_their_seats(told):
    with Reader(told.folder) as reader:
        line = next(reader.lines_after(0))
    order = line.match.rpartition("/")[2]
    triple = line.triple.split("+")
    assert [p.bot for p in line.players] == [triple[int(digit)] for digit in order]
    assert [p.score for p in line.players] == [(30, 20, 10)[int(d)] for d in order]


def in_matches(told, keep):
    with Reader(told.folder) as reader:
        return {line.match for line in reader.lines_after(0) if keep(line)}


@pytest.mark.parametrize(
    ("choice", "keep"),
    [
        (Choice(), lambda line: True),
        (Choice("a"), lambda line: "a" in line.triple.split("+")),
        (Choice("a", "c"), lambda line: {"a", "c"} <= set(line.triple.split("+"))),
        (
            Choice("ab", None, Wanted.WON),
            lambda line: any(p.bot == "ab" and p.place == 1 for p in line.players),
        ),
        (
            Choice("c", "a", Wanted.LOST),
            lambda line: (
                {"a", "c"} <= set(line.triple.split("+"))
                and any(p.bot == "c" and p.place == 3 for p in line.players)
            ),
        ),
        (
            Choice(None, None, Wanted.FAULTS),
            lambda line: any(p.faults for p in line.players),
        ),
        (
            Choice("b", None, Wanted.FAULTS),
            lambda line: any(p.bot == "b" and p.faults for p in line.players),
        ),
    ],
)
def test_a_list_has_the_matches_that_were_chosen(told, choice, keep):
    wanted = in_matches(told, keep)
    with Reader(told.folder) as reader:
        assert reader.list_length(choice) == len(wanted)
        lines = reader.match_list(choice, 0, 100)
    assert {line.match for line in lines} == wanted
    numbers = [line.number for line in lines]
    assert numbers == sorted(numbers, reverse=True)


def test_a_list_is_read_in_pages(told):
    with Reader(told.folder) as reader:
        whole = reader.match_list(Choice(), 0, 100)
        pages = [reader.match_list(Choice(), first, 7) for first in range(0, 21, 7)]
    assert [line for page in pages for line in page] == whole


def test_a_name_is_never_taken_for_sql(told):
    with Reader(told.folder) as reader:
        assert reader.list_length(Choice("a' OR '1'='1")) == 0


def test_what_is_benched_counts_as_done_in_its_block(told):
    with Reader(told.folder) as reader:
        line = reader.newest(1)[0]
        done = reader.done_in_block(line.match)
    stem = line.match.rpartition("/")[0]
    with sqlite3.connect(told.folder / "results.sqlite") as connection:
        connection.execute(
            "INSERT INTO benched VALUES (?, 0, 'a', FALSE)", [f"{stem}/102"]
        )
    connection.close()
    with Reader(told.folder) as reader:
        assert reader.done_in_block(line.match) == done + 1
