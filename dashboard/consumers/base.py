"""The base of every websocket: for who was let in, with its resources freed at its end and its errors logged."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from dashboard.access.rights import Row, rights_of, visible
from dashboard.live.open_sockets import FAILED, TOO_MANY, OpenSocket, OpenSockets, open_sockets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.auth.models import User
    from django.db.models import QuerySet

_log = logging.getLogger(__name__)


class GuardedConsumer(AsyncWebsocketConsumer):
    """Opens with `begin`, answers messages with `answer`, and lets go of everything with `release`.

    Nothing is raised out of it: what was not foreseen is logged, and closes the socket.
    """

    # Whoever wants to hear of changes asks the hub.
    channel_layer_alias = ""
    socket: OpenSocket | None = None
    is_over = False

    def guards(self) -> OpenSockets:
        """Return who looks after the socket."""
        raise NotImplementedError

    def owned(self) -> OpenSocket:
        """Return whose the socket is."""
        raise NotImplementedError

    async def begin(self) -> None:
        """Start what the socket is for."""
        raise NotImplementedError

    async def answer(self, text: str | None) -> None:
        """Answer a message of the browser; None stands for one that is no text."""
        raise NotImplementedError

    async def release(self) -> None:
        """Let go of what `begin` and `answer` took. It may be called when neither was, or a second time."""
        raise NotImplementedError

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        except OSError:
            # The browser left while something was sent, which the server says before it tells of the end.
            pass
        except Exception:  # noqa: BLE001 - whatever it is, the socket ends with a code instead of hanging
            _log.exception("A websocket is closed because of an error.")
            with suppress(Exception):
                await self.close(FAILED)
        finally:
            await self._let_go()

    async def connect(self) -> None:
        await self.accept()
        socket = self.owned()
        if not self.guards().add(socket):
            await self.end(TOO_MANY)
            return
        self.socket = socket
        await self.begin()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.is_over:
            # One who was shown out and goes on talking.
            raise StopConsumer
        await self.answer(text_data)

    async def websocket_receive(self, message: Mapping[str, Any]) -> None:
        """Hand on a message; Channels' own takes for granted that it holds something."""
        await self.receive(text_data=message.get("text"), bytes_data=message.get("bytes"))

    async def end(self, code: int, reason: str = "") -> None:
        """Send nothing any more but that the socket is closed, and why."""
        await self._let_go()
        await self.close(code, reason or None)

    async def _let_go(self) -> None:
        self.is_over = True
        if self.socket is not None:
            self.guards().remove(self.socket)
        await self.release()


class SignedInConsumer(GuardedConsumer):
    """A websocket of a user, who is signed in."""

    @property
    def user(self) -> User:
        """Whose socket it is; the gate lets nobody else through."""
        user: Any = self.scope["user"]
        return user  # type: ignore[no-any-return]

    def guards(self) -> OpenSockets:
        return open_sockets()

    def owned(self) -> OpenSocket:
        user = self.user
        key = (self.scope["session"].session_key or "", rights_of(user) if settings.BERTH_ROLES else None)
        return OpenSocket(key, user.pk, self.end)

    def visible(self, rows: QuerySet[Row]) -> QuerySet[Row]:
        """Keep the rows of clusters that the user may view."""
        return visible(rows, self.user)
