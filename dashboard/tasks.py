"""Celery entry points of the web ring."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from dashboard.access import audit, links, throttle
from dashboard.classrooms import leading


@shared_task
def remove_expired() -> None:
    """Delete what nobody can use any more, and what is kept no longer of failed attempts and in the audit log."""
    call_command("clearsessions")
    now = timezone.now()
    links.remove_expired(now=now)
    throttle.remove_expired(now=now)
    leading.remove_expired(now=now)
    audit.prune(before=now - settings.BERTH_AUDIT_KEPT)
