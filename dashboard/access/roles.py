"""Giving roles to users and groups, and taking them away; somebody always stays to do it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from clusters.wording.access import administration as words
from dashboard.models import RoleGrant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import Group
    from django.db.models import QuerySet

    from clusters.models import Cluster

# Of the whole installation, never of one cluster.
WHOLE = frozenset({RoleGrant.Role.TRAINER, RoleGrant.Role.ADMINISTRATOR})


class RoleError(ValueError):
    """A role that cannot be given or taken: what is wrong, and what would be right."""


def administrators() -> QuerySet[User]:
    """Return the active users who may give roles."""
    role = RoleGrant.Role.ADMINISTRATOR
    held = Q(is_superuser=True) | Q(role_grants__role=role) | Q(groups__role_grants__role=role)
    return User.objects.filter(held, is_active=True).distinct()


def give(role: str, holder: User | Group, cluster: Cluster | None = None) -> bool:
    """Give a role to a user or group, of one cluster or of all, and tell whether it was not held before.

    Raises RoleError for a role of the whole installation that is to be of one cluster.
    """
    if cluster is not None and role in WHOLE:
        raise RoleError(words.ROLE_OF_ALL(role=str(RoleGrant.Role(role).label)))
    holders = {"user": holder} if isinstance(holder, User) else {"group": holder}
    return RoleGrant.objects.get_or_create(role=role, cluster=cluster, **holders)[1]


def take(grant: RoleGrant) -> None:
    """Take a role away. Raises RoleError where nobody would be left to give any."""
    with keeping_an_administrator():
        grant.delete()


@contextmanager
def keeping_an_administrator() -> Iterator[None]:
    """Undo what is done inside, and raise RoleError, where no administrator is left by it."""
    with transaction.atomic():
        yield
        if not administrators().exists():
            raise RoleError(str(words.LAST_ADMINISTRATOR))
