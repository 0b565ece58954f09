"""The log of the latest changes, by which snapshots in memory follow a live cluster."""

from __future__ import annotations

from typing import NamedTuple

from clusters.models import Change


class Identity(NamedTuple):
    """What a snapshot knows an object by."""

    kind: str
    namespace: str
    name: str


def between(cluster_id: int, *, after: int, upto: int) -> dict[Identity, str] | None:
    """Return the objects that the revisions from `after` (exclusive) to `upto` changed, each with its latest UID.

    An object that is gone has an empty UID. None where the log does not hold all of these revisions.
    """
    rows = Change.objects.filter(cluster_id=cluster_id, revision__gt=after, revision__lte=upto)
    revisions = set()
    found: dict[Identity, str] = {}
    for revision, kind, touched in rows.order_by("revision").values_list("revision", "kind", "touched"):
        revisions.add(revision)
        # Within one revision an object that came follows the one of the same name that went.
        for uid, namespace, name, is_deleted in sorted(touched, key=lambda each: not each[3]):
            found[Identity(kind, namespace, name)] = "" if is_deleted else uid
    return found if len(revisions) == upto - after else None
