"""An oracle: the rules of both games once more, by another hand.

``trianon`` and ``loyatais`` offer the same names and import nothing of the program
that they judge. ``check_record`` holds a whole record against them.
"""

from . import loyatais, trianon
from .record import check_record

__all__ = ["check_record", "loyatais", "trianon"]
