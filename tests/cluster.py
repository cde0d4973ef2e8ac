"""A scheduler and workers for tests: real ones, processes of this machine."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from tests.rogues import ROOT

Env: TypeAlias = Mapping[str, str] | None

PATIENCE_S = 100.0
DASK = (sys.executable, "-m", "dask")
QUIET = {"DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "false"}


class Member:
    """One process of a cluster, which writes a log."""

    def __init__(self, folder: Path, name: str, *words: str, env: Env = None) -> None:
        self.log = folder / f"{name}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*DASK, *words],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT), **QUIET, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def find(self, pattern: str) -> str:
        """Wait until its log has it; return what the pattern's group holds."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            found = re.search(pattern, self.log.read_text(errors="replace"))
            if found:
                return str(found.group(1))
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError(self.log.read_text(errors="replace"))

    def kill(self) -> None:
        """Kill it with -9; it has no time to tell anybody."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, folder: Path, scheme: str = "tcp", env: Env = None) -> None:
        self.folder = folder
        self.scheme = scheme
        self.env = env or {}
        self.members: list[Member] = []
        self.start()

    def start(self, port: int = 0) -> None:
        """Start the scheduler."""
        self.scheduler = self._member(
            f"scheduler{len(self.members)}",
            "scheduler",
            *("--host", f"{self.scheme}://127.0.0.1", "--port", str(port)),
            "--no-dashboard",
        )
        pattern = rf"Scheduler at: +{self.scheme}://127.0.0.1:(\d+)"
        self.port = int(self.scheduler.find(pattern))

    @property
    def url(self) -> str:
        """What the user names it by."""
        return f"dask{'s' if self.scheme == 'tls' else ''}://127.0.0.1:{self.port}"

    def worker(self, *words: str, env: Env = None, waits: bool = True) -> Member:
        """Start a worker of one slot, without a nanny that would start it again."""
        worker = self._member(
            f"worker{len(self.members)}",
            "worker",
            f"{self.scheme}://127.0.0.1:{self.port}",
            *("--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard"),
            *("--local-directory", str(self.folder / f"local{len(self.members)}")),
            *words,
            env=env,
        )
        if waits:
            worker.find(r"(Registered to)")
        return worker

    def _member(self, name: str, *words: str, env: Env = None) -> Member:
        env = {**self.env, **(env or {})}
        member = Member(self.folder, name, *words, env=env)
        self.members.append(member)
        return member

    def close(self) -> None:
        """End them all."""
        for member in self.members:
            member.kill()


@contextlib.contextmanager
def cluster(folder: Path, workers: int = 2, **given: Any) -> Iterator[Cluster]:
    """Yield a cluster; nothing of it is left afterwards."""
    running = Cluster(folder, **given)
    try:
        for _ in range(workers):
            running.worker()
        yield running
    finally:
        running.close()


def eventually(is_so: Callable[[], object]) -> bool:
    """Look again and again; Dask takes its time to start where much else runs."""
    until = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
