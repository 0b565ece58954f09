"""What waits for a slow socket: of each part the latest state and nothing else, and it is said what was left out."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from dashboard.live.hub import Listener, TopicState


class Socket:
    """A socket that takes one message at a time, when it is allowed to."""

    def __init__(self) -> None:
        self.taken: list[dict[str, Any]] = []
        self.ready = asyncio.Semaphore(0)
        self.came = asyncio.Condition()

    async def send(self, text: str) -> None:
        await self.ready.acquire()
        async with self.came:
            self.taken.append(json.loads(text))
            self.came.notify_all()

    async def take(self, number: int) -> list[dict[str, Any]]:
        """Take so many messages and return all that were taken so far."""
        wanted = len(self.taken) + number
        for _ in range(number):
            self.ready.release()
        async with asyncio.timeout(5), self.came:
            await self.came.wait_for(lambda: len(self.taken) >= wanted)
        return self.taken


@pytest.fixture
def socket() -> Socket:
    return Socket()


@pytest.fixture
def listener(socket: Socket) -> Listener:
    return Listener(send=socket.send)


def state(sequence: int, *, topic: str = "t", html: str = "<p>") -> TopicState:
    return TopicState.of(topic=topic, part="part", cluster=1, revision=sequence, sequence=sequence, html=html)


async def test_of_a_part_only_the_latest_state_waits_and_what_was_left_out_is_said(
    listener: Listener, socket: Socket
) -> None:
    running = asyncio.create_task(listener.run())
    listener.show("t", state(1))
    await asyncio.sleep(0)
    # The first is on its way; of the rest the last is worth sending.
    for sequence in range(2, 100):
        listener.show("t", state(sequence))

    taken = await socket.take(2)

    assert [(each["previous"], each["sequence"]) for each in taken] == [(0, 1), (1, 99)]
    running.cancel()


async def test_states_of_several_parts_do_not_displace_each_other(listener: Listener, socket: Socket) -> None:
    running = asyncio.create_task(listener.run())
    for topic in ("a", "b", "a", "c"):
        listener.show(topic, state(1, topic=topic))

    assert [each["topic"] for each in await socket.take(3)] == ["a", "b", "c"]
    running.cancel()


async def test_answers_come_before_states(listener: Listener, socket: Socket) -> None:
    running = asyncio.create_task(listener.run())
    listener.show("t", state(1))
    listener.tell({"pong": 1})

    assert [next(iter(each)) for each in await socket.take(2)] == ["pong", "previous"]
    running.cancel()


async def test_what_was_forgotten_is_not_sent(listener: Listener, socket: Socket) -> None:
    listener.show("t", state(1))
    listener.show("u", state(1, topic="u"))
    listener.forget("t")
    running = asyncio.create_task(listener.run())

    assert [each["topic"] for each in await socket.take(1)] == ["u"]
    running.cancel()


async def test_a_socket_that_asks_and_never_reads_is_given_up(listener: Listener, socket: Socket) -> None:
    for number in range(200):
        listener.tell({"pong": number})
    socket.ready.release()

    async with asyncio.timeout(5):
        await listener.run()

    assert len(socket.taken) <= 100


async def test_html_survives_whatever_it_holds(listener: Listener, socket: Socket) -> None:
    html = '<a title="}">\\ \n "quoted" Ünïcode </a>'
    running = asyncio.create_task(listener.run())
    listener.show("t", state(1, html=html))

    assert (await socket.take(1))[0]["html"] == html
    running.cancel()
