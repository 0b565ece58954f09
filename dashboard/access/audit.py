"""Who did what: one line for each act that others may want to know of."""

from __future__ import annotations

import uuid
from getpass import getuser
from typing import TYPE_CHECKING, Any, Final

from axes.helpers import get_client_username
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver

from clusters.adapters.bad_input import printable
from dashboard.access.throttle import address_of
from dashboard.models import AuditEntry

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import User
    from django.http import HttpRequest

Action = AuditEntry.Action
_LONGEST_ID: Final = 64
_LONGEST_NAME: Final = 150
_LONGEST: Final = 253


def request_id_of(request: HttpRequest) -> str:
    """Return the id that whoever sent a request gave it, or one of our own."""
    known: str | None = getattr(request, "audit_id", None)
    if known is None:
        given = request.headers.get("X-Request-ID", "")
        is_usable = 0 < len(given) <= _LONGEST_ID and given.isascii() and given.isprintable()
        known = given if is_usable else uuid.uuid4().hex
        request.audit_id = known  # type: ignore[attr-defined]
    return known


def note(
    request: HttpRequest | None,
    action: AuditEntry.Action,
    *,
    cluster: str = "",
    subject: str = "",
    username: str = "",
) -> None:
    """Write down what the user of a request did, to which cluster and what; ``username``: of nobody yet.

    Without a request somebody did it at a terminal, where they are known by another name.
    """
    if request is None:
        by, address, request_id = f"{getuser()} (terminal)", None, ""
    else:
        by = username or request.user.get_username()
        address, request_id = address_of(request), request_id_of(request)
    AuditEntry.objects.create(
        username=printable(by)[:_LONGEST_NAME],
        address=address,
        request_id=request_id,
        action=action,
        cluster=cluster,
        subject=printable(subject)[:_LONGEST],
    )


def prune(*, before: datetime) -> int:
    """Remove the entries before a moment, and return how many there were."""
    old = AuditEntry.objects.filter(at__lt=before)
    return old._raw_delete(old.db)


@receiver(user_logged_in, dispatch_uid="dashboard.audit.signed_in")
def _signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    note(request, Action.SIGNED_IN, username=user.get_username())


@receiver(user_logged_out, dispatch_uid="dashboard.audit.signed_out")
def _signed_out(request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        note(request, Action.SIGNED_OUT, username=user.get_username())


@receiver(user_login_failed, dispatch_uid="dashboard.audit.sign_in_failed")
def _sign_in_failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    if request is not None:
        note(request, Action.SIGN_IN_FAILED, username=get_client_username(request, credentials) or "")
