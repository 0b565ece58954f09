"""Sandboxes as they are stored: each user's own, and those that were shared by links."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from msgspec import Struct

from clusters.documents.lessons import decoded, encoded
from clusters.engine.sandbox import Objects, SandboxHistory, named
from clusters.models.cluster import packed, unpacked
from clusters.services.sandbox import FIRST, start
from dashboard.models import Sandbox, SharedSandbox

if TYPE_CHECKING:
    from django.contrib.auth.models import User


# Links of one user; each holds a cluster of up to a megabyte.
MOST_LINKS: Final = 20


class ChangedElsewhereError(Exception):
    """The sandbox was changed since it was read."""


class TooManyLinksError(Exception):
    """A user has as many links as are kept."""


class StoredSandbox(Struct, frozen=True):
    """A user's sandbox as it was read; the revision is 0 as long as nothing is stored."""

    user: User
    history: SandboxHistory
    revision: int

    @property
    def version(self) -> tuple[int, int]:
        """What changes with every change of the sandbox."""
        return self.user.pk, self.revision


def sandbox_of(user: User) -> StoredSandbox:
    """Return a user's sandbox; of one who has not begun, the first cluster to begin with."""
    row = Sandbox.objects.filter(user=user).first()
    if row is None:
        return StoredSandbox(user, SandboxHistory(start(FIRST)), 0)
    return StoredSandbox(user, decoded(unpacked(row.packed_history)), row.revision)


def store(sandbox: StoredSandbox, history: SandboxHistory) -> None:
    """Store what became of a sandbox since it was read. Raises ChangedElsewhereError."""
    text = packed(encoded(history))
    if sandbox.revision:
        rows = Sandbox.objects.filter(user=sandbox.user, revision=sandbox.revision)
        is_stored = bool(rows.update(packed_history=text, revision=F("revision") + 1))
    else:
        try:
            with transaction.atomic():
                Sandbox.objects.create(user=sandbox.user, packed_history=text, revision=1)
            is_stored = True
        except IntegrityError:
            is_stored = False
    if not is_stored:
        raise ChangedElsewhereError


# -- links -------------------------------------------------------------------------------------------------------------


def links_of(user: User) -> QuerySet[SharedSandbox]:
    """Return the links of a user, the newest first, without what they lead to."""
    return SharedSandbox.objects.filter(owner=user).defer("packed_objects")


def share(user: User, objects: Objects) -> SharedSandbox:
    """Make a link to a cluster as it is now. Raises TooManyLinksError."""
    if links_of(user).count() >= MOST_LINKS:
        raise TooManyLinksError
    return SharedSandbox.objects.create(
        owner=user,
        token=secrets.token_urlsafe(32),
        packed_objects=packed(list(objects.values())),
        nodes=sum(name.kind == "Node" for name in objects),
        pods=sum(name.kind == "Pod" for name in objects),
    )


def withdraw(user: User, token: str) -> bool:
    """Withdraw one of a user's own links; say whether there was one."""
    return bool(links_of(user).filter(token=token).delete()[0])


def shared(token: str) -> SharedSandbox | None:
    """Return what a link leads to, whoever's it is; None where there is none."""
    return SharedSandbox.objects.select_related("owner").filter(token=token, owner__is_active=True).first()


def objects_of(link: SharedSandbox) -> Objects:
    """Return the objects of a shared sandbox."""
    return named(unpacked(link.packed_objects))
