"""Amounts of resources: what pods request, what nodes have, what quotas allow."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

from clusters.engine.lessons.problems import NotInSituation
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.value import NumberUnit, NumberValue
from clusters.engine.lessons.values.working import Operand, OperandKind, Sign, first, outcome, summed, then
from clusters.engine.objects import Pod, key_of
from clusters.engine.quotas import QuotaLedger
from clusters.engine.quotas.charge import pod_charge
from clusters.engine.quotas.device_rules import device_quota_rules
from clusters.engine.resources.quantity import NANO, QuantityFormat, canonical_text, nano_units
from clusters.engine.resources.requests import CPU, PODS, is_pod_level, pod_quantities
from clusters.engine.simulation.admission import QUOTA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.lessons.arguments import ArgumentFields
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.objects import Document
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
    role: ClassVar[str] = "requests"
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

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        spec = situation.pod_or_subject(self.pod).get("spec") or {}
        overhead = _written(spec.get("overhead"), self.resource)
        steps = self._of_containers(spec)
        if overhead and (self.role == "requests" or outcome(steps)):
            return (*steps, then(Sign.PLUS, OperandKind.OVERHEAD, overhead))
        return steps

    def _of_containers(self, spec: Document) -> tuple[Operand, ...]:
        """What is written for the pod as a whole, or the containers together, or an init container that needs more."""
        whole = (spec.get("resources") or {}).get(self.role) or {}
        if self.resource in whole and is_pod_level(self.resource):
            return (first(OperandKind.POD_LEVEL, _written(whole, self.resource)),)
        running = [self._of_container(each) for each in spec.get("containers") or ()]
        before, starting = Fraction(0), []
        for container in spec.get("initContainers") or ():
            name, amount = self._of_container(container)
            if container.get("restartPolicy") == "Always":
                running.append((name, amount))
                before += amount
            else:
                kind = OperandKind.INIT_BESIDE_SIDECARS if before else OperandKind.INIT_CONTAINER
                starting.append(then(Sign.AT_LEAST, kind, amount + before, name))
        return (*summed(OperandKind.CONTAINER, running), *starting)

    def _of_container(self, container: Document) -> tuple[str, Fraction]:
        return str(container["name"]), _written((container.get("resources") or {}).get(self.role), self.resource)


@dataclass(frozen=True, slots=True)
class LimitValue(RequestValue):
    """``limit {pod, resource}``: what a pod is limited to as a whole; without ``pod`` the pod in question."""

    name: ClassVar[str] = "limit"
    role: ClassVar[str] = "limits"

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

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        return (first(OperandKind.ALLOCATABLE, self.of(situation), self.node),)

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

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        pods = situation.pods_on(self.node)
        if self.resource == PODS:
            return (first(OperandKind.PODS_ON, len(pods), self.node),)
        amounts = ((key_of(pod), Pod(pod).requests.get(self.resource, 0)) for pod in pods)
        return summed(OperandKind.POD, [(key, in_whole_units(self.resource, amount)) for key, amount in amounts])


@dataclass(frozen=True, slots=True)
class FreeValue(AllocatableValue):
    """``free {node, resource}``: what of a resource another pod may request on a node."""

    name: ClassVar[str] = "free"

    def of(self, situation: Situation) -> Fraction:
        allocatable, requested = self.both(situation)
        return in_whole_units(self.resource, allocatable - requested)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        allocatable, requested = (in_whole_units(self.resource, each) for each in self.both(situation))
        return (
            first(OperandKind.ALLOCATABLE, allocatable, self.node),
            then(Sign.MINUS, OperandKind.REQUESTED, requested),
        )


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

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        quota, rules = self.found(situation), device_quota_rules(situation.snapshot)
        pods = [each for each in situation.objects if each.get("kind") == "Pod"]
        charges = [(key_of(pod), pod_charge(pod, rules)) for pod in pods]
        counted = [
            (key, Fraction(charge.amounts[self.resource].nanos, 10**NANO))
            for key, charge in charges
            if charge.namespace == quota.namespace and quota.counts(charge) and self.resource in charge.amounts
        ]
        return summed(OperandKind.POD, counted)

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

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        quota = self.found(situation)
        hard, used = (Fraction(each[self.resource].nanos, 10**NANO) for each in (quota.hard, quota.used))
        steps = (first(OperandKind.HARD, hard, quota.name), then(Sign.MINUS, OperandKind.USED, used))
        return steps if used <= hard else (*steps, then(Sign.AT_LEAST, OperandKind.ZERO, 0))


def _written(quantities: Mapping[str, Any] | None, resource: str) -> Fraction:
    return Fraction(nano_units((quantities or {}).get(resource) or 0), 10**NANO)


def in_whole_units(resource: str, amount: int) -> Fraction:
    """An amount in base units as whole CPUs, bytes or counts."""
    return Fraction(amount, _MILLI if resource == CPU else 1)


def as_quantity(resource: str, amount: int) -> str:
    """An amount in base units as manifests have it."""
    written = (
        QuantityFormat.BINARY_SI if NumberUnit.of_resource(resource) is NumberUnit.BYTES else QuantityFormat.DECIMAL_SI
    )
    return canonical_text(int(in_whole_units(resource, amount) * 10**NANO), written)
