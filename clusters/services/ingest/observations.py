"""Keeps what others recorded of scheduling attempts, beside the mirror, which it never changes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from clusters.models import Observation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.adapters.observed.attempt import Attempt
    from clusters.models import Cluster

_AT_ONCE = 200
_Key = tuple[str, str, str, str, str]


@dataclass(slots=True)
class Recorded:
    """How many attempts were new, and of how many more was known than before."""

    added: int = 0
    changed: int = 0


def record(*, cluster: Cluster, attempts: Iterable[Attempt], origin: str) -> Recorded:
    """Keep attempts of a cluster's pods; what is known already is not written again. The caller holds the transaction.

    Of two readings of one attempt the fuller one is kept: a log may have been cut off in its midst.
    """
    recorded = Recorded()
    rest = iter(attempts)
    while some := list(islice(rest, _AT_ONCE)):
        _record(cluster, some, origin, recorded)
    return recorded


def _record(cluster: Cluster, attempts: Sequence[Attempt], origin: str, recorded: Recorded) -> None:
    present: dict[_Key, tuple[int | None, int, bytes]] = {
        (namespace, name, source, uid, key): (pk, cells, bytes(content))
        for pk, namespace, name, source, uid, key, cells, content in Observation.objects.filter(
            cluster=cluster, name__in={attempt.name for attempt in attempts}, key__in={each.key for each in attempts}
        ).values_list("pk", "namespace", "name", "source", "pod_uid", "key", "cells", "packed_document")
    }
    fresh: dict[_Key, Observation] = {}
    fuller: dict[_Key, Observation] = {}
    for attempt in attempts:
        identity = (attempt.namespace, attempt.name, str(attempt.source), attempt.uid, attempt.key)
        pk, cells, content = present.get(identity, (None, -1, b""))
        if attempt.cells < cells or attempt.packed == content:
            continue
        present[identity] = pk, attempt.cells, attempt.packed
        (fresh if pk is None else fuller)[identity] = Observation(
            pk=pk,
            cluster=cluster,
            namespace=attempt.namespace,
            name=attempt.name,
            pod_uid=attempt.uid,
            source=attempt.source,
            key=attempt.key,
            origin=origin,
            attempt=attempt.number,
            observed_at=attempt.observed_at,
            cells=attempt.cells,
            packed_document=attempt.packed,
        )
    Observation.objects.bulk_create(fresh.values())
    Observation.objects.bulk_update(fuller.values(), ["origin", "observed_at", "cells", "packed_document"])
    recorded.added += len(fresh)
    recorded.changed += len(fuller)
