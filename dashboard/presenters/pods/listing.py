"""Pods as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording import amounts
from dashboard.presenters.pending.causes import cause_name

if TYPE_CHECKING:
    from datetime import datetime

    from clusters.engine.analysis.causes import Cause
    from clusters.models import Pod

# What the rows need; the pruned object stays in the database.
COLUMNS = (
    "uid",
    "namespace",
    "name",
    "node_name",
    "phase",
    "is_pending",
    "is_gated",
    "priority",
    "priority_class",
    "scheduler_name",
    "owner_kind",
    "owner_name",
    "cpu_milli",
    "memory_bytes",
    "created_at",
    "deleted_at",
    "unschedulable_message",
)


@dataclass(frozen=True, slots=True)
class PodRow:
    """One pod of a list; `state_kind` is the badge's kind, `waits` what a pod waits for, where that was computed."""

    namespace: str
    name: str
    state: str
    state_kind: str
    node: str
    owner: str
    cpu: str
    memory: str
    priority: str
    priority_class: str
    scheduler: str
    created_at: datetime | None
    message: str
    waits: str = ""


def _state(pod: Pod) -> tuple[str, str]:
    if pod.is_gated:
        return "Gated", "info"
    if pod.is_pending:
        return "Waiting", "warn"
    if pod.deleted_at is not None:
        return "Terminating", ""
    if pod.phase == "Failed":
        return "Failed", "bad"
    return pod.phase or "Unknown", ""


def pod_row(pod: Pod, cause: Cause | None = None) -> PodRow:
    """Present what the mirror recorded of the pod; nothing here is recomputed. `cause` is what it waits for."""
    state, kind = _state(pod)
    return PodRow(
        namespace=pod.namespace,
        name=pod.name,
        state=state,
        state_kind=kind,
        node=pod.node_name,
        owner=f"{pod.owner_kind} {pod.owner_name}".strip(),
        cpu=amounts.cpu(pod.cpu_milli),
        memory=amounts.size(pod.memory_bytes),
        priority="" if pod.priority is None else amounts.grouped(pod.priority),
        priority_class=pod.priority_class,
        scheduler=pod.scheduler_name,
        created_at=pod.created_at,
        message=pod.unschedulable_message,
        waits=cause_name(cause) if cause is not None else "",
    )
