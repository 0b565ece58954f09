"""NodeResourcesFit: a node must have room for what the pod requests; scores by how full it would be."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from msgspec import Struct

from clusters.engine.columns import distinguish
from clusters.engine.configuration import NodeResourcesFitArgs, ScoringStrategy, StrategyType
from clusters.engine.devices.claims import left_to_devices, undecided_resources
from clusters.engine.devices.states import ClassTotals, totals_of
from clusters.engine.edits import LowerRequest
from clusters.engine.evidence import Comparison, Rounding, ScorePart, Subject
from clusters.engine.plugin import NOTHING_LIFTED, ClusterEvent, Constraint, Context, Effort, Plugin, Reads
from clusters.engine.resources import (
    CPU,
    EPHEMERAL_STORAGE,
    MEMORY,
    NON_ZERO_DEFAULTS,
    Amounts,
    is_extended,
    pod_amounts,
)
from clusters.engine.scoring import (
    NodeAmounts,
    asked_and_allocatable,
    least_allocated,
    most_allocated,
    positive_mean,
    shape_scores,
    weighted_mean,
)
from clusters.engine.status import (
    PASS,
    SUCCESS,
    FilterAnswer,
    Index,
    Ints,
    Mask,
    Reason,
    Status,
    unresolvable,
    unschedulable,
)
from clusters.engine.versions import Gate, Release

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.configuration import ResourceWeight
    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.world import World

# What NodeResourcesFit compared on a node, and what it made its score from.


class NominatedRequest(Struct, frozen=True):
    """What a pod that is nominated for the node requests of a resource."""

    pod: str
    amount: int


class ResourceComparison(Comparison, frozen=True):
    """What the pod requests of a resource, and what of it the node has, in base units.

    ``used`` is what the node's pods request; ``nominated`` is what is left free for pods nominated for the node.
    """

    kind = "resource"

    resource: str
    requested: int
    allocatable: int
    used: int
    nominated: tuple[NominatedRequest, ...] = ()

    @property
    def free(self) -> int:
        """What the pod may request; negative where more is used than there is."""
        return self.allocatable - self.used - self.reserved

    @property
    def reserved(self) -> int:
        """What nominated pods request."""
        return sum(each.amount for each in self.nominated)

    @property
    def missing(self) -> int:
        """How much more would have to be free; 0 where the request fits."""
        return max(0, self.requested - self.free)

    @property
    def holds(self) -> bool:
        return self.requested <= self.free


class LeastAllocated(Struct, frozen=True):
    """Scores a resource by the share of it that is free."""

    kind: ClassVar[str] = "least-allocated"

    rounding: Rounding = Rounding.DOWN


class MostAllocated(Struct, frozen=True):
    """Scores a resource by the share of it that is requested."""

    kind: ClassVar[str] = "most-allocated"

    rounding: Rounding = Rounding.DOWN


class ScoredUtilisation(Struct, frozen=True):
    """A point of a shape: percent of a resource that is requested, and the score from 0 to 100."""

    utilisation: int
    score: int


class RequestedToCapacityRatio(Struct, frozen=True):
    """Scores a resource by a broken line over its utilisation; resources that score 0 do not count in the mean."""

    kind: ClassVar[str] = "requested-to-capacity-ratio"

    shape: tuple[ScoredUtilisation, ...]
    rounding: Rounding = Rounding.NEAREST


Strategy = LeastAllocated | MostAllocated | RequestedToCapacityRatio


class ResourceScore(ScorePart, frozen=True):
    """What of a resource would be requested with the pod, in base units, and how it scores.

    The raw score is the mean of all resources' scores by ``weight``, rounded as the strategy says.
    """

    kind = "resource-score"

    resource: str
    strategy: Strategy
    requested: int
    allocatable: int
    score: int
    weight: int


# The rules of NodeResourcesFit.
#
# Upstream: ``pkg/scheduler/framework/plugins/noderesources/fit.go`` v1.34.1. Scoring there does not see pod-level
# resources of the incoming pod, only those of its containers, until 1.37; so does this.

TOO_MANY_PODS = "Too many pods"


class Insufficient(Reason, frozen=True):
    """A node is short of a resource, ``pods`` where it takes no more of them."""

    kind = "insufficient"
    plugin = "NodeResourcesFit"

    resource: str

    def __str__(self) -> str:
        return TOO_MANY_PODS if self.resource == PODS else f"Insufficient {self.resource}"


PODS = "pods"


class ResourceSubject(Subject, frozen=True):
    """A resource of which the pod requests some; PODS is its place among the pods that a node allows."""

    kind: ClassVar[str] = "resource"

    resource: str


class NodeResourcesFit(Plugin):
    """Filters by free resources; scores by the strategy of the profile."""

    name = "NodeResourcesFit"
    reads = Reads.AMOUNTS
    requeue_on = (
        ClusterEvent.POD_DELETE,
        ClusterEvent.POD_SCALE_DOWN,
        ClusterEvent.POD_SCALE_UP,
        ClusterEvent.NODE_ADD,
        ClusterEvent.NODE_ALLOCATABLE,
        ClusterEvent.DEVICE_CLASS_ADD,
        ClusterEvent.DEVICE_CLASS_UPDATE,
    )
    colour = "blue"
    judges_resizes = True
    unprepared = 'error reading "PreFilterNodeResourcesFit" from cycleState: not found'

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._on_nodes = NodeAmounts(context.snapshot)
        self._left: dict[str, Mask | None] = {}

    @classmethod
    def registers(cls, event: ClusterEvent, release: Release) -> bool:
        if event is ClusterEvent.POD_SCALE_UP:
            return release.enables(Gate.RESIZE_PREEMPTION)
        if event in (ClusterEvent.DEVICE_CLASS_ADD, ClusterEvent.DEVICE_CLASS_UPDATE):
            return release.rules.requeues_for_classes and release.enables(Gate.DRA_EXTENDED_RESOURCE)
        return True

    @property
    def _arguments(self) -> NodeResourcesFitArgs:
        return self.context.arguments_of(self.name, NodeResourcesFitArgs)

    @cached_property
    def checked(self) -> list[tuple[str, int]]:
        """What is compared, in the order of the reasons: (resource, amount asked), the pod itself first."""
        arguments = self._arguments
        # A pod that is resized is among the pods of its node, where kube-scheduler counts it once more.
        checked = {PODS: 2 if self.context.is_resize and self.pod.node_name else 1}
        asked = self.pod.requests
        for resource in (CPU, MEMORY, EPHEMERAL_STORAGE, *sorted(asked)):
            amount = asked.get(resource, 0)
            if amount <= 0 or resource in checked:
                continue
            if is_extended(resource) and (
                resource in arguments.ignored_resources or resource.split("/")[0] in arguments.ignored_resource_groups
            ):
                continue
            if resource in undecided_resources(self.snapshot):
                # Where a feature is on, nodes may have it as devices, whose plugin says that it is uncertain.
                continue
            checked[resource] = amount
        return list(checked.items())

    def checked_amounts(self) -> Sequence[tuple[str, int]]:
        return [each for each in self.checked if self._left_out(each[0]) is None]

    def _left_out(self, resource: str) -> Mask | None:
        """Shape (N,): nodes whose devices another plugin allocates for a resource; None: none."""
        if resource not in self._left:
            self._left[resource] = left_to_devices(self.snapshot, self.pod.requests, resource)
        return self._left[resource]

    def _is_compared(self, resource: str, row: int) -> bool:
        left_out = self._left_out(resource)
        return left_out is None or not left_out[row]

    # -- filtering ---------------------------------------------------------------------------------------

    def _allocatable(self, resource: str) -> Ints:
        return self.snapshot.nodes.allowed_pods if resource == PODS else self._on_nodes.allocatable(resource)

    def _used(self, resource: str, world: World | None) -> Ints:
        if resource != PODS:
            return self._on_nodes.requested(resource, world)
        nodes = self.snapshot.nodes
        if world is None:
            return nodes.pod_count
        return nodes.pod_count + world.per_node(np.ones(len(world.slots), np.int64), len(nodes))

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if world is None and not self._may_be_short.any():
            return PASS
        short: list[tuple[str, Mask]] = []
        hopeless = np.zeros(len(self.snapshot.nodes), np.bool_)
        for number, (resource, amount) in enumerate(self.checked):
            if number in lifted:
                continue
            allocatable = self._allocatable(resource)
            mask = amount > allocatable - self._used(resource, world)
            left_out = self._left_out(resource)
            if left_out is not None:
                mask &= ~left_out
            if mask.any():
                short.append((resource, mask))
                if resource != PODS:
                    hopeless |= mask & (amount > allocatable)
        if not short:
            return PASS
        return _combined(short, hopeless)

    @property
    def _may_be_short(self) -> Mask:
        """Shape (N,): nodes that have not what is compared, those included that may have it as devices."""
        checked = tuple(self.checked)

        def judge(rows: Index) -> Mask:
            short = np.zeros(len(rows), np.bool_)
            for resource, amount in checked:
                short |= amount > self._allocatable(resource).take(rows) - self._used(resource, None).take(rows)
            return short

        return self.snapshot.nodes.kept.by_amounts((self.name, checked), judge)

    @classmethod
    def effort_of(cls, subject: Subject | None) -> Effort:
        is_about_count = isinstance(subject, ResourceSubject) and subject.resource == PODS
        return Effort.NODE if is_about_count else Effort.RESOURCE

    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(
            Constraint(self.name, ResourceSubject(resource), None if resource == PODS else LowerRequest(resource, 0))
            for resource, _ in self.checked
        )

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        return tuple(
            self._compared(resource, amount, row, world)
            for resource, amount in self.checked
            if self._is_compared(resource, row)
        )

    def _compared(self, resource: str, amount: int, row: int, world: World | None) -> ResourceComparison:
        allocatable, used = int(self._allocatable(resource)[row]), int(self._used(resource, None)[row])
        return ResourceComparison(resource, amount, allocatable, used, self._nominated(resource, row, world))

    def _nominated(self, resource: str, row: int, world: World | None) -> tuple[NominatedRequest, ...]:
        """What pods that are nominated for a node request of a resource; those that request none are left out."""
        pods = self.snapshot.pods
        requests = (
            NominatedRequest(
                pods.keys[slot],
                1 if resource == PODS else dict(pods.shapes[pods.shape[slot]].requests).get(resource, 0),
            )
            for slot in self.joining(row, world)
        )
        return tuple(each for each in requests if each.amount)

    def shortfalls(self, world: World | None = None) -> dict[str, Ints]:
        """For each resource how much too much is asked of each node in a world, shape (N,); 0 where there is room."""
        return {resource: self._shortfall(resource, amount, world) for resource, amount in self.checked}

    def _shortfall(self, resource: str, amount: int, world: World | None) -> Ints:
        missing = np.maximum(0, amount - (self._allocatable(resource) - self._used(resource, world)))
        left_out = self._left_out(resource)
        return missing if left_out is None else np.where(left_out, 0, missing)

    # -- scoring -----------------------------------------------------------------------------------------

    @cached_property
    def _scored(self) -> tuple[list[str], list[int]]:
        """Names and weights of the resources that the scoring strategy reads."""
        resources = self._arguments.scoring_strategy.resources
        return [resource.name for resource in resources], [resource.weight for resource in resources]

    @cached_property
    def _counted(self) -> Amounts:
        return counted_in_scores(self.pod, self.snapshot)

    @cached_property
    def _given(self) -> dict[str, ClassTotals]:
        return totals_of(self.snapshot, self._scored[0], self._counted)

    def _amounts(self, rows: Index) -> tuple[Ints, Ints]:
        scored, counted = self._scored[0], self._counted
        asked, _, allocatable = asked_and_allocatable(
            self.snapshot, rows, scored, counted, non_zero=True, given=self._given
        )
        return asked, allocatable

    def score(self, feasible: Index) -> Ints:
        if self._given:
            return self._mean(feasible)
        asked = self.name, self._arguments.scoring_strategy, tuple(self._counted.items())
        return self.snapshot.nodes.kept.by_amounts(asked, self._mean).take(feasible)

    def _mean(self, rows: Index) -> Ints:
        return self._strategy(*self._amounts(rows))[1]

    def _strategy(self, asked: Ints, allocatable: Ints) -> tuple[Ints, Ints]:
        """Scores per resource (K, F) and their mean (F,)."""
        strategy, weights, is_exact = self._arguments.scoring_strategy, self._scored[1], self.release.rules.saturates
        if strategy.type == "RequestedToCapacityRatio":
            scores = shape_scores(asked, allocatable, _points(strategy), is_exact=is_exact)
            return scores, positive_mean(scores, allocatable, weights)
        rule = most_allocated if strategy.type == "MostAllocated" else least_allocated
        scores = rule(asked, allocatable, is_exact=is_exact)
        return scores, weighted_mean(scores, allocatable, weights)

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        names, weights = self._scored
        asked, allocatable = self._amounts(np.array([row]))
        scores, _ = self._strategy(asked, allocatable)
        strategy = _stated(self._arguments.scoring_strategy)
        return tuple(
            ResourceScore(
                resource=resource,
                strategy=strategy,
                requested=int(asked[number, 0]),
                allocatable=int(allocatable[number, 0]),
                score=int(scores[number, 0]),
                weight=weights[number],
            )
            for number, resource in enumerate(names)
            if allocatable[number, 0]
        )


def counted_in_scores(pod: Pod, snapshot: Snapshot) -> Amounts:
    """What scoring counts for a pod: containers that request nothing count with defaults."""
    is_whole, counting = snapshot.release.rules.scores_whole_pods, snapshot.pods.counting
    return pod_amounts(
        pod.document, use_status=is_whole, pod_level=is_whole, missing=NON_ZERO_DEFAULTS, counting=counting
    )


def placement_score(snapshot: Snapshot, rows: Index, pods: Iterable[Pod], resources: Sequence[ResourceWeight]) -> int:
    """How full a placement of a group is once its ``pods`` are on its nodes, ``rows``: 0 to 100, whatever the strategy.

    Upstream: ``ScorePlacement`` of ``plugins/noderesources`` v1.37.2.
    """
    names = [each.name for each in resources]
    group: Counter[str] = Counter()
    for pod in pods:
        group.update(counted_in_scores(pod, snapshot))
    own = np.array([[group[name]] for name in names], np.int64)
    # Each node is asked for the whole group; together they are asked for it once.
    _, booked, allocatable = asked_and_allocatable(snapshot, rows, names, group, non_zero=True)
    used = np.where(allocatable > 0, booked, 0).sum(axis=1, keepdims=True)
    total = allocatable.sum(axis=1, keepdims=True)
    scores = most_allocated(used + own, total, is_exact=snapshot.release.rules.saturates)
    return int(weighted_mean(scores, total, [each.weight for each in resources])[0])


def _stated(strategy: ScoringStrategy) -> Strategy:
    """The strategy of the profile as score parts state it."""
    match strategy.type:
        case StrategyType.LEAST_ALLOCATED:
            return LeastAllocated()
        case StrategyType.MOST_ALLOCATED:
            return MostAllocated()
        case StrategyType.REQUESTED_TO_CAPACITY_RATIO:
            return RequestedToCapacityRatio(tuple(ScoredUtilisation(*point) for point in _points(strategy)))


def _points(strategy: ScoringStrategy) -> list[tuple[int, int]]:
    """The shape's points of (utilisation, score), each from 0 to 100."""
    return [(point.utilization, point.score * 10) for point in strategy.shape]


def _combined(short: Sequence[tuple[str, Mask]], hopeless: Mask) -> FilterAnswer:
    """One status per distinct set of resources that are short; hopeless where a node is too small even when empty."""
    columns = [*(mask for _, mask in reversed(short)), hopeless]
    numbers, count = distinguish([(mask, 2) for mask in columns], len(hopeless))
    example = np.zeros(count, np.intp)
    example[numbers] = np.arange(len(numbers))
    statuses: list[Status] = []
    for row in example.tolist():
        reasons = [Insufficient(resource) for resource, mask in short if mask[row]]
        if not reasons:
            statuses.append(SUCCESS)
        else:
            statuses.append(unresolvable(*reasons) if hopeless[row] else unschedulable(*reasons))
    return FilterAnswer.by_table(statuses, numbers)
