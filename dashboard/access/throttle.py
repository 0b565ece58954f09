"""The throttle on passwords: who is counted, what is logged, and what somebody reads who has to wait.

django-axes counts failed attempts in the database, so that all web processes know of all of them.
"""

from __future__ import annotations

import logging
from ipaddress import ip_address
from math import ceil
from typing import TYPE_CHECKING, Any

from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Max, Q
from django.shortcuts import render
from django.utils import timezone

from dashboard.access.ways_in import ways_in

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

_log = logging.getLogger(__name__)


def address_of(request: HttpRequest) -> str | None:
    """Return the address of whoever sent a request; behind a proxy the one that the proxy itself has added last."""
    texts = [request.META.get("REMOTE_ADDR", "")]
    if settings.BERTH_BEHIND_PROXY:
        texts.insert(0, request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip())
    for text in texts:
        try:
            return str(ip_address(text))
        except ValueError:
            continue
    return None


def in_log(username: str | None, address: str | None, *_: Any) -> str:
    """Name an attempt in the log, whatever the name holds; never a password."""
    return f"{username!r} from {address or 'unknown'}"


def remove_expired(*, now: datetime) -> None:
    """Delete failed attempts that do not count any more, also where nobody signs in after them."""
    AccessAttempt.objects.filter(attempt_time__lt=now - settings.AXES_COOLOFF_TIME).delete()


def is_no_guess(_: HttpRequest, credentials: dict[str, Any] | None) -> bool:
    """Tell failures at the identity provider, which guess no password, from those that count."""
    return credentials is not None and "provider" in credentials


def answer(request: HttpRequest, original: HttpResponse | None, credentials: dict[str, Any] | None) -> HttpResponse:
    """Answer an attempt that comes too soon after others have failed."""
    username, address = get_client_username(request, credentials), address_of(request)
    attempts = AccessAttempt.objects.filter(Q(username=username) | Q(ip_address=address))
    latest = attempts.aggregate(Max("attempt_time"))["attempt_time__max"] or timezone.now()
    until = latest + settings.AXES_COOLOFF_TIME
    seconds = max(1, round((until - timezone.now()).total_seconds()))
    _log.warning("Sign-in as %s is refused for %d seconds.", in_log(username, address), seconds)
    context = {"until": until, "minutes": ceil(seconds / 60), "failures": settings.AXES_FAILURE_LIMIT, **ways_in()}
    response = render(request, "registration/throttled.html", context, status=429)
    response["Retry-After"] = str(seconds)
    response["Cache-Control"] = "no-store"
    return response
