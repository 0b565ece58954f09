"""The websockets that follow something until it is over: an ingest, a simulation, a study, a review, a drain's plan."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from channels.db import database_sync_to_async
from django.template.loader import render_to_string

from clusters.models import Ingest, Report, SimulationRun, Study
from clusters.services.evaluation import progress_of
from clusters.wording.websockets import NO_MESSAGES
from dashboard.access.rights import covers, rights_of
from dashboard.consumers.base import SignedInConsumer
from dashboard.live.open_sockets import FAILED
from dashboard.presenters import reviews
from dashboard.presenters.clusters import ingest_view
from dashboard.presenters.drains.plan import progress_view
from dashboard.presenters.runs.listing import progress
from dashboard.views.studies import answers_context

_log = logging.getLogger(__name__)

# Twice a second reads as movement and costs one look-up by primary key.
INTERVAL_SECONDS = 0.5
# Application-defined close code: the page has to be loaded anew, because it shows something else by now, or is gone.
CHANGED = 4404
# What was sent here is no request, because there is none.
NO_REQUESTS = 4400
FINISHED = 1000


class ProgressConsumer(SignedInConsumer):
    """Sends the progress fragment whenever it changed, and closes when there is nothing to follow any more.

    It reads what is stored instead of waiting for messages: that is the truth wherever the worker runs, and a message
    that was lost would leave a bar standing still.
    """

    follower: asyncio.Task[None] | None = None

    def fragment(self, pk: int) -> tuple[str, bool]:
        """Render the progress and tell whether it is over; an empty fragment means that the page is another one now."""
        raise NotImplementedError

    async def begin(self) -> None:
        self.follower = asyncio.create_task(self._run(self.scope["url_route"]["kwargs"]["pk"]))

    async def release(self) -> None:
        if self.follower is not None and self.follower is not asyncio.current_task():
            self.follower.cancel()

    async def answer(self, text: str | None) -> None:
        """Refuse: what this socket sends stands in a page as it comes, so there is no place for an answer."""
        await self.end(NO_REQUESTS, str(NO_MESSAGES))

    async def _run(self, pk: int) -> None:
        # The browser may leave between two looks; the server says so with an OSError before `disconnect` is called.
        with contextlib.suppress(OSError):
            try:
                await self._follow(pk)
            except Exception:  # noqa: BLE001 - whatever it is, the page connects again instead of standing still
                _log.exception("Progress cannot be followed: the websocket is closed.")
                await self.end(FAILED)

    async def _follow(self, pk: int) -> None:
        look = database_sync_to_async(self.fragment)
        shown = ""
        while True:
            fragment, is_over = await look(pk)
            if not fragment:
                await self.end(CHANGED)
                return
            if fragment != shown:
                await self.send(text_data=fragment)
                shown = fragment
            if is_over:
                await self.end(FINISHED)
                return
            await asyncio.sleep(INTERVAL_SECONDS)


class IngestProgress(ProgressConsumer):
    """Follows one ingest, whose page stays as it is when it is over."""

    def fragment(self, pk: int) -> tuple[str, bool]:
        ingest = self.visible(Ingest.objects.select_related("cluster")).filter(pk=pk).first()
        if ingest is None:
            return "", True
        view = ingest_view(ingest)
        return render_to_string("uploads/_progress.html", {"ingest": ingest, "view": view}), view.is_over


class RunProgress(ProgressConsumer):
    """Follows one simulation, whose page shows what came of it when it is over."""

    def fragment(self, pk: int) -> tuple[str, bool]:
        run = self.visible(SimulationRun.objects.defer("spec", "summary")).filter(pk=pk).first()
        if run is None or run.is_finished:
            return "", True
        return render_to_string("runs/_progress.html", {"progress": progress(run)}), False


class DrainProgress(ProgressConsumer):
    """Follows one plan of a drain while a worker makes it; its page shows the plan when it is kept."""

    def fragment(self, pk: int) -> tuple[str, bool]:
        is_seen = covers(rights_of(self.user).views, pk)
        progress = is_seen and progress_of(f"{pk}:{self.scope['url_route']['kwargs']['plan']}")
        if not progress:
            return "", True
        return render_to_string("drain/_progress.html", progress_view(progress)), False


class ReviewProgress(ProgressConsumer):
    """Follows one review, whose page becomes the review when it is written."""

    def fragment(self, pk: int) -> tuple[str, bool]:
        report = self.visible(Report.objects.defer("packed_document")).filter(pk=pk).first()
        if report is None or reviews.is_over(report):
            return "", True
        return render_to_string("reports/_progress.html", {"progress": reviews.progress(report)}), False


class StudyProgress(ProgressConsumer):
    """Follows one study, whose answers come one by one."""

    def fragment(self, pk: int) -> tuple[str, bool]:
        study = self.visible(Study.objects.select_related("cluster", "base")).filter(pk=pk).first()
        context = answers_context(study) if study is not None else None
        if context is None or context["is_over"]:
            return "", True
        return render_to_string("studies/_answers.html", context), False
