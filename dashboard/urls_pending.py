"""Addresses of the page about pods that wait, and of its file."""

from __future__ import annotations

from django.urls import path

from dashboard.views import pending

urlpatterns = [
    path("", pending.groups, name="pending"),
    path("pods.csv", pending.pods_csv, name="pending-csv"),
]
