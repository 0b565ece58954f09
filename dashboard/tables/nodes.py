"""The table of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.resources import PODS
from clusters.wording import columns, nodes as words
from clusters.wording.amounts import Unit, resource_unit
from dashboard.lists.columns import DataColumn, DataTable, FileColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from clusters.engine import Snapshot
    from dashboard.presenters.nodes.listing import NodeRow

    Amounts = NDArray[np.int64]

_READY: Final = {True: words.YES, False: words.NO, None: words.UNKNOWN}


def _taints(row: NodeRow) -> str:
    """Write the taints of a node as kubectl does."""
    taints = [] if row.row is None else row.found.snapshot.nodes.nodes[row.row].taints
    return " ".join(f"{taint.key}={taint.value}:{taint.effect}" for taint in taints)


NODES: Final[DataTable[NodeRow]] = DataTable(
    DataColumn(
        "name",
        columns.NODE,
        ("name",),
        file=(FileColumn("node", lambda row: row.node.name),),
    ),
    DataColumn(
        "zone",
        columns.ZONE,
        ("zone",),
        css="nowrap",
        value=lambda row: row.node.zone,
        file=(
            FileColumn("zone", lambda row: row.node.zone),
            FileColumn("region", lambda row: row.node.region),
        ),
    ),
    DataColumn(
        "type",
        columns.INSTANCE_TYPE,
        ("instance_type",),
        value=lambda row: row.node.instance_type,
        file=(
            FileColumn("instance type", lambda row: row.node.instance_type),
            FileColumn("kubelet", lambda row: row.node.kubelet_version),
        ),
    ),
    DataColumn(
        "state",
        columns.STATE,
        file=(
            FileColumn("ready", lambda row: _READY[row.node.ready]),
            FileColumn(
                "cordoned",
                lambda row: words.YES if row.node.unschedulable else words.NO,
            ),
            FileColumn("taints", _taints),
            FileColumn("created", lambda row: row.node.created_at),
        ),
    ),
    # These are sorted by their share, which the rows of the database do not say.
    DataColumn("cpu", columns.CPU_REQUESTED, ("name",), starts_descending=True),
    DataColumn("memory", columns.MEMORY_REQUESTED, ("name",), starts_descending=True),
    DataColumn("pods", columns.PODS, ("name",), starts_descending=True),
    key=lambda row: row.node.name,
    usual=("zone", "name"),
)


def amounts(snapshot: Snapshot) -> Iterator[FileColumn[NodeRow]]:
    """Yield columns of exact amounts, three for each resource that a node or a pod of the cluster mentions."""
    nodes = snapshot.nodes
    yield from _amounts(PODS, nodes.allowed_pods, nodes.pod_count)
    for place, name in enumerate(nodes.resources):
        yield from _amounts(name, nodes.allocatable[:, place], nodes.requested[:, place])


def _amounts(resource: str, allocatable: Amounts, requested: Amounts) -> Iterator[FileColumn[NodeRow]]:
    """Yield what is allocatable, requested and free of a resource, from its amounts for each node of the snapshot."""
    unit = {Unit.MILLI_CPU: " (milli-CPU)", Unit.BYTES: " (bytes)"}.get(resource_unit(resource), "")
    parts = {"allocatable": allocatable, "requested": requested, "free": allocatable - requested}
    for part, column in parts.items():
        yield FileColumn(f"{resource}{unit} {part}", _cell(column))


def _cell(column: Amounts) -> Callable[[NodeRow], int | None]:
    return lambda row: None if row.row is None else int(column[row.row])
