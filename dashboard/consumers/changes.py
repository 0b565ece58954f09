"""The websocket that tells a page when its cluster changed."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import orjson
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from clusters.models import Cluster
from dashboard.broadcast import group_of, notice

# A notice that the channel layer lost is made good for after so long at most.
INTERVAL_SECONDS = 10.0
# Application-defined close code: there is no such cluster, or not any more.
GONE = 4404


class ChangesConsumer(AsyncWebsocketConsumer):
    """Hands on notices, and repeats the present revision from the database: first, and then now and again.

    A page that compares revisions misses nothing for long, whatever happens to Redis, the watcher or the connection.
    """

    repeater: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        self.cluster_id: int = self.scope["url_route"]["kwargs"]["pk"]
        await self.accept()
        # Before the first look: what changes in between is heard.
        await self.channel_layer.group_add(group_of(self.cluster_id), self.channel_name)
        self.repeater = asyncio.create_task(self._repeat())

    async def disconnect(self, code: int) -> None:
        if self.repeater is not None:
            self.repeater.cancel()
            await self.channel_layer.group_discard(group_of(self.cluster_id), self.channel_name)

    async def receive(self, *args: Any, **kwargs: Any) -> None:
        """Ignore what the browser says: there is nothing to ask for."""

    async def cluster_changed(self, message: dict[str, Any]) -> None:
        """Hand on a notice."""
        await self._tell(message["notice"])

    async def _repeat(self) -> None:
        # The browser may leave between two looks; the server says so with an OSError before `disconnect` is called.
        with contextlib.suppress(OSError):
            while (revision := await _revision(self.cluster_id)) is not None:
                await self._tell(notice(cluster_id=self.cluster_id, revision=revision, kinds=()))
                await asyncio.sleep(INTERVAL_SECONDS)
            await self.close(GONE)

    async def _tell(self, content: dict[str, Any]) -> None:
        await self.send(text_data=orjson.dumps(content).decode())


@database_sync_to_async
def _revision(cluster_id: int) -> int | None:
    return Cluster.objects.filter(pk=cluster_id).values_list("revision", flat=True).first()
