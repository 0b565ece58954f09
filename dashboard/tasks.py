"""Celery entry points of the web ring."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command
from django.utils import timezone

from dashboard.access import links


@shared_task
def remove_expired() -> None:
    """Delete sessions and sign-in links that nobody can use any more."""
    call_command("clearsessions")
    links.remove_expired(now=timezone.now())
