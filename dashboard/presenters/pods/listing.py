"""Pods as rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.qos import quality_of_service
from clusters.engine.resources import CPU, MEMORY, pod_amounts
from clusters.wording import states
from clusters.wording.pending.names import cause_name

if TYPE_CHECKING:
    from clusters.engine.analysis import Cause
    from clusters.engine.owners import Workload
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
# What a file needs besides.
FILE_FIELDS = (*COLUMNS, "nominated_node_name", "qos_class", "object")


class PodRow(NamedTuple):
    """One pod of a list: what it requests, and what keeps it pending, where that was computed.

    `maker` is the workload that a file names.
    """

    pod: Pod
    cpu_milli: int
    memory_bytes: int
    cause: str = ""
    maker: Workload | None = None

    @property
    def badge(self) -> tuple[str, str]:
        """Its state: a badge's text and kind."""
        return state_of(self.pod)

    @property
    def quality_of_service(self) -> str:
        """The class that is reported, or else the one that follows from its spec."""
        return self.pod.qos_class or str(quality_of_service(self.pod.object))


def state_of(pod: Pod) -> tuple[str, str]:
    """Return the text and the kind of the badge that says what a pod is doing."""
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


def pod_row(
    pod: Pod, counting: Counting | None = None, cause: Cause | None = None, maker: Workload | None = None
) -> PodRow:
    """Present what the mirror recorded of the pod, whose object is read with `counting`. `cause` keeps it pending."""
    cpu, memory = amounts_of(pod, counting)
    return PodRow(pod, cpu, memory, "" if cause is None else cause_name(cause), maker)
