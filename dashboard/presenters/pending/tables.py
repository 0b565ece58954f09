"""Pending pods as a table of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.amounts import moment
from clusters.wording.causes import cause_reason
from clusters.wording.pending.names import KIND_WORDS
from dashboard.presenters.pending import causes
from dashboard.presenters.pending.page import next_attempt, pod_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from clusters.engine.configuration import Backoff
    from clusters.services.pending.pods import Attempts, CauseGroup, WaitingPod


def pod_cells(
    found: Iterable[tuple[CauseGroup, list[WaitingPod]]],
    attempts: Mapping[str, Attempts],
    backoff: Backoff,
    now: datetime,
) -> Iterator[tuple[str | int, ...]]:
    """Yield a row for each pod, in the order of its columns; times in UTC."""
    for group, pods in found:
        cause, way = group.cause, causes.way(group)
        for pod in pods:
            tried = attempts.get(pod.uid)
            look = next_attempt(pod.finding, tried, backoff, now)
            view = pod_view(pod, tried, backoff, now)
            yield (
                pod.namespace,
                pod.name,
                pod.workload.kind,
                pod.workload.name,
                moment(pod.created_at),
                str(KIND_WORDS[cause.kind]),
                causes.name(group),
                ", ".join(cause.plugins),
                cause_reason(cause),
                pod.finding.nodes,
                pod.finding.node_count,
                pod.finding.feasible,
                view.where,
                tried.count if tried else "",
                moment(view.last_at),
                moment(look.earliest),
                moment(look.latest),
                way,
                view.report[0],
                view.message,
                view.pod_group[1] if view.pod_group else "",
            )
