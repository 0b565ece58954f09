"""Pods as a table of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.amounts import moment
from clusters.wording.pods import listing as words
from dashboard.presenters.pods.listing import amounts_of

if TYPE_CHECKING:
    from clusters.engine.owners import Workload
    from clusters.engine.resources import Counting
    from clusters.models import Pod

# What the cells need.
FIELDS = (
    "namespace", "name", "phase", "is_pending", "is_gated", "node_name", "nominated_node_name", "owner_kind",
    "owner_name", "scheduler_name", "priority", "priority_class", "qos_class", "cpu_milli", "memory_bytes",
    "created_at", "deleted_at", "unschedulable_message", "status_reason", "object",
)  # fmt: skip


def cells(pod: Pod, made_by: Workload, counting: Counting) -> tuple[str | int, ...]:
    """Return a pod's row, in the order of its columns; what is not known stays empty."""
    return (
        pod.namespace,
        pod.name,
        pod.phase,
        str(words.YES if pod.is_pending else words.NO),
        str(words.YES if pod.is_gated else words.NO),
        pod.node_name,
        pod.nominated_node_name,
        made_by.kind,
        made_by.name,
        pod.scheduler_name,
        "" if pod.priority is None else pod.priority,
        pod.priority_class,
        pod.qos_class,
        *amounts_of(pod, counting),
        moment(pod.created_at),
        moment(pod.deleted_at),
        pod.unschedulable_message,
        pod.status_reason,
    )
