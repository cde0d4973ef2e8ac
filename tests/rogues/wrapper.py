"""Row 22: a wrapper that starts the bot as its child, and waits.  Nothing is left."""

import subprocess
import sys

from tests.rogues._wire import play

if "child" in sys.argv:
    play()
else:
    subprocess.run([*sys.orig_argv, "child"], check=False)
