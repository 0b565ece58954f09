"""The arguments of the in-tree plugins that take any: typed, with kube-scheduler's defaults.

Upstream: ``k8s.io/kube-scheduler/config/v1/types_pluginargs.go`` and ``pkg/scheduler/apis/config/v1/defaults.go``,
v1.34.1, with the feature gates at their defaults. Reading and checking them is the business of ``argument_readers``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


# Every plugin by name: the defaults of their arguments in the API.


class ResourceWeight(NamedTuple):
    """A resource that scoring looks at, and how much it counts (1 to 100)."""

    name: str
    weight: int


class ShapePoint(NamedTuple):
    """A point of a scoring function: utilisation in percent (0 to 100), score from 0 to 10."""

    utilization: int
    score: int


class StrategyType(StrEnum):
    """How NodeResourcesFit turns utilisation into a score."""

    LEAST_ALLOCATED = "LeastAllocated"
    MOST_ALLOCATED = "MostAllocated"
    REQUESTED_TO_CAPACITY_RATIO = "RequestedToCapacityRatio"


class DefaultingType(StrEnum):
    """Where the constraints of pods that have none come from: Kubernetes, or the list in the arguments."""

    SYSTEM = "System"
    LIST = "List"


CPU_AND_MEMORY = (ResourceWeight("cpu", 1), ResourceWeight("memory", 1))


@dataclass(frozen=True, slots=True)
class ScoringStrategy:
    """How NodeResourcesFit scores; ``shape`` only counts for RequestedToCapacityRatio."""

    type: StrategyType = StrategyType.LEAST_ALLOCATED
    resources: tuple[ResourceWeight, ...] = CPU_AND_MEMORY
    shape: tuple[ShapePoint, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeResourcesFitArgs:
    """Resources and groups (prefixes before the slash) that the filter ignores, and the scoring."""

    ignored_resources: tuple[str, ...] = ()
    ignored_resource_groups: tuple[str, ...] = ()
    scoring_strategy: ScoringStrategy = ScoringStrategy()


@dataclass(frozen=True, slots=True)
class NodeResourcesBalancedAllocationArgs:
    """The resources whose utilisation should be even."""

    resources: tuple[ResourceWeight, ...] = CPU_AND_MEMORY


@dataclass(frozen=True, slots=True)
class NodeAffinityArgs:
    """A node affinity, as a Kubernetes dict, that every pod of the profile has on top of its own."""

    added_affinity: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PodTopologySpreadArgs:
    """Constraints, as Kubernetes dicts without selector, for pods without their own; System means Kubernetes' two."""

    default_constraints: tuple[Mapping[str, Any], ...] = ()
    defaulting_type: DefaultingType = DefaultingType.SYSTEM


@dataclass(frozen=True, slots=True)
class InterPodAffinityArgs:
    """How much an existing pod's required affinity counts (0 to 100), and whether preferred terms count at all."""

    hard_pod_affinity_weight: int = 1
    ignore_preferred_terms_of_existing_pods: bool = False


@dataclass(frozen=True, slots=True)
class DefaultPreemptionArgs:
    """How many candidate nodes preemption looks for: a percentage of the nodes, and at least so many."""

    min_candidate_nodes_percentage: int = 10
    min_candidate_nodes_absolute: int = 100


@dataclass(frozen=True, slots=True)
class VolumeBindingArgs:
    """How long binding volumes may take; ``shape``: how scores fall as storage fills, where they count."""

    bind_timeout_seconds: int = 600
    shape: tuple[ShapePoint, ...] = ()


# What scoring by storage capacity takes by default: the less of it is taken, the better.
EMPTIEST_FIRST: Final = (ShapePoint(0, 10), ShapePoint(100, 0))


# How long allocating on one node may take, and how long binding waits, in seconds, where nobody says.
FILTER_TIMEOUT: Final = Fraction(10)
BINDING_TIMEOUT: Final = Fraction(600)


@dataclass(frozen=True, slots=True)
class DynamicResourcesArgs:
    """How long allocating devices on one node may take, in seconds; 0 is no limit.

    ``binding_timeout``: how long binding waits for conditions of devices; None where it does not wait for any.
    """

    filter_timeout: Fraction = FILTER_TIMEOUT
    binding_timeout: Fraction | None = None


Arguments = (
    NodeResourcesFitArgs
    | NodeResourcesBalancedAllocationArgs
    | NodeAffinityArgs
    | PodTopologySpreadArgs
    | InterPodAffinityArgs
    | DefaultPreemptionArgs
    | VolumeBindingArgs
    | DynamicResourcesArgs
)

DEFAULT_ARGUMENTS: Mapping[str, Arguments] = {
    "NodeResourcesFit": NodeResourcesFitArgs(),
    "NodeResourcesBalancedAllocation": NodeResourcesBalancedAllocationArgs(),
    "NodeAffinity": NodeAffinityArgs(),
    "PodTopologySpread": PodTopologySpreadArgs(),
    "InterPodAffinity": InterPodAffinityArgs(),
    "DefaultPreemption": DefaultPreemptionArgs(),
    "VolumeBinding": VolumeBindingArgs(),
    "DynamicResources": DynamicResourcesArgs(),
}
