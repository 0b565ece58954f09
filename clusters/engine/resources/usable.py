"""How much of what is free a pod of some shape can still use, and what keeps it from the rest."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.resources.requests import CPU, MEMORY, PODS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.nodes.health import NodeHealth
    from clusters.engine.resources.utilisation import Amounts

_OTHER: Final = {CPU: MEMORY, MEMORY: CPU}


class Unusable(enum.StrEnum):
    """Why free capacity is of no use to a shape: the first that holds on its node."""

    CLOSED = "closed"
    TAINTED = "tainted"
    POD_LIMIT = "pod-limit"
    OTHER_RESOURCE = "other-resource"
    REMAINDER = "remainder"


@dataclass(frozen=True, slots=True)
class ShapeRoom:
    """A shape and its room: ``pods`` more of it fit by requests and pod limits, on nodes that any pod may use.

    ``free`` and ``used`` are by resource: what is free of all nodes, and what these pods would use of it; ``rest``
    says why they cannot use the others. Used and rest sum up to what is free.
    """

    cpu: int
    memory: int
    pods: int
    free: Mapping[str, int]
    used: Mapping[str, int]
    rest: Mapping[str, Mapping[Unusable, int]]


def shape_room(amounts: Mapping[str, Amounts], health: NodeHealth, *, cpu: int, memory: int) -> ShapeRoom:
    """Fill all nodes with pods that request so much and tolerate no taint."""
    shape = {CPU: max(1, cpu), MEMORY: max(1, memory)}
    closed = ~health.usable
    is_open = ~(closed | health.reserved)
    slots = amounts[PODS].left
    fit = np.minimum(slots, np.minimum(*(amounts[name].left // number for name, number in shape.items())))
    fit = np.where(is_open, fit, 0)
    used, rest = {}, {}
    for name, number in shape.items():
        other = _OTHER[name]
        left = amounts[name].left - fit * number
        masks = {
            Unusable.CLOSED: closed,
            Unusable.TAINTED: health.reserved,
            Unusable.POD_LIMIT: slots - fit <= 0,
            Unusable.OTHER_RESOURCE: amounts[other].left - fit * shape[other] < shape[other],
            Unusable.REMAINDER: np.ones(len(fit), np.bool_),
        }
        # What is less than one more pod is a remainder, whatever else is lacking.
        masks[Unusable.OTHER_RESOURCE] &= left >= number
        masks[Unusable.POD_LIMIT] &= left >= number
        seen = np.zeros(len(fit), np.bool_)
        reasons = {}
        for reason, mask in masks.items():
            reasons[reason] = int(left[mask & ~seen].sum())
            seen |= mask
        used[name], rest[name] = int(fit.sum()) * number, reasons
    return ShapeRoom(
        cpu=shape[CPU],
        memory=shape[MEMORY],
        pods=int(fit.sum()),
        free={name: int(amounts[name].left.sum()) for name in shape},
        used=used,
        rest=rest,
    )
