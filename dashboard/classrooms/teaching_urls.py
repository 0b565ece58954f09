"""Addresses below /classrooms/, for those who may teach."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

result_views = Views("dashboard.classrooms.result_views")
room_views = Views("dashboard.classrooms.room_views")
teaching_views = Views("dashboard.classrooms.teaching_views")

_ROOM = "<int:pk>/"

urlpatterns = [
    path("", teaching_views.classrooms, name="classrooms"),
    path("new/", teaching_views.new, name="classroom-new"),
    path(_ROOM, room_views.room, name="classroom"),
    path(f"{_ROOM}live/", room_views.live, name="classroom-live"),
    path(f"{_ROOM}lead/", room_views.lead, name="classroom-lead"),
    path(f"{_ROOM}projector/", room_views.projector, name="classroom-projector"),
    path(f"{_ROOM}projector/live/", room_views.projected, name="classroom-projected"),
    path(f"{_ROOM}summary/", result_views.summary, name="classroom-summary"),
    path(f"{_ROOM}results.csv", result_views.results, name="classroom-results"),
    path(f"{_ROOM}change/", teaching_views.change, name="classroom-change"),
    path(f"{_ROOM}remove/", teaching_views.remove, name="classroom-remove"),
]
