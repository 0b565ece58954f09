"""Amounts of resources: what pods request, what nodes have, what quotas allow."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Self

from clusters.engine.lessons.problems import NotInSituation
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.value import NumberUnit, NumberValue
from clusters.engine.objects import Pod
from clusters.engine.quotas import QuotaLedger
from clusters.engine.resources.quantity import NANO
from clusters.engine.resources.requests import CPU, PODS, pod_quantities
from clusters.engine.simulation.admission import QUOTA

if TYPE_CHECKING:
    from clusters.engine.lessons.arguments import ArgumentFields
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.quotas.ledger import Quota

_MILLI = 1000


@dataclass(frozen=True, slots=True)
class RequestValue(NumberValue):
    """``request {pod, resource}``: what kube-scheduler counts for a pod; without ``pod`` for the pod in question.

    It is what its containers, init containers and overhead come to. A resource that the pod does not request is 0.
    """

    pod: str
    resource: str

    name: ClassVar[str] = "request"
    arguments: ClassVar[tuple[str, ...]] = ("pod", "resource")

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.key("pod") if fields.has("pod") else "", fields.text("resource"))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.of_resource(self.resource)

    def of(self, situation: Situation) -> Fraction:
        requested = Pod(situation.pod_or_subject(self.pod)).requests.get(self.resource, 0)
        return in_whole_units(self.resource, requested)


@dataclass(frozen=True, slots=True)
class LimitValue(RequestValue):
    """``limit {pod, resource}``: what a pod is limited to as a whole; without ``pod`` the pod in question."""

    name: ClassVar[str] = "limit"

    def of(self, situation: Situation) -> Fraction:
        limits = pod_quantities(situation.pod_or_subject(self.pod), "limits")
        return Fraction(limits[self.resource].nano_units, 10**NANO) if self.resource in limits else Fraction(0)


@dataclass(frozen=True, slots=True)
class AllocatableValue(NumberValue):
    """``allocatable {node, resource}``: what of a resource pods may request on a node."""

    node: str
    resource: str

    name: ClassVar[str] = "allocatable"
    arguments: ClassVar[tuple[str, ...]] = ("node", "resource")

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.name("node"), fields.text("resource"))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.of_resource(self.resource)

    def of(self, situation: Situation) -> Fraction:
        return in_whole_units(self.resource, self.both(situation)[0])

    def both(self, situation: Situation) -> tuple[int, int]:
        """What the node has, and what its pods request, in base units. Raises UnsolvableError."""
        situation.chosen_nodes(self.node)
        nodes = situation.snapshot.nodes
        row = nodes.index[self.node]
        if self.resource == PODS:
            return int(nodes.allowed_pods[row]), int(nodes.pod_count[row])
        column = nodes.resource(self.resource)
        if column is None:
            raise UnsolvableError(NotInSituation(self.resource, tuple(nodes.resources)))
        return int(nodes.allocatable[row, column]), int(nodes.requested[row, column])


@dataclass(frozen=True, slots=True)
class RequestedValue(AllocatableValue):
    """``requested {node, resource}``: what the pods on a node request together."""

    name: ClassVar[str] = "requested"

    def of(self, situation: Situation) -> Fraction:
        return in_whole_units(self.resource, self.both(situation)[1])


@dataclass(frozen=True, slots=True)
class FreeValue(AllocatableValue):
    """``free {node, resource}``: what of a resource another pod may request on a node."""

    name: ClassVar[str] = "free"

    def of(self, situation: Situation) -> Fraction:
        allocatable, requested = self.both(situation)
        return in_whole_units(self.resource, allocatable - requested)


@dataclass(frozen=True, slots=True)
class QuotaUsedValue(NumberValue):
    """``quotaUsed {quota, resource}``: what is used of a resource of a ResourceQuota (``namespace/name``)."""

    quota: str
    resource: str

    name: ClassVar[str] = "quotaUsed"
    arguments: ClassVar[tuple[str, ...]] = ("quota", "resource")

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.key("quota"), fields.text("resource"))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.of_resource(self.resource)

    def of(self, situation: Situation) -> Fraction:
        return Fraction(self.found(situation).used[self.resource].nanos, 10**NANO)

    def found(self, situation: Situation) -> Quota:
        """The quota, which is about the resource. Raises UnsolvableError."""
        quotas = {f"{each.namespace}/{each.name}": each for each in QuotaLedger(situation.snapshot.objects(QUOTA))}
        if self.quota not in quotas:
            raise UnsolvableError(NotInSituation(self.quota, tuple(quotas)))
        if self.resource not in quotas[self.quota].hard:
            raise UnsolvableError(NotInSituation(self.resource, tuple(quotas[self.quota].hard)))
        return quotas[self.quota]


@dataclass(frozen=True, slots=True)
class QuotaLeftValue(QuotaUsedValue):
    """``quotaLeft {quota, resource}``: what is left of a resource of a ResourceQuota, 0 where more is used."""

    name: ClassVar[str] = "quotaLeft"

    def of(self, situation: Situation) -> Fraction:
        quota = self.found(situation)
        left = quota.hard[self.resource].nanos - quota.used[self.resource].nanos
        return Fraction(max(0, left), 10**NANO)


def in_whole_units(resource: str, amount: int) -> Fraction:
    """An amount in base units as whole CPUs, bytes or counts."""
    return Fraction(amount, _MILLI if resource == CPU else 1)
