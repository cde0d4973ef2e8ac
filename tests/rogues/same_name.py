"""Row 34: the name of another at the table.  They are told apart."""

from tests.rogues._wire import play

play(name="first")
