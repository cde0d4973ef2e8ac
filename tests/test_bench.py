"""The table of the benchmarks: how a figure comes to stand beside its floor."""

from importlib import import_module
from inspect import isgeneratorfunction

import pytest

from benchmarks import bench
from benchmarks.common import Row, compare, line_of


def told(*figures):
    """Return a measure that gives these figures, one a run."""
    return iter(figures).__next__


def test_a_ratio_is_the_median_of_each_runs_own():
    measures = {"floor": told(10.0, 100.0, 20.0), "ours": told(5.0, 60.0, 8.0)}
    floor, ours = compare("x/s", measures, "floor", runs=3)
    assert (floor.figure, floor.ratio, floor.beside) == (20.0, None, None)
    assert (ours.figure, ours.low, ours.high) == (8.0, 5.0, 60.0)
    assert (ours.ratio, ours.beside) == (0.5, "floor")


def test_measures_are_taken_in_turn():
    order = []

    def measure(name):
        order.append(name)
        return 1.0

    measures = {name: lambda name=name: measure(name) for name in "ab"}
    compare("x", measures, "a", runs=2)
    assert order == ["a", "b", "a", "b"]


def test_without_a_floor_there_is_no_ratio():
    (row,) = compare("x", {"ours": told(1.0)}, None, runs=1)
    assert (row.beside, row.ratio) == (None, None)
    assert " of " not in line_of(row)


def test_a_table_for_a_page_has_a_line_a_row():
    rows = [
        Row("floor", 12345.6, "x/s", 1.0, 2.0),
        Row("ours", 3.456, "x/s", 1.0, 2.0, "floor", 0.5),
    ]
    lines = bench.markdown({"some": rows}).splitlines()
    assert lines[2:] == [
        "| floor | 12,346 | x/s |  |  |",
        "| ours | 3.46 | x/s | floor | 0.50 |",
    ]


@pytest.mark.parametrize("name", bench.NAMES)
def test_every_benchmark_of_the_table_yields_rows(name):
    module = import_module(f"benchmarks.{name}")
    assert isgeneratorfunction(module.rows)
    assert next(iter(module.rows.__annotations__)) == "runs"
