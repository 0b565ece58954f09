"""The scheduler's queue as a table of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.amounts import moment
from dashboard.presenters.pending.queue import next_try
from dashboard.presenters.pending.queue_words import PLACES, wakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from clusters.engine.queueing.backoff import Backoff
    from clusters.services.pending.queue import QueuedPodState

QUEUE_COLUMNS = (
    "rank", "namespace", "pod", "workload kind", "workload", "priority", "priority class", "scheduler", "created",
    "place", "nominated node", "attempts at least", "last attempt", "next try", "not before", "by", "rejected by",
    "what would wake it",
)  # fmt: skip


def queue_cells(placed: Iterable[QueuedPodState], backoff: Backoff, now: datetime) -> Iterator[tuple[str | int, ...]]:
    """Yield a row for each pod, in the order of QUEUE_COLUMNS; times in UTC, rank empty for who is not in line."""
    for queued, standing in placed:
        pod, tried = queued.pod, queued.attempts
        look = next_try(standing.place, queued.waiting, backoff, now)
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
            PLACES[standing.place][0],
            queued.nominated_node,
            tried.count if tried else "",
            moment(tried.last_at if tried else None),
            look.text,
            moment(look.earliest),
            moment(look.latest),
            " ".join(pod.finding.rejected_by),
            " | ".join(filter(None, map(wakes, pod.finding.rejected_by))),
        )
