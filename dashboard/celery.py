"""The Celery application, and what beat starts by itself."""

from __future__ import annotations

import os

from celery import Celery
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")

app = Celery("berth")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "remove what has expired": {"task": "dashboard.tasks.remove_expired", "schedule": crontab(minute="17", hour="3")},
}
