"""Tokens of the API: made for a user, shown once, and good until they expire or are revoked."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from clusters.wording.access import sign_in as words
from dashboard.access.renewal import is_recent, renewed
from dashboard.access.rights import limit
from dashboard.models import ApiToken

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import User

    from clusters.models import Cluster

# So that whoever finds one in a file knows what it opens, and scanners for secrets find it.
PREFIX: Final = "berth_"
MOST_PER_USER: Final = 50
MOST_DAYS: Final = 3650
_LONGEST_NAME: Final = 100
_LONGEST: Final = 200


class TokenError(ValueError):
    """A token that cannot be made: what is wrong, and what would be right."""


def make_token(
    *, user: User, name: str, may_write: bool, days: int | None, clusters: Iterable[Cluster] = ()
) -> tuple[ApiToken, str]:
    """Store a token and return it with its text, which nobody can read again.

    Without ``days`` it does not expire; without ``clusters`` it opens all that its user may view.
    Raises TokenError for a name that is empty or taken, and for one token too many.
    """
    name = " ".join(name.split())
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise TokenError(words.BAD_NAME(most=_LONGEST_NAME))
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise TokenError(words.BAD_DAYS(most=MOST_DAYS))
    text = _text()
    with transaction.atomic():
        # Two requests at once wait for each other here.
        get_user_model()._default_manager.select_for_update().get(pk=user.pk)
        own = ApiToken.objects.filter(user=user)
        if own.filter(name=name).exists():
            raise TokenError(words.NAME_TAKEN(name=name))
        if own.count() >= MOST_PER_USER:
            raise TokenError(words.TOO_MANY(most=MOST_PER_USER))
        token = ApiToken.objects.create(
            user=user,
            name=name,
            token_digest=_digest(text),
            scope=ApiToken.Scope.WRITE if may_write else ApiToken.Scope.READ,
            clusters=sorted(each.pk for each in clusters) or None,
            expires_at=None if days is None else timezone.now() + timedelta(days=days),
        )
    return token, text


def rotate(token: ApiToken) -> str:
    """Give a token another text, which is returned, for as long again; the one before is no longer good."""
    text, now = _text(), timezone.now()
    if token.expires_at is not None:
        token.expires_at = now + (token.expires_at - token.created_at)
    token.token_digest, token.created_at, token.last_used_on = _digest(text), now, None
    token.save(update_fields=["token_digest", "created_at", "expires_at", "last_used_on"])
    return text


def token_of(text: str) -> ApiToken | None:
    """Return the token that a text opens with, and note the day; None for one that is unknown or no longer good.

    Its user, as the token has them, may do what the token may.
    """
    if not text.startswith(PREFIX) or len(text) > _LONGEST:
        return None
    now = timezone.now()
    known = ApiToken.objects.select_related("user__identity")
    token = known.filter(token_digest=_digest(text), user__is_active=True).first()
    if token is None or (token.expires_at is not None and token.expires_at <= now):
        return None
    identity = getattr(token.user, "identity", None)
    if identity is not None and not is_recent(renewed(identity), settings.BERTH_OIDC_TOKENS_KEPT):
        return None
    today = now.date()
    if token.last_used_on != today:
        ApiToken.objects.filter(pk=token.pk).update(last_used_on=today)
    if token.clusters is not None:
        limit(token.user, token.clusters)
    return token


def _text() -> str:
    return f"{PREFIX}{secrets.token_urlsafe(32)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
