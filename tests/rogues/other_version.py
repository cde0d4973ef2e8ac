"""Row 16: speaks another version of the protocol.  Out, ``no_hello``."""

from tests.rogues._wire import play

play(protocol=2)
