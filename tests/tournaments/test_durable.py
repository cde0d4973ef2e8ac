"""What is brought to the disk, and in which order."""

import os
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.command import cup, trianon
from tournaments.durable import Disk
from tournaments.store import Store


@pytest.fixture
def synced(monkeypatch):
    """The names of what is synced, as it is called at that moment."""
    names = []
    real = os.fsync

    def fsync(fd):
        names.append(Path(f"/proc/self/fd/{fd}").readlink().name)
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    return names


def test_a_file_is_on_the_disk_before_its_name_is(tmp_path, synced):
    part, path = tmp_path / "x.part", tmp_path / "x"
    part.write_text("all of it")
    Disk(is_durable=True).put(part, path)
    assert synced == ["x.part", tmp_path.name]
    assert path.read_text() == "all of it"


def test_nothing_waits_for_the_disk_unless_it_was_asked_for(tmp_path, synced):
    (tmp_path / "x.part").write_text("all of it")
    Disk().put(tmp_path / "x.part", tmp_path / "x")
    Disk().keep(tmp_path / "x")
    assert synced == []
    assert (tmp_path / "x").is_file()


@pytest.mark.parametrize(("is_durable", "synchronous"), [(False, 1), (True, 2)])
def test_the_store_commits_to_the_disk_where_that_was_asked_for(
    is_durable, synchronous, tmp_path
):
    with Store(tmp_path, is_new=True, is_durable=is_durable) as store:
        found = store._connection.execute(sa.text("PRAGMA synchronous")).scalar()
    assert found == synchronous


@pytest.mark.processes
def test_a_durable_run_comes_to_its_end(tmp_path):
    code, _, err = trianon("run", cup(tmp_path), "--durable", cwd=tmp_path)
    assert code == 0, err
    assert trianon("verify", tmp_path / "cup")[0] == 0
