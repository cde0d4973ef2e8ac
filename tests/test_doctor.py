"""The box from inside; and each of its guards, broken, is noticed."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arena import cgroups
from arena.box import Guard
from arena.probe import PROBES
from tests.command import trianon
from tests.processes import needs_box

pytestmark = [pytest.mark.processes, needs_box]
ROOT = Path(__file__).parents[1]

NOTICED = {
    Guard.MOUNTS: "opponents' files",
    Guard.PROCESSES: "signals to the arena",
    Guard.NETWORK: "services on localhost",
    Guard.IPC: "shared memory",
    Guard.HOSTNAME: "host name",
    Guard.CAPABILITIES: "capabilities",
    Guard.ENVIRONMENT: "environment and secrets",
    Guard.SECCOMP: "denied system calls",
    Guard.NESTING: "new namespaces",
    Guard.READ_ONLY_ROOT: "a root that can be written",
    Guard.READ_ONLY_PROC: "settings of the kernel",
    Guard.READ_ONLY_DEV: "a /dev that can be written",
    Guard.TMP_SIZE: "/tmp without end",
    Guard.SHM_SIZE: "/dev/shm without end",
    Guard.DESCRIPTORS: "inherited descriptors",
    Guard.FORKS: "processes without end",
    Guard.OPEN_FILES: "open files without end",
    Guard.FILE_SIZE: "files without end",
    Guard.CORE: "core dumps",
    Guard.ADDRESSES: "addresses without end",
    Guard.MEMORY: "memory without end",
    Guard.KILL: "daemons after the kill",
}
BEHIND = {Guard.NESTING: Guard.SECCOMP}
"""Guards behind others: they show only where those are broken too."""
ROOTS = (Guard.CAPABILITIES, Guard.READ_ONLY_PROC)
"""Guards that only root needs: a plain user's bot has nothing of the kind."""
EXAMINE = """
import json, sys
from arena.box import Guard
from arena.doctor import examine
whole, *names = sys.argv[1:]
without = frozenset(Guard[name] for name in names)
found = examine(without, is_whole=whole == "whole")
print(json.dumps([f.probe for f in found if not f.is_held]))
"""


def opened(*without, how="whole"):
    """Return the probes that are open without these guards, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", EXAMINE, how, *(guard.name for guard in without)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_guard_has_a_breaker():
    assert NOTICED.keys() == set(Guard)
    acts = {"memory without end", "daemons after the kill"}
    assert set(NOTICED.values()) <= PROBES.keys() | acts


@pytest.mark.skipif(
    os.geteuid() == 0 and "pids" not in cgroups.places(),
    reason="root's processes are bounded by control groups only, and there are none",
)
def test_nothing_is_open():
    assert opened() == []
    code, out, _ = trianon("doctor", "--json")
    value = json.loads(out)
    assert (code, value["sandbox"], value["open"]) == (0, "bwrap", [])
    assert value["held_off"] > len(PROBES)
    code, out, _ = trianon("doctor")
    assert (code, "OPEN" in out) == (0, False)


@pytest.mark.parametrize("guard", Guard)
def test_a_broken_guard_is_noticed(guard):
    if guard in ROOTS and os.geteuid() != 0:
        pytest.skip("only root's bots need this guard")
    first = (BEHIND[guard],) if guard in BEHIND else ()
    probe = NOTICED[guard]
    how = "inside" if probe in PROBES else "whole"
    if first:
        assert probe not in opened(*first, how=how)
    assert probe in opened(guard, *first, how=how)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become a plain user")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv")
def test_nothing_is_open_to_a_plain_user(tmp_path):
    """With the system's Python: a plain user cannot read what is below root's home."""
    python = "/usr/bin/python3"
    code = "import sys; sys.exit(sys.version_info < (3, 11))"
    if not Path(python).exists() or subprocess.run([python, "-c", code]).returncode:
        pytest.skip("the system has no Python of 3.11 or later")
    for name in ("arena", "protocol", "sample_bots"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for path in (tmp_path, *tmp_path.rglob("*")):
        path.chmod(0o755)
    for parent in tmp_path.parents:
        if parent.is_relative_to(tempfile.gettempdir()):
            parent.chmod(parent.stat().st_mode | 0o011)
    packages = Path(pytest.__file__).parents[1]
    libraries = tmp_path / "lib"
    for name in (
        *("pydantic", "pydantic_core", "typing_extensions.py", "annotated_types"),
        "typing_inspection",
    ):
        found = packages / name
        copy = shutil.copytree if found.is_dir() else shutil.copy
        libraries.mkdir(exist_ok=True)
        copy(found, libraries / name)
    subprocess.run(["chmod", "-R", "a+rX", libraries], check=True)
    done = subprocess.run(
        [
            *("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"),
            *(python, "-c", EXAMINE, "whole"),
        ],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{tmp_path}:{libraries}"},
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []
