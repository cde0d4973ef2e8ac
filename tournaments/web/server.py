"""The server: Starlette under Hypercorn's trio worker.  The one module with either.

It answers, and decides nothing: which page stands where is in ``places``, what it says
in ``views``.  Signals and the end are ours, since Hypercorn handles neither.
"""

import ipaddress
import json
import os
import signal
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol, TypeVar, TypeVarTuple

import trio
from hypercorn.config import Config
from hypercorn.trio import serve
from hypercorn.typing import Framework
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.errors import ArenaError, Terminated
from tournaments.web.hub import Hub
from tournaments.web.live import BEAT, BEAT_S, Channels
from tournaments.web.pages import POLICY, STATIC, render
from tournaments.web.shelf import Shelf
from tournaments.web.shown import Closed, PublicRecord, public_record
from tournaments.web.words import LANGUAGES, language, preferred

GRACE_S: Final = 0.3
"""How long requests may go on after the end was asked for."""

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


class Part(Protocol):
    """Something that is served beside the tournaments, such as a seat at the table."""

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """What it answers."""

    async def run(self, *, task_status: trio.TaskStatus[None]) -> None:
        """Do what it does meanwhile, until it is cancelled."""


def run_server(
    shelf: Shelf,
    host: str,
    port: int,
    say: Callable[[str], None],
    parts: Sequence[Part] = (),
) -> None:
    """Serve the pages until a signal comes.

    Args:
        shelf: the tournaments.
        host: the address to listen at.
        port: the port; 0 for any that is free.
        say: is told the address, once there is somebody to answer.
        parts: what else is served.

    Raises:
        ArenaError: if that address cannot be had.
        KeyboardInterrupt: after Ctrl-C, when all has ended in good order.
        Terminated: after SIGTERM or SIGHUP, likewise.
    """
    listener = _listen(host, port)
    hub = Hub(shelf)
    if trio.run(_serve, shelf, hub, listener, host, say, parts) is signal.SIGINT:
        raise KeyboardInterrupt
    raise Terminated


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, number)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
        except BaseException:
            listener.close()
            raise
    except OSError as error:
        raise ArenaError(
            f"{host}:{port}: {error.strerror}; choose another  --port  (0: any free "
            "one) or  --host"
        ) from error
    return listener


def address_of(host: str, listener: socket.socket) -> str:
    """Return the address to print."""
    port = listener.getsockname()[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


async def _serve(
    shelf: Shelf,
    hub: Hub,
    listener: socket.socket,
    host: str,
    say: Callable[[str], None],
    parts: Sequence[Part],
) -> signal.Signals:
    """Serve until a signal comes, and return it."""
    address = address_of(host, listener)
    is_local = _is_loopback(listener.getsockname()[0])
    config = Config()
    descriptor = listener.detach()
    config.bind = [f"fd://{descriptor}"]
    config.graceful_timeout = GRACE_S
    config.include_server_header = False
    config.loglevel = "WARNING"
    caught = signal.SIGTERM
    done = trio.Event()
    with trio.open_signal_receiver(
        signal.SIGINT, signal.SIGTERM, signal.SIGHUP
    ) as signals:

        async def wait_signal() -> None:
            nonlocal caught
            async for number in signals:
                caught = signal.Signals(number)
                done.set()
                return

        async with trio.open_nursery() as nursery:
            for task in (hub.run, *(part.run for part in parts)):
                await nursery.start(task)
            app = make_app(shelf, hub, is_local=is_local, parts=parts)
            await nursery.start(
                partial(serve, _typed(app), config, shutdown_trigger=wait_signal)
            )
            # Hypercorn lets it be inherited, for workers that we do not have.
            os.set_inheritable(descriptor, False)
            say(address)
            await done.wait()
            nursery.cancel_scope.cancel()
    return caught


def _typed(app: ASGIApp) -> Framework:
    return app  # type: ignore[return-value]  # the same interface, spelt twice


def make_app(
    shelf: Shelf, hub: Hub, *, is_local: bool, parts: Sequence[Part] = ()
) -> ASGIApp:
    """Return what answers requests.

    Args:
        shelf: the tournaments.
        hub: the newest looks at them.
        is_local: whether only this machine is to be answered.
        parts: what else is served.
    """
    site = _Site(shelf, hub)
    routes: list[BaseRoute] = [
        Route("/", site.choose_language),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/words/{code}.json", site.words),
        Route("/data/{slug}/records/{stem}.jsonl", site.record),
        Route("/data/{slug}/table.json", site.table),
        Route("/live/{path:path}", site.live),
    ]
    routes += [route for part in parts for route in part.routes]
    routes.append(Route("/{path:path}", site.page))
    handlers = {ArenaError: _away}
    app = Starlette(routes=routes, exception_handlers=handlers)
    return _Guard(app, is_local=is_local)


def _away(_request: Request, _error: Exception) -> Response:
    """Answer while a tournament cannot be read; where it is, is nobody's business."""
    return PlainTextResponse("this tournament cannot be read just now\n", 503)


class _Site:
    """The answers.  Those that read or make pages do it in a thread."""

    def __init__(self, shelf: Shelf, hub: Hub) -> None:
        self._shelf = shelf
        self._hub = hub

    def choose_language(self, request: Request) -> Response:
        code = preferred(request.headers.get("accept-language", ""))
        return RedirectResponse(f"{code}/", 302, {"Vary": "Accept-Language"})

    def words(self, request: Request) -> Response:
        code: str = request.path_params["code"]
        if code not in LANGUAGES:
            raise HTTPException(404)
        text = json.dumps(language(code).catalogue, ensure_ascii=False)
        return Response(text, media_type="application/json")

    async def page(self, request: Request) -> Response:
        kept = self._hub.kept(request.path_params["path"])
        if kept is not None:
            return Response(kept, media_type="text/html")
        return await trio.to_thread.run_sync(self._new_page, request)

    def _new_page(self, request: Request) -> Response:
        path: str = request.path_params["path"]
        page = self._hub.page(path)
        if page is None and self._hub.page(f"{path}/") is not None:
            return RedirectResponse(f"{path.rpartition('/')[2]}/")
        if page is None:
            code = path.partition("/")[0]
            if code not in LANGUAGES:
                code = preferred(request.headers.get("accept-language", ""))
                path = f"{code}/"
            missing = render("missing.html", path, live=None)
            return Response(missing, 404, media_type="text/html")
        return Response(page, media_type="text/html")

    def table(self, request: Request) -> Response:
        look = self._hub.look(request.path_params["slug"])
        if look is None:
            raise HTTPException(404)
        text = look.standings.model_dump_json(exclude={"deals"}, ensure_ascii=True)
        return Response(text, media_type="application/json")

    def record(self, request: Request) -> Response:
        tournament = self._shelf.tournaments.get(request.path_params["slug"])
        if tournament is None:
            raise HTTPException(404)
        match public_record(tournament, request.path_params["stem"]):
            case None:
                raise HTTPException(404)
            case Closed():
                raise HTTPException(403)
            case PublicRecord(text=text):
                return PlainTextResponse(text, media_type="application/jsonl")

    async def live(self, request: Request) -> Response:
        path: str = request.path_params["path"]
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        first = await trio.to_thread.run_sync(self._hub.state, path)
        if first is None:
            raise HTTPException(404)
        return _Stream(self._hub.channels, path, first)


class _Stream(Response):
    """Server-sent events for one watcher, until it goes or we end.

    Under Hypercorn nothing tells of a watcher that has gone but ``http.disconnect``,
    which must be waited for.
    """

    def __init__(self, channels: Channels, path: str, first: bytes) -> None:
        super().__init__(media_type="text/event-stream")
        self._channels = channels
        self._path = path
        self._first = first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._send, send)
            while (await receive())["type"] != "http.disconnect":
                pass
            nursery.cancel_scope.cancel()

    async def _send(self, send: Send) -> None:
        body = {"type": "http.response.body", "more_body": True}
        with self._channels.watching(self._path) as channel:
            # The page may have been made anew since the watcher asked.
            if not channel.number:
                channel.publish(self._first)
            number = 0
            while True:
                if channel.number > number:
                    number = channel.number
                    await send({**body, "body": channel.state})
                with trio.move_on_after(BEAT_S) as waited:
                    await channel.wait_newer(number)
                if waited.cancelled_caught:
                    await send({**body, "body": BEAT})


class _Guard:
    """What holds for every answer: who is answered at all, and the strict headers."""

    def __init__(self, app: ASGIApp, *, is_local: bool) -> None:
        self._app = app
        self._is_local = is_local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._is_local and not _names_loopback(dict(scope["headers"]).get(b"host")):
            # A page elsewhere whose name leads here by a trick of the name service.
            answer = PlainTextResponse("this server answers at loopback only\n", 421)
            await answer(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
                if not any(name == b"cache-control" for name, _ in message["headers"]):
                    message["headers"].append((b"cache-control", b"no-cache"))
            await send(message)

        await self._app(scope, receive, send_with_headers)


_HEADERS: Final = (
    (b"content-security-policy", f"{POLICY}; frame-ancestors 'none'".encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def _names_loopback(host: bytes | None) -> bool:
    """Tell whether a request is for this machine by a name that cannot be another's."""
    name, _, port = (host or b"").decode("latin-1").rpartition(":")
    if not port.isdecimal():
        name = f"{name}:{port}" if name else port
    name = name.strip("[]").lower()
    return name == "localhost" or _is_loopback(name)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
