"""Addresses of classrooms: where one joins, the seat of a participant, and the pages of those who teach."""

from __future__ import annotations

from django.urls import include, path

from dashboard.access.participants import SEAT
from dashboard.lazy_views import Views

seat_views = Views("dashboard.classrooms.seat_views")

urlpatterns = [
    path("classrooms/", include("dashboard.classrooms.teaching_urls")),
    path("join/", seat_views.join, name="join"),
    path("join/<str:code>/", seat_views.join, name="join-with-code"),
    # Everything below it is for participants: the gate knows their addresses by this beginning.
    path(f"{SEAT}/", seat_views.seat, name="seat"),
    path(f"{SEAT}/_turn/", seat_views.turn, name="seat-turn"),
    path(f"{SEAT}/_leave/", seat_views.leave, name="seat-leave"),
    path(f"{SEAT}/", include("dashboard.lessons.player", namespace=SEAT)),
]
