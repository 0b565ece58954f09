"""Whether the users of open websockets are still signed in."""

from __future__ import annotations

from hmac import compare_digest
from typing import TYPE_CHECKING

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# SQLite may be built to take no more than 999 values in one statement.
_AT_ONCE = 900


def living_sessions(sessions: Iterable[tuple[str, int]]) -> set[str]:
    """Return the keys of those sessions, given with their users, by which the user is still signed in.

    One that was signed out, has expired, or is of a user who is gone, inactive or has another password is not among
    them. Two queries for 900 sessions.
    """
    users = dict(sessions)
    keys = list(users)
    return {
        key
        for start in range(0, len(keys), _AT_ONCE)
        for key in _living({key: users[key] for key in keys[start : start + _AT_ONCE]})
    }


def _living(users: dict[str, int]) -> Iterator[str]:
    accounts = get_user_model()._default_manager.filter(is_active=True).in_bulk(set(users.values()))
    for session in Session.objects.filter(session_key__in=users, expire_date__gt=timezone.now()):
        content = session.get_decoded()
        account = accounts.get(users[session.session_key])
        if account is None or str(account.pk) != content.get(SESSION_KEY):
            continue
        if compare_digest(account.get_session_auth_hash(), content.get(HASH_SESSION_KEY, "")):
            yield session.session_key
