"""What a kubelet leaves to pods, by the KubeletConfiguration of the situation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from clusters.engine.kubelet.reservations import Reservation, reservations
from clusters.engine.lessons.problems import NotInSituation
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.amounts import AllocatableValue, in_whole_units
from clusters.engine.lessons.values.working import Operand, OperandKind, Sign, first, then
from clusters.engine.objects import name_of

if TYPE_CHECKING:
    from fractions import Fraction

    from clusters.engine.lessons.situation import Situation


@dataclass(frozen=True, slots=True)
class KubeletAllocatableValue(AllocatableValue):
    """``kubeletAllocatable {node, resource}``: what the kubelet leaves to pods of a node's CPU, memory or storage.

    It is the capacity less systemReserved, kubeReserved and the hard eviction threshold.
    """

    name: ClassVar[str] = "kubeletAllocatable"

    def of(self, situation: Situation) -> Fraction:
        return in_whole_units(self.resource, self.reserved(situation).expected)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        found, settings = self.reserved(situation), situation.kubelet
        taken = (
            (OperandKind.SYSTEM_RESERVED, settings.system_reserved.get(self.resource, 0)),
            (OperandKind.KUBE_RESERVED, settings.kube_reserved.get(self.resource, 0)),
            (OperandKind.EVICTION_HARD, found.threshold),
            (OperandKind.HUGE_PAGES, found.huge_pages),
        )
        steps = [first(OperandKind.CAPACITY, in_whole_units(self.resource, found.capacity), self.node)]
        steps += [then(Sign.MINUS, kind, in_whole_units(self.resource, amount)) for kind, amount in taken if amount]
        if found.capacity < sum(amount for _, amount in taken):
            steps.append(then(Sign.AT_LEAST, OperandKind.ZERO, 0))
        return tuple(steps)

    def reserved(self, situation: Situation) -> Reservation:
        """What is kept of the resource. Raises UnsolvableError."""
        situation.chosen_nodes(self.node)
        nodes = (each for each in situation.objects if each.get("kind") == "Node" and name_of(each) == self.node)
        found = {each.resource: each for node in nodes for each in reservations(node, situation.kubelet)}
        if self.resource not in found:
            raise UnsolvableError(NotInSituation(self.resource, tuple(found)))
        return found[self.resource]
