"""Why a program cannot be started: told by its first bytes.

The system's own words, "No such file or directory" for a script that is there, lead
astray: what is missing is its interpreter.
"""

import os
import platform
import shutil
import struct
from pathlib import Path
from typing import Final

from arena.diagnosis import Finding

# ELF's e_machine (elf(5)), by what platform.machine() says.
MACHINES: Final = {
    "x86_64": 62,
    "i386": 3,
    "i686": 3,
    "aarch64": 183,
    "armv7l": 40,
    "riscv64": 243,
    "ppc64le": 21,
    "s390x": 22,
}
ALSO_RUN: Final = {"x86_64": (3,), "aarch64": (40,)}  # what may run there too
NAMES: Final = {number: name for name, number in MACHINES.items()} | {3: "i386"}


def why_no_start(program: str, search: str) -> Finding | None:
    """Return why ``program`` cannot be started; None when nothing speaks against it.

    Args:
        program: the path of the program.
        search: the ``PATH`` that it is started with.
    """
    path = Path(program)
    try:
        with path.open("rb") as file:
            head = file.read(512)
    except FileNotFoundError:
        return Finding(f"{program}: no such program", "check the bot's command")
    except OSError:
        return None
    if not os.access(path, os.X_OK):
        return Finding(f"{program} is not executable", f"run  chmod +x {program}")
    if head.startswith(b"#!"):
        return _script(program, head, search)
    if head.startswith(b"\x7fELF"):
        return _elf(program, head)
    if head.startswith(b"MZ"):
        return Finding(f"{program} is a program for Windows", "build it on this system")
    if head[:4] in (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xce\xfa\xed\xfe"):
        return Finding(
            f"{program} is no program of this system: one for macOS, or a Java class",
            "build it on this system; a class is started with  java",
        )
    return Finding(
        f"{program} is neither a program nor a script that names its interpreter",
        "begin a script with a line such as  #!/usr/bin/env python3, or name the "
        'interpreter in the command:  "python3 mybot.py"',
    )


def _script(program: str, head: bytes, search: str) -> Finding | None:
    line = head[2:].split(b"\n", 1)[0]
    if line.endswith(b"\r"):
        return Finding(
            f"the first line of {program} ends with a carriage return",
            f"it has the line ends of Windows; run  sed -i 's/\\r$//' {program}",
        )
    words = line.decode("utf-8", "replace").split()
    if not words:
        return Finding(
            f"the first line of {program} names no interpreter",
            "write one, such as  #!/usr/bin/env python3",
        )
    interpreter = words[0]
    if not Path(interpreter).is_file():
        return Finding(
            f"{program} wants the interpreter {interpreter}, which is not there",
            f"install it, or mend the first line of {program}",
        )
    if Path(interpreter).name != "env":
        return None
    wanted = next(
        (w for w in words[1:] if not w.startswith("-") and "=" not in w), None
    )
    if wanted is not None and shutil.which(wanted, path=search) is None:
        return Finding(
            f"{program} wants the interpreter {wanted}, which is not on the PATH",
            f"install it, or mend the first line of {program}",
        )
    return None


def _elf(program: str, head: bytes) -> Finding | None:
    here = platform.machine()
    if len(head) < 20 or here not in MACHINES:
        return None
    order = "<" if head[5] == 1 else ">"
    machine: int = struct.unpack_from(f"{order}H", head, 18)[0]
    if machine == MACHINES[here] or machine in ALSO_RUN.get(here, ()):
        return None
    built = NAMES.get(machine, f"machine {machine}")
    return Finding(
        f"{program} is built for {built}; this machine is {here}",
        f"build it for {here}",
    )
