"""Every websocket. The gates in dashboard.asgi let only those through to here for whom each is, of our own origin."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from dashboard.access.websocket import refuse
from dashboard.consumers.classroom import ClassroomConsumer
from dashboard.consumers.live import LiveConsumer
from dashboard.consumers.progress import (
    DrainProgress,
    IngestProgress,
    ReviewProgress,
    RunProgress,
    StudyProgress,
)
from dashboard.consumers.seat import SeatConsumer

# The one websocket of participants, who are no users.
SEAT_SOCKET = "/ws/seat/"
seat_consumer = SeatConsumer.as_asgi()
# Channels routes with Django's `path`, whose types know views only.
websocket_urlpatterns: list[Any] = [
    path("ws/ingests/<int:pk>/", IngestProgress.as_asgi()),  # type: ignore[arg-type]
    path("ws/simulations/<int:pk>/", RunProgress.as_asgi()),  # type: ignore[arg-type]
    path("ws/reviews/<int:pk>/", ReviewProgress.as_asgi()),  # type: ignore[arg-type]
    path("ws/studies/<int:pk>/", StudyProgress.as_asgi()),  # type: ignore[arg-type]
    path("ws/drains/<int:pk>/<slug:plan>/", DrainProgress.as_asgi()),  # type: ignore[arg-type]
    path("ws/classrooms/<int:pk>/", ClassroomConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/live/", LiveConsumer.as_asgi()),  # type: ignore[arg-type]
    # Channels raises for an address that it does not know.
    re_path("", refuse),  # type: ignore[arg-type]
]
