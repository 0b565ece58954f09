"""Addresses of lessons, under /lessons/: the list, and the player for users."""

from __future__ import annotations

from django.urls import include, path

from dashboard.lessons import views

urlpatterns = [
    path("", views.lessons, name="lessons"),
    path("", include("dashboard.lessons.player")),
]
