"""Pods as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.resources import CPU, MEMORY, pod_amounts
from clusters.wording import amounts, columns, states
from clusters.wording.pending.names import cause_name
from dashboard.tables.columns import DataColumn

if TYPE_CHECKING:
    from datetime import datetime

    from clusters.engine.analysis import Cause
    from clusters.engine.resources import Counting
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
    "status_reason",
)
# What is sorted by stands in the index `pod_list`, so that no order reads the wide rows of all pods.
TABLE: tuple[DataColumn[Any], ...] = (
    DataColumn("name", columns.POD, ("namespace", "name")),
    DataColumn("state", columns.STATE),
    DataColumn("node", columns.NODE),
    DataColumn("cpu", columns.CPU_REQUEST, ("cpu_milli",), is_number=True, starts_descending=True),
    DataColumn("memory", columns.MEMORY_REQUEST, ("memory_bytes",), is_number=True, starts_descending=True),
    DataColumn("priority", columns.PRIORITY, ("priority",), is_number=True, starts_descending=True),
    # By when they were created: the youngest are those that were created last.
    DataColumn("created", columns.AGE, ("created_at",)),
    DataColumn("message", columns.PENDING_FOR),
)


@dataclass(frozen=True, slots=True)
class PodRow:
    """One pod of a list; `state_kind` is the badge's kind, `reason` what its status says beside the phase.

    `cause` is what keeps it pending, where that was computed.
    """

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
    reason: str = ""
    cause: str = ""


def _state(pod: Pod) -> tuple[str, str]:
    if pod.is_gated:
        return str(states.GATED), "info"
    if pod.is_pending:
        return str(states.PENDING), "warn"
    if pod.deleted_at is not None:
        return str(states.TERMINATING), ""
    if pod.phase == "Failed":
        return str(states.FAILED), "bad"
    return str(states.OF_PHASE.get(pod.phase) or pod.phase or states.UNKNOWN), ""


def amounts_of(pod: Pod, counting: Counting | None) -> tuple[int, int]:
    """Return what a pod requests, milli-CPU and bytes: on a node as its release counts a pod that is resized there."""
    if counting is None or not pod.node_name or pod.phase in ("Succeeded", "Failed"):
        return pod.cpu_milli, pod.memory_bytes
    counted = pod_amounts(pod.object, counting=counting)
    return counted.get(CPU, 0), counted.get(MEMORY, 0)


def pod_row(pod: Pod, counting: Counting | None = None, cause: Cause | None = None) -> PodRow:
    """Present what the mirror recorded of the pod, whose object is read with `counting`. `cause` keeps it pending."""
    state, kind = _state(pod)
    cpu, memory = amounts_of(pod, counting)
    return PodRow(
        namespace=pod.namespace,
        name=pod.name,
        state=state,
        state_kind=kind,
        node=pod.node_name,
        owner=f"{pod.owner_kind} {pod.owner_name}".strip(),
        cpu=amounts.cpu(cpu),
        memory=amounts.size(memory),
        priority="" if pod.priority is None else amounts.grouped(pod.priority),
        priority_class=pod.priority_class,
        scheduler=pod.scheduler_name,
        created_at=pod.created_at,
        message=pod.unschedulable_message,
        reason=pod.status_reason,
        cause=cause_name(cause) if cause is not None else "",
    )
