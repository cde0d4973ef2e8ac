"""The front's end of a cluster: orders go out in batches, what comes back is checked.

Dask is asked to run each batch on one worker of our choice: so we know who has what,
count attempts ourselves, and Dask never blames one task for the death of a worker that
had many.  When a worker is gone, what it was playing is void and what it had waiting
goes to others.
"""

import contextlib
import secrets
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Final, TypeAlias

from arena import __version__
from arena.engines import Cores
from arena.errors import ArenaError, CannotGoOnError, RefusedError
from arena.interrupts import let_in
from arena.naming import shown
from arena.orders import Order, PlayOrder, Report, Started
from arena.sandbox import Level
from tournaments.cluster.address import Address, aside, connected
from tournaments.cluster.outcome import Outcome, void
from tournaments.cluster.parcels import Parcel, bots_of, plain, wrap
from tournaments.cluster.posts import MOST, WINDOW, Post, Sent
from tournaments.cluster.wire import Batch, Enlisted, read_note

LOOK_S: Final = 1.0  # between two looks at who is there
ANSWER_S: Final = 8.0  # for a scheduler to say it; then it is gone
NOBODY_S: Final = 30.0  # patience without any worker
REFUSED_S: Final = 5.0  # and where those that are there cannot be used
FETCH_S: Final = 20.0  # for a batch's outcome to come from its worker
STOP_S: Final = 1.5  # a worker needs 0.6 s to stop its matches
CLOSE_S: Final = 1.0

Say: TypeAlias = Callable[[str], None]
Then: TypeAlias = Callable[[bytes], Iterator[Report]]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a run asks of every worker.

    Attributes:
        sandbox: as the cup has it.
        is_untrusted: whether nothing less will do than a box in which nothing is open.
        cores: which processors a table has.
    """

    sandbox: str
    is_untrusted: bool
    cores: Cores


@dataclass(frozen=True, slots=True)
class _Call:
    post: Post
    future: Any
    then: Then
    what: str


@contextmanager
def open_cluster(address: Address, terms: Terms, say: Say) -> Iterator["Cluster"]:
    """Play on the workers of a scheduler; leave nothing of ours there.

    Raises:
        ArenaError: if Dask is not installed, or a certificate is not there.
        CannotGoOnError: if the scheduler does not talk to us.
    """
    with connected(address) as client:
        cluster = Cluster(client, address, terms, say)
        try:
            yield cluster
        finally:
            cluster.close()


class Cluster:
    """Workers behind the interface of an engine.  Use ``open_cluster``."""

    def __init__(self, client: Any, address: Address, terms: Terms, say: Say) -> None:
        self._client = client
        self._address = address
        self._terms = terms
        self._say = say
        self._run = f"trianon-{secrets.token_hex(6)}"
        self._posts: dict[str, Post] = {}
        self._queue: deque[Order] = deque()
        self._parcels: dict[str, Parcel] = {}
        self._contents: dict[str, bytes] = {}
        self._calls: dict[int, _Call] = {}
        self._number = 0
        self._news: SimpleQueue[int | tuple[str, int, str]] = SimpleQueue()
        self._next_look = 0.0
        self._deserted_at: float | None = monotonic()
        self._is_lost = self._is_stopped = False
        client.subscribe_topic(self._run, self._hear)

    # --- what a front asks ---

    @property
    def jobs(self) -> int:
        """How many matches are played at a time."""
        return max(1, sum(post.slots for post in self._posts.values() if post.is_used))

    @property
    def ahead(self) -> int:
        """How many orders beyond those keep every worker busy."""
        used = [post for post in self._posts.values() if post.is_used]
        return max(2, sum(WINDOW * post.slots * post.size for post in used))

    def order(self, order: Order) -> None:
        """Have a match played, or a bot tried, on some worker."""
        for bot in bots_of(order):
            if bot.name not in self._parcels:
                parcel = wrap(bot)
                self._parcels[bot.name] = parcel
                self._contents[parcel.bot.digest] = parcel.content
        self._queue.append(order)

    def reports(self, within_s: float | None = None) -> Iterator[Report]:
        """Yield what has come, after waiting for it at most ``within_s`` seconds.

        Raises:
            CannotGoOnError: if the scheduler has gone, or there is no worker to use.
        """
        yield from self._look_around()
        self._hand_out()
        wait_s = LOOK_S if within_s is None else within_s
        with contextlib.suppress(Empty):
            with let_in():
                item = self._news.get(timeout=wait_s)
            while True:
                yield from self._take(item)
                self._hand_out()
                item = self._news.get_nowait()

    def stop(self) -> Iterator[Report]:
        """Stop every match at once; yield what was finished and not yet heard of."""
        if self._is_stopped or self._is_lost:
            return
        self._is_stopped = True
        self._queue.clear()
        patience = monotonic() + STOP_S
        self._dismiss(list(self._posts), STOP_S)
        while any(post.batches for post in self._posts.values()):
            try:
                item = self._news.get(timeout=max(0.0, patience - monotonic()))
            except Empty:
                return
            yield from self._take(item)

    def close(self) -> None:
        """Leave nothing of ours with the workers."""
        futures = [call.future for call in self._calls.values()]
        self._calls.clear()
        if self._is_lost:
            return
        if futures:
            aside(lambda: self._client.cancel(futures), CLOSE_S)
        if not self._is_stopped:
            self._dismiss(list(self._posts), CLOSE_S)

    def _dismiss(self, addresses: list[str], within_s: float) -> None:
        """Have workers stop what is ours."""
        from tournaments.cluster.worker import stop

        run = self._run
        aside(lambda: self._client.run(stop, run, workers=addresses), within_s)

    def whereabouts(self) -> list[str]:
        """Return each worker that is used, and what it does."""
        return [post.told() for post in self._posts.values() if post.is_ready]

    # --- who is there ---

    def _look_around(self) -> Iterator[Report]:
        now = monotonic()
        if now < self._next_look:
            return
        there = self._ask_who_is_there()
        self._next_look = monotonic() + LOOK_S
        for address in [each for each in self._posts if each not in there]:
            yield from self._lose(self._posts.pop(address))
        for address, slots in there.items():
            if address not in self._posts:
                self._greet(Post(address, slots))
        if any(post.is_used for post in self._posts.values()):
            self._deserted_at = None
        elif self._deserted_at is None:
            self._deserted_at = now
        elif now - self._deserted_at > (REFUSED_S if self._posts else NOBODY_S):
            raise self._nobody()

    def _nobody(self) -> ArenaError:
        where = self._address.text
        if self._posts and all(post.lacks_box for post in self._posts.values()):
            return RefusedError(
                f"{where}: no worker there has a box that holds; see  trianon doctor  "
                "on their machines"
            )
        return CannotGoOnError(
            f"{where}: no worker there that can be used; start some:  dask worker ...  "
            "(docs/cluster.md), and run the same command again"
        )

    def _ask_who_is_there(self) -> dict[str, int]:
        client = self._client
        until = monotonic() + ANSWER_S
        while client.status != "running" and monotonic() < until:
            with contextlib.suppress(Empty):  # it may be a moment's trouble
                self._news.put(self._news.get(timeout=0.1))
        try:
            if client.status == "running":
                left_s = max(0.1, until - monotonic())
                return dict(
                    client.sync(client.scheduler.ncores, callback_timeout=left_s)
                )
        except (OSError, TimeoutError):
            pass
        self._is_lost = True
        raise CannotGoOnError(
            f"{self._address.text}: the scheduler has gone; start it and its workers, "
            "and run the same command again to go on"
        )

    def _greet(self, post: Post) -> None:
        from tournaments.cluster.worker import enlist

        self._posts[post.address] = post

        def told(raw: bytes) -> Iterator[Report]:
            found = Enlisted.model_validate_json(raw)
            post.machine = shown(found.machine[:64], "simple")
            reason = self._unfitness(found)
            post.lacks_box = found.fault is not None or found.open is not None
            if reason is not None:
                yield from self._refuse(post, reason)
                return
            post.box = Level.LIMITS if found.fault is not None else Level.BWRAP
            if self._terms.sandbox in ("limits", "none"):
                post.box = Level(self._terms.sandbox)
            elif found.fault is not None:
                self._say(f"warning: worker {post.name} has no box: {found.fault}")
            self._say(f"worker {post.name}: {post.slots} at a time, {post.box.value}")

        self._call(post, "say what it is", told, enlist, self._terms.is_untrusted)

    def _unfitness(self, found: Enlisted) -> str | None:
        if found.version != __version__:
            return f"it has version {found.version}, this is {__version__}"
        is_bound = self._terms.is_untrusted or self._terms.sandbox == "bwrap"
        if is_bound and found.fault is not None:
            return f"it has no box: {found.fault}"
        return found.open if self._terms.is_untrusted else None

    def _refuse(self, post: Post, why: str) -> Iterator[Report]:
        """Use a worker no more; others do what it had to do."""
        if post.is_used:
            post.is_used = False
            self._say(f"worker {post.name} is not used: {shown(why, 'simple')}")
            self._give_back(post)
        yield from ()

    def _lose(self, post: Post) -> Iterator[Report]:
        """Take in that a worker has gone: what it was playing is void."""
        self._say(f"worker {post.name} has gone")
        playing = {sent.begun[-1] for sent in post.batches.values() if sent.begun}
        for order in self._give_back(post):
            if isinstance(order, PlayOrder) and order.setup.match in playing:
                self._queue.remove(order)
                yield void(order)

    def _give_back(self, post: Post) -> list[Order]:
        """Let go of all that a worker has to do; return what others are to do now."""
        gone = [number for number, call in self._calls.items() if call.post is post]
        futures = [self._calls.pop(number).future for number in gone]
        if futures:
            self._client.cancel(futures)
        orders = [order for sent in post.batches.values() for order in sent.orders]
        post.batches.clear()
        post.coming.clear()
        self._queue.extendleft(reversed(orders))
        return orders

    # --- what goes out ---

    def _hand_out(self) -> None:
        """Give every worker its window, those with the most room first."""
        while self._queue and not self._is_stopped:
            post = max(self._posts.values(), key=_need, default=None)
            if post is None or post.room <= 0:
                return
            # Near the end everybody is to have some of what is left.
            open_slots = sum(max(0, each.room) for each in self._posts.values())
            share = -(-len(self._queue) // open_slots)
            size = min(post.size, share, MOST)
            self._send(post, [self._queue.popleft() for _ in range(size)])

    def _send(self, post: Post, orders: list[Order]) -> None:
        from tournaments.cluster.worker import play

        level = post.box
        assert level is not None
        orders = [order.model_copy(update={"level": level}) for order in orders]
        names = {bot.name for order in orders for bot in bots_of(order)}
        sent = Sent(orders)
        number = self._number + 1
        batch = Batch(
            run=self._run,
            number=number,
            cores=self._terms.cores,
            slots=post.slots,
            orders=tuple(plain(order) for order in orders),
            bots={name: self._parcels[name].bot for name in names},
        )
        post.batches[number] = sent

        def played(raw: bytes) -> Iterator[Report]:
            return self._settle(post, number, raw)

        self._call(post, "play", played, play, batch.wire().encode("ascii"))

    def _call(
        self, post: Post, what: str, then: Then, function: Any, *given: Any
    ) -> None:
        self._number += 1
        number = self._number
        future = self._client.submit(
            function,
            *given,
            key=f"{self._run}-{number}",
            workers=[post.address],
            allow_other_workers=False,
            pure=False,
            retries=0,
        )
        self._calls[number] = _Call(post, future, then, what)
        future.add_done_callback(lambda _future: self._news.put(number))

    # --- what comes back ---

    def _hear(self, event: Any) -> None:
        """Take in, on Dask's thread, what a worker tells while it plays."""
        told = read_note(event[1] if isinstance(event, tuple) else event)
        if told is not None:
            self._news.put(told)

    def _take(self, item: int | tuple[str, int, str]) -> Iterator[Report]:
        if isinstance(item, tuple):
            run, number, match = item
            for post in self._posts.values():
                sent = post.batches.get(number)
                if run == self._run and sent is not None and match not in sent.begun:
                    sent.begun.append(match)
                    yield Started(match=match)
            return
        call = self._calls.pop(item, None)
        if call is None:
            return  # of a worker that is not used any more
        try:
            raw = call.future.result(timeout=FETCH_S)
        except (CancelledError, TimeoutError, OSError):
            # Worker or scheduler have gone with what they had, or we were cut off.
            self._next_look = 0.0
            if (sent := call.post.batches.pop(item, None)) is not None:
                self._queue.extendleft(reversed(sent.orders))
        except Exception as error:  # noqa: BLE001 -- what a worker raises is no bug here
            why = f"it could not {call.what}: {type(error).__name__}: {error}"
            yield from self._refuse(call.post, why)
        else:
            call.future.release()
            yield from call.then(raw)

    def _settle(self, post: Post, number: int, raw: bytes) -> Iterator[Report]:
        """Take in what came of a batch; what did not is done by others."""
        sent = post.batches.pop(number)
        outcome = Outcome(sent.orders, raw, post.machine)
        yield from outcome.reports()
        post.take(outcome.done, outcome.took_s)
        self._queue.extendleft(reversed(outcome.left))
        if outcome.unfit is not None:
            yield from self._refuse(post, outcome.unfit)
        elif outcome.missing:
            self._bring(post, outcome.missing)

    def _bring(self, post: Post, digests: Collection[str]) -> None:
        from tournaments.cluster.worker import bring

        for digest in self._contents.keys() & digests:
            post.coming.add(digest)

            def arrived(_raw: bytes, digest: str = digest) -> Iterator[Report]:
                post.coming.discard(digest)
                return iter(())

            content = self._contents[digest]
            self._call(post, "take a bot's folder", arrived, bring, digest, content)


def _need(post: Post) -> float:
    return post.room / post.slots
