"""The scheduler's queue as a table of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.amounts import moment
from clusters.wording.pending.queue import PLACES
from clusters.wording.plugins import requeues_of
from dashboard.presenters.pending.page import place_of
from dashboard.presenters.pending.queue import next_attempt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from clusters.engine.configuration import Backoff
    from clusters.engine.versions import Release
    from clusters.services.pending.queue import QueuedPodState


def queue_cells(
    placed: Iterable[QueuedPodState], backoff: Backoff, release: Release, now: datetime
) -> Iterator[tuple[str | int, ...]]:
    """Yield a row for each pod, in the order of its columns; times in UTC, no rank for one that is not tried."""
    for queued, standing in placed:
        pod, tried = queued.pod, queued.attempts
        look = next_attempt(standing.place, queued.waiting, backoff, now)
        yield (
            standing.rank or "",
            pod.namespace,
            pod.name,
            pod.workload.kind,
            pod.workload.name,
            queued.priority,
            queued.priority_class,
            queued.scheduler_name,
            moment(pod.created_at),
            str(PLACES[standing.place]),
            queued.nominated_node,
            tried.count if tried else "",
            moment(tried.last_at if tried else None),
            look.text,
            moment(look.earliest),
            moment(look.latest),
            " ".join(pod.finding.rejected_by),
            " | ".join(filter(None, (_requeued_when(plugin, release) for plugin in pod.finding.rejected_by))),
            group[1] if (group := place_of(pod.pod_group)) else "",
        )


def _requeued_when(plugin: str, release: Release) -> str:
    return "; ".join(each.when for each in requeues_of(plugin, release))
