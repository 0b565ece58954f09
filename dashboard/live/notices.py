"""Subscribes to groups of the channel layer: one channel for all that a process listens to for one purpose."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_log = logging.getLogger(__name__)

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
