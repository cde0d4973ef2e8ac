"""The table over HTTP: its page, and what the page asks and says.

The page holds no secret and is for everybody; all that is told of a match needs the
key (``seat_door``).  News come by asking again and again: an answer waits until the
table has changed, for a while.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import BaseRoute, Route

from arena.errors import ArenaError
from tournaments.web.pages import render
from tournaments.web.seat_door import (
    MAX_BODY,
    MatchSaid,
    MoveSaid,
    OpenSaid,
    RefusedError,
    RequestSaid,
    WrongError,
    admit,
    read,
)
from tournaments.web.seat_match import NotLegalError, NotNowError
from tournaments.web.seat_table import PERSON, Table
from tournaments.web.words import LANGUAGES, preferred

ADDRESS: Final = "table/"
"""Where the table is, from the root."""
WAIT_S: Final = 20.0  # that an answer waits for news; a browser waits longer
MAX_SINCE: Final = 9  # digits of a number of an event
_HEADERS: Final = {"Cache-Control": "no-store"}

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]
_S = TypeVar("_S", OpenSaid, MatchSaid, RequestSaid, MoveSaid)


class TableRoutes:
    """What is served at ``/table/``.

    Args:
        table: the table.
        key: what whoever plays must show.
    """

    def __init__(self, table: Table, key: str) -> None:
        self._table = table
        self._key = key

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """What it answers."""
        said: dict[str, Handler] = {
            "open": self._open,
            "move": self._move,
            "hint": self._hint,
            "resign": self._resign,
            "stop": self._stop,
        }
        asked: dict[str, Handler] = {"state": self._state, "record": self._record}
        return [
            Route("/table/", _choose_language),
            Route("/{code}/table/", _page),
            *(self._route(name, said[name], "POST") for name in said),
            *(self._route(name, asked[name], "GET") for name in asked),
        ]

    async def run(
        self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Play what is wanted, until it is cancelled."""
        await self._table.run(task_status=task_status)

    def _route(self, name: str, handler: Handler, method: str) -> Route:
        async def answer(request: Request) -> Response:
            try:
                client = None if request.client is None else request.client.host
                admit(self._key, client, request.headers)
                return await handler(request)
            except RefusedError as error:
                return _answer({"error": str(error)}, 403)
            except NotNowError:
                return _answer({"error": "that is not asked now"}, 409)
            except NotLegalError as error:
                return _answer({"error": f"not legal: {error}"}, 422)
            except (WrongError, ArenaError) as error:
                return _answer({"error": str(error)}, 422)

        return Route(f"/table/{name}", answer, methods=[method])

    async def _state(self, request: Request) -> Response:
        wanted = request.query_params
        since = wanted.get("since", "0")
        is_number = since.isascii() and since.isdecimal() and len(since) <= MAX_SINCE
        with trio.move_on_after(WAIT_S):
            await self._table.wait_change(wanted.get("version"))
        shown = self._table.shown(int(since) if is_number else 0, wanted.get("match"))
        return _answer(shown)

    async def _record(self, request: Request) -> Response:
        path = self._table.record_of(request.query_params.get("match", ""))
        if path is None or not path.is_file():
            return _answer({"error": "no record of a match that is over"}, 404)
        return FileResponse(path, media_type="application/jsonl", headers=_HEADERS)

    async def _open(self, request: Request) -> Response:
        said = await _said(request, OpenSaid)
        given = {"deals": said.deals, "target": said.target}
        await self._table.open(said.game, given, said.person or PERSON)
        return _answer({})

    async def _move(self, request: Request) -> Response:
        said = await _said(request, MoveSaid)
        await self._table.move(said.match, said.id, said.move)
        return _answer({})

    async def _hint(self, request: Request) -> Response:
        said = await _said(request, RequestSaid)
        return _answer({"move": await self._table.advise(said.match, said.id)})

    async def _resign(self, request: Request) -> Response:
        await self._table.resign((await _said(request, MatchSaid)).match)
        return _answer({})

    async def _stop(self, request: Request) -> Response:
        self._table.stop((await _said(request, MatchSaid)).match)
        return _answer({})


async def _choose_language(request: Request) -> Response:
    # The key stands behind a #, which a browser keeps where it is sent on.
    code = preferred(request.headers.get("accept-language", ""))
    return RedirectResponse(f"../{code}/{ADDRESS}", 302, {"Vary": "Accept-Language"})


async def _page(request: Request) -> Response:
    code = request.path_params["code"]
    if code not in LANGUAGES:
        raise HTTPException(404)
    html = render("table.html", f"{code}/{ADDRESS}", live=None)
    return HTMLResponse(html, headers=_HEADERS)


async def _said(request: Request, kind: type[_S]) -> _S:
    """Return what a request says, bounded before it is parsed."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise WrongError(f"longer than {MAX_BODY} bytes")
    return read(kind, bytes(body))


def _answer(value: dict[str, Any], status: int = 200) -> Response:
    return JSONResponse(value, status, _HEADERS)
