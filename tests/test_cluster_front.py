"""What the front of a cluster does when workers come, go, lie or lack something.

Dask's client is a fake here, so that everything happens in the order that is told.
"""

import shutil
from pathlib import Path

import pytest

from arena import __version__
from arena.botspec import command_bot
from arena.errors import CannotGoOnError, RefusedError
from arena.games import GAMES
from arena.orders import Finished, PlayOrder, Probed, ProbeOrder, Started
from arena.sandbox import Level, Limits
from arena.setup import MatchSetup
from protocol.messages import HelloLimits

pytest.importorskip("distributed", reason="Dask is not installed")

from tournaments.cluster import front
from tournaments.cluster.address import Address
from tournaments.cluster.front import Cluster, Terms
from tournaments.cluster.wire import Batch, Enlisted, Head, note, pack

FIRST = Path(__file__).parents[1] / "sample_bots" / "python" / "first" / "bot.py"
HERE = Address("dask://here:1", "tcp://here:1", is_secret=False)


class FakeFuture:
    def __init__(self):
        self._calls = []
        self._value = None

    def add_done_callback(self, call):
        self._calls.append(call)

    def finish(self, value):
        self._value = value
        for call in self._calls:
            call(self)

    def result(self, timeout):
        if isinstance(self._value, Exception):
            raise self._value
        return self._value

    def release(self):
        pass


class Task:
    def __init__(self, function, given, worker):
        self.name = function.__name__
        self.given = given
        self.worker = worker
        self.future = FakeFuture()

    @property
    def batch(self):
        return Batch.model_validate_json(self.given[0])

    @property
    def matches(self):
        return [order.setup.match for order in self.batch.orders]


class FakeClient:
    """A scheduler whose workers do what a test says."""

    def __init__(self):
        self.status = "running"
        self.workers = {}
        self.tasks = []
        self.cancelled = []
        self.scheduler = self

    def ncores(self):
        raise AssertionError("it is called by sync")

    def sync(self, _function, callback_timeout):
        return self.workers

    def submit(self, function, *given, workers, **_how):
        self.tasks.append(Task(function, given, *workers))
        return self.tasks[-1].future

    def cancel(self, futures):
        self.cancelled += futures

    def run(self, *_given, **_how):
        pass

    def subscribe_topic(self, _run, handler):
        self.hear = handler

    def of(self, name, worker=None):
        """Return the tasks of a kind that are not cancelled."""
        return [
            task
            for task in self.tasks
            if task.name == name
            and worker in (None, task.worker)
            and task.future not in self.cancelled
        ]


class Stage:
    """A front, the fake below it, and what was said."""

    def __init__(self, terms):
        self.client = FakeClient()
        self.said: list[str] = []
        self.cluster = Cluster(self.client, HERE, terms, self.said.append)

    def look(self):
        """Let the front look around and do what there is to do."""
        self.cluster._next_look = 0.0
        return list(self.cluster.reports(0))

    def join(self, *workers, fault=None, version=__version__):
        """Have workers come and tell what they are."""
        self.client.workers |= dict.fromkeys(workers, 1)
        self.look()
        told = Enlisted(machine="m", version=version, fault=fault)
        for task in self.client.of("enlist"):
            if task.worker in workers:
                task.future.finish(told.wire().encode())
        return self.look()


@pytest.fixture
def stage():
    return Stage(Terms("limits", is_untrusted=False, cores="all"))


@pytest.fixture
def bot(tmp_path):
    shutil.copy(FIRST, tmp_path)
    return command_bot(["python3", "bot.py"], tmp_path)


def an_order(bot, match, folder="/nowhere"):
    setup = MatchSetup(
        game="loyatais",
        options=GAMES["loyatais"].options({"deals": 3}),
        match=match,
        names=("a", "b", "c"),
        deal_seed="d",
        seed="s",
        arena=__version__,
    )
    return PlayOrder(
        setup=setup,
        bots=(bot, bot, bot),
        level=Level.BWRAP,
        limits=Limits(),
        record=f"{folder}/{match}.jsonl",
    )


def begin(stage, task, match):
    batch = task.batch
    stage.client.hear((0.0, note(batch.run, batch.number, match)))


def test_a_worker_has_two_batches_a_slot_and_no_more(stage, bot):
    stage.join("tcp://one:1")
    for match in "12345":
        stage.cluster.order(an_order(bot, match))
    stage.look()
    assert [task.matches for task in stage.client.of("play")] == [["1"], ["2"]]


def test_orders_say_nothing_of_the_places_of_this_machine(stage, bot, tmp_path):
    stage.join("tcp://one:1")
    stage.cluster.order(an_order(bot, "1", tmp_path))
    stage.look()
    (task,) = stage.client.of("play")
    assert str(tmp_path).encode() not in task.given[0]


def test_only_what_a_lost_worker_was_playing_is_void(stage, bot):
    stage.join("tcp://one:1")
    for match in "123":
        stage.cluster.order(an_order(bot, match))
    stage.look()
    begin(stage, stage.client.of("play")[0], "1")
    assert stage.look() == [Started(match="1")]
    stage.client.workers = {}
    (void,) = stage.look()
    assert isinstance(void, Finished)
    assert (void.match, void.attempt, void.result.reason) == ("1", 1, "void")
    stage.join("tcp://two:1")
    assert [t.matches for t in stage.client.of("play", "tcp://two:1")] == [["2"], ["3"]]


def test_what_a_lost_worker_says_later_is_not_heard(stage, bot):
    stage.join("tcp://one:1")
    stage.cluster.order(an_order(bot, "1"))
    stage.look()
    (task,) = stage.client.of("play")
    stage.client.workers = {}
    stage.look()
    task.future.finish(b"whatever")
    assert stage.look() == []


def test_a_folder_that_is_missing_is_brought_once_and_the_order_given_again(stage, bot):
    stage.join("tcp://one:1")
    stage.cluster.order(an_order(bot, "1"))
    stage.look()
    (task,) = stage.client.of("play")
    (digest,) = {one.digest for one in task.batch.bots.values()}
    task.future.finish(pack(Head(missing=(digest,)), []))
    stage.look()
    (brought,) = stage.client.of("bring")
    assert brought.given[0] == digest
    assert len(stage.client.of("play")) == 1  # none before it has come
    brought.future.finish(b"")
    stage.look()
    assert [task.matches for task in stage.client.of("play")] == [["1"], ["1"]]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"nonsense", "reports without end"),
        (pack(Head(unfit="no program called 'node'"), []), "'node'"),
        (pack(Head(reports=(Probed(name="x", failure=None, stderr=""),)), []), "asked"),
        (MemoryError("all gone"), "all gone"),
    ],
)
def test_a_worker_that_fails_is_named_and_others_do_its_work(stage, bot, answer, says):
    stage.join("tcp://one:1")
    stage.cluster.order(an_order(bot, "1"))
    stage.look()
    (task,) = stage.client.of("play")
    stage.client.workers = {"tcp://one:1": 1, "tcp://two:1": 1}
    task.future.finish(answer)
    stage.look()
    assert any("one:1" in line and says in line for line in stage.said)
    stage.join("tcp://two:1")
    assert [task.matches for task in stage.client.of("play", "tcp://two:1")] == [["1"]]


def test_what_a_bot_said_when_it_was_tried_comes_back(stage, bot):
    stage.join("tcp://one:1")
    stage.cluster.order(
        ProbeOrder(
            bot=bot,
            game="loyatais",
            level=Level.BWRAP,
            limits=Limits(),
            hello=HelloLimits(),
        )
    )
    stage.look()
    (task,) = stage.client.of("play")
    probed = Probed(name=bot.name, failure="exited", stderr="why")
    task.future.finish(pack(Head(reports=(probed,)), []))
    assert stage.look() == [probed]


def test_a_worker_of_another_version_is_not_used(stage):
    stage.join("tcp://one:1", version="0.0.1")
    assert "0.0.1" in stage.said[-1]
    assert stage.cluster.whereabouts() == []


def test_where_every_worker_lacks_a_box_strangers_bots_are_refused(monkeypatch):
    stage = Stage(Terms("auto", is_untrusted=True, cores="all"))
    stage.join("tcp://one:1", fault="no bubblewrap")
    monkeypatch.setattr(front, "REFUSED_S", -1.0)
    stage.look()  # it takes in that nobody is left
    with pytest.raises(RefusedError, match="no worker there has a box"):
        stage.look()


def test_a_scheduler_that_does_not_answer_is_gone(stage, monkeypatch):
    stage.join("tcp://one:1")
    monkeypatch.setattr(front, "ANSWER_S", 0.0)
    stage.client.status = "connecting"
    with pytest.raises(CannotGoOnError, match="the scheduler has gone"):
        stage.look()
    assert list(stage.cluster.stop()) == []
