"""An optional step of the build: the games' cores, compiled by mypyc.

Off by default, so that a wheel needs no compiler.  ``HATCH_BUILD_HOOKS_ENABLE=1 pip
wheel .`` makes one for this interpreter and machine, from the very same files
(docs/performance.md); they stay in it beside what they were compiled to.
"""

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    "protocol/notation.py",
    "arena/games/base.py",
    "arena/games/tricks.py",
    "arena/games/trianon.py",
    "arena/games/loyatais.py",
    "arena/games/rollouts.py",
)


class CompileHook(BuildHookInterface[Any]):
    """Put shared libraries of the games into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say that the wheel is for this machine alone."""
        if version != "standard":  # an editable install runs the files themselves
            return
        with contextlib.chdir(self.root):
            for library, place in _compile().items():
                build_data["force_include"][library] = place
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def _compile() -> dict[str, str]:
    """Return the libraries made, each with its place in the wheel."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    folder = tempfile.mkdtemp(prefix="trianon-mypyc-")
    extensions = mypycify(
        list(COMPILED),
        opt_level=os.environ.get("MYPYC_OPT_LEVEL", "3"),
        target_dir=folder,
        group_name="trianon_arena",
    )
    distribution = Distribution({"name": "trianon", "ext_modules": extensions})
    command = distribution.get_command_obj("build_ext")
    command.build_lib = folder
    command.build_temp = folder
    command.ensure_finalized()
    command.run()
    return {
        str(path): str(path.relative_to(folder))
        for path in Path(folder).rglob("*")
        if path.suffix in (".so", ".pyd")
    }
