"""What binds a tournament to its deals, and what ``verify`` finds in its folder."""

import hashlib
import json
import shutil
import sqlite3

import pytest

from tests.command import cup, trianon
from tournaments.store import file_of

pytestmark = pytest.mark.processes


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def proof_of(folder):
    return json.loads((folder / "cup/proof.json").read_text())


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A finished tournament with a public draw, and what it said on stderr."""
    folder = tmp_path_factory.mktemp("played")
    code, _, err = trianon("run", cup(folder, public="draw 17"), cwd=folder)
    assert code == 0, err
    return folder, err


@pytest.fixture
def again(played, tmp_path):
    """A copy of it, to be spoilt."""
    shutil.copytree(played[0] / "cup", tmp_path / "cup")
    return tmp_path


def wrong(folder):
    code, out, err = trianon("verify", "cup", "--json", cwd=folder)
    found = json.loads(out)
    assert code == (1 if found["wrong"] else 0), err
    return found


def texts(folder):
    return " | ".join(item["text"] for item in wrong(folder)["wrong"])


def rewrite(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_commitment_is_told_first_and_opens_at_the_end(played):
    folder, err = played
    proof = proof_of(folder)
    assert proof["seed"] == "s"
    assert proof["commit"] == "sha256:" + sha256("trianon-arena/1 cup cup s")
    lines = err.splitlines()
    progress = [number for number, line in enumerate(lines) if "/6 matches" in line]
    assert lines.index(f"commitment: {proof['commit']}") < progress[0]


def test_the_public_draw_is_mixed_into_every_deal(played):
    seed = sha256(f"{sha256('s/draw 17')}/bot0+bot1+bot2/1")
    for path in (played[0] / "cup/records").iterdir():
        header = path.read_text().splitlines()[0]
        assert json.loads(header)["deal_seed"] == seed


def test_all_of_it_agrees_also_without_the_store(again):
    assert wrong(again) == {"records": 6, "agree": 6, "wrong": []}
    (again / "cup/results.sqlite").unlink()
    assert wrong(again) == {"records": 6, "agree": 6, "wrong": []}


def test_a_seed_is_bound_before_anything_is_played_and_the_draw_may_come_later(
    tmp_path,
):
    path = cup(tmp_path, seed="")
    path.write_text(path.read_text().replace('seed = ""\n', ""))
    code, out, err = trianon("run", path, "--commit", cwd=tmp_path)
    assert code == 0, err
    before = proof_of(tmp_path)
    assert (out.strip(), before["seed"]) == (before["commit"], None)
    assert not list((tmp_path / "cup/records").iterdir())
    path.write_text('public = "later"\n' + path.read_text())
    assert trianon("run", path, "--json", cwd=tmp_path)[0] == 0
    after = proof_of(tmp_path)
    assert (after["commit"], after["public"]) == (before["commit"], "later")
    assert after["commit"].endswith(sha256(f"trianon-arena/1 cup cup {after['seed']}"))
    assert wrong(tmp_path)["wrong"] == []


def test_neither_seed_nor_draw_may_change_once_they_bind(again):
    for keys, says in (
        ({"public": "draw 18"}, "`public` was"),
        ({"public": "draw 17", "seed": "t"}, "are not those of the commitment"),
    ):
        code, out, err = trianon("run", cup(again, **keys), cwd=again)
        assert (code, out) == (2, "")
        assert says in err


def test_another_seed_than_the_one_committed_to_is_refused(tmp_path):
    assert trianon("run", cup(tmp_path), "--commit", cwd=tmp_path)[0] == 0
    path = cup(tmp_path, seed="better")
    code, out, err = trianon("run", path, cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "are not those of the commitment" in err


def test_more_rounds_after_the_seed_is_open_are_warned_of(again):
    _, _, err = trianon("run", cup(again, rounds=2, public="draw 17"), cwd=again)
    assert "this cup's seed was revealed" in err


# --- what verify finds --------------------------------------------------------------


def test_a_missing_record(again):
    victim = min((again / "cup/records").iterdir())
    victim.unlink()
    found = wrong(again)
    assert (found["records"], found["agree"]) == (5, 5)
    assert f"record {victim.name} is missing" in texts(again)


def test_a_missing_record_of_which_the_store_knows_nothing(again):
    min((again / "cup/records").iterdir()).unlink()
    (again / "cup/results.sqlite").unlink()
    assert "is missing" in texts(again)


def test_a_record_that_is_of_no_match(again):
    records = again / "cup/records"
    shutil.copyfile(min(records.iterdir()), records / "0123456789abcdef.jsonl")
    assert "record 0123456789abcdef.jsonl is of no match of the schedule" in texts(
        again
    )


def test_a_record_of_another_match_under_a_name_of_the_schedule(again):
    first, second, *_ = sorted((again / "cup/records").iterdir())
    shutil.copyfile(first, second)
    assert "'match' is " in texts(again)


def test_deals_from_another_seed(again, tmp_path):
    """A whole match, true in itself, dealt from a seed that somebody liked better."""
    other = tmp_path / "other"
    other.mkdir()
    assert trianon("run", cup(other, seed="liked"), cwd=other)[0] == 0
    name = file_of("cup/bot0+bot1+bot2/1/012")
    shutil.copyfile(other / "cup/records" / name, again / "cup/records" / name)
    found = [item for item in wrong(again)["wrong"] if item["rule"] == "seed"]
    assert {item["text"].split()[0] for item in found} == {
        "'deal_seed'",
        "'players.seed'",
    }
    assert all(item["record"].endswith(name) for item in found)


def test_a_seed_that_does_not_open_the_commitment(again):
    rewrite(again / "cup/proof.json", '"seed": "s"', '"seed": "t"')
    (again / "cup/results.sqlite").unlink()
    found = texts(again)
    assert "the commitment does not fit the seed" in found
    assert "'deal_seed' is" in found


def test_a_record_played_by_other_rules_than_the_cups(again):
    rewrite(min((again / "cup/records").iterdir()), '"strikes":3', '"strikes":9')
    assert "'strikes' is 9, should be 3" in texts(again)


def test_sums_in_the_store_that_differ(again):
    with sqlite3.connect(again / "cup/results.sqlite") as store:
        store.execute("UPDATE seat_sums SET wins_sixths = wins_sixths + 6")
    store.close()
    found = texts(again)
    assert "the sums of the table are not those of its matches" in found
    assert "the table is not the one that the records come to" in found


def test_a_result_that_nobody_played(again):
    with sqlite3.connect(again / "cup/results.sqlite") as store:
        store.execute("DELETE FROM players WHERE match LIKE '%/012'")
    store.close()
    assert "the results know nothing of it" in texts(again)


def test_a_folder_without_seed_or_results_is_one_clear_line(tmp_path):
    assert trianon("run", cup(tmp_path), "--commit", cwd=tmp_path)[0] == 0
    (tmp_path / "cup/results.sqlite").unlink()
    code, out, err = trianon("verify", "cup", cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "no seed" in err
