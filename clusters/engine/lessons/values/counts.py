"""How many: nodes, pods, disruptions, and the pods of topology domains."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.configuration import PodTopologySpreadArgs
from clusters.engine.disruption import disruption_budgets
from clusters.engine.lessons.copies import place_copies
from clusters.engine.lessons.problems import NeverEnds, NotInSituation
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.value import NumberUnit, NumberValue
from clusters.engine.plugin import Context
from clusters.engine.sampling import sampling_of, searched_percentage
from clusters.engine.spreading.constraints import (
    DO_NOT_SCHEDULE,
    PLUGIN,
    SCHEDULE_ANYWAY,
    Domains,
    all_labelled,
    constraints_of,
    needs_every_key,
)

if TYPE_CHECKING:
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
