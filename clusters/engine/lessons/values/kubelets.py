"""What a kubelet leaves to pods, by the KubeletConfiguration of the situation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from clusters.engine.kubelet.reservations import reservations
from clusters.engine.lessons.problems import NotInSituation
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.amounts import AllocatableValue, in_whole_units
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
        situation.chosen_nodes(self.node)
        nodes = (each for each in situation.objects if each.get("kind") == "Node" and name_of(each) == self.node)
        found = {each.resource: each for node in nodes for each in reservations(node, situation.kubelet)}
        if self.resource not in found:
            raise UnsolvableError(NotInSituation(self.resource, tuple(found)))
        return in_whole_units(self.resource, found[self.resource].expected)
