"""What the Celery application needs in its own processes, and what beat starts by itself."""

from __future__ import annotations

import os
import warnings
from typing import Any

from celery.exceptions import SecurityWarning
from celery.schedules import crontab
from celery.signals import worker_process_init

from clusters.celery import app
from dashboard.operations import heartbeat, logs, tether

__all__ = ["app"]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")

# Celery would check the whole site, for which every worker and beat would load all pages and operations.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

# Celery warns root of messages that run code when they are read. Berth's are JSON, and Celery refuses all others.
warnings.filterwarnings("ignore", message="You're running the worker with superuser", category=SecurityWarning)

_EVERY_MINUTE = "clusters.tasks.fail_abandoned_ingests"
_OFTEN = "clusters.tasks.resume_abandoned"
_REVIEWS = "clusters.tasks.tend_reports"
_SECONDS, _MINUTE = 15.0, 60.0
for task in (_EVERY_MINUTE, _OFTEN, _REVIEWS):
    logs.pass_over(task)

heartbeat.note(_OFTEN, seconds=4 * _SECONDS)

app.conf.beat_schedule = {
    "remove-expired": {"task": "dashboard.tasks.remove_expired", "schedule": crontab(minute="17", hour="3")},
    "prune-journal": {"task": "clusters.tasks.prune_journal", "schedule": crontab(minute="37")},
    "fail-abandoned-ingests": {"task": _EVERY_MINUTE, "schedule": crontab()},
    # What no worker took before the next one is of no use any more.
    "resume-abandoned": {"task": _OFTEN, "schedule": _SECONDS, "options": {"expires": _SECONDS}},
    "prune-runs": {"task": "clusters.tasks.prune_runs", "schedule": crontab(minute="47")},
    # After the full hour that the sample stands for.
    "sample-capacity": {"task": "clusters.tasks.sample_capacity", "schedule": crontab(minute="2")},
    # Away from the full hour, at which many others ask; what waited for an hour is told by the next one.
    "sample-usage": {
        "task": "clusters.tasks.sample_usage",
        "schedule": crontab(minute="12"),
        "options": {"expires": 3600.0},
    },
    "tend-reports": {"task": _REVIEWS, "schedule": crontab(), "options": {"expires": _MINUTE}},
}


@worker_process_init.connect
def _die_with_the_worker(**_: Any) -> None:
    """Keep a pool process from outliving a worker that was killed."""
    tether.die_with(os.getppid())
