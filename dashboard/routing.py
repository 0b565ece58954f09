"""Every websocket. The gates in dashboard.asgi let only those through to here for whom each is, of our own origin."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.urls import path, re_path

from dashboard.access.websocket import refuse
from dashboard.consumers.live import LiveConsumer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


def _consumer(module: str, name: str) -> Callable[..., Awaitable[None]]:
    """Return a consumer of `dashboard.consumers`, loaded with what it renders when somebody connects."""

    async def application(*connection: Any) -> None:
        await getattr(import_module(f"dashboard.consumers.{module}"), name).as_asgi()(*connection)

    return application


# The one websocket of participants, who are no users.
SEAT_SOCKET = "/ws/seat/"
seat_consumer = _consumer("seat", "SeatConsumer")
# Channels routes with Django's `path`, whose types know views only.
websocket_urlpatterns: list[Any] = [
    path("ws/ingests/<int:pk>/", _consumer("progress", "IngestProgress")),  # type: ignore[arg-type]
    path("ws/simulations/<int:pk>/", _consumer("progress", "RunProgress")),  # type: ignore[arg-type]
    path("ws/reviews/<int:pk>/", _consumer("progress", "ReviewProgress")),  # type: ignore[arg-type]
    path("ws/studies/<int:pk>/", _consumer("progress", "StudyProgress")),  # type: ignore[arg-type]
    path("ws/drains/<int:pk>/<slug:plan>/", _consumer("progress", "DrainProgress")),  # type: ignore[arg-type]
    path("ws/classrooms/<int:pk>/", _consumer("classroom", "ClassroomConsumer")),  # type: ignore[arg-type]
    path("ws/live/", LiveConsumer.as_asgi()),  # type: ignore[arg-type]
    # Channels raises for an address that it does not know.
    re_path("", refuse),  # type: ignore[arg-type]
]
