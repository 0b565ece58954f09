"""The websocket of a trainer's page and of the projector: the live part, rendered anew when something happened."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs

from channels import DEFAULT_CHANNEL_LAYER
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils import translation

from clusters.wording.websockets import NO_MESSAGES
from dashboard.access.rights import rights_of
from dashboard.classrooms.rooms import classrooms_of, projector_html, room_html
from dashboard.consumers.base import SignedInConsumer
from dashboard.consumers.progress import CHANGED, NO_REQUESTS
from dashboard.live import broadcast
from dashboard.live.open_sockets import FAILED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dashboard.models import Classroom

_log = logging.getLogger(__name__)

# However many answers come within it, they are shown together.
INTERVAL_SECONDS: Final = 0.5
# Who is connected changes with time alone, and a message may be lost.
AGES_SECONDS: Final = 5.0
PROJECTOR: Final = "projector"


class ClassroomConsumer(SignedInConsumer):
    """Sends the live part of a trainer's own classroom, when it is another one than what was sent last."""

    channel_layer_alias = DEFAULT_CHANNEL_LAYER
    follower: asyncio.Task[None] | None = None
    groups_joined: tuple[str, ...] = ()

    async def connect(self) -> None:
        """Refuse whoever may not teach, and a classroom of somebody else's."""
        self.pk: int = self.scope["url_route"]["kwargs"]["pk"]
        self.happened = asyncio.Event()
        if await self._found() is None:
            await self.close()
        else:
            await super().connect()

    async def begin(self) -> None:
        """Listen to what happens in the classroom, and follow it."""
        for group in (broadcast.everybody(self.pk), broadcast.trainers(self.pk)):
            await self.channel_layer.group_add(group, self.channel_name)
            self.groups_joined += (group,)
        self.follower = asyncio.create_task(self._run())

    async def release(self) -> None:
        """Follow and listen no more."""
        if self.follower is not None and self.follower is not asyncio.current_task():
            self.follower.cancel()
        joined, self.groups_joined = self.groups_joined, ()
        for group in joined:
            # Redis may be away; a channel that nobody reads is forgotten by itself.
            with contextlib.suppress(Exception):
                await self.channel_layer.group_discard(group, self.channel_name)

    async def answer(self, text: str | None) -> None:
        """Refuse: what this socket sends stands in a page as it comes, so there is no place for an answer."""
        await self.end(NO_REQUESTS, str(NO_MESSAGES))

    async def classroom_turned(self, message: Mapping[str, Any]) -> None:
        """Take note that the trainer went on, or showed an answer."""
        self.happened.set()

    async def classroom_happened(self, message: Mapping[str, Any]) -> None:
        """Take note that a participant did something."""
        self.happened.set()

    async def _run(self) -> None:
        # The browser may leave at any moment; the server says so with an OSError before `disconnect` is called.
        with contextlib.suppress(OSError):
            try:
                await self._follow()
            except Exception:  # noqa: BLE001 - whatever it is, the page connects again instead of standing still
                _log.exception("A classroom cannot be followed: the websocket is closed.")
                await self.end(FAILED)

    async def _follow(self) -> None:
        shown = ""
        while True:
            self.happened.clear()
            html = await self._rendered()
            if not html:
                await self.end(CHANGED)
                return
            if html != shown:
                await self.send(text_data=html)
                shown = html
            await asyncio.sleep(INTERVAL_SECONDS)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.happened.wait(), AGES_SECONDS)

    @database_sync_to_async
    def _found(self) -> Classroom | None:
        return self._classroom()

    def _classroom(self) -> Classroom | None:
        """Return the classroom, if it is there still, and its trainer may teach still."""
        # Read anew each time: what somebody may do is kept with the object.
        asking = self.scope["user"]
        assert asking is not None  # noqa: S101 - the gate lets nobody else through
        user = get_user_model().objects.filter(pk=asking.pk, is_active=True).first()
        if user is None or not rights_of(user).teaches:
            return None
        return classrooms_of(user).filter(pk=self.pk).first()

    @database_sync_to_async
    def _rendered(self) -> str:
        """Render what the page shows; nothing where the classroom is gone."""
        classroom = self._classroom()
        if classroom is None:
            return ""
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        # The gate compared the origin with the host: it is where the page stands.
        origin = dict(self.scope["headers"]).get(b"origin", b"").decode("latin-1")
        if query.get("view") == [PROJECTOR]:
            return projector_html(classroom, origin)
        language = query.get("language", [""])[0]
        with translation.override(language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE):
            return room_html(classroom, origin)
