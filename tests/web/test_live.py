"""Whoever watches a page gets its newest state, and nothing piles up."""

import trio
import trio.testing

from tournaments.web.live import Channel, Channels


async def test_a_slow_watcher_gets_the_newest_state_alone():
    channel = Channel()
    for state in (b"1", b"2", b"3"):
        channel.publish(state)
    await channel.wait_newer(0)
    assert (channel.state, channel.number) == (b"3", 3)


async def test_a_state_that_is_known_is_told_to_nobody(autojump_clock):
    channel = Channel()
    channel.publish(b"1")
    channel.publish(b"1")
    with trio.move_on_after(60) as waited:
        await channel.wait_newer(1)
    assert waited.cancelled_caught


async def test_all_who_wait_are_told(autojump_clock):
    channel, told = Channel(), []

    async def watch(name):
        await channel.wait_newer(0)
        told.append((name, channel.state))

    async with trio.open_nursery() as nursery:
        for name in range(3):
            nursery.start_soon(watch, name)
        await trio.testing.wait_all_tasks_blocked()
        channel.publish(b"now")
    assert sorted(told) == [(name, b"now") for name in range(3)]


def test_a_page_that_nobody_watches_takes_no_room():
    channels = Channels()
    with channels.watching("a") as first, channels.watching("a") as second:
        assert first is second
        assert [path for path, _ in channels.watched()] == ["a"]
    assert channels.watched() == []
