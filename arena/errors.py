"""The errors that a person at the keyboard can mend."""


class ArenaError(Exception):
    """Something the user can mend: printed as one line, without a traceback.

    The text says what is wrong, where, and what to do about it.
    """

    exit_code = 2


class RefusedError(ArenaError):
    """What was asked for would not be safe here."""

    exit_code = 3


class CannotGoOnError(ArenaError):
    """The disk, the store or an engine failed; everything finished is kept."""

    exit_code = 4


class Terminated(BaseException):
    """SIGTERM or SIGHUP: like Ctrl-C, it ends everything in good order."""
