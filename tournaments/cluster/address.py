"""Where a cluster is, and how we come to it: ``dask://`` plain, ``dasks://`` with TLS.

Certificates are named as Dask names them everywhere, by its own settings: scheduler,
workers and front then read the same variables or file.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import Any, Final
from urllib.parse import urlsplit

from arena.errors import ArenaError, CannotGoOnError

HELP: Final = (
    "write  local,  dask://HOST:PORT  or  dasks://HOST:PORT  (docs/cluster.md)"
)
SCHEMES: Final = {"dask": "tcp", "dasks": "tls"}
CONNECT_S: Final = 8.0
CLOSE_S: Final = 2.0
TLS: Final = "distributed.comm.tls"
VARIABLES: Final = {
    f"{TLS}.ca-file": "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    f"{TLS}.client.cert": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    f"{TLS}.client.key": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
}


@dataclass(frozen=True, slots=True)
class Address:
    """A scheduler's address, as the user and as Dask write it."""

    text: str
    dask: str
    is_secret: bool


def read_address(text: str) -> Address | None:
    """Return where the scheduler is; None where matches are played here.

    Raises:
        ArenaError: if it is no address.
    """
    if text == "local":
        return None
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ArenaError(f"--engine {text!r}: no port there; {HELP}") from None
    extra = parts.path.strip("/") or parts.query or parts.fragment or parts.username
    if parts.scheme not in SCHEMES or not host or not port or extra:
        raise ArenaError(f"--engine {text!r}: no engine; {HELP}")
    shown = f"[{host}]" if ":" in host else host
    dask = f"{SCHEMES[parts.scheme]}://{shown}:{port}"
    return Address(text, dask, parts.scheme == "dasks")


@contextmanager
def connected(address: Address) -> Iterator[Any]:
    """Yield Dask's client of a scheduler.

    Raises:
        ArenaError: if Dask is not installed, or a certificate is not there.
        CannotGoOnError: if nobody answers, or not to us.
    """
    try:
        import distributed
    except ImportError:
        raise ArenaError(
            "--engine dask:// needs Dask; install it:  "
            "pip install 'trianon-arena[dask]'"
        ) from None
    import dask

    open_client: Any = distributed.Client  # Dask is not typed
    # Dask, tornado and asyncio log in tracebacks what we tell in a line; of our own,
    # nothing is logged.  Their threads outlive this block, so it stays.
    logging.disable(logging.CRITICAL)
    given = {
        "distributed.comm.timeouts.connect": f"{CONNECT_S:.0f}s",
        "distributed.comm.retry.count": 0,
    }
    with dask.config.set(given):
        security = _security(dask, distributed) if address.is_secret else None
        try:
            client: Any = open_client(
                address.dask,
                security=security,
                timeout=f"{CONNECT_S:.0f}s",
                set_as_default=False,
                name="trianon",
            )
        except (OSError, TimeoutError, ValueError) as error:
            why = " ".join(str(error).split())[:200] or "no answer"
            raise CannotGoOnError(
                f"{address.text}: no scheduler that talks to us there ({why}); see "
                "that it runs, and the certificates of both"
            ) from None
        try:
            yield client
        finally:
            aside(lambda: client.close(timeout=CLOSE_S), CLOSE_S)


def aside(call: Any, within_s: float) -> None:
    """Call what may hang when the other end is gone, and wait for it so long only."""

    def run() -> None:
        try:
            call()
        except Exception:
            logging.getLogger(__name__).debug("in vain", exc_info=True)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(within_s)


def _security(dask: Any, distributed: Any) -> Any:
    missing = [
        name for key, name in VARIABLES.items() if not dask.config.get(key, None)
    ]
    if missing:
        raise ArenaError(
            f"dasks:// needs certificates; name their files by {', '.join(missing)}"
        )
    try:
        security = distributed.Security(require_encryption=True)
        security.get_connection_args("client")
    except (OSError, ValueError) as error:
        raise ArenaError(
            f"dasks://: the certificates cannot be read ({error}); see "
            f"{', '.join(VARIABLES.values())}"
        ) from None
    return security
