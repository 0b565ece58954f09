"""The kinds of numbers that a question may ask for, by the names under which the files of lessons have them."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.configuration import NodeResourcesFitArgs, PodTopologySpreadArgs, Profile, StrategyType
from clusters.engine.disruption import DisruptionBudget, disruption_budgets
from clusters.engine.disruption.budgets import scaled
from clusters.engine.disruption.failing_nodes import driven_out, taint_stay
from clusters.engine.kubelet.containers import OomScore, ScoreGround, oom_scores
from clusters.engine.kubelet.settings import EvictionThreshold, Reservation, Signal, reservations
from clusters.engine.lessons.asking import ArgumentFields, UnsolvableError, decider_on, known_scores, place_copies
from clusters.engine.lessons.problems import (
    CapacityUnknown,
    NeverEnds,
    NodeDoesNotFit,
    NotRequestedToCapacityRatio,
    PodHasNoNode,
    StaysForEver,
)
from clusters.engine.nodes import SECOND, ZoneDisruption, ZoneState, grace_period, zone_disruptions
from clusters.engine.objects import Document, Pod, key_of, name_of
from clusters.engine.plugin import Context

# NodeResourcesFit by name: bin packing is a strategy of its scores.
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit, ResourceScore
from clusters.engine.problems import NotOneOf, no_such_name
from clusters.engine.quantity import NANO, QuantityFormat, canonical_text, nano_units
from clusters.engine.quotas import Quota, QuotaLedger, counted_resource, device_quota_rules, pod_charge
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, HUGE_PAGES, MEMORY, PODS, is_pod_level, pod_quantities
from clusters.engine.scheduling.search import (
    LEAST_PERCENTAGE,
    LEAST_WANTED,
    MOST_PERCENTAGE,
    NODES_PER_PERCENT,
    sampling_of,
    searched_percentage,
)
from clusters.engine.scoring import positive_mean, shape_scores
from clusters.engine.simulation.controllers import QUOTA
from clusters.engine.spreading.constraints import (
    DO_NOT_SCHEDULE,
    PLUGIN,
    SCHEDULE_ANYWAY,
    Domains,
    all_labelled,
    constraints_of,
    matching_rows,
    needs_every_key,
)
from clusters.engine.taints import NO_EXECUTE

if TYPE_CHECKING:
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.scheduling.answers import ScoreCell
    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.status import Ints

# What every kind of number offers: its unit, and the number itself, exactly.

_BYTES: Final = (MEMORY, EPHEMERAL_STORAGE)


class NumberUnit(enum.StrEnum):
    """In what a number counts; those of amounts are written as Kubernetes writes quantities."""

    POINTS = "points"
    CPU = "cpu"
    BYTES = "bytes"
    COUNT = "count"
    PODS = "pods"
    NODES = "nodes"
    PERCENT = "percent"
    SECONDS = "seconds"
    NODES_PER_SECOND = "nodes-per-second"

    @property
    def is_amount(self) -> bool:
        """Whether it is written as a quantity, such as ``1500m`` or ``2Gi``."""
        return self in (NumberUnit.CPU, NumberUnit.BYTES)

    @classmethod
    def of_resource(cls, resource: str) -> NumberUnit:
        """The unit of a resource, also of one as quotas name it."""
        counted = counted_resource(resource)
        if counted == CPU:
            return cls.CPU
        return cls.BYTES if counted in _BYTES or counted.startswith(HUGE_PAGES) else cls.COUNT


_MOST_NODES: Final = 1_000_000

Arguments: TypeAlias = Mapping[str, Callable[[ArgumentFields, str], Any]]


def _pod_or_subject(fields: ArgumentFields, name: str) -> str:
    return fields.key(name) if fields.has(name) else ""


VALUES: Final[dict[str, type[NumberValue]]] = {}
"""All kinds of numbers by their names."""


class NumberValue(ABC):
    """A number that a situation has. ``name`` is its key in the files of lessons.

    ``arguments``: by their names there, how its fields are read, in their order.
    """

    __slots__ = ()
    name: ClassVar[str]
    arguments: ClassVar[Arguments] = MappingProxyType({})
    fixed_unit: ClassVar[NumberUnit] = NumberUnit.COUNT

    def __init_subclass__(cls, name: str = "", unit: NumberUnit | None = None) -> None:
        if name:
            cls.name = name
        if unit is not None:
            cls.fixed_unit = unit
        # A dataclass with slots is made anew of the first class, and takes its place.
        if "name" in vars(cls):
            VALUES[cls.name] = cls

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        """Read the arguments. Raises ChangeError."""
        return cls(*(reader(fields, name) for name, reader in cls.arguments.items()))

    @property
    def unit(self) -> NumberUnit:
        """In what the number counts: whole CPUs, bytes, seconds; by default always in ``fixed_unit``."""
        return self.fixed_unit

    @abstractmethod
    def of(self, situation: Situation) -> Fraction:
        """Find the number. Raises UnsolvableError where the situation has none, or where it is not certain."""

    @abstractmethod
    def working(self, situation: Situation) -> tuple[Operand, ...]:
        """Return the arithmetic of a number that was found; nothing where the cell of a score has it."""


# How a number comes about: steps with the cluster's own numbers, each applied to what the steps before it come to.

# Of more alike operands than so many the rest are one.
_MOST_ALIKE: Final = 8
_PERCENT: Final = 100


class Sign(enum.StrEnum):
    """What a step does with what came before it; ROUNDED states the outcome of a rounding."""

    PLUS = "+"
    MINUS = "−"
    TIMES = "×"
    OVER = "÷"
    AT_LEAST = "≥"
    AT_MOST = "≤"
    ROUNDED = "≈"


class OperandKind(enum.StrEnum):
    """What an operand is; ``of`` of the operand names whose, or says what it was made of."""

    ALLOCATABLE = "allocatable"
    CAPACITY = "capacity"
    CONTAINER = "container"
    INIT_CONTAINER = "init-container"
    INIT_BESIDE_SIDECARS = "init-beside-sidecars"
    POD_LEVEL = "pod-level"
    OVERHEAD = "overhead"
    POD = "pod"
    NODE = "node"
    FREE_BY_REQUEST = "free-by-request"
    OTHERS = "others"
    REQUESTED = "requested"
    PODS_ON = "pods-on"
    HARD = "hard"
    USED = "used"
    ZERO = "zero"
    NODES = "nodes"
    FEW_NODES = "few-nodes"
    REJECTED_BY = "rejected-by"
    PERCENTAGE = "percentage"
    NODES_DIVIDED = "nodes-divided"
    HEALTHY = "healthy"
    REQUIRED = "required"
    EXPECTED = "expected"
    MIN_AVAILABLE = "min-available"
    MIN_AVAILABLE_SHARE = "min-available-share"
    MAX_UNAVAILABLE = "max-unavailable"
    MAX_UNAVAILABLE_SHARE = "max-unavailable-share"
    MATCHING = "matching"
    ITSELF = "itself"
    MINIMUM = "minimum"
    SYSTEM_RESERVED = "system-reserved"
    KUBE_RESERVED = "kube-reserved"
    EVICTION_HARD = "eviction-hard"
    HUGE_PAGES = "huge-pages"
    MINIMUM_RECLAIM = "minimum-reclaim"
    TOLERATED = "tolerated"
    NOT_TOLERATED = "not-tolerated"
    NODE_CRITICAL = "node-critical"
    GUARANTEED = "guaranteed"
    BEST_EFFORT = "best-effort"
    MEMORY_SHARE = "memory-share"
    LEAST = "least"
    MOST = "most"
    START = "start"
    PRIORITY_CLASS = "priority-class"
    NO_PRIORITY_CLASS = "no-priority-class"
    GRACE_PERIOD = "grace-period"
    ZONE_NORMAL = "zone-normal"
    ZONE_FULL = "zone-full"
    ZONE_LARGE = "zone-large"
    ZONE_SMALL = "zone-small"
    NONE_READY = "none-ready"
    PLUGIN = "plugin"
    RESOURCE_SCORE = "resource-score"
    WEIGHTS = "weights"
    ROUNDED = "rounded"


class Operand(Struct, frozen=True):
    """A step of the arithmetic. ``unit``: in what it counts where that is not the unit of the result."""

    sign: Sign
    kind: OperandKind
    number: Fraction
    of: tuple[str, ...] = ()
    unit: NumberUnit | None = None

    @property
    def factor(self) -> Fraction:
        """The number that is calculated with: a percentage is a part of a hundred."""
        return self.number / _PERCENT if self.unit == "percent" else self.number


def first(kind: OperandKind, number: Fraction | int, *of: str, unit: NumberUnit | None = None) -> Operand:
    """Return what an arithmetic starts with."""
    return Operand(Sign.PLUS, kind, Fraction(number), of, unit)


def then(sign: Sign, kind: OperandKind, number: Fraction | int, *of: str, unit: NumberUnit | None = None) -> Operand:
    """Return a step."""
    return Operand(sign, kind, Fraction(number), of, unit)


def summed(kind: OperandKind, amounts: Sequence[tuple[str, Fraction]]) -> tuple[Operand, ...]:
    """Return the sum of what several of one kind have, by name; of many the last ones are one operand."""
    shown = len(amounts) if len(amounts) <= _MOST_ALIKE + 1 else _MOST_ALIKE
    named = [Operand(Sign.PLUS, kind, number, (name,)) for name, number in amounts[:shown]]
    if rest := amounts[shown:]:
        whole = sum((number for _, number in rest), Fraction(0))
        named.append(Operand(Sign.PLUS, OperandKind.OTHERS, whole, (str(len(rest)),)))
    return tuple(named)


def outcome(steps: Iterable[Operand]) -> Fraction:
    """Return what steps come to."""
    found = Fraction(0)
    for step in steps:
        match step.sign:
            case Sign.PLUS:
                found += step.number
            case Sign.MINUS:
                found -= step.number
            case Sign.TIMES:
                found *= step.factor
            case Sign.OVER:
                found /= step.number
            case Sign.AT_LEAST:
                found = max(found, step.number)
            case Sign.AT_MOST:
                found = min(found, step.number)
            case Sign.ROUNDED:
                found = step.number
    return found


# Amounts of resources: what pods request, what nodes have, what quotas allow.

_MILLI = 1000


@dataclass(frozen=True, slots=True)
class RequestValue(NumberValue, name="request"):
    """``request {pod, resource}``: what kube-scheduler counts for a pod; without ``pod`` for the pod in question.

    It is what its containers, init containers and overhead come to. A resource that the pod does not request is 0.
    """

    pod: str
    resource: str

    role: ClassVar[str] = "requests"
    arguments: ClassVar[Arguments] = {"pod": _pod_or_subject, "resource": ArgumentFields.text}

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
class LimitValue(RequestValue, name="limit"):
    """``limit {pod, resource}``: what a pod is limited to as a whole; without ``pod`` the pod in question."""

    role: ClassVar[str] = "limits"

    def of(self, situation: Situation) -> Fraction:
        limits = pod_quantities(situation.pod_or_subject(self.pod), "limits")
        return Fraction(limits[self.resource].nano_units, 10**NANO) if self.resource in limits else Fraction(0)


@dataclass(frozen=True, slots=True)
class AllocatableValue(NumberValue, name="allocatable"):
    """``allocatable {node, resource}``: what of a resource pods may request on a node."""

    node: str
    resource: str

    arguments: ClassVar[Arguments] = {"node": ArgumentFields.name, "resource": ArgumentFields.text}

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
            raise UnsolvableError(no_such_name(self.resource, tuple(nodes.resources)))
        return int(nodes.allocatable[row, column]), int(nodes.requested[row, column])


@dataclass(frozen=True, slots=True)
class RequestedValue(AllocatableValue, name="requested"):
    """``requested {node, resource}``: what the pods on a node request together."""

    def of(self, situation: Situation) -> Fraction:
        return in_whole_units(self.resource, self.both(situation)[1])

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        pods = situation.pods_on(self.node)
        if self.resource == PODS:
            return (first(OperandKind.PODS_ON, len(pods), self.node),)
        amounts = ((key_of(pod), Pod(pod).requests.get(self.resource, 0)) for pod in pods)
        return summed(OperandKind.POD, [(key, in_whole_units(self.resource, amount)) for key, amount in amounts])


@dataclass(frozen=True, slots=True)
class FreeValue(AllocatableValue, name="free"):
    """``free {node, resource}``: what of a resource another pod may request on a node."""

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
class QuotaUsedValue(NumberValue, name="quotaUsed"):
    """``quotaUsed {quota, resource}``: what is used of a resource of a ResourceQuota (``namespace/name``)."""

    quota: str
    resource: str

    arguments: ClassVar[Arguments] = {"quota": ArgumentFields.key, "resource": ArgumentFields.text}

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
            raise UnsolvableError(no_such_name(self.quota, tuple(quotas)))
        if self.resource not in quotas[self.quota].hard:
            raise UnsolvableError(no_such_name(self.resource, tuple(quotas[self.quota].hard)))
        return quotas[self.quota]


@dataclass(frozen=True, slots=True)
class QuotaLeftValue(QuotaUsedValue, name="quotaLeft"):
    """``quotaLeft {quota, resource}``: what is left of a resource of a ResourceQuota, 0 where more is used."""

    def of(self, situation: Situation) -> Fraction:
        quota = self.found(situation)
        return Fraction(max(0, quota.hard[self.resource].nanos - quota.used[self.resource].nanos), 10**NANO)

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


# How many: nodes, pods, disruptions, and the pods of topology domains.

_MOST_COPIES: Final = 500


@dataclass(frozen=True, slots=True)
class FeasibleValue(NumberValue, name="feasible", unit=NumberUnit.NODES):
    """``feasible``: on how many nodes the pod in question passes every filter."""

    def of(self, situation: Situation) -> Fraction:
        return Fraction(len(situation.attempt().feasible))

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        attempt = situation.attempt()
        verdicts = (attempt.verdict_of(row) for row in range(attempt.node_count))
        rejected = Counter(verdict.plugin for verdict in verdicts if verdict is not None)
        return (
            first(OperandKind.NODES, attempt.node_count),
            *(then(Sign.MINUS, OperandKind.REJECTED_BY, number, name) for name, number in sorted(rejected.items())),
        )


@dataclass(frozen=True, slots=True)
class ReplicasThatFitValue(FeasibleValue, name="replicasThatFit", unit=NumberUnit.PODS):
    """``replicasThatFit``: how many pods like the one in question are created and scheduled, one after the other.

    Nothing is preempted for them. Of nodes that tie each takes the first by name.
    """

    def of(self, situation: Situation) -> Fraction:
        placed = place_copies(situation, _MOST_COPIES + 1).placed
        if placed > _MOST_COPIES:
            raise UnsolvableError(NeverEnds(_MOST_COPIES))
        return Fraction(placed)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        on_nodes = sorted(Counter(place_copies(situation, _MOST_COPIES).nodes).items())
        requests = situation.attempt().pod.requests
        bounds = [_bound(situation, node, requests, number) for node, number in on_nodes]
        if len(on_nodes) > 1 or not all(bounds):
            return summed(OperandKind.NODE, [(node, Fraction(number)) for node, number in on_nodes])
        return tuple(
            first(OperandKind.FREE_BY_REQUEST, number, node, *bound)
            for (node, number), bound in zip(on_nodes, bounds, strict=True)
        )


def _bound(situation: Situation, node: str, requests: Mapping[str, int], copies: int) -> tuple[str, ...]:
    """The resource of which no more than so many copies fit on a node, what is free, and what a copy requests."""
    for resource, requested in requests.items():
        allocatable, used = FreeValue(node, resource).both(situation)
        free = allocatable - used
        if requested and free // requested == copies:
            return resource, as_quantity(resource, free), as_quantity(resource, requested)
    return ()


@dataclass(frozen=True, slots=True)
class NodesToFindValue(NumberValue, name="nodesToFind", unit=NumberUnit.NODES):
    """``nodesToFind {nodes}``: how many feasible nodes end the search in a cluster of so many nodes."""

    nodes: int

    arguments: ClassVar[Arguments] = {"nodes": lambda fields, name: fields.integer(name, 1, _MOST_NODES)}

    def of(self, situation: Situation) -> Fraction:
        return Fraction(sampling_of(_profile(situation), self.nodes).wanted)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        profile = _profile(situation)
        nodes = first(OperandKind.NODES, self.nodes)
        if self.nodes < LEAST_WANTED:
            return (first(OperandKind.FEW_NODES, self.nodes, str(LEAST_WANTED)),)
        percentage = searched_percentage(profile.percentage_of_nodes_to_score, self.nodes)
        part = then(Sign.TIMES, OperandKind.PERCENTAGE, percentage, unit=NumberUnit.PERCENT)
        rounded = self.nodes * percentage // 100
        steps = [nodes, part, then(Sign.ROUNDED, OperandKind.ROUNDED, rounded)]
        if self.nodes * percentage % 100 == 0:
            steps.pop()
        if rounded < LEAST_WANTED:
            steps.append(then(Sign.AT_LEAST, OperandKind.LEAST, LEAST_WANTED))
        return tuple(steps)


@dataclass(frozen=True, slots=True)
class PercentageOfNodesValue(NodesToFindValue, name="percentageOfNodes", unit=NumberUnit.PERCENT):
    """``percentageOfNodes {nodes}``: which percentage of so many nodes kube-scheduler looks for.

    It is percentageOfNodesToScore, and by the size of the cluster where that is 0 or not set. At least 100 nodes are
    looked for, which is no part of it.
    """

    def of(self, situation: Situation) -> Fraction:
        return Fraction(searched_percentage(_profile(situation).percentage_of_nodes_to_score, self.nodes))

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        given = _profile(situation).percentage_of_nodes_to_score
        if given:
            return (first(OperandKind.PERCENTAGE, given),)
        less = self.nodes // NODES_PER_PERCENT
        steps = (
            first(OperandKind.START, MOST_PERCENTAGE),
            then(Sign.MINUS, OperandKind.NODES_DIVIDED, less, f"{self.nodes}", f"{NODES_PER_PERCENT}"),
        )
        if MOST_PERCENTAGE - less >= LEAST_PERCENTAGE:
            return steps
        return (*steps, then(Sign.AT_LEAST, OperandKind.LEAST, LEAST_PERCENTAGE))


def _profile(situation: Situation) -> Profile:
    """The profile of the pod in question, or the first one."""
    return situation.configuration.profiles[0] if situation.subject is None else situation.explanation.profile


@dataclass(frozen=True, slots=True)
class AllowedDisruptionsValue(NumberValue, name="allowedDisruptions", unit=NumberUnit.PODS):
    """``allowedDisruptions {budget}``: how many disruptions a PodDisruptionBudget (``namespace/name``) allows now."""

    budget: str

    arguments: ClassVar[Arguments] = {"budget": ArgumentFields.key}

    def of(self, situation: Situation) -> Fraction:
        return Fraction(self.found(situation).grants)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        status = self.found(situation).reported
        steps = (
            first(OperandKind.HEALTHY, status.healthy),
            then(Sign.MINUS, OperandKind.REQUIRED, status.desired),
        )
        return steps if status.healthy >= status.desired else (*steps, then(Sign.AT_LEAST, OperandKind.ZERO, 0))

    def found(self, situation: Situation) -> DisruptionBudget:
        """The budget, with its status. Raises UnsolvableError."""
        budgets = {each.key: each for each in disruption_budgets(situation.snapshot)}
        if self.budget not in budgets:
            raise UnsolvableError(no_such_name(self.budget, tuple(budgets)))
        return budgets[self.budget]


@dataclass(frozen=True, slots=True)
class HealthyPodsRequiredValue(AllowedDisruptionsValue, name="healthyPodsRequired"):
    """``healthyPodsRequired {budget}``: how many healthy pods a PodDisruptionBudget requires."""

    def of(self, situation: Situation) -> Fraction:
        return Fraction(self.found(situation).reported.desired)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        budget = self.found(situation)
        expected = budget.reported.expected
        is_of_most = budget.max_unavailable is not None
        given = budget.max_unavailable if is_of_most else budget.min_available
        if given is None:
            return ()
        kind = OperandKind.MAX_UNAVAILABLE if is_of_most else OperandKind.MIN_AVAILABLE
        amount = scaled(given, expected)
        named = (given, f"{expected}") if isinstance(given, str) else ()
        if named:
            kind = OperandKind.MAX_UNAVAILABLE_SHARE if is_of_most else OperandKind.MIN_AVAILABLE_SHARE
        if not is_of_most:
            return (first(kind, amount, *named),)
        steps = (first(OperandKind.EXPECTED, expected), then(Sign.MINUS, kind, amount, *named))
        return steps if expected >= amount else (*steps, then(Sign.AT_LEAST, OperandKind.ZERO, 0))


@dataclass(frozen=True, slots=True)
class MatchingValue(NumberValue, name="matching", unit=NumberUnit.PODS):
    """``matching {topologyKey, domain}``: how many pods of a domain a spread constraint of the pod in question counts.

    Of several constraints with that key the first that must hold is meant. ``domain`` is a value of the key's label.
    """

    topology_key: str
    domain: str

    arguments: ClassVar[Arguments] = {"topologyKey": ArgumentFields.text, "domain": ArgumentFields.text}

    def of(self, situation: Situation) -> Fraction:
        domains, number = self.found(situation)
        return Fraction(int(domains.counts[number]))

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        domains, number = self.found(situation)
        rows = np.flatnonzero(domains.eligible & (domains.column.codes == number)).tolist()
        pods = matching_rows(situation.snapshot, domains.constraint.selector, situation.explanation.pod.namespace)
        names = situation.snapshot.nodes.names
        return summed(OperandKind.NODE, [(names[row], Fraction(int(np.count_nonzero(pods == row)))) for row in rows])

    def found(self, situation: Situation) -> tuple[Domains, int]:
        """The domains of the constraint, and the number of this one. Raises UnsolvableError."""
        domains = domains_of(situation, self.topology_key)
        if self.domain not in domains.column.numbers:
            raise UnsolvableError(no_such_name(self.domain, domains.column.values))
        return domains, domains.column.numbers[self.domain]


@dataclass(frozen=True, slots=True)
class SkewValue(MatchingValue, name="skew"):
    """``skew {topologyKey, domain}``: the skew that kube-scheduler calculates for the pod in question in a domain.

    It is the matching pods of the domain, and one more where the pod matches its own selector, less the global minimum.
    """

    def of(self, situation: Situation) -> Fraction:
        domains, number = self.found(situation)
        return Fraction(int(domains.counts[number]) + domains.itself - domains.minimum)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        domains, number = self.found(situation)
        return (
            first(OperandKind.MATCHING, int(domains.counts[number]), self.domain),
            then(Sign.PLUS, OperandKind.ITSELF, domains.itself),
            then(Sign.MINUS, OperandKind.MINIMUM, domains.minimum),
        )


def domains_of(situation: Situation, topology_key: str) -> Domains:
    """The domains of the spread constraint with this key, those that must hold first. Raises UnsolvableError."""
    attempt = situation.attempt()
    context = Context(situation.snapshot, attempt.pod, attempt.profile.args)
    arguments = context.arguments_of(PLUGIN, PodTopologySpreadArgs)
    known = []
    for action in (DO_NOT_SCHEDULE, SCHEDULE_ANYWAY):
        constraints = constraints_of(situation.snapshot, attempt.pod, arguments, action)
        for constraint in constraints:
            known.append(constraint.topology_key)
            if constraint.topology_key == topology_key:
                required = constraints if needs_every_key(attempt.pod, arguments) else [constraint]
                return Domains.of(context, constraint, all_labelled(situation.snapshot, required))
    raise UnsolvableError(no_such_name(topology_key, tuple(dict.fromkeys(known))))


# What a kubelet leaves to pods, by the KubeletConfiguration of the situation.


@dataclass(frozen=True, slots=True)
class KubeletAllocatableValue(AllocatableValue, name="kubeletAllocatable"):
    """``kubeletAllocatable {node, resource}``: what the kubelet leaves to pods of a node's CPU, memory or storage.

    It is the capacity less systemReserved, kubeReserved and the hard eviction threshold.
    """

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
            raise UnsolvableError(no_such_name(self.resource, tuple(found)))
        return found[self.resource]


# What becomes of pods and nodes that are in trouble: how long pods stay, who is killed first, how fast nodes go.

# Of a zone in which no node is tainted, and of one in which some are.
_ZONE_KINDS: Final = {
    ZoneState.NORMAL: (OperandKind.NONE_READY, OperandKind.ZONE_NORMAL),
    ZoneState.PARTIAL: (OperandKind.ZONE_SMALL, OperandKind.ZONE_LARGE),
    ZoneState.FULL: (OperandKind.NONE_READY, OperandKind.ZONE_FULL),
}
_OOM_CONSTANTS: Final = {
    ScoreGround.NODE_CRITICAL: OperandKind.NODE_CRITICAL,
    ScoreGround.GUARANTEED: OperandKind.GUARANTEED,
    ScoreGround.BEST_EFFORT: OperandKind.BEST_EFFORT,
}
_OOM_BOUNDS: Final = {
    ScoreGround.LEAST: (Sign.AT_LEAST, OperandKind.LEAST),
    ScoreGround.MOST: (Sign.AT_MOST, OperandKind.MOST),
}


@dataclass(frozen=True, slots=True)
class StayValue(NumberValue, name="stays", unit=NumberUnit.SECONDS):
    """``stays {pod}``: how many seconds a pod stays on its node after the NoExecute taints of the node came."""

    pod: str

    arguments: ClassVar[Arguments] = {"pod": ArgumentFields.key}

    def of(self, situation: Situation) -> Fraction:
        going = dict(driven_out(situation.snapshot, _node_of(situation, self.pod)))
        if self.pod not in going:
            raise UnsolvableError(StaysForEver(self.pod))
        return Fraction(going[self.pod])

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        node = situation.snapshot.nodes.nodes[situation.snapshot.nodes.index[_node_of(situation, self.pod)]]
        tolerations = (situation.pod(self.pod).get("spec") or {}).get("tolerations") or ()
        stays = [taint_stay(taint, tolerations) for taint in node.taints if taint.effect == NO_EXECUTE]
        steps = [
            then(
                Sign.AT_MOST,
                OperandKind.TOLERATED if each.is_tolerated else OperandKind.NOT_TOLERATED,
                each.seconds,
                each.taint.key,
            )
            for each in stays
            if each.seconds is not None
        ]
        return tuple(replace(each, sign=Sign.AT_MOST if number else Sign.PLUS) for number, each in enumerate(steps))


@dataclass(frozen=True, slots=True)
class OomScoreValue(NumberValue, name="oomScore", unit=NumberUnit.POINTS):
    """``oomScore {pod}``: the oom_score_adj of a pod's container on its node, the highest where it has several."""

    pod: str

    arguments: ClassVar[Arguments] = {"pod": ArgumentFields.key}

    def of(self, situation: Situation) -> Fraction:
        return Fraction(self.found(situation)[1])

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        found, score = self.found(situation)
        if (kind := _OOM_CONSTANTS.get(found.ground)) is not None:
            return (first(kind, score),)
        memory = situation.capacity_of(_node_of(situation, self.pod))
        requested = as_quantity(MEMORY, found.requested), as_quantity(MEMORY, memory)
        share = then(Sign.MINUS, OperandKind.MEMORY_SHARE, 1000 * found.requested // memory, *requested)
        steps = (first(OperandKind.START, 1000), share)
        if (bound := _OOM_BOUNDS.get(found.ground)) is not None:
            return (*steps, then(bound[0], bound[1], score))
        return steps

    def found(self, situation: Situation) -> tuple[OomScore, int]:
        """The container that the kernel kills first, and its score. Raises UnsolvableError."""
        node = _node_of(situation, self.pod)
        found = oom_scores(situation.pod(self.pod), situation.capacity_of(node))
        return max(known_scores(found, node), key=lambda each: each[1])


@dataclass(frozen=True, slots=True)
class PriorityValue(NumberValue, name="priority", unit=NumberUnit.POINTS):
    """``priority {pod}``: the priority of a pod as admission has set it; without ``pod`` of the pod in question."""

    pod: str

    arguments: ClassVar[Arguments] = {"pod": _pod_or_subject}

    def of(self, situation: Situation) -> Fraction:
        return Fraction(Pod(situation.pod_or_subject(self.pod)).priority)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        name = (situation.pod_or_subject(self.pod).get("spec") or {}).get("priorityClassName") or ""
        kind = OperandKind.PRIORITY_CLASS if name else OperandKind.NO_PRIORITY_CLASS
        return (first(kind, self.of(situation), *filter(None, (name,))),)


@dataclass(frozen=True, slots=True)
class NodeGracePeriodValue(NumberValue, name="nodeMonitorGracePeriod", unit=NumberUnit.SECONDS):
    """``nodeMonitorGracePeriod``: after how many seconds without a word from its kubelet a node's Ready is Unknown."""

    def of(self, situation: Situation) -> Fraction:
        return Fraction(grace_period(situation.release.minor), SECOND)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        return (first(OperandKind.GRACE_PERIOD, self.of(situation), situation.release.minor),)


@dataclass(frozen=True, slots=True)
class EvictionRateValue(NumberValue, name="evictionRate", unit=NumberUnit.NODES_PER_SECOND):
    """``evictionRate {zone}``: how many nodes of a zone that are not ready are tainted NoExecute in a second.

    ``zone`` is the value of the zone's label; left out, it means the nodes without one.
    """

    zone: str

    arguments: ClassVar[Arguments] = {"zone": lambda fields, name: fields.text_or_none(name) or ""}

    def of(self, situation: Situation) -> Fraction:
        pause = self.found(situation).pause
        return Fraction(0) if pause is None else Fraction(SECOND, pause)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        found = self.found(situation)
        paused, going = _ZONE_KINDS[found.state]
        kind = paused if found.pause is None else going
        return (first(kind, self.of(situation), f"{found.not_ready}", f"{found.size}"),)

    def found(self, situation: Situation) -> ZoneDisruption:
        """The zone. Raises UnsolvableError."""
        zones = {found.zone: found for found in zone_disruptions(situation.snapshot).values()}
        if self.zone not in zones:
            raise UnsolvableError(no_such_name(self.zone, tuple(zones)))
        return zones[self.zone]


def _node_of(situation: Situation, pod: str) -> str:
    """The node that a pod runs on. Raises UnsolvableError."""
    node = Pod(situation.pod(pod)).node_name
    if not node:
        raise UnsolvableError(PodHasNoNode(pod))
    return node


# Numbers of the scoring: what plugins give nodes, and what that comes to.


@dataclass(frozen=True, slots=True)
class PluginScoreValue(NumberValue, name="score", unit=NumberUnit.POINTS):
    """``score {node, plugin}``: what a plugin gives a feasible node, from 0 to 100, before its weight."""

    node: str
    plugin: str

    arguments: ClassVar[Arguments] = {"node": ArgumentFields.name, "plugin": ArgumentFields.plugin}

    def of(self, situation: Situation) -> Fraction:
        return Fraction(self.cell(situation).normalised)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        return ()

    def cell(self, situation: Situation) -> ScoreCell:
        """What the plugin makes of the node. Raises UnsolvableError."""
        attempt, row = fitting_row(situation, self.node)
        cells = {cell.plugin: cell for cell in attempt.cells_of(row)}
        if self.plugin not in cells:
            raise UnsolvableError(NotOneOf(self.plugin, tuple(cells)))
        return cells[self.plugin]


@dataclass(frozen=True, slots=True)
class RawScoreValue(PluginScoreValue, name="rawScore"):
    """``rawScore {node, plugin}``: what a plugin gives a feasible node before it is brought to 0 to 100."""

    def of(self, situation: Situation) -> Fraction:
        return Fraction(self.cell(situation).raw)


@dataclass(frozen=True, slots=True)
class WeightedScoreValue(PluginScoreValue, name="weightedScore"):
    """``weightedScore {node, plugin}``: what a plugin adds to the total of a feasible node."""

    def of(self, situation: Situation) -> Fraction:
        return Fraction(self.cell(situation).weighted)


@dataclass(frozen=True, slots=True)
class TotalValue(NumberValue, name="total", unit=NumberUnit.POINTS):
    """``total {node}``: the sum of the weighted scores of a feasible node."""

    node: str

    arguments: ClassVar[Arguments] = {"node": ArgumentFields.name}

    def of(self, situation: Situation) -> Fraction:
        attempt, row = fitting_row(situation, self.node)
        return Fraction(attempt.total_of(row) or 0)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        attempt, row = fitting_row(situation, self.node)
        weights = {each.plugin: each.weight for each in attempt.scores}
        return tuple(
            Operand(
                Sign.PLUS,
                OperandKind.PLUGIN,
                Fraction(cell.weighted),
                (cell.plugin, f"{cell.normalised}", f"{weights[cell.plugin]}"),
            )
            for cell in attempt.cells_of(row)
        )


@dataclass(frozen=True, slots=True)
class BinPackingValue(TotalValue, name="binPacking"):
    """``binPacking {node}``: the score by RequestedToCapacityRatio from 0 to 10, as its shape is written.

    The documentation calculates in this scale; kube-scheduler brings the shape to 0 to 100 first, and rounds there.
    """

    def of(self, situation: Situation) -> Fraction:
        parts, scores = self.parts(situation)
        allocatable = np.array([[part.allocatable] for part in parts], np.int64)
        return Fraction(int(positive_mean(scores, allocatable, [part.weight for part in parts])[0]))

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        parts, scores = self.parts(situation)
        counted = [
            (part, int(score))
            for part, score in zip(parts, scores[:, 0], strict=True)
            if part.allocatable and int(score) > 0
        ]
        if not counted:
            return ()
        weighted = [
            Operand(
                Sign.PLUS,
                OperandKind.RESOURCE_SCORE,
                Fraction(score * part.weight),
                (
                    part.resource,
                    as_quantity(part.resource, part.requested),
                    as_quantity(part.resource, part.allocatable),
                    f"{score}",
                    f"{part.weight}",
                ),
            )
            for part, score in counted
        ]
        weights = sum(part.weight for part, _ in counted)
        return (
            *weighted,
            then(Sign.OVER, OperandKind.WEIGHTS, weights, unit=NumberUnit.COUNT),
            then(Sign.ROUNDED, OperandKind.ROUNDED, self.of(situation)),
        )

    def parts(self, situation: Situation) -> tuple[list[ResourceScore], Ints]:
        """What is requested of each resource, and its score by the shape, (K, 1). Raises UnsolvableError."""
        attempt, row = fitting_row(situation, self.node)
        arguments = attempt.profile.args.get(NodeResourcesFit.name)
        if not isinstance(arguments, NodeResourcesFitArgs):
            raise UnsolvableError(NotRequestedToCapacityRatio())
        strategy = arguments.scoring_strategy
        if strategy.type is not StrategyType.REQUESTED_TO_CAPACITY_RATIO:
            raise UnsolvableError(NotRequestedToCapacityRatio())
        found = attempt.score_evidence(row, NodeResourcesFit.name)
        parts = [part for part in found if isinstance(part, ResourceScore)]
        asked, allocatable = (
            np.array([[getattr(part, field)] for part in parts], np.int64) for field in ("requested", "allocatable")
        )
        points = [(point.utilization, point.score) for point in strategy.shape]
        return parts, shape_scores(asked, allocatable, points)


def fitting_row(situation: Situation, node: str) -> tuple[Explanation, int]:
    """The attempt, and the row of a node that passes every filter. Raises UnsolvableError."""
    situation.chosen_nodes(node)
    attempt = situation.attempt()
    row = situation.snapshot.nodes.index[node]
    if attempt.total_of(row) is None:
        raise UnsolvableError(NodeDoesNotFit(node, decider_on(attempt, node)))
    return attempt, row


# From which amount on a kubelet evicts, and until when.

# What a node reports of the capacity that a signal is measured against; of other file systems it reports nothing.
_CAPACITIES: Final[Mapping[Signal, str]] = {Signal.MEMORY: MEMORY, Signal.NODE_FS: EPHEMERAL_STORAGE}
_OF_BYTES: Final = (Signal.MEMORY, Signal.NODE_FS, Signal.IMAGE_FS)


@dataclass(frozen=True, slots=True)
class EvictionThresholdValue(NumberValue, name="evictionThreshold"):
    """``evictionThreshold {node, signal}``: below which amount the kubelet of a node evicts at once.

    ``signal`` is one of evictionHard, such as ``memory.available``. A percentage is of what the node has.
    """

    node: str
    signal: Signal

    arguments: ClassVar[Arguments] = {
        "node": ArgumentFields.name,
        "signal": lambda fields, name: Signal(fields.choice(name, tuple(map(str, Signal)))),
    }

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.BYTES if self.signal in _OF_BYTES else NumberUnit.COUNT

    def of(self, situation: Situation) -> Fraction:
        threshold, capacity = self.found(situation)
        return Fraction(threshold.amount.of(capacity))

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        threshold, capacity = self.found(situation)
        if not threshold.amount.percent:
            return (first(OperandKind.EVICTION_HARD, threshold.amount.units),)
        percentage = Fraction(threshold.amount.percent)
        steps = (
            first(OperandKind.CAPACITY, capacity, self.node),
            then(Sign.TIMES, OperandKind.EVICTION_HARD, percentage, unit=NumberUnit.PERCENT),
        )
        amount = threshold.amount.of(capacity)
        return steps if outcome(steps) == amount else (*steps, then(Sign.ROUNDED, OperandKind.ROUNDED, amount))

    def found(self, situation: Situation) -> tuple[EvictionThreshold, int]:
        """The hard threshold, and the capacity that it is of. Raises UnsolvableError."""
        situation.chosen_nodes(self.node)
        hard = {each.signal: each for each in situation.kubelet.thresholds if each.is_hard}
        if self.signal not in hard:
            raise UnsolvableError(no_such_name(str(self.signal), tuple(map(str, hard))))
        threshold = hard[self.signal]
        resource = _CAPACITIES.get(self.signal)
        capacity = situation.capacity_of(self.node, resource) if resource else 0
        if not capacity and (threshold.amount.percent or threshold.reclaim.percent):
            raise UnsolvableError(CapacityUnknown(self.node, str(self.signal)))
        return threshold, capacity


@dataclass(frozen=True, slots=True)
class ReclaimTargetValue(EvictionThresholdValue, name="reclaimTarget"):
    """``reclaimTarget {node, signal}``: how much has to be available again before the kubelet stops evicting."""

    def of(self, situation: Situation) -> Fraction:
        threshold, capacity = self.found(situation)
        return Fraction(threshold.target(capacity))

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        threshold, capacity = self.found(situation)
        reclaim = then(Sign.PLUS, OperandKind.MINIMUM_RECLAIM, threshold.reclaim.of(capacity))
        return (first(OperandKind.EVICTION_HARD, threshold.amount.of(capacity)), reclaim)
