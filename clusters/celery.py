"""The Celery application; whoever sends a task or declares one asks for it here, and nobody else loads Celery."""

from __future__ import annotations

from celery import Celery, current_app

__all__ = ["app", "current_app"]

app = Celery("berth")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
