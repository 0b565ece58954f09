"""Users whom somebody else vouches for, with the groups that they are in there; they are made when first seen."""

from __future__ import annotations

import logging
import re
from itertools import count
from typing import Final

from django.contrib.auth.models import Group, User
from django.db import IntegrityError, transaction
from django.utils import timezone
from msgspec import Struct

from dashboard.access.links import DEFAULT_USER
from dashboard.access.sealing import sealed
from dashboard.models import Identity

_log = logging.getLogger(__name__)

# Django groups with this beginning follow the issuer; all others are Berth's own.
GROUP_PREFIX: Final = "oidc:"
_MOST_GROUPS: Final = 500
_LONGEST_GROUP: Final = 150
_LONGEST_SUBJECT: Final = 255
# Leaves room for a number behind it.
_LONGEST_NAME: Final = 140
_NOT_OF_NAMES: Final = re.compile(r"[^\w.@+-]+")


class Account(Struct, frozen=True):
    """What an issuer says of a user: who it is, how it may be called, the best first, and which groups it is in.

    Groups are None where it says nothing of them.
    """

    subject: str
    names: tuple[str, ...]
    groups: tuple[str, ...] | None
    refresh_token: str = ""
    id_token: str = ""


class DisabledError(Exception):
    """The user is disabled in Berth, whatever the issuer says."""


def user_of(issuer: str, account: Account) -> User:
    """Return the user whom an issuer vouches for now, in the groups that it names.

    Raises DisabledError, and ValueError for a subject that cannot be stored.
    """
    if not 0 < len(account.subject) <= _LONGEST_SUBJECT or not account.subject.isprintable():
        raise ValueError(f"The subject {account.subject[:100]!r} cannot be stored.")
    try:
        user = _found_or_made(issuer, account)
    except IntegrityError:
        # Somebody else made it since.
        user = _found_or_made(issuer, account)
    if not user.is_active:
        raise DisabledError
    follow_groups(user, account.groups or ())
    return user


@transaction.atomic
def _found_or_made(issuer: str, account: Account) -> User:
    verified = {"verified_at": timezone.now(), "refresh_token": sealed(account.refresh_token), "is_refused": False}
    same = Identity.objects.filter(issuer=issuer, subject=account.subject)
    if (identity := same.select_related("user").first()) is not None:
        same.update(asked_at=None, **verified)
        return identity.user
    user = _made(account)
    Identity.objects.create(user=user, issuer=issuer, subject=account.subject, **verified)
    return user


def _made(account: Account) -> User:
    """Make a user by the best name, with a number where somebody has it: a name alone makes nobody somebody else."""
    name = next(filter(None, map(_usable, account.names)), "") or _usable(account.subject) or "user"
    for number in count(1):
        numbered = name if number == 1 else f"{name}-{number}"
        if numbered == DEFAULT_USER or User.objects.filter(username=numbered).exists():
            continue
        user = User(username=numbered)
        user.set_unusable_password()
        user.save()
        return user
    raise AssertionError


def _usable(name: str) -> str:
    return _NOT_OF_NAMES.sub("-", User.normalize_username(name)).strip("-")[:_LONGEST_NAME]


def follow_groups(user: User, groups: tuple[str, ...]) -> None:
    """Let a user be in the groups that the issuer names, and in no others of the issuer's; make what is missing."""
    wanted = {f"{GROUP_PREFIX}{name}" for name in groups if name and name.isprintable()}
    storable = sorted(name for name in wanted if len(name) <= _LONGEST_GROUP)[:_MOST_GROUPS]
    if len(storable) < len(wanted):
        _log.warning("%d of the groups of %s are left out: too many, or too long.", len(wanted) - len(storable), user)
    held = {group.name: group for group in user.groups.all() if group.name.startswith(GROUP_PREFIX)}
    if gone := [group for name, group in held.items() if name not in storable]:
        user.groups.remove(*gone)
    if new := [name for name in storable if name not in held]:
        Group.objects.bulk_create([Group(name=name) for name in new], ignore_conflicts=True)
        user.groups.add(*Group.objects.filter(name__in=new))
