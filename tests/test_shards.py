"""A tournament in shards, put together: the table of one run, whatever happened."""

import contextlib
import json
import os
import resource
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import ArenaError
from tests.command import TRIANON, cup, start, trianon
from tests.processes import needs_box, wait_until
from tests.test_benched import lay_out
from tournaments.audit import audit, standings_of
from tournaments.durable import Disk, link_or_copy
from tournaments.folder import undisturbed
from tournaments.merge import merge
from tournaments.shards import read_share
from tournaments.store import file_of

pytestmark = pytest.mark.processes

SHARDS = 4
NAMES = [f"cup/shards/{k}-of-{SHARDS}" for k in range(1, SHARDS + 1)]
MERGE = ("merge", *NAMES, "--out", "cup")
BOTS = ("first", "random", "first", "random")


def run_shard(folder, path, number, of=SHARDS, **given):
    code, out, err = trianon(
        "run", path, "--shard", f"{number}/{of}", cwd=folder, **given
    )
    assert code == 0, err
    return out


def table_of(folder, where="cup"):
    """Return a table but for its times."""
    table = standings_of(folder / where).model_dump()
    for row in table["rows"]:
        del row["mean_ms"], row["slowest_ms"]
    return table | {"void": 0}


def verify(folder):
    """Return how many records there are, all of them and the table true."""
    records, findings = audit(folder / "cup")
    assert findings == []
    return records


def put_together(folder, *names, out="cup"):
    """Merge in this process, where nothing is asked of the command itself."""
    merge([folder / name for name in names], folder / out, as_json=True)


def state_of(folder):
    """Return all files below a folder: what they hold, and when they were changed."""
    return {
        path.relative_to(folder): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The cup of one run."""
    folder = tmp_path_factory.mktemp("alone")
    code, _, err = trianon("run", cup(folder, bots=BOTS, sandbox="limits"), cwd=folder)
    assert code == 0, err
    return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The same cup in four shards, not put together yet; the fourth has no block."""
    folder = tmp_path_factory.mktemp("played")
    path = cup(folder, bots=BOTS, rounds=1, sandbox="limits")
    for number in range(1, SHARDS + 1):
        run_shard(folder, path, number)
    return folder


@pytest.fixture
def shards(played, tmp_path):
    """A copy of the shards, to be put together or spoilt."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_four_shards_come_to_the_table_of_one_run(shards, alone):
    before = state_of(shards / "cup/shards")
    code, out, err = trianon(*MERGE, "--json", cwd=shards)
    assert code == 0, err
    assert json.loads(out)["finished"] == 24
    assert table_of(shards) == table_of(alone)
    assert verify(shards) == 24
    names = {path.name for path in (alone / "cup/records").iterdir()}
    assert {path.name for path in (shards / "cup/records").iterdir()} == names
    proof = json.loads((shards / "cup/proof.json").read_text())
    assert proof == json.loads((alone / "cup/proof.json").read_text())
    assert state_of(shards / "cup/shards") == before


def test_a_shard_is_whole_blocks_and_tells_no_seed(played):
    tables = [table_of(played, name) for name in NAMES]
    assert [table["scheduled"] for table in tables] == [6, 6, 6, 6]
    for name in NAMES:
        blocks = set()
        for record in (played / name / "records").iterdir():
            header = json.loads(record.read_text().splitlines()[0])
            blocks.add(header["deal_seed"])
        assert len(blocks) == 1
        assert json.loads((played / name / "proof.json").read_text())["seed"] is None
    _, out, _ = trianon("table", NAMES[0], cwd=played)
    assert "Shard 1/4 of the tournament alone" in out


def test_the_same_merge_again_changes_nothing(shards):
    put_together(shards, *NAMES)
    table = table_of(shards)
    put_together(shards, *NAMES)
    assert table_of(shards) == table
    assert verify(shards) == 24


def test_what_is_missing_is_told_and_merged_later(shards, alone, capsys):
    put_together(shards, *NAMES[:2])
    err = capsys.readouterr().err
    assert "12 of 24 matches are missing, with shard 3/4, 4/4" in err
    assert table_of(shards)["finished"] == 12
    assert json.loads((shards / "cup/proof.json").read_text())["seed"] is None
    assert verify(shards) == 12
    put_together(shards, *NAMES[2:])
    assert table_of(shards) == table_of(alone)
    assert verify(shards) == 24


def test_a_run_goes_on_with_what_is_missing(shards, alone):
    put_together(shards, *NAMES[:3])
    code, out, err = trianon("run", "cup.toml", "--json-events", cwd=shards)
    assert code == 0, err
    assert out.count('"match_finished"') == 6
    assert table_of(shards) == table_of(alone)
    assert verify(shards) == 24


def test_a_record_that_is_not_whole_counts_as_missing(shards, capsys):
    victim = min((shards / NAMES[0] / "records").iterdir())
    victim.write_bytes(victim.read_bytes()[:-10])
    put_together(shards, *NAMES)
    err = capsys.readouterr().err
    assert "5 matches, 1 without a whole record left out" in err
    assert "1 of 24 matches are missing; " in err
    assert verify(shards) == 23


# --- benched bots, kills ------------------------------------------------------------


@pytest.fixture(scope="module")
def benched(tmp_path_factory):
    """A cup with a bot that crashes and one that hangs, in one run."""
    folder = tmp_path_factory.mktemp("benched")
    code, _, err = trianon("run", lay_out(folder, jobs=4, sandbox="limits"), cwd=folder)
    assert code == 0, err
    return folder


def test_who_is_benched_is_the_same_though_no_shard_knows_of_the_others(
    benched, tmp_path, capsys
):
    path = lay_out(tmp_path, jobs=4, sandbox="limits")
    records = 0
    for number in range(1, SHARDS + 1):
        run_shard(tmp_path, path, number)
        records += len(list((tmp_path / NAMES[number - 1] / "records").iterdir()))
    put_together(tmp_path, *NAMES)
    assert "missing" not in capsys.readouterr().err
    assert table_of(tmp_path) == table_of(benched)
    assert verify(tmp_path) < records, "no shard has played in vain"


def test_a_shard_that_was_killed_is_merged_as_it_stands_and_gone_on_with(
    tmp_path, alone
):
    path = cup(tmp_path, bots=BOTS, sandbox="limits")
    run_shard(tmp_path, path, 2, of=2)
    records = tmp_path / "cup/shards/1-of-2/records"
    process = start("run", path, "--shard", "1/2", cwd=tmp_path)
    assert wait_until(lambda: records.is_dir() and len(list(records.iterdir())) > 2)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)
    both = ("cup/shards/1-of-2", "cup/shards/2-of-2")
    assert wait_until(lambda: is_free(tmp_path / both[0]))  # it is buried
    put_together(tmp_path, *both)
    assert 12 < table_of(tmp_path)["finished"] < 24
    run_shard(tmp_path, path, 1, of=2)
    put_together(tmp_path, *both)
    assert table_of(tmp_path) == table_of(alone)
    assert verify(tmp_path) == 24


def is_free(folder):
    with contextlib.suppress(ArenaError), undisturbed(folder):
        return True
    return False


DYING = """
import os, signal, sys
import tournaments.merge as merge
from tournaments.cli import main
from tournaments.store import Store
merge.MATCHES_AT_A_TIME = 4
left, real, taken = int(sys.argv.pop(1)), merge._bring_file, Store.take_over
def step():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
def bring(*args):
    step()
    real(*args)
def take_over(*args):
    taken(*args)
    step()
merge._bring_file, Store.take_over = bring, take_over
main()
"""


def test_a_merge_that_is_killed_goes_on_where_it_was(shards, alone):
    for steps in (1, 5, 9):  # before and after records and rows
        command = [sys.executable, "-c", DYING, str(steps), *MERGE]
        died = subprocess.run(command, cwd=shards, capture_output=True, check=False)
        assert died.returncode == -signal.SIGKILL, died.stderr
    assert 0 < table_of(shards)["finished"] < 24
    put_together(shards, *NAMES)
    assert table_of(shards) == table_of(alone)
    assert verify(shards) == 24


def test_a_full_disk_ends_a_merge_loudly_and_loses_nothing(shards, alone):
    before = state_of(shards / "cup/shards")

    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    code, out, err = trianon(*MERGE, cwd=shards, preexec_fn=small_files)
    assert (code, out) == (4, "")
    assert "Traceback" not in err
    assert state_of(shards / "cup/shards") == before
    put_together(shards, *NAMES)
    assert table_of(shards) == table_of(alone)


def test_where_a_file_has_no_second_name_it_is_copied(tmp_path, monkeypatch):
    def no_link(*_):
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", no_link)
    source, path, part = (tmp_path / name for name in ("source", "path", "part"))
    source.write_bytes(b"a record")
    link_or_copy(source, path, part, Disk())
    assert (path.read_bytes(), part.exists()) == (b"a record", False)
    assert path.stat().st_ino != source.stat().st_ino


# --- what is refused ----------------------------------------------------------------


def refused(folder, *command):
    code, out, err = trianon(*command, cwd=folder)
    assert (code, out) == (2, "")
    assert sum(line.startswith("trianon: ") for line in err.splitlines()) == 1
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0/4", "counted from 1, so write 1/4 to 4/4"),
        ("5/4", "counted from 1, so write 1/4 to 4/4"),
        ("1/0", "1 to 10000 shards"),
        ("2", "write K/N"),
        ("-1/4", "write K/N"),
        ("1/4 ", "write K/N"),
        ("١/٤", "write K/N"),
    ],
)
def test_a_share_that_is_none_is_refused(text, says):
    with pytest.raises(ArenaError, match=says):
        read_share(text)


def test_a_run_of_a_share_that_is_none_is_misuse(tmp_path):
    path = cup(tmp_path)
    assert "write 1/4 to 4/4" in refused(tmp_path, "run", path, "--shard=0/4")
    assert not (tmp_path / "cup").exists()


def test_shards_without_a_seed_of_their_own_take_the_one_that_was_drawn_for_all(
    tmp_path,
):
    path = cup(tmp_path, sandbox="limits")
    path.write_text(path.read_text().replace('seed = "s"\n', ""))
    assert "--commit" in refused(tmp_path, "run", path, "--shard", "1/2")
    shutil.rmtree(tmp_path / "cup/shards")
    code, commit, _ = trianon("run", path, "--commit", cwd=tmp_path)
    assert code == 0
    for number in (1, 2):
        run_shard(tmp_path, path, number, of=2)
    put_together(tmp_path, "cup/shards/1-of-2", "cup/shards/2-of-2")
    proof = json.loads((tmp_path / "cup/proof.json").read_text())
    assert (proof["commit"], proof["seed"] is None) == (commit.strip(), False)
    assert verify(tmp_path) == 6


def spoil(folder, *statements):
    """Change what the store of a folder holds."""
    with sqlite3.connect(folder / "results.sqlite") as store:
        for statement in statements:
            store.execute(statement)
    store.close()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("deals = 3", "deals = 6", "`options.deals` 6, and not 3"),
        ('bot = "random"', 'bot = "first"', 'bot "bot1" "first", and not "random"'),
        ("rounds = 1", "rounds = 2", "`rounds` 2, and not 1"),
        ('name = "cup"', 'name = "pot"', '`name` "pot", and not "cup"'),
    ],
)
def test_shards_of_other_cups_are_not_put_together(shards, old, new, says):
    path = shards / NAMES[2] / "cup.toml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ArenaError) as error:
        put_together(shards, *NAMES)
    assert says in str(error.value)
    assert not (shards / "cup/records").exists()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("value = 't' WHERE key = 'seed'", "dealt from another seed"),
        (
            'value = replace(value, \'"bot0": "\', \'"bot0": "f\') '
            "WHERE key = 'programs'",
            "bot 'bot0' is another program there",
        ),
        ("value = '' WHERE key = 'bots'", "nothing was begun there"),
    ],
)
def test_shards_of_another_seed_or_other_programs_are_not_put_together(
    shards, change, says
):
    spoil(shards / NAMES[1], f"UPDATE notes SET {change}")
    with pytest.raises(ArenaError, match=says):
        put_together(shards, *NAMES)


def test_a_match_that_came_out_otherwise_in_two_shards_is_refused(shards):
    twin = shards / "twin"
    shutil.copytree(shards / NAMES[0], twin)
    change = "UPDATE {} WHERE match LIKE '%/012'"
    spoil(
        twin,
        change.format("matches SET sha256 = '00' || sha256"),
        change.format("players SET time_ms = time_ms + 1"),
    )
    put_together(shards, NAMES[0], "twin", out="once")  # times may differ
    assert table_of(shards, "once")["finished"] == 6
    spoil(twin, change.format("players SET points = points + 1"))
    with pytest.raises(ArenaError, match=r"/012 came out otherwise in .*twin"):
        put_together(shards, NAMES[0], "twin", out="other")
    assert not (shards / "other").exists()


@pytest.mark.parametrize(
    ("names", "out", "says"),
    [
        ((NAMES[0], "no"), "new", "no results there"),
        ((NAMES[0], NAMES[1]), NAMES[0], "another folder"),
        ((NAMES[0], f"cup/../{NAMES[0]}"), "new", "name it once"),
        ((NAMES[1],), NAMES[0], "here is shard 1/4"),
    ],
)
def test_folders_that_are_none_or_named_twice_are_refused(shards, names, out, says):
    with pytest.raises(ArenaError, match=says):
        put_together(shards, *names, out=out)


def test_neither_a_merge_nor_a_run_takes_a_folder_that_is_being_played(shards):
    path = shards / "cup.toml"
    path.write_text(path.read_text().replace("deals = 3", "deals = 3000"))
    process = start("run", path, "--shard", "1/3", cwd=shards)
    folder = "cup/shards/1-of-3"
    try:
        running = shards / folder / "running"
        assert wait_until(lambda: running.is_dir() and any(running.iterdir()))
        err = refused(shards, "merge", folder, "--out", "new")
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert "plays here" in err


def test_a_shard_is_not_gone_on_with_as_the_whole_nor_with_more_bots(shards):
    shutil.move(shards / NAMES[0], shards / "moved")
    path = shards / "cup.toml"
    text = path.read_text()
    path.write_text(f'out = "moved"\n{text}')
    assert "here is shard 1/4" in refused(shards, "run", path)
    path.write_text(text + '[[bots]]\nname = "new"\nbot = "first"\n')
    assert "added to the whole tournament" in refused(
        shards, "run", path, "--shard", "2/4"
    )


# --- what bots see ------------------------------------------------------------------

SPY = """
import json, os, sys
seen = [name for name in ("1-of-2", "2-of-2") if os.path.exists(f"cup/shards/{name}")]
for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"], "move": request.get("legal", [""])[0]}
    if seen and request["type"] == "act":
        reply["move"] = "I see " + " ".join(seen)
    print(json.dumps(reply), flush=True)
"""


@needs_box
def test_no_bot_sees_another_shard(tmp_path):
    """It runs in the folder that theirs is in, where the seed lies, too."""
    (tmp_path / "spy.py").write_text(SPY)
    bots = ("first", "first", f"{sys.executable} spy.py")
    path = cup(tmp_path, bots=bots, rounds=2, sandbox="bwrap")
    for number in (1, 2):
        run_shard(tmp_path, path, number, of=2)
    rows = table_of(tmp_path, "cup/shards/2-of-2")["rows"]
    assert [row["faults"] for row in rows] == [0, 0, 0]


def test_a_record_is_named_as_in_one_run(played):
    names = {path.name for path in (played / "cup/shards").rglob("*.jsonl")}
    assert file_of("cup/bot0+bot1+bot2/1/012") in names


# --- clusters -----------------------------------------------------------------------

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


@pytest.fixture
def spring(tmp_path):
    """A folder with the cup of the examples, and the shell that they run in."""
    cup(tmp_path, name="spring", sandbox="limits").rename(tmp_path / "spring.toml")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "trianon"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(TRIANON)} "$@"\n')
    program.chmod(0o755)

    def shell(*words, **env):
        path = f"{program.parent}:{os.environ['PATH']}"
        done = subprocess.run(
            words,
            cwd=tmp_path,
            env=os.environ | {"PATH": path} | env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return tmp_path, shell


def merge_line(example):
    """Return the command that a comment of an example gives for the end."""
    text = (EXAMPLES / example).read_text()
    (line,) = (x for x in text.splitlines() if x.startswith("#     trianon merge"))
    return line.removeprefix("#     ")


def test_the_array_of_slurm_plays_a_cup(spring):
    folder, shell = spring
    for task in ("1", "2"):
        variables = {"SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_COUNT": "2"}
        shell("bash", EXAMPLES / "slurm-array.sh", "spring.toml", **variables)
    shell("sh", "-c", merge_line("slurm-array.sh"))
    assert table_of(folder, "spring")["finished"] == 6


def test_the_indexed_job_of_kubernetes_plays_a_cup(spring):
    yaml = pytest.importorskip("yaml")
    folder, shell = spring
    job = yaml.safe_load((EXAMPLES / "kubernetes-job.yaml").read_text())["spec"]
    (pod,) = job["template"]["spec"]["containers"]
    assert job["completions"] == 8
    for index in ("0", "7"):
        shell(*pod["command"], *pod["args"], JOB_COMPLETION_INDEX=index)
    shell("sh", "-c", merge_line("kubernetes-job.yaml"))
    # The one block is in the first shard; of the last there is the folder.
    assert table_of(folder, "spring/shards/8-of-8")["scheduled"] == 0
    assert table_of(folder, "spring")["finished"] == 6
