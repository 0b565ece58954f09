"""The Celery application, and what beat starts by itself."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import worker_process_init

from dashboard.serving import tether

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")

app = Celery("berth")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "remove what has expired": {"task": "dashboard.tasks.remove_expired", "schedule": crontab(minute="17", hour="3")},
    "give up abandoned ingests": {"task": "clusters.tasks.fail_abandoned_ingests", "schedule": crontab()},
}


@worker_process_init.connect
def _die_with_the_worker(**_: Any) -> None:
    """Keep a pool process from outliving a worker that was killed."""
    tether.die_with(os.getppid())
