"""Free capacity as pictures: how many more pods of each shape fit, what they would use, and why not the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.nodes import ShapeRoom, Unusable, shape_room
from clusters.engine.resources import CPU, MEMORY
from clusters.wording import amounts
from clusters.wording.amounts import grouped, quantity
from clusters.wording.nodes import usable as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarPart, Series, StackRow, StackSpec, TrendSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.services.mirror.state import ClusterUtilisation
    from dashboard.pictures.specs import Fill

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
    return words.shape(amounts.cpu(room.cpu), amounts.size(room.memory))


def _curve(shapes: Sequence[ShapeRoom]) -> Figure:
    names = tuple(map(_name, shapes))
    return Figure(
        id="usable-curve",
        title=str(words.CURVE),
        summary=words.curve(small=names[0], many=shapes[0].pods, large=names[-1], few=shapes[-1].pods),
        spec=TrendSpec(
            unit=str(words.PODS),
            times=tuple(map(float, range(len(shapes)))),
            series=(
                Series(
                    str(words.MORE_PODS),
                    "verdict-fits-solid",
                    tuple(float(each.pods) for each in shapes),
                    end=words.AT_END(pods=shapes[-1].pods, cpu=amounts.cpu(shapes[-1].cpu)),
                ),
            ),
            labels=names,
        ),
        columns=(str(words.SHAPE), str(words.MORE_PODS)),
        rows=[(name, grouped(each.pods)) for name, each in zip(names, shapes, strict=True)],
    )


def _use(shapes: Sequence[ShapeRoom], resource: str) -> Figure:
    told = shapes[_TOLD]
    return Figure(
        id=f"usable-{resource}",
        title=str(words.OF[resource]),
        summary=words.SUMMARY(
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
