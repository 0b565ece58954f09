"""One-time sign-in links: made for a user, good once and for a while."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from dashboard.access import audit
from dashboard.access.rights import CHANGE_CLUSTERS, TEACH, WRITE_LESSONS
from dashboard.access.roles import administrators, give
from dashboard.models import RoleGrant, SignInLink

if TYPE_CHECKING:
    from datetime import datetime


DEFAULT_USER = "operator"


def make_link(*, username: str, base_url: str, create: bool, teach: bool = False) -> str:
    """Return a fresh address that signs the user in once; with ``teach`` let the user open classrooms from now on.

    Where roles are on and nobody administers, the user that Berth makes by itself does from now on.
    The token is the address's fragment, which browsers keep to themselves: no access log ever holds it.
    Raises the user model's DoesNotExist when nobody active has the name and `create` is false.
    """
    users = get_user_model()._default_manager
    with transaction.atomic():
        if create:
            user, made = users.get_or_create(username=username)
            if made:
                user.set_unusable_password()
                user.save(update_fields=["password"])
                audit.note(None, audit.Action.USER_ADDED, subject=username)
            if made and username == DEFAULT_USER:
                _permit(user, CHANGE_CLUSTERS, TEACH, WRITE_LESSONS)
            if username == DEFAULT_USER and settings.BERTH_ROLES and not administrators().exists():
                give(RoleGrant.Role.ADMINISTRATOR, user)
                audit.note(None, audit.Action.ROLE_GIVEN, subject=f"{username}: {RoleGrant.Role.ADMINISTRATOR}")
        else:
            user = users.get(username=username, is_active=True)
        if teach:
            _permit(user, TEACH)
            if settings.BERTH_ROLES:
                give(RoleGrant.Role.TRAINER, user)
        token = secrets.token_urlsafe(32)
        SignInLink.objects.create(
            user=user, token_digest=_digest(token), expires_at=timezone.now() + settings.BERTH_SIGNIN_LINK_LIFETIME
        )
    return f"{base_url.rstrip('/')}{reverse('sign-in-link')}#{token}"


def _permit(user: User, *permissions: str) -> None:
    for label, _, codename in (each.partition(".") for each in permissions):
        user.user_permissions.add(Permission.objects.get(content_type__app_label=label, codename=codename))


def redeem(token: str) -> User | None:
    """Return the link's user and use the link up, or None if it is unknown, used, too old or its user was disabled."""
    live = SignInLink.objects.filter(token_digest=_digest(token), expires_at__gt=timezone.now(), user__is_active=True)
    with transaction.atomic():
        link = live.select_related("user").first()
        # Of two requests at once only one deletes the row.
        if link is None or not SignInLink.objects.filter(pk=link.pk).delete()[0]:
            return None
    return link.user


def remove_expired(*, now: datetime) -> int:
    """Delete links that nobody can use any more and return how many there were."""
    return SignInLink.objects.filter(expires_at__lte=now).delete()[0]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
