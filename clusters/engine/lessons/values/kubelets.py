"""What a kubelet keeps of its node, and when it evicts pods, by the KubeletConfiguration of the situation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.configuration import ConfigurationError
from clusters.engine.kubelet.reservations import reported, reservations
from clusters.engine.kubelet.settings import KubeletSettings
from clusters.engine.kubelet.signals import Signal
from clusters.engine.lessons.problems import NotInSituation
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.amounts import AllocatableValue, in_whole_units
from clusters.engine.lessons.values.value import NumberUnit, NumberValue
from clusters.engine.objects import name_of
from clusters.engine.resources.requests import EPHEMERAL_STORAGE, MEMORY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.kubelet.thresholds import EvictionThreshold
    from clusters.engine.lessons.arguments import ArgumentFields
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.objects import Document

# The signals whose capacity a node reports.
_CAPACITIES: Final[Mapping[str, str]] = {Signal.MEMORY: MEMORY, Signal.NODE_FS: EPHEMERAL_STORAGE}


@dataclass(frozen=True, slots=True)
class KubeletAllocatableValue(AllocatableValue):
    """``kubeletAllocatable {node, resource}``: what the kubelet leaves to pods of a node's CPU, memory or storage.

    It is the capacity less systemReserved, kubeReserved and the hard eviction threshold.
    """

    name: ClassVar[str] = "kubeletAllocatable"

    def of(self, situation: Situation) -> Fraction:
        found = {each.resource: each for each in reservations(_node(situation, self.node), _settings(situation))}
        if self.resource not in found:
            raise UnsolvableError(NotInSituation(self.resource, tuple(found)))
        return in_whole_units(self.resource, found[self.resource].expected)


@dataclass(frozen=True, slots=True)
class EvictsBelowValue(NumberValue):
    """``evictsBelow {node, signal}``: the kubelet evicts at once while less of a signal is available; 0 for never."""

    node: str
    signal: str

    name: ClassVar[str] = "evictsBelow"
    arguments: ClassVar[tuple[str, ...]] = ("node", "signal")

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.name("node"), fields.choice("signal", tuple(map(str, _CAPACITIES))))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.BYTES

    def of(self, situation: Situation) -> Fraction:
        found, capacity = self.found(situation)
        return Fraction(0 if found is None else found.amount.of(capacity))

    def found(self, situation: Situation) -> tuple[EvictionThreshold | None, int]:
        """The hard threshold, if there is one, and the capacity that it is a part of. Raises UnsolvableError."""
        node, resource = _node(situation, self.node), _CAPACITIES[self.signal]
        capacity = reported(node, "capacity", resource)
        if capacity is None:
            raise UnsolvableError(NotInSituation(resource, tuple(node["status"]["capacity"])))
        hard = (each for each in _settings(situation).thresholds if each.is_hard and each.signal == self.signal)
        return next(hard, None), capacity


@dataclass(frozen=True, slots=True)
class EvictsUntilValue(EvictsBelowValue):
    """``evictsUntil {node, signal}``: so much has to be available again before the kubelet stops evicting."""

    name: ClassVar[str] = "evictsUntil"

    def of(self, situation: Situation) -> Fraction:
        found, capacity = self.found(situation)
        return Fraction(0 if found is None else found.target(capacity))


def _node(situation: Situation, name: str) -> Document:
    situation.chosen_nodes(name)
    return next(each for each in situation.objects if each.get("kind") == "Node" and name_of(each) == name)


def _settings(situation: Situation) -> KubeletSettings:
    """What the configuration comes to, the kubelet's defaults without one. Raises UnsolvableError."""
    if situation.parts.kubelet is None:
        return KubeletSettings.default()
    try:
        return KubeletSettings.from_dict(situation.parts.kubelet)
    except ConfigurationError as error:
        raise UnsolvableError(error.problem) from None
