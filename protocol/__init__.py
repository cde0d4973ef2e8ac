"""The language of the arena: what may be said on the wire, and how it is spelt.

Nothing here knows a rule of a game, starts a process or reads a clock.
"""

from typing import Final

PROTOCOL: Final = "trianon-arena"
VERSION: Final = 1
