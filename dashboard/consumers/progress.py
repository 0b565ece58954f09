"""The websockets that follow something until it is over: an ingest, a simulation, a study."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.template.loader import render_to_string

from clusters.models import Ingest, SimulationRun, Study
from dashboard.presenters.ingests import ingest_view
from dashboard.presenters.runs import progress
from dashboard.views.studies import answers_context

# Twice a second reads as movement and costs one look-up by primary key.
INTERVAL_SECONDS = 0.5
# Application-defined close code: the page has to be loaded anew, because it shows something else by now, or is gone.
CHANGED = 4404


class ProgressConsumer(AsyncWebsocketConsumer):
    """Sends the progress fragment whenever it changed, and closes when there is nothing to follow any more.

    It reads rows instead of waiting for messages: they are the truth wherever the worker runs, and a message that was
    lost would leave a bar standing still.
    """

    # Nobody sends it messages.
    channel_layer_alias = ""
    follower: asyncio.Task[None] | None = None

    def fragment(self, pk: int) -> tuple[str, bool]:
        """Render the progress and tell whether it is over; an empty fragment means that the page is another one now."""
        raise NotImplementedError

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
        look = database_sync_to_async(self.fragment)
        shown = ""
        while True:
            fragment, is_over = await look(pk)
            if not fragment:
                await self.close(CHANGED)
                return
            if fragment != shown:
                await self.send(text_data=fragment)
                shown = fragment
            if is_over:
                await self.close()
                return
            await asyncio.sleep(INTERVAL_SECONDS)


class IngestProgress(ProgressConsumer):
    """Follows one ingest, whose page stays as it is when it is over."""

    def fragment(self, pk: int) -> tuple[str, bool]:
        ingest = Ingest.objects.select_related("cluster").filter(pk=pk).first()
        if ingest is None:
            return "", True
        view = ingest_view(ingest)
        return render_to_string("uploads/_progress.html", {"ingest": ingest, "view": view}), view.is_over


class RunProgress(ProgressConsumer):
    """Follows one simulation, whose page shows what came of it when it is over."""

    def fragment(self, pk: int) -> tuple[str, bool]:
        run = SimulationRun.objects.defer("spec", "summary").filter(pk=pk).first()
        if run is None or run.is_finished:
            return "", True
        return render_to_string("runs/_progress.html", {"progress": progress(run)}), False


class StudyProgress(ProgressConsumer):
    """Follows one study, whose answers come one by one."""

    def fragment(self, pk: int) -> tuple[str, bool]:
        study = Study.objects.select_related("cluster", "base").defer("base__packed_objects").filter(pk=pk).first()
        context = answers_context(study) if study is not None else None
        if context is None or context["is_over"]:
            return "", True
        return render_to_string("studies/_answers.html", context), False
