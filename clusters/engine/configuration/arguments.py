"""The arguments of the in-tree plugins that take any: typed, with kube-scheduler's defaults.

Upstream: ``k8s.io/kube-scheduler/config/v1/types_pluginargs.go`` and ``pkg/scheduler/apis/config/v1/defaults.go``,
v1.34.1, with the feature gates at their defaults. Reading and checking them is the business of ``argument_readers``."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from clusters.engine.configuration.problems import (
    BehindFeatureGate,
)
from clusters.engine.configuration.reading import API_VERSION, ConfigurationError, ConfigurationFields
from clusters.engine.problems import (
    BelowLeast,
    BeyondOther,
    BothZero,
    Empty,
    InvalidValue,
    Missing,
    MissingField,
    MustBe,
    NotALabelKey,
    NotOneOf,
    OnlyBeside,
    OutOfRange,
    Quoted,
    Repeated,
    UnknownField,
    shown,
)
from clusters.engine.selectors import NodeSelector, SelectorError, key_fault, node_preferences
from clusters.engine.versions import Gate, Release

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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


class ScoringStrategy(Struct, frozen=True):
    """How NodeResourcesFit scores; ``shape`` only counts for RequestedToCapacityRatio."""

    type: StrategyType = StrategyType.LEAST_ALLOCATED
    resources: tuple[ResourceWeight, ...] = CPU_AND_MEMORY
    shape: tuple[ShapePoint, ...] = ()


class NodeResourcesFitArgs(Struct, frozen=True):
    """Resources and groups (prefixes before the slash) that the filter ignores, and the scoring."""

    ignored_resources: tuple[str, ...] = ()
    ignored_resource_groups: tuple[str, ...] = ()
    scoring_strategy: ScoringStrategy = ScoringStrategy()


class NodeResourcesBalancedAllocationArgs(Struct, frozen=True):
    """The resources whose utilisation should be even."""

    resources: tuple[ResourceWeight, ...] = CPU_AND_MEMORY


class NodeAffinityArgs(Struct, frozen=True):
    """A node affinity, as a Kubernetes dict, that every pod of the profile has on top of its own."""

    added_affinity: Mapping[str, Any] | None = None


class PodTopologySpreadArgs(Struct, frozen=True):
    """Constraints, as Kubernetes dicts without selector, for pods without their own; System means Kubernetes' two."""

    default_constraints: tuple[Mapping[str, Any], ...] = ()
    defaulting_type: DefaultingType = DefaultingType.SYSTEM


class InterPodAffinityArgs(Struct, frozen=True):
    """How much an existing pod's required affinity counts (0 to 100), and whether preferred terms count at all."""

    hard_pod_affinity_weight: int = 1
    ignore_preferred_terms_of_existing_pods: bool = False


class DefaultPreemptionArgs(Struct, frozen=True):
    """How many candidate nodes preemption looks for: a percentage of the nodes, and at least so many."""

    min_candidate_nodes_percentage: int = 10
    min_candidate_nodes_absolute: int = 100


class VolumeBindingArgs(Struct, frozen=True):
    """How long binding volumes may take; ``shape``: how scores fall as storage fills, where they count."""

    bind_timeout_seconds: int = 600
    shape: tuple[ShapePoint, ...] = ()


# What scoring by storage capacity takes by default: the less of it is taken, the better.
EMPTIEST_FIRST: Final = (ShapePoint(0, 10), ShapePoint(100, 0))


# How long allocating on one node may take, and how long binding waits, in seconds, where nobody says.
FILTER_TIMEOUT: Final = Fraction(10)
BINDING_TIMEOUT: Final = Fraction(600)


class DynamicResourcesArgs(Struct, frozen=True):
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

# Read and check ``args`` of ``pluginConfig``, one function a plugin.
#
# Upstream: ``pkg/scheduler/apis/config/validation/validation_pluginargs.go``, v1.34.1: the same conditions, by
# the path of the field as it stands in the configuration.

# Every plugin by name: the fields of their arguments in the API.
_TYPE_META: Final = ("apiVersion", "kind")
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_WHEN_UNSATISFIABLE: Final = ("DoNotSchedule", "ScheduleAnyway")


def read_arguments(plugin: str, args: Any, path: str, release: Release) -> Arguments | None:
    """Return the arguments of a plugin with defaults filled in; None if it takes none. Raises ConfigurationError."""
    reader = _READERS.get(plugin)
    if reader is None:
        return None
    known, read = reader
    own = release.configuration.arguments.get(plugin, ())
    fields = ConfigurationFields(args, path, (*known, *own, *_TYPE_META))
    if (version := fields.text("apiVersion", API_VERSION)) != API_VERSION:
        raise ConfigurationError(fields.at("apiVersion"), NotOneOf(shown(version), (API_VERSION,)))
    if (kind := fields.text("kind", f"{plugin}Args")) != f"{plugin}Args":
        raise ConfigurationError(fields.at("kind"), NotOneOf(shown(kind), (f"{plugin}Args",)))
    return read(fields, release)


def default_arguments(release: Release) -> dict[str, Arguments]:
    """Return the arguments of all plugins that take any, as they are where nobody gives them."""
    # DynamicResources by name: the one plugin whose defaults depend on a gate.
    name = "DynamicResources"
    return {**DEFAULT_ARGUMENTS, name: _dynamic_resources(ConfigurationFields({}, "", ()), release)}


def _node_resources_fit(fields: ConfigurationFields, release: Release) -> NodeResourcesFitArgs:
    ignored, groups = fields.texts("ignoredResources"), fields.texts("ignoredResourceGroups")
    for position, name in enumerate(ignored):
        _check_label_key(f"{fields.at('ignoredResources')}[{position}]", name)
    for position, name in enumerate(groups):
        where = f"{fields.at('ignoredResourceGroups')}[{position}]"
        if "/" in name:
            raise ConfigurationError(where, InvalidValue(shown(name), ("example.com",)))
        _check_label_key(where, name)
    if not fields.has("scoringStrategy"):
        return NodeResourcesFitArgs(ignored, groups)
    return NodeResourcesFitArgs(ignored, groups, _scoring_strategy(fields, release))


def _scoring_strategy(parent: ConfigurationFields, release: Release) -> ScoringStrategy:
    fields = parent.child("scoringStrategy", ("type", "resources", "requestedToCapacityRatio"))
    name = fields.text("type")
    if name not in tuple(StrategyType):
        raise _unknown(fields.at("type"), name, tuple(StrategyType))
    resources = _resources(fields)
    for position, resource in enumerate(resources):
        if not 1 <= resource.weight <= 100:
            raise _out_of_range(f"{fields.at('resources')}[{position}].weight", resource.weight, 1, 100)
    is_idle = fields.has("requestedToCapacityRatio") and name != StrategyType.REQUESTED_TO_CAPACITY_RATIO
    if is_idle and release.configuration.forbids_idle_ratio:
        raise ConfigurationError(
            fields.at("requestedToCapacityRatio"),
            OnlyBeside("type", StrategyType.REQUESTED_TO_CAPACITY_RATIO),
        )
    ratio = fields.child("requestedToCapacityRatio", ("shape",))
    shape: tuple[ShapePoint, ...] = ()
    if fields.has("requestedToCapacityRatio") or name == StrategyType.REQUESTED_TO_CAPACITY_RATIO:
        shape = _shape(ratio)
    return ScoringStrategy(StrategyType(name), resources, shape)


def _balanced_allocation(fields: ConfigurationFields, _release: Release) -> NodeResourcesBalancedAllocationArgs:
    resources = _resources(fields)
    seen: set[str] = set()
    for position, resource in enumerate(resources):
        where = f"{fields.at('resources')}[{position}]"
        if resource.name in seen:
            raise ConfigurationError(f"{where}.name", Repeated(resource.name))
        seen.add(resource.name)
        if resource.weight != 1:
            raise ConfigurationError(f"{where}.weight", MustBe(str(resource.weight), "1"))
    return NodeResourcesBalancedAllocationArgs(resources)


def _node_affinity(fields: ConfigurationFields, _release: Release) -> NodeAffinityArgs:
    if not fields.has("addedAffinity"):
        return NodeAffinityArgs()
    added = fields.child("addedAffinity", (_REQUIRED, _PREFERRED))
    required = added.child(_REQUIRED, ("nodeSelectorTerms",))
    for term in required.each("nodeSelectorTerms", ("matchExpressions", "matchFields")):
        _check_expressions(term)
    for preference in added.each(_PREFERRED, ("weight", "preference")):
        preference.integer("weight")
        _check_expressions(preference.child("preference", ("matchExpressions", "matchFields")))
    try:
        problems = NodeSelector.from_dict(added.raw(_REQUIRED), added.at(_REQUIRED)).errors
        node_preferences(added.raw(_PREFERRED), added.at(_PREFERRED))
    except SelectorError as error:
        problems = error.faults
    if problems:
        fault = problems[0]
        # Kubernetes begins with the field, which the error names already.
        raise ConfigurationError(fault.path, Quoted(fault.kubernetes.removeprefix(f"{fault.path}: ")))
    return NodeAffinityArgs(fields.raw("addedAffinity"))


def _pod_topology_spread(fields: ConfigurationFields, _release: Release) -> PodTopologySpreadArgs:
    defaulting = fields.text("defaultingType") or DefaultingType.SYSTEM
    where = fields.at("defaultingType")
    if defaulting not in tuple(DefaultingType):
        raise ConfigurationError(where, NotOneOf(shown(defaulting), tuple(map(str, DefaultingType))))
    constraints = list(fields.each("defaultConstraints", _CONSTRAINT_FIELDS))
    if defaulting == DefaultingType.SYSTEM and constraints:
        raise ConfigurationError(where, OnlyBeside("defaultingType", DefaultingType.LIST.value))
    seen: set[tuple[str, str]] = set()
    for constraint in constraints:
        key = _checked_constraint(constraint)
        if key in seen:
            raise ConfigurationError(constraint.path, Repeated(" ".join(key)))
        seen.add(key)
    return PodTopologySpreadArgs(
        tuple(item for _, item in fields.listed("defaultConstraints")), DefaultingType(defaulting)
    )


_CONSTRAINT_FIELDS: Final = (
    "maxSkew",
    "topologyKey",
    "whenUnsatisfiable",
    "labelSelector",
    "minDomains",
    "nodeAffinityPolicy",
    "nodeTaintsPolicy",
    "matchLabelKeys",
)


def _checked_constraint(constraint: ConfigurationFields) -> tuple[str, str]:
    """Check a constraint; return what must not repeat: its topology key and what it does when it cannot be met."""
    skew = constraint.number("maxSkew", 0)
    if skew <= 0:
        raise ConfigurationError(constraint.at("maxSkew"), BelowLeast(str(skew), 1))
    topology_key = constraint.text("topologyKey")
    if not topology_key:
        raise ConfigurationError(
            constraint.at("topologyKey"), MissingField("topologyKey", "topology.kubernetes.io/zone")
        )
    _check_label_key(constraint.at("topologyKey"), topology_key)
    action = constraint.text("whenUnsatisfiable")
    if action not in _WHEN_UNSATISFIABLE:
        raise _unknown(constraint.at("whenUnsatisfiable"), action, _WHEN_UNSATISFIABLE)
    if constraint.has("labelSelector"):
        raise ConfigurationError(constraint.at("labelSelector"), UnknownField("labelSelector"))
    constraint.integer("minDomains")
    constraint.text("nodeAffinityPolicy")
    constraint.text("nodeTaintsPolicy")
    constraint.texts("matchLabelKeys")
    return topology_key, action


def _inter_pod_affinity(fields: ConfigurationFields, _release: Release) -> InterPodAffinityArgs:
    weight = fields.number("hardPodAffinityWeight", 1)
    if not 0 <= weight <= 100:
        raise _out_of_range(fields.at("hardPodAffinityWeight"), weight, 0, 100)
    return InterPodAffinityArgs(weight, fields.boolean("ignorePreferredTermsOfExistingPods"))


def _default_preemption(fields: ConfigurationFields, _release: Release) -> DefaultPreemptionArgs:
    percentage = fields.number("minCandidateNodesPercentage", 10)
    absolute = fields.number("minCandidateNodesAbsolute", 100)
    if not 0 <= percentage <= 100:
        raise _out_of_range(fields.at("minCandidateNodesPercentage"), percentage, 0, 100)
    if absolute < 0:
        raise ConfigurationError(fields.at("minCandidateNodesAbsolute"), BelowLeast(str(absolute), 0))
    if percentage == absolute == 0:
        raise ConfigurationError(
            fields.at("minCandidateNodesPercentage"),
            BothZero(("minCandidateNodesPercentage", "minCandidateNodesAbsolute")),
        )
    return DefaultPreemptionArgs(percentage, absolute)


def _volume_binding(fields: ConfigurationFields, release: Release) -> VolumeBindingArgs:
    timeout = fields.integer("bindTimeoutSeconds", 600, bits=64) or 0
    if timeout < 0:
        raise ConfigurationError(fields.at("bindTimeoutSeconds"), BelowLeast(str(timeout), 0))
    if not release.enables(Gate.STORAGE_CAPACITY_SCORING):
        if fields.has("shape"):
            raise ConfigurationError(fields.at("shape"), BehindFeatureGate(Gate.STORAGE_CAPACITY_SCORING))
        return VolumeBindingArgs(timeout)
    return VolumeBindingArgs(timeout, _shape(fields) if fields.raw("shape") else ())


def _dynamic_resources(fields: ConfigurationFields, release: Release) -> DynamicResourcesArgs:
    timeout = fields.seconds("filterTimeout")
    if timeout is not None and timeout < 0:
        raise ConfigurationError(fields.at("filterTimeout"), BelowLeast(shown(fields.text("filterTimeout")), 0))
    return DynamicResourcesArgs(FILTER_TIMEOUT if timeout is None else timeout, _binding_timeout(fields, release))


def _binding_timeout(fields: ConfigurationFields, release: Release) -> Fraction | None:
    takes = release.configuration.arguments.get("DynamicResources", ())
    timeout = fields.seconds("bindingTimeout")
    if "bindingTimeout" not in takes or not release.enables(Gate.DRA_DEVICE_BINDING_CONDITIONS):
        if timeout is not None:
            raise ConfigurationError(fields.at("bindingTimeout"), BehindFeatureGate(Gate.DRA_DEVICE_BINDING_CONDITIONS))
        return None
    if timeout is not None and timeout < 1:
        raise ConfigurationError(fields.at("bindingTimeout"), BelowLeast(shown(fields.text("bindingTimeout")), 1))
    return BINDING_TIMEOUT if timeout is None else timeout


_READERS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[ConfigurationFields, Release], Arguments]]]] = {
    "NodeResourcesFit": (("ignoredResources", "ignoredResourceGroups", "scoringStrategy"), _node_resources_fit),
    "NodeResourcesBalancedAllocation": (("resources",), _balanced_allocation),
    "NodeAffinity": (("addedAffinity",), _node_affinity),
    "PodTopologySpread": (("defaultConstraints", "defaultingType"), _pod_topology_spread),
    "InterPodAffinity": (("hardPodAffinityWeight", "ignorePreferredTermsOfExistingPods"), _inter_pod_affinity),
    "DefaultPreemption": (("minCandidateNodesPercentage", "minCandidateNodesAbsolute"), _default_preemption),
    "VolumeBinding": (("bindTimeoutSeconds", "shape"), _volume_binding),
    "DynamicResources": (("filterTimeout",), _dynamic_resources),
}


def _resources(fields: ConfigurationFields) -> tuple[ResourceWeight, ...]:
    """Read ``resources``: cpu and memory if there are none, and weight 1 where it is missing or 0."""
    found = tuple(
        ResourceWeight(entry.text("name"), entry.integer("weight", bits=64) or 1)
        for entry in fields.each("resources", ("name", "weight"))
    )
    return found or CPU_AND_MEMORY


def _shape(fields: ConfigurationFields) -> tuple[ShapePoint, ...]:
    """Read ``shape``: at least one point, by rising utilisation."""
    points = [
        (entry, ShapePoint(entry.number("utilization", 0), entry.number("score", 0)))
        for entry in fields.each("shape", ("utilization", "score"))
    ]
    if not points:
        raise ConfigurationError(fields.at("shape"), Empty())
    for (_, before), (entry, point) in pairwise(points):
        if before.utilization >= point.utilization:
            raise ConfigurationError(
                entry.at("utilization"),
                BeyondOther(str(point.utilization), ">", "utilization", str(before.utilization)),
            )
    for entry, point in points:
        if not 0 <= point.utilization <= 100:
            raise _out_of_range(entry.at("utilization"), point.utilization, 0, 100)
        if not 0 <= point.score <= 10:
            raise _out_of_range(entry.at("score"), point.score, 0, 10)
    return tuple(point for _, point in points)


def _check_expressions(term: ConfigurationFields) -> None:
    """See that the expressions of a term have no other fields than they may."""
    for kind in ("matchExpressions", "matchFields"):
        for expression in term.each(kind, ("key", "operator", "values")):
            expression.texts("values")


def _check_label_key(path: str, key: str) -> None:
    if key_fault(key):
        raise ConfigurationError(path, NotALabelKey(shown(key)))


def _out_of_range(path: str, value: int, low: int, high: int) -> ConfigurationError:
    return ConfigurationError(path, OutOfRange(str(value), low, high))


def _unknown(path: str, word: str, known: tuple[str, ...]) -> ConfigurationError:
    known = tuple(map(str, known))
    return ConfigurationError(path, NotOneOf(shown(word), known) if word else Missing(known))
