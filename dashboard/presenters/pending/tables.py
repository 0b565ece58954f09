"""Pods that wait as a table of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.amounts import moment
from clusters.wording.causes import cause_reason
from dashboard.presenters.pending import words
from dashboard.presenters.pending.page import next_look, pod_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from clusters.engine.queueing.backoff import Backoff
    from clusters.services.pending.attempts import Attempts
    from clusters.services.pending.pods import CauseGroup, WaitingPod

POD_COLUMNS = (
    "namespace", "pod", "workload kind", "workload", "created", "kind", "waits", "plugin", "reason",
    "nodes with reason", "nodes", "nodes that would take it", "where", "attempts at least", "last attempt",
    "no sooner than", "expected by", "one change that would be enough", "report", "scheduler's message",
)  # fmt: skip


def pod_cells(
    found: Iterable[tuple[CauseGroup, list[WaitingPod]]],
    attempts: Mapping[str, Attempts],
    backoff: Backoff,
    now: datetime,
) -> Iterator[tuple[str | int, ...]]:
    """Yield a row for each pod, in the order of POD_COLUMNS; times in UTC."""
    for group, pods in found:
        cause, way = group.cause, words.way(group)
        for pod in pods:
            tried = attempts.get(pod.uid)
            look = next_look(pod.finding, tried, backoff, now)
            view = pod_view(pod, tried, backoff, now)
            yield (
                pod.namespace,
                pod.name,
                pod.workload.kind,
                pod.workload.name,
                moment(pod.created_at),
                words.KINDS[cause.kind],
                words.phrase(cause),
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
            )
