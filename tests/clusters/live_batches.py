"""Batches as a watcher makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from clusters.adapters.kube import API_KINDS, live_row, uid_of
from clusters.models import Cluster, WatchedKind
from clusters.services.watching.watcher import Applied, Batch, KindStatus, Lease, acquire, apply_batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.adapters.rows import Row
    from clusters.services.journal.ledger import PodFact

Object = dict[str, Any]


def followed_cluster(name: str = "prod") -> tuple[Cluster, Lease]:
    cluster = Cluster.objects.create(name=name, source=Cluster.Source.LIVE, kubeconfig="/nowhere", context="here")
    lease = acquire(cluster_id=cluster.pk, holder="test")
    assert lease is not None
    return cluster, lease


def row(document: Object) -> Row:
    kind = API_KINDS[document["kind"]]
    return live_row(kind, kind.versions[0], document)


def statuses(*kinds: str, **fields: Any) -> dict[str, KindStatus]:
    values = {"state": WatchedKind.State.OK, "state_since": timezone.now(), **fields}
    return {kind: KindStatus(kind, **values) for kind in kinds}


def apply(
    lease: Lease, *, put: tuple[Object, ...] = (), gone: tuple[Object, ...] = (), facts: Sequence[PodFact] = ()
) -> Applied:
    batch = Batch(facts=list(facts))
    for document in gone:
        batch.changes.setdefault(document["kind"], {})[uid_of(document)] = None
    for document in put:
        batch.changes.setdefault(document["kind"], {})[uid_of(document)] = row(document)
    batch.statuses = statuses(*batch.changes)
    return apply_batch(lease=lease, batch=batch)


def list_kind(lease: Lease, kind: str, *documents: Object) -> Applied:
    rows = {uid_of(document): row(document) for document in documents}
    return apply_batch(lease=lease, batch=Batch(listings={kind: rows}, statuses=statuses(kind)))
