"""Celery entry points of the web ring."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command
from django.utils import timezone

from dashboard.access import links
from dashboard.classrooms import leading


@shared_task
def remove_expired() -> None:
    """Delete sessions, sign-in links and classrooms that nobody can use any more."""
    call_command("clearsessions")
    now = timezone.now()
    links.remove_expired(now=now)
    leading.remove_expired(now=now)
