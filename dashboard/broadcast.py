"""Tells open pages, wherever they are served, that a cluster changed: which, to what revision, and in which kinds.

A notice is small and carries no object: whoever gets it asks for what it shows. The channel layer may drop notices when
it is full or restarted; the revision counts without gaps, so a page notices that it missed one.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from collections.abc import Sequence

_log = logging.getLogger(__name__)

# Grows when the fields of a notice change their meaning.
NOTICE_VERSION = 1
# What a consumer's method for notices is called, in Channels' spelling.
MESSAGE_TYPE = "cluster.changed"
_SECONDS = 2.0


def group_of(cluster_id: int) -> str:
    """Return the channel layer's group that hears of a cluster."""
    return f"cluster.{cluster_id}"


def notice(*, cluster_id: int, revision: int, kinds: Sequence[str]) -> dict[str, Any]:
    """Return a notice; no kinds mean that any may have changed."""
    return {"version": NOTICE_VERSION, "cluster": cluster_id, "revision": revision, "kinds": list(kinds)}


class _Voice:
    """Sends notices, and says once when that fails and once when it works again."""

    def __init__(self) -> None:
        self._is_lost = False

    def announce(self, *, cluster_id: int, revision: int, changed: bool, kinds: Sequence[str], **_: object) -> None:
        if not changed:
            return
        message = {"type": MESSAGE_TYPE, "notice": notice(cluster_id=cluster_id, revision=revision, kinds=kinds)}
        try:
            async_to_sync(_send)(group_of(cluster_id), message)
        except (RedisError, OSError, TimeoutError) as error:
            if not self._is_lost:
                _log.warning("Open pages are not told of changes, because Redis does not answer: %s", error)
            self._is_lost = True
        else:
            if self._is_lost:
                _log.warning("Open pages are told of changes again.")
            self._is_lost = False


_voice = _Voice()


def connect() -> None:
    """Announce every change of a mirror from now on."""
    snapshot_ready.connect(_voice.announce, dispatch_uid="dashboard.broadcast")


async def _send(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    async with asyncio.timeout(_SECONDS):
        await layer.group_send(group, message)
