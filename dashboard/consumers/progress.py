"""The websocket that follows one ingest."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.template.loader import render_to_string

from clusters.models import Ingest
from dashboard.presenters.ingests import ingest_view

# Twice a second reads as movement and costs one look-up by primary key.
INTERVAL_SECONDS = 0.5
# Application-defined close code: there is no such ingest, or its cluster was deleted.
GONE = 4404


class ProgressConsumer(AsyncWebsocketConsumer):
    """Sends the progress fragment whenever it changed, and closes when the run is over.

    It reads the run's row instead of waiting for messages: the row is the truth wherever the worker runs, and a
    message that was lost would leave a bar standing still.
    """

    # Nobody sends it messages.
    channel_layer_alias = ""
    follower: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.accept()
        self.follower = asyncio.create_task(self._run(self.scope["url_route"]["kwargs"]["pk"]))

    async def disconnect(self, code: int) -> None:
        if self.follower is not None:
            self.follower.cancel()

    async def receive(self, *args: Any, **kwargs: Any) -> None:
        """Ignore what the browser says: there is nothing to ask for."""

    async def _run(self, pk: int) -> None:
        # The browser may leave between two looks; the server says so with an OSError before `disconnect` is called.
        with contextlib.suppress(OSError):
            await self._follow(pk)

    async def _follow(self, pk: int) -> None:
        shown = ""
        while True:
            fragment, is_over = await _fragment(pk)
            if not fragment:
                await self.close(GONE)
                return
            if fragment != shown:
                await self.send(text_data=fragment)
                shown = fragment
            if is_over:
                await self.close()
                return
            await asyncio.sleep(INTERVAL_SECONDS)


@database_sync_to_async
def _fragment(pk: int) -> tuple[str, bool]:
    """Render the progress fragment and tell whether the run is over; an empty fragment means that there is no run."""
    ingest = Ingest.objects.select_related("cluster").filter(pk=pk).first()
    if ingest is None:
        return "", True
    view = ingest_view(ingest)
    return render_to_string("uploads/_progress.html", {"ingest": ingest, "view": view}), view.is_over
