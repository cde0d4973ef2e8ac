"""All figures of the table, one benchmark after the other.

    python -m benchmarks.bench [NAME...] [--runs N] [--write FILE]

Each benchmark runs in a process of its own, since some of them stay on one core.
"""

import argparse
import json
import platform
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Final

from benchmarks.common import RUNS, Row, line_of, number

NAMES: Final = (
    "decisions",
    "jobs",
    "playouts",
    "codec",
    "startup",
    "starts",
    "scale",
    "steady",
)


def main() -> None:
    """Measure, print the table, write the JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--write", type=Path, help="the figures as JSON")
    parser.add_argument("--markdown", type=Path, help="the table for a page")
    given = parser.parse_args()
    tables: dict[str, list[Row]] = {}
    began = time.monotonic()
    for name in given.names or NAMES:
        print(name, flush=True)
        tables[name] = rows = []
        command = [sys.executable, "-m", f"benchmarks.{name}", "--json"]
        command += ["--runs", str(given.runs)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                rows.append(Row(**json.loads(line)))
                print(f"  {line_of(rows[-1])}", flush=True)
        if process.returncode != 0:
            print(f"  {name} has failed", file=sys.stderr)
    print(f"{time.monotonic() - began:.0f} s, medians of {given.runs}, on {machine()}")
    if given.write is not None:
        value = {
            "machine": machine(),
            "runs": given.runs,
            "rows": {name: list(map(asdict, rows)) for name, rows in tables.items()},
        }
        given.write.write_text(json.dumps(value, indent=2) + "\n")
    if given.markdown is not None:
        given.markdown.write_text(markdown(tables))
    if any(not rows for rows in tables.values()):
        sys.exit(1)


def machine() -> str:
    """Return what the figures were measured on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{model}, Python {platform.python_version()}"


def markdown(tables: dict[str, list[Row]]) -> str:
    """Return the tables as one of Markdown."""
    lines = ["| what | figure | | beside | ratio |", "|---|--:|---|---|--:|"]
    for rows in tables.values():
        for row in rows:
            ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
            cells = (row.name, number(row.figure), row.unit, row.beside or "", ratio)
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
