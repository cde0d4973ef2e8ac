"""One match: the games, the referee, the bots' processes, the record."""

__version__ = "0.1.0"
