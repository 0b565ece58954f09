"""The tables of pods: of a cluster, and of one node."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from django.db.models import Value
from django.db.models.functions import Concat

from clusters.wording import columns
from clusters.wording.nodes import NO, YES
from dashboard.lists.columns import DataColumn, DataTable, FileColumn

if TYPE_CHECKING:
    from clusters.models import Pod
    from dashboard.presenters.pods import PodRow

# A node has few pods, and the index by name leads through those of all nodes; as expressions, names do not.
IN_ORDER: Final = {"in_namespace": Concat("namespace", Value("")), "in_name": Concat("name", Value(""))}


def in_order(pods: list[Pod]) -> list[Pod]:
    """Add the same expressions to pods of the past, which no database holds."""
    for pod in pods:
        vars(pod).update(in_namespace=pod.namespace, in_name=pod.name)
    return pods


_NAME: Final[DataColumn[PodRow]] = DataColumn(
    "name",
    columns.POD,
    ("namespace", "name"),
    file=(
        FileColumn("namespace", lambda row: row.pod.namespace),
        FileColumn("pod", lambda row: row.pod.name),
    ),
)
_STATE: Final[DataColumn[PodRow]] = DataColumn(
    "state",
    columns.STATE,
    file=(
        FileColumn("phase", lambda row: row.pod.phase),
        FileColumn(
            "pending",
            lambda row: YES if row.pod.is_pending else NO,
        ),
        FileColumn(
            "gated",
            lambda row: YES if row.pod.is_gated else NO,
        ),
    ),
)
_CPU: Final[DataColumn[PodRow]] = DataColumn(
    "cpu",
    columns.CPU_REQUEST,
    ("cpu_milli",),
    is_number=True,
    starts_descending=True,
    file=(FileColumn("CPU request (milli-CPU)", lambda row: row.cpu_milli),),
)
_MEMORY: Final[DataColumn[PodRow]] = DataColumn(
    "memory",
    columns.MEMORY_REQUEST,
    ("memory_bytes",),
    is_number=True,
    starts_descending=True,
    file=(FileColumn("memory request (bytes)", lambda row: row.memory_bytes),),
)
_PRIORITY: Final[DataColumn[PodRow]] = DataColumn(
    "priority", columns.PRIORITY, ("priority",), is_number=True, starts_descending=True
)
# By when they were created: the youngest are those that were created last.
_CREATED: Final[DataColumn[PodRow]] = DataColumn("created", columns.AGE, ("created_at",), css="nowrap")

# What is sorted by stands in the index `pod_list`, so that no order reads the wide rows of all pods.
PODS: Final[DataTable[PodRow]] = DataTable(
    _NAME,
    _STATE,
    DataColumn(
        "node",
        columns.NODE,
        css="nowrap",
        file=(
            FileColumn("node", lambda row: row.pod.node_name),
            FileColumn("nominated node", lambda row: row.pod.nominated_node_name),
            FileColumn("workload kind", lambda row: row.maker.kind if row.maker else ""),
            FileColumn("workload", lambda row: row.maker.name if row.maker else ""),
            FileColumn("scheduler", lambda row: row.pod.scheduler_name),
            FileColumn("priority", lambda row: row.pod.priority),
            FileColumn("priority class", lambda row: row.pod.priority_class),
            FileColumn("QoS class", lambda row: row.pod.qos_class),
        ),
    ),
    _CPU,
    _MEMORY,
    _PRIORITY,
    replace(
        _CREATED,
        file=(
            FileColumn("created", lambda row: row.pod.created_at),
            FileColumn("deleted", lambda row: row.pod.deleted_at),
        ),
    ),
    DataColumn(
        "message",
        columns.PENDING_FOR,
        css="message",
        file=(
            FileColumn("scheduler's message", lambda row: row.pod.unschedulable_message),
            FileColumn("reason", lambda row: row.pod.status_reason),
        ),
    ),
    key=lambda row: f"{row.pod.namespace}/{row.pod.name}",
    usual=("-is_pending", "namespace", "name"),
)
OF_NODE: Final[DataTable[PodRow]] = DataTable(
    replace(_NAME, by=tuple(IN_ORDER)),
    _STATE,
    _CPU,
    _MEMORY,
    _PRIORITY,
    DataColumn("qos", columns.QOS_CLASS, ("qos_class",), value=lambda row: row.quality_of_service),
    _CREATED,
    key=PODS.key,
    usual=tuple(IN_ORDER),
)
