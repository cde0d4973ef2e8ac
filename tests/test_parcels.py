"""Bots on their way to another machine, and what comes back from there."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.archives import ArchiveError, Bounds
from arena.botspec import command_bot, keep_apart, read_folder
from arena.errors import ArenaError
from arena.games import GAMES
from arena.orders import Finished, PlayOrder, Started
from arena.record import read_record
from arena.result import MatchResult
from arena.sandbox import Level, Limits
from arena.setup import MatchSetup
from arena.verify import replayed
from tests.command import TRIANON
from tournaments.cluster.evidence import flaw
from tournaments.cluster.parcels import is_here, settle, unwrap, wrap
from tournaments.cluster.posts import BATCH_S, MOST, Post, nothing_of
from tournaments.cluster.wire import Head, note, pack, read_note, unpack

FIRST = Path(__file__).parents[1] / "sample_bots" / "python" / "first"


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path):
    return Path(shutil.copytree(FIRST, tmp_path / "bot"))


# --- there ----------------------------------------------------------------------------


def test_the_same_folder_makes_the_same_parcel_whenever_and_wherever(folder, tmp_path):
    other = shutil.copytree(folder, tmp_path / "elsewhere" / "bot")
    os.utime(other / "bot.py", (1, 1))
    (other / "__pycache__").mkdir()
    (other / "__pycache__" / "bot.pyc").write_text("comes and goes")
    one, two = wrap(read_folder(folder)), wrap(read_folder(other))
    assert one.content == two.content
    assert one.bot.digest == two.bot.digest


def test_what_arrives_is_the_bot_that_was_sent(folder):
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o700)
    parcel = wrap(read_folder(folder))
    assert not is_here(parcel.bot.digest)
    unwrap(parcel.bot.digest, parcel.content)
    assert is_here(parcel.bot.digest)
    spec = settle(parcel.bot, Level.NONE, print)
    assert spec.cwd != folder
    assert (spec.cwd / "bot.py").read_bytes() == (folder / "bot.py").read_bytes()
    assert os.access(spec.cwd / "run.sh", os.X_OK)
    assert spec.name == parcel.bot.name


def test_a_command_line_finds_its_files_and_its_program_there(folder):
    words = ["python3", str(folder / "bot.py"), "--fast"]
    parcel = wrap(command_bot(words, folder, "mine"))
    assert parcel.bot.words[1:] == ("./bot.py", "--fast")
    elsewhere = ("/no/such/place/python3", *parcel.bot.words[1:])
    unwrap(parcel.bot.digest, parcel.content)
    there = parcel.bot.model_copy(update={"words": elsewhere})
    spec = settle(there, Level.NONE, print)
    assert os.access(spec.argv[0], os.X_OK)
    assert (spec.cwd / spec.argv[1]).is_file()


def test_what_is_hidden_from_a_bot_does_not_travel_with_it(folder):
    results = folder / "results"
    results.mkdir()
    (results / "seed").write_text("secret")
    (folder / "cup.toml").write_text("seed = 'secret'")
    bot = command_bot(["python3", "bot.py"], folder)
    (spec,) = keep_apart([bot], [results], [folder / "cup.toml"])
    assert b"secret" not in wrap(spec).content


@pytest.mark.parametrize("target", ["/etc/passwd", "/etc", "nowhere"])
def test_a_link_that_leads_out_of_the_folder_is_refused(folder, target):
    (folder / "link").symlink_to(target)
    with pytest.raises(ArenaError, match="link"):
        wrap(read_folder(folder))


def test_a_link_to_a_file_of_the_folder_becomes_that_file(folder):
    (folder / "link.py").symlink_to("bot.py")
    parcel = wrap(read_folder(folder))
    unwrap(parcel.bot.digest, parcel.content)
    there = settle(parcel.bot, Level.NONE, print).cwd / "link.py"
    assert not there.is_symlink()
    assert there.read_bytes() == (folder / "bot.py").read_bytes()


def test_a_folder_that_holds_too_much_is_refused_with_the_mend(folder, monkeypatch):
    monkeypatch.setattr("tournaments.cluster.parcels.BOUNDS", Bounds(entries=1))
    with pytest.raises(ArenaError, match="folder of its own"):
        wrap(read_folder(folder))


def test_a_parcel_that_is_not_what_it_is_said_to_be_is_not_unpacked(folder):
    parcel = wrap(read_folder(folder))
    with pytest.raises(ArenaError, match="damaged"):
        unwrap(parcel.bot.digest, parcel.content + b"x")
    assert not is_here(parcel.bot.digest)


def test_a_parcel_that_is_no_archive_is_refused(folder):
    content = b"no tar at all" * 100
    with pytest.raises(ArchiveError):
        unwrap(hashlib.sha256(content).hexdigest(), content)


def test_a_runtime_that_is_not_there_is_told(folder):
    parcel = wrap(read_folder(folder))
    unwrap(parcel.bot.digest, parcel.content)
    there = parcel.bot.model_copy(update={"runtimes": ("/no/such/jdk",)})
    with pytest.raises(ArenaError, match="/no/such/jdk"):
        settle(there, Level.NONE, print)


# --- and back -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\0" * 8,
        b"\xff" * 100,
        b"\0" * 7 + b"\2{}",
        pack(Head(sizes={"m": 5}), [b"four"]),
        pack(Head(sizes={"m": 5}), [b"five!", b"more"]),
        pack(Head(sizes={"m": -1}), []),
        None,
    ],
)
def test_what_is_no_outcome_is_refused_or_empty(raw):
    if raw == b"\0" * 7 + b"\2{}":
        assert unpack(raw) == (Head(), {})
        return
    with pytest.raises(ValueError):
        unpack(raw)


def test_an_outcome_comes_back_as_it_was_sent():
    head = Head(reports=(Started(match="m"),), sizes={"a": 1, "b": 0}, took_s=0.5)
    assert unpack(pack(head, [b"x", b""])) == (head, {"a": b"x", "b": b""})


@pytest.mark.parametrize("text", [None, "", "[", "[1,2]", '["r","n","m"]', 7])
def test_a_note_that_is_none_is_passed_over(text):
    assert read_note(text) is None


def test_a_note_comes_back_as_it_was_sent():
    assert read_note(note("run", 7, "cup/a+b+c/1/012")) == ("run", 7, "cup/a+b+c/1/012")


# --- batches --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("match_s", "size"),
    [(None, 1), (0.0, MOST), (0.001, MOST), (0.1, 50), (BATCH_S[1], 1), (60.0, 1)],
)
def test_a_batch_is_to_last_seconds(match_s, size):
    long_ago = time.monotonic() - 3600
    assert Post("tcp://a:1", 1, order_s=match_s, since=long_ago).size == size


def test_the_first_batches_are_short():
    assert Post("tcp://a:1", 1, order_s=BATCH_S[0] / 10).size == 10


def test_a_worker_has_a_window_once_it_has_told_what_it_is():
    post = Post("tcp://a:1", 3)
    assert post.room == 0
    post.box = Level.BWRAP
    assert post.room == 6
    post.coming.add("a folder on its way")
    assert post.room == 0


# --- forgeries ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A match as it was ordered, its result, and its record's text."""
    path = tmp_path_factory.mktemp("played") / "record.jsonl"
    table = ["play", "first", "random", "first", "--game", "loyatais", "--deals", "3"]
    table += ["--seed", "s", "--json"]
    done = subprocess.run(
        [*TRIANON, *table, *("--sandbox", "none", "--record", str(path))],
        capture_output=True,
        check=True,
    )
    value = json.loads(done.stdout)
    record = read_record(path)
    one, two, three = (player.name for player in record.header.players)
    setup = MatchSetup(
        game="loyatais",
        options=GAMES["loyatais"].options({"deals": 3}),
        match=value["match"],
        names=(one, two, three),
        deal_seed=value["deal_seed"],
        seed="s",
        arena=record.header.arena,
    )
    bot = command_bot([sys.executable], Path("/"))
    order = PlayOrder(setup=setup, bots=(bot,) * 3, level=Level.NONE, limits=Limits())
    ledger = replayed(record)
    assert ledger is not None
    players = [
        player
        | {
            "fault_count": ledger.fault_counts[seat],
            "hints": {},
            "own_deals": ledger.own_deals[seat],
            "own_points": ledger.own_points[seat],
            "style": {
                "contracts": ledger.own_contracts[seat],
                "made": ledger.own_made[seat],
                "levels": ledger.own_levels[seat],
                "undeclared": ledger.own_undeclared[seat],
            },
        }
        for seat, player in enumerate(value["players"])
    ]
    result = MatchResult.model_validate({**value, "players": players})
    return order, result, path.read_text()


def flaw_of(played, tmp_path, text=None, **lie):
    order, result, whole = played
    path = tmp_path / "record.jsonl"
    path.write_text(whole if text is None else text)
    return flaw(order, result.model_copy(update=lie), path)


def test_a_true_record_has_no_flaw(played, tmp_path):
    assert flaw_of(played, tmp_path) is None


@pytest.mark.parametrize(
    "lie",
    [
        {"scores": [900, 0, 0]},
        {"places": [3, 2, 1]},
        {"deals": 2},
        {"reason": "target"},
        {"match": "another"},
        {"deal_seed": "another"},
    ],
    ids=str,
)
def test_a_result_that_does_not_follow_from_its_record_is_told(played, tmp_path, lie):
    (key,) = lie
    if getattr(played[1], key) == lie[key]:
        lie = {key: [1, 3, 2]}
    assert flaw_of(played, tmp_path, **lie) is not None


def test_a_player_s_sum_that_does_not_follow_is_told(played, tmp_path):
    _, result, _ = played
    one, *others = result.players
    lie = [one.model_copy(update={"own_points": one.own_points + 1}), *others]
    assert "own_points" in (flaw_of(played, tmp_path, players=lie) or "")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"match":"play/1"', '"match":"play/2"'),
        ('"sandbox":"none"', '"sandbox":"bwrap"'),
        ('"move_ms":1000', '"move_ms":9000'),
        ('"strikes":3', '"strikes":9'),
    ],
)
def test_a_record_of_another_match_than_was_ordered_is_told(played, tmp_path, old, new):
    text = played[2]
    assert old in text
    assert flaw_of(played, tmp_path, text.replace(old, new)) is not None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "".join(text.splitlines(keepends=True)[:-1]),
        lambda text: "{}\n" + text,
        lambda text: text.replace('"winner":0', '"winner":1', 1),
        lambda text: text.replace('"e":"play","seat":1', '"e":"play","seat":2', 1),
    ],
    ids=["empty", "torn", "endless", "headed", "winner", "seat"],
)
def test_a_record_that_is_none_or_not_true_is_told(played, tmp_path, spoil):
    assert flaw_of(played, tmp_path, spoil(played[2])) is not None


def test_a_match_whose_machine_has_gone_is_void(played):
    order, _, _ = played
    result = MatchResult.model_validate(nothing_of(order))
    assert result.reason == "void"
    assert result.places is None
    assert Finished(match=result.match, attempt=1, result=result).wire()
