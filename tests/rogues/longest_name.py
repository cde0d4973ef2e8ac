"""Row 34: a name of 10,000 characters.  Longer than a line: out, ``no_hello``."""

from tests.rogues._wire import play

play(name="n" * 10_000)
