import contextlib
import os

import pytest

from arena.readiness import MOST_READY, Readiness, SelectorReadiness, new_readiness

KINDS = dict.fromkeys((type(new_readiness()), SelectorReadiness))


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def ready(request):
    found: Readiness = request.param()
    yield found
    found.close()


@pytest.fixture
def pipes():
    made = [os.pipe() for _ in range(MOST_READY + 4)]
    yield made
    for pair in made:
        for fd in pair:
            with contextlib.suppress(OSError):
                os.close(fd)


def test_what_can_be_read_is_told_and_nothing_else(ready, pipes):
    told = []
    for number, (reader, _) in enumerate(pipes[:3]):
        ready.watch(reader, lambda number=number: told.append(number))
    ready.look(0)
    assert told == []
    os.write(pipes[1][1], b"x")
    ready.look(1)
    assert told == [1]


def test_room_is_told_where_it_is_waited_for(ready, pipes):
    told = []
    ready.watch(pipes[0][1], lambda: told.append("room"), for_room=True)
    ready.look(0)
    assert told == ["room"]


def test_more_than_one_look_tells_are_told_by_the_next(ready, pipes):
    told = set()

    def act(reader):
        told.add(reader)
        os.read(reader, 9)

    for reader, writer in pipes:
        os.write(writer, b"x")
        ready.watch(reader, lambda reader=reader: act(reader))
    for _ in range(3):
        ready.look(0)
    assert told == {reader for reader, _ in pipes}


def test_what_an_act_lets_go_is_not_told_by_the_same_look(ready, pipes):
    told = []
    readers = [reader for reader, _ in pipes[:2]]

    def act(reader):
        told.append(reader)
        for other in readers:
            ready.unwatch(other)

    for reader, writer in pipes[:2]:
        os.write(writer, b"x")
        ready.watch(reader, lambda reader=reader: act(reader))
    ready.look(0)
    assert len(told) == 1


def test_what_was_closed_can_be_let_go_and_its_number_used_again(ready, pipes):
    reader, _ = pipes[0]
    ready.watch(reader, lambda: None)
    os.close(reader)
    ready.unwatch(reader)
    assert not ready.is_watched(reader)
    told = []
    os.dup2(pipes[1][0], reader)
    ready.watch(reader, lambda: told.append(reader))
    os.write(pipes[1][1], b"x")
    ready.look(0)
    assert told == [reader]


def test_a_descriptor_is_watched_once(ready, pipes):
    ready.watch(pipes[0][0], lambda: None)
    with pytest.raises(ValueError, match="watched already"):
        ready.watch(pipes[0][0], lambda: None)
