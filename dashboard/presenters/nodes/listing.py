"""Nodes as rows of a table and of a file, and by how many more pods fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.nodes import ShapeRoom, Unusable, shape_room
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from clusters.wording import amounts, columns, counts, nodes as words
from clusters.wording.amounts import grouped, quantity
from clusters.wording.resources import resource_name
from dashboard.pictures.figure import Figure
from dashboard.pictures.meter import Meter, meter
from dashboard.pictures.specs import BarPart, Fill, Series, StackRow, StackSpec, TrendSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.utils.functional import _StrOrPromise

    from clusters.engine import Snapshot
    from clusters.engine.status import Ints
    from clusters.models import Node
    from clusters.services.mirror.state import ClusterUtilisation

_ALWAYS = (CPU, MEMORY, PODS)


def resources(snapshot: Snapshot) -> list[tuple[str, str]]:
    """Return what the map can show: the resources that some node has, with their names as people write them."""
    table = snapshot.nodes
    present = {name for number, name in enumerate(table.resources) if (table.allocatable[:, number] > 0).any()}
    others = sorted(present - {*_ALWAYS, EPHEMERAL_STORAGE})
    storage = [EPHEMERAL_STORAGE] if EPHEMERAL_STORAGE in present else []
    return [(name, label_of(name)) for name in (*_ALWAYS, *storage, *others)]


def label_of(resource: str) -> str:
    """Write a resource's name as the head of something."""
    name = str(words.PODS_LABEL) if resource == PODS else resource_name(resource)
    return f"{name[:1].upper()}{name[1:]}" if "/" not in name else name


def columns_of(snapshot: Snapshot, resource: str) -> tuple[Ints, Ints]:
    """Return what is requested of a resource and what is allocatable, shape (N,) each, in base units."""
    table = snapshot.nodes
    if resource == PODS:
        return table.pod_count, table.allowed_pods
    column = table.resources.index(resource)
    return table.requested[:, column], table.allocatable[:, column]


COLUMNS = (
    "name",
    "zone",
    "region",
    "instance_type",
    "ready",
    "unschedulable",
    "taint_count",
    "kubelet_version",
    "created_at",
)


def badges(node: Node) -> tuple[tuple[str, str], ...]:
    """Return in which states a node is that is not simply ready and schedulable."""
    found = []
    if not node.ready:
        found.append((str(words.READINESS[node.ready]), "bad" if node.ready is False else "warn"))
    if node.unschedulable:
        found.append((str(words.CORDONED), "warn"))
    if node.taint_count:
        found.append((counts.TAINTS(number=node.taint_count), ""))
    return tuple(found)


class NodeRow(NamedTuple):
    """One node of the list, with what its pods request of it."""

    node: Node
    found: ClusterUtilisation

    @property
    def badges(self) -> tuple[tuple[str, str], ...]:
        """In which states it is that is not simply ready and schedulable: pairs of text and kind."""
        return badges(self.node)

    @property
    def row(self) -> int | None:
        """Where it is in the snapshot; None of one that is not there."""
        return self.found.snapshot.nodes.index.get(self.node.name)

    @property
    def cpu(self) -> Meter:
        """How much of its CPU is requested."""
        return self._meter(CPU, columns.CPU_REQUESTED, amounts.cpu)

    @property
    def memory(self) -> Meter:
        """How much of its memory is requested."""
        return self._meter(MEMORY, columns.MEMORY_REQUESTED, amounts.size)

    @property
    def pods(self) -> Meter:
        """How many pods it has of those that it allows."""
        return self._meter(PODS, columns.PODS, amounts.grouped)

    def _meter(self, resource: str, label: _StrOrPromise, write: Callable[[int], str]) -> Meter:
        each, row = self.found.amounts[resource], self.row
        asked, has = (0, 0) if row is None else (int(each.requested[row]), int(each.allocatable[row]))
        return meter(str(label), asked, has, write)


# Shapes by their CPU, each twice the one before.
SIZES = (250, 500, 1_000, 2_000, 4_000, 8_000, 16_000)
# The shape of which a sentence tells, in the middle.
_TOLD = 2
_MIB, _STEP = 1024**2, 256 * 1024**2
_USUAL_PER_CPU = 4 * 1024 * _MIB
_LOOKS: dict[Unusable, tuple[str, Fill]] = {
    Unusable.OTHER_RESOURCE: ("verdict-preemptible-solid", "hatch"),
    Unusable.POD_LIMIT: ("verdict-chosen-solid", "hatch"),
    Unusable.REMAINDER: ("verdict-unknown-solid", "light"),
    Unusable.TAINTED: ("verdict-unknown-solid", "hatch"),
    Unusable.CLOSED: ("verdict-rejected-solid", "hatch"),
}


def rooms(found: ClusterUtilisation) -> list[ShapeRoom]:
    """Fill the nodes with pods of each size, their memory in the proportion in which the cluster's pods request it."""
    cpu, memory = (int(found.amounts[name].requested.sum()) for name in (CPU, MEMORY))
    per_cpu = memory * 1_000 // cpu if cpu and memory else _USUAL_PER_CPU
    return [
        shape_room(
            found.amounts, found.health, cpu=size, memory=max(_MIB * 64, per_cpu * size // 1_000 // _STEP * _STEP)
        )
        for size in SIZES
    ]


def figures(found: ClusterUtilisation) -> list[Figure]:
    """Draw the headroom as a curve, and for CPU and memory what each shape can use of what is free."""
    if not len(found.snapshot.nodes):
        return []
    shapes = rooms(found)
    return [_curve(shapes), *(_use(shapes, resource) for resource in (CPU, MEMORY))]


def _name(room: ShapeRoom) -> str:
    return f"{amounts.cpu(room.cpu)}, {amounts.size(room.memory)}"


def _curve(shapes: Sequence[ShapeRoom]) -> Figure:
    names = tuple(map(_name, shapes))
    return Figure(
        id="usable-curve",
        title=str(words.CURVE),
        summary=words.MORE_FIT(small=names[0], many=shapes[0].pods, large=names[-1], few=shapes[-1].pods),
        spec=TrendSpec(
            unit=str(words.PODS),
            times=tuple(map(float, range(len(shapes)))),
            series=(
                Series(
                    str(words.MORE_PODS),
                    "verdict-fits-solid",
                    tuple(float(each.pods) for each in shapes),
                    end=words.AT_END(pods=shapes[-1].pods, what=amounts.cpu(shapes[-1].cpu)),
                ),
            ),
            labels=names,
        ),
        columns=(str(words.SHAPE_COLUMN), str(words.MORE_PODS)),
        rows=[(name, grouped(each.pods)) for name, each in zip(names, shapes, strict=True)],
    )


def _use(shapes: Sequence[ShapeRoom], resource: str) -> Figure:
    told = shapes[_TOLD]
    return Figure(
        id=f"usable-{resource}",
        title=str(words.USABLE_OF[resource]),
        summary=words.USABLE_BY(
            free=amounts.at_most(resource, told.free[resource]),
            shape=_name(told),
            usable=amounts.at_most(resource, told.used[resource]),
            share=amounts.percent(told.used[resource], told.free[resource]),
        ),
        spec=StackSpec(tuple(_stack(each, resource) for each in shapes)),
    )


def _stack(room: ShapeRoom, resource: str) -> StackRow:
    parts = [
        BarPart(str(words.USABLE), "verdict-fits-solid", room.used[resource], quantity(resource, room.used[resource]))
    ]
    for reason, (colour, fill) in _LOOKS.items():
        amount = room.rest[resource][reason]
        if amount:
            parts.append(BarPart(words.why(reason, resource), colour, amount, quantity(resource, amount), fill))
    return StackRow(_name(room), tuple(parts), room.free[resource], words.FIT(pods=room.pods))
