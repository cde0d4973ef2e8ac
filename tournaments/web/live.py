"""Pages that move: who watches which, and the newest of each.  Trio alone, no server.

A page that somebody watches is made once for all of them when its tournament has
changed.  A watcher gets the newest state there is when it can take one, and never what
came between: however slow it is, nothing piles up.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import trio

BEAT_S: Final = 15.0
"""After so long without news a watcher is sent a blank line, to see if it is there."""
BEAT: Final = b":\n\n"


@dataclass(slots=True, eq=False)
class Channel:
    """The newest state of one page; ``watchers`` is how many wait for the next."""

    state: bytes = b""
    number: int = 0
    watchers: int = 0
    _changed: trio.Event = field(default_factory=trio.Event)

    def publish(self, state: bytes) -> None:
        """Tell all watchers a state, unless it is what they know."""
        if state != self.state:
            self.state = state
            self.number += 1
            self._changed.set()
            self._changed = trio.Event()

    async def wait_newer(self, number: int) -> None:
        """Wait until there is a newer state than ``number``."""
        while self.number <= number:
            await self._changed.wait()


class Channels:
    """All pages that are watched, by their paths; others take no room."""

    def __init__(self) -> None:
        self._channels: dict[str, Channel] = {}

    @contextmanager
    def watching(self, path: str) -> Iterator[Channel]:
        """Be one of a page's watchers."""
        channel = self._channels.setdefault(path, Channel())
        channel.watchers += 1
        try:
            yield channel
        finally:
            channel.watchers -= 1
            if channel.watchers == 0:
                del self._channels[path]

    def watched(self) -> list[tuple[str, Channel]]:
        """Return the pages that somebody watches."""
        return list(self._channels.items())


def event(html: str) -> bytes:
    """Return a state of a page as an event of the stream: its main part."""
    start, end = html.index("<main"), html.index("</main>")
    title = html[html.index("<title>") + 7 : html.index("</title>")]
    main = html[html.index(">", start) + 1 : end]
    data = json.dumps({"title": title, "main": main}, ensure_ascii=False)
    return f"data: {data}\n\n".encode()
