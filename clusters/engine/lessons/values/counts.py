"""How many: nodes, pods, disruptions, and the pods of topology domains."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final, Self

import numpy as np

from clusters.engine.configuration import PodTopologySpreadArgs
from clusters.engine.disruption import disruption_budgets
from clusters.engine.disruption.arithmetic import scaled
from clusters.engine.lessons.copies import place_copies
from clusters.engine.lessons.problems import NeverEnds, NotInSituation
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.amounts import FreeValue, as_quantity
from clusters.engine.lessons.values.value import NumberUnit, NumberValue
from clusters.engine.lessons.values.working import Operand, OperandKind, Sign, first, summed, then
from clusters.engine.plugin import Context
from clusters.engine.sampling import (
    LEAST_PERCENTAGE,
    LEAST_WANTED,
    MOST_PERCENTAGE,
    NODES_PER_PERCENT,
    sampling_of,
    searched_percentage,
)
from clusters.engine.spreading.constraints import (
    DO_NOT_SCHEDULE,
    PLUGIN,
    SCHEDULE_ANYWAY,
    Domains,
    all_labelled,
    constraints_of,
    matching_pods,
    needs_every_key,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.configuration import Profile
    from clusters.engine.disruption import DisruptionBudget
    from clusters.engine.lessons.arguments import ArgumentFields
    from clusters.engine.lessons.situation import Situation

_MOST_NODES: Final = 1_000_000
_MOST_COPIES: Final = 500


@dataclass(frozen=True, slots=True)
class FeasibleValue(NumberValue):
    """``feasible``: on how many nodes the pod in question passes every filter."""

    name: ClassVar[str] = "feasible"

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls()

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.NODES

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
class ReplicasThatFitValue(FeasibleValue):
    """``replicasThatFit``: how many pods like the one in question are created and scheduled, one after the other.

    Nothing is preempted for them. Of nodes that tie each takes the first by name.
    """

    name: ClassVar[str] = "replicasThatFit"

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.PODS

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
class NodesToFindValue(NumberValue):
    """``nodesToFind {nodes}``: how many feasible nodes end the search in a cluster of so many nodes."""

    nodes: int

    name: ClassVar[str] = "nodesToFind"
    arguments: ClassVar[tuple[str, ...]] = ("nodes",)

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.integer("nodes", 1, _MOST_NODES))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.NODES

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
class PercentageOfNodesValue(NodesToFindValue):
    """``percentageOfNodes {nodes}``: which percentage of so many nodes kube-scheduler looks for.

    It is percentageOfNodesToScore, and by the size of the cluster where that is 0 or not set. At least 100 nodes are
    looked for, which is no part of it.
    """

    name: ClassVar[str] = "percentageOfNodes"

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.PERCENT

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
class AllowedDisruptionsValue(NumberValue):
    """``allowedDisruptions {budget}``: how many disruptions a PodDisruptionBudget (``namespace/name``) allows now."""

    budget: str

    name: ClassVar[str] = "allowedDisruptions"
    arguments: ClassVar[tuple[str, ...]] = ("budget",)

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.key("budget"))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.PODS

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
            raise UnsolvableError(NotInSituation(self.budget, tuple(budgets)))
        return budgets[self.budget]


@dataclass(frozen=True, slots=True)
class HealthyPodsRequiredValue(AllowedDisruptionsValue):
    """``healthyPodsRequired {budget}``: how many healthy pods a PodDisruptionBudget requires."""

    name: ClassVar[str] = "healthyPodsRequired"

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
class MatchingValue(NumberValue):
    """``matching {topologyKey, domain}``: how many pods of a domain a spread constraint of the pod in question counts.

    Of several constraints with that key the first that must hold is meant. ``domain`` is a value of the key's label.
    """

    topology_key: str
    domain: str

    name: ClassVar[str] = "matching"
    arguments: ClassVar[tuple[str, ...]] = ("topologyKey", "domain")

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.text("topologyKey"), fields.text("domain"))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.PODS

    def of(self, situation: Situation) -> Fraction:
        domains, number = self.found(situation)
        return Fraction(int(domains.counts[number]))

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        domains, number = self.found(situation)
        rows = np.flatnonzero(domains.eligible & (domains.column.codes == number)).tolist()
        pods = matching_pods(situation.snapshot, domains.constraint, situation.explanation.pod.namespace)
        names = situation.snapshot.nodes.names
        return summed(OperandKind.NODE, [(names[row], Fraction(int(pods[row]))) for row in rows])

    def found(self, situation: Situation) -> tuple[Domains, int]:
        """The domains of the constraint, and the number of this one. Raises UnsolvableError."""
        domains = domains_of(situation, self.topology_key)
        if self.domain not in domains.column.numbers:
            raise UnsolvableError(NotInSituation(self.domain, domains.column.values))
        return domains, domains.column.numbers[self.domain]


@dataclass(frozen=True, slots=True)
class SkewValue(MatchingValue):
    """``skew {topologyKey, domain}``: the skew that kube-scheduler calculates for the pod in question in a domain.

    It is the matching pods of the domain, and one more where the pod matches its own selector, less the global minimum.
    """

    name: ClassVar[str] = "skew"

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
    raise UnsolvableError(NotInSituation(topology_key, tuple(dict.fromkeys(known))))
