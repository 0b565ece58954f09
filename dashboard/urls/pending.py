"""Addresses of the pages about pending pods, and of their files."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

pending = Views("dashboard.views.pending")
preemption = Views("dashboard.views.preemption")
queue = Views("dashboard.views.queue")

urlpatterns = [
    path("", pending.groups, name="pending"),
    path("pods.csv", pending.pods_csv, name="pending-csv"),
    path("refused.csv", pending.refused_csv, name="refused-csv"),
    path("queue/", queue.queue, name="queue"),
    path("preemption/", preemption.preemption, name="preemption"),
    path("queue.csv", queue.queue_csv, name="queue-csv"),
]
