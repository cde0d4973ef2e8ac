"""Who may sit down at the table, and what may be said there: checked before it is done.

Only the person who started the server may play: whoever asks must come from this very
machine, with the key from the printed address in a header.  A page from elsewhere can
send no such header, a browser adds none by itself, and so no page can play in the
person's name.  Every body is bounded before it is parsed.
"""

import ipaddress
import secrets
from collections.abc import Mapping
from typing import Annotated, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MAX_BODY: Final = 2048  # bytes; the longest of ours has some 200
SCHEME: Final = "Bearer "


class RefusedError(Exception):
    """Somebody who may not play here; the text says why."""


class WrongError(Exception):
    """Nothing that can be said at the table; the text says why."""


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


_Name = Annotated[str, Field(max_length=100)]


class OpenSaid(_Said):
    """Begin a match; options as on the command line."""

    game: _Name
    deals: Annotated[int, Field(ge=1, le=1000)] | None = None
    target: Annotated[int, Field(ge=1, le=100_000)] | None = None
    person: Annotated[str, Field(min_length=1, max_length=64)] | None = None


class MatchSaid(_Said):
    """Something about a match: resign, stop."""

    match: _Name


class RequestSaid(MatchSaid):
    """Something about an open request, by its id: a hint."""

    id: Annotated[int, Field(ge=0, lt=2**31)]


class MoveSaid(RequestSaid):
    """The person's move."""

    move: Annotated[str, Field(max_length=16)]


_S = TypeVar("_S", bound=_Said)


def new_key() -> str:
    """Return a key that nobody can guess."""
    return secrets.token_urlsafe(16)


def admit(key: str, client: str | None, headers: Mapping[str, str]) -> None:
    """Let in whoever may play.

    Args:
        key: the table's.
        client: the address that the request comes from.
        headers: of the request, by names in lower case.

    Raises:
        RefusedError: for everybody else.
    """
    if client is None or not _is_loopback(client):
        raise RefusedError("the table is only for who sits at this machine")
    origin = headers.get("origin")
    if origin is not None and origin != f"http://{headers.get('host', '')}":
        raise RefusedError("another page cannot play here")
    given = headers.get("authorization", "").removeprefix(SCHEME)
    if not secrets.compare_digest(given.encode("utf-8", "replace"), key.encode()):
        raise RefusedError("the key is missing; open the address that was printed")


def read(kind: type[_S], body: bytes) -> _S:
    """Return what was said.

    Raises:
        WrongError: if it cannot be read.
    """
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise WrongError(f"{where or 'body'}: {first['msg']}") from None


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
