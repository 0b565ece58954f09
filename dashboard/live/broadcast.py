"""Tells open pages, wherever they are served, what changed: a cluster's kinds, or something in a classroom."""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import suppress
from queue import Full, Queue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Final

from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import BaseChannelLayer, channel_layers, get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from dashboard.models import Classroom

_log = logging.getLogger(__name__)

# Grows when the fields of a notice change their meaning.
NOTICE_VERSION = 1
MESSAGE_TYPE = "cluster.changed"
_SECONDS = 2.0
# Of notices that Redis has not taken yet; hubs look by themselves for what they were not told.
_MOST_WAITING = 1_000


def group_of(cluster_id: int) -> str:
    """Return the channel layer's group that hears of a cluster."""
    return f"cluster.{cluster_id}"


def notice(*, cluster_id: int, revision: int, kinds: Sequence[str]) -> dict[str, Any]:
    """Return a notice; no kinds mean that any may have changed."""
    return {"version": NOTICE_VERSION, "cluster": cluster_id, "revision": revision, "kinds": list(kinds)}


class _Publisher:
    """Sends notices from a thread of its own, and says once when that fails and once when it works again.

    On that thread one event loop, and so one connection to Redis, lasts; whoever announces may run a loop or not.
    """

    def __init__(self) -> None:
        self._is_lost = False
        self._waiting: Queue[tuple[str, dict[str, Any], Event]] = Queue(_MOST_WAITING)
        self._starting = Lock()
        self._process = 0

    def publish(self, group: str, message: dict[str, Any]) -> None:
        self._start()
        sent = Event()
        with suppress(Full):
            # A notice that finds no room is lost like one that Redis does not take.
            self._waiting.put_nowait((group, message, sent))
        if not self._is_lost:
            # So that a process may end right after; one that goes on is not held up by a Redis that is away.
            sent.wait(_SECONDS)

    def _start(self) -> None:
        with self._starting:
            # A process that was forked off has none of its parent's threads.
            if self._process != os.getpid():
                self._process = os.getpid()
                self._waiting = Queue(_MOST_WAITING)
                Thread(target=self._send_for_ever, name="broadcast", daemon=True).start()

    def _send_for_ever(self) -> None:
        # A layer of its own, because this loop is nobody else's.
        layer = channel_layers.make_backend(DEFAULT_CHANNEL_LAYER)
        with asyncio.Runner() as runner:
            while True:
                group, message, sent = self._waiting.get()
                try:
                    runner.run(_send(layer, group, message))
                except (RedisError, OSError, TimeoutError) as error:
                    if not self._is_lost:
                        _log.warning("Open pages are not told of changes, because Redis is unavailable: %s", error)
                    self._is_lost = True
                else:
                    if self._is_lost:
                        _log.warning("Open pages are told of changes again.")
                    self._is_lost = False
                finally:
                    sent.set()


_publisher = _Publisher()


def announce(*, cluster_id: int, revision: int, changed: bool, kinds: Sequence[str], **_: object) -> None:
    """Tell those who look at a cluster what of it changed; no kinds mean that any may have."""
    # Kinds without a new revision are Berth's own, such as a judgement on a decision.
    if changed or kinds:
        content = notice(cluster_id=cluster_id, revision=revision, kinds=kinds)
        publish(group_of(cluster_id), {"type": MESSAGE_TYPE, "notice": content})


def publish(group: str, message: dict[str, Any]) -> None:
    """Send a message to whoever listens to a group of the channel layer; it is lost where Redis is away."""
    _publisher.publish(group, message)


async def _send(layer: BaseChannelLayer, group: str, message: dict[str, Any]) -> None:
    async with asyncio.timeout(_SECONDS):
        await layer.group_send(group, message)


# The trainer went on, or showed an answer: for everybody.
TURNED: Final = "classroom.turned"
# Somebody joined, left, answered or went to another step: for the trainer's pages.
HAPPENED: Final = "classroom.happened"


def everybody(classroom: int) -> str:
    """Return the channel layer's group of all pages of a classroom."""
    return f"classroom.{classroom}"


def trainers(classroom: int) -> str:
    """Return the channel layer's group of the trainer's pages of a classroom."""
    return f"classroom.{classroom}.trainer"


def tell_turn(classroom: Classroom) -> None:
    """Tell all pages, once it is stored, that the classroom has another turn."""
    pk, turn = classroom.pk, classroom.turn
    transaction.on_commit(lambda: publish(everybody(pk), {"type": TURNED, "classroom": pk, "turn": turn}))


def tell_trainers(classroom: Classroom) -> None:
    """Tell the trainer's pages, once it is stored, that a participant did something."""
    pk = classroom.pk
    transaction.on_commit(lambda: publish(trainers(pk), {"type": HAPPENED}))


# Seconds to wait for Redis, and between attempts to receive again.
_PATIENCE = 2.0
_PAUSE = 1.0
_FAILURES = (RedisError, OSError, TimeoutError)


class Subscriber:
    """Hands every message to the joined groups to a function; what is sent while Redis is away is lost."""

    def __init__(self, take: Callable[[dict[str, Any]], None]) -> None:
        self._take = take
        self._channel = ""
        self._is_disconnected = False

    async def run(self) -> None:
        """Receive messages until cancelled, through every outage."""
        while True:
            try:
                message = await self._layer().receive(await self._name())
                self._take(message)
            except Exception as error:  # noqa: BLE001 - whatever it is, no further message would be received without this
                self._note(error)
                await asyncio.sleep(_PAUSE)

    async def join(self, groups: Iterable[str]) -> None:
        """Receive what is sent to these groups; to be repeated, because a Redis that was restarted has forgotten it."""
        try:
            async with asyncio.timeout(_PATIENCE):
                for group in groups:
                    await self._layer().group_add(group, await self._name())
        except _FAILURES as error:
            self._note(error)
        else:
            if self._is_disconnected:
                _log.warning("Messages from other processes arrive again.")
            self._is_disconnected = False

    async def leave(self, group: str) -> None:
        """Receive no more of what is sent to a group."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._layer().group_discard(group, await self._name())
        except _FAILURES as error:
            self._note(error)

    async def _name(self) -> str:
        # Channels' usual prefix: whoever waits on a prefix takes the messages of all channels under it, and one that
        # waited on a prefix of its own would keep the layer's other readers, and be kept by them, from reading.
        self._channel = self._channel or await self._layer().new_channel()
        return self._channel

    def _layer(self) -> Any:
        # Looked up each time, because a layer belongs to an event loop.
        return get_channel_layer()

    def _note(self, error: BaseException) -> None:
        if not self._is_disconnected:
            _log.warning("Changes are looked up, as no messages arrive because Redis is unavailable: %s", error)
        self._is_disconnected = True
