"""Row 34: an empty name.  It has its program's."""

from tests.rogues._wire import play

play(name="")
