"""The newest look at every tournament, kept up to date, and the pages made of them.

Trio and threads, no server.  Looks are made in a thread while pages are answered from
the last ones.
"""

from collections import OrderedDict
from threading import Lock
from typing import Final

import trio

from arena.errors import ArenaError
from tournaments.web.book import LIVE, file_page, start_page, tournament_page
from tournaments.web.live import Channels, event
from tournaments.web.look import Look, State, Watch
from tournaments.web.pages import warm_up
from tournaments.web.shelf import Shelf
from tournaments.web.words import LANGUAGES

POLL_S: Final = 0.25
"""How often it is seen whether anything has changed: that costs a few microseconds."""
LEAST_S: Final = 0.5
"""Between the beginnings of two looks at a tournament.  After one that took long there
is a pause of half as long: so two thirds of a core at most go into looks, and a viewer
is no two seconds late as long as one takes less than 0.7 seconds."""
RATE_S: Final = 5.0
"""How often a tournament that is being played is looked at without a change: it may
have been stopped, and the time that is left goes by."""
KEPT: Final = 64
"""Pages kept as they were made, until their tournament changes."""


class Hub:
    """All tournaments as they are now.

    Args:
        shelf: where they are.

    Raises:
        ArenaError: if one of them cannot be read.
    """

    def __init__(self, shelf: Shelf) -> None:
        warm_up()
        self._watches = {item.slug: Watch(item) for item in shelf}
        self._looks = {slug: watch.look() for slug, watch in self._watches.items()}
        self._pages: OrderedDict[str, tuple[tuple[Look, ...], bytes]] = OrderedDict()
        self._lock = Lock()
        self.channels = Channels()

    def look(self, slug: str) -> Look | None:
        """Return a tournament as it was seen last."""
        return self._looks.get(slug)

    def page(self, path: str) -> bytes | None:
        """Return the page at a path; None if there is none.  To be called in a thread.

        Args:
            path: from the root, without a slash at its beginning.
        """
        kept = self.kept(path)
        if kept is not None:
            return kept
        looks = self._looks_for(path)
        text = _made(path, looks)
        if text is None:
            return None
        page = text.encode()
        with self._lock:
            self._pages[path] = looks, page
            self._pages.move_to_end(path)
            while len(self._pages) > KEPT:
                self._pages.popitem(last=False)
        return page

    def kept(self, path: str) -> bytes | None:
        """Return the page at a path if it is at hand, made of the newest looks."""
        looks = self._looks_for(path)
        with self._lock:
            kept = self._pages.get(path)
            # The very same: to compare two looks would cost more than a page.
            if kept is None or list(map(id, kept[0])) != list(map(id, looks)):
                return None
            self._pages.move_to_end(path)
            return kept[1]

    def _looks_for(self, path: str) -> tuple[Look, ...]:
        parts = path.split("/")
        if len(parts) > 2 and parts[1] == "t":
            look = self._looks.get(parts[2])
            return () if look is None else (look,)
        return tuple(self._looks.values())

    def state(self, path: str) -> bytes | None:
        """Return the state of a page for those who watch it; None if there is none."""
        page = self.page(path)
        return None if page is None else event(page.decode())

    async def run(self, *, task_status: trio.TaskStatus[None]) -> None:
        """Keep the looks up to date until cancelled."""
        async with trio.open_nursery() as nursery:
            for slug, watch in self._watches.items():
                nursery.start_soon(self._follow, slug, watch)
            task_status.started()

    async def _follow(self, slug: str, watch: Watch) -> None:
        """Look at one tournament whenever it has changed.

        One that cannot be read just now, since it is moved away or begun anew, stays as
        it was seen last.
        """
        seen = self._looks[slug].version
        settled = False
        at = trio.current_time()
        while True:
            await trio.sleep(POLL_S)
            version = watch.tournament.version()
            look = self._looks[slug]
            is_due = (
                look.progress.state is State.PLAYING
                and trio.current_time() - at > RATE_S
            )
            # Two changes within one tick of the file system's clock look like one: so
            # after the last of them there is one look more.
            if version == seen and settled and not is_due:
                continue
            settled = version == seen
            seen = version
            at = trio.current_time()
            try:
                self._looks[slug] = await trio.to_thread.run_sync(watch.look)
                await self._publish(slug)
            except ArenaError:
                settled = False  # it may be back in a moment
            took = trio.current_time() - at
            await trio.sleep(max(0.0, LEAST_S - took, took / 2 - POLL_S))

    async def _publish(self, slug: str) -> None:
        """Make the pages anew that somebody watches."""
        for path, channel in self.channels.watched():
            parts = path.split("/")
            if len(parts) < 3 or parts[1] != "t" or parts[2] == slug:
                state = await trio.to_thread.run_sync(self.state, path)
                if state is not None:
                    channel.publish(state)


def _made(path: str, looks: tuple[Look, ...]) -> str | None:
    code, slash, rest = path.partition("/")
    if code not in LANGUAGES or not slash:
        return None
    match rest.split("/"):
        case ["" | "index.html"]:
            return start_page(looks, path, LIVE)
        case ["replay.html"]:
            return file_page(path, LIVE)
        case ["t", _, *_] if looks and rest.count("/") >= 2:
            return tournament_page(looks[0], path, LIVE)
        case _:
            return None
