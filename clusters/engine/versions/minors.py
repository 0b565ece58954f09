"""What each Kubernetes minor brings: which in-tree plugins there are, where they take part, and the default profile.

Upstream: the plugins' interfaces in ``pkg/scheduler/framework/plugins`` and the default set in
``pkg/scheduler/apis/config/v1/default_plugins.go``, of v1.34.1, v1.35.4, v1.36.3 and v1.37.2.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from clusters.engine.versions.configuration_rules import ConfigurationRules
from clusters.engine.versions.device_rules import DeviceRules
from clusters.engine.versions.gates import DEFAULTS, Gate
from clusters.engine.versions.points import ExtensionPoint
from clusters.engine.versions.release import DefaultPlugin, Patch, Release
from clusters.engine.versions.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Every plugin by name: the list of plugins, with their extension points, order and weights.
_PRE_ENQUEUE = ExtensionPoint.PRE_ENQUEUE
_PRE_FILTER = ExtensionPoint.PRE_FILTER
_FILTER = ExtensionPoint.FILTER
_POST_FILTER = ExtensionPoint.POST_FILTER
_PRE_SCORE = ExtensionPoint.PRE_SCORE
_SCORE = ExtensionPoint.SCORE
_RESERVE = ExtensionPoint.RESERVE
_PERMIT = ExtensionPoint.PERMIT
_PRE_BIND = ExtensionPoint.PRE_BIND

_POINTS: Final = {
    "SchedulingGates": frozenset({_PRE_ENQUEUE}),
    "PrioritySort": frozenset({ExtensionPoint.QUEUE_SORT}),
    "NodeUnschedulable": frozenset({_FILTER}),
    "NodeName": frozenset({_FILTER}),
    "TaintToleration": frozenset({_FILTER, _PRE_SCORE, _SCORE}),
    "NodeAffinity": frozenset({_PRE_FILTER, _FILTER, _PRE_SCORE, _SCORE}),
    "NodePorts": frozenset({_PRE_FILTER, _FILTER}),
    "NodeResourcesFit": frozenset({_PRE_FILTER, _FILTER, _PRE_SCORE, _SCORE}),
    "VolumeRestrictions": frozenset({_PRE_FILTER, _FILTER}),
    "NodeVolumeLimits": frozenset({_PRE_FILTER, _FILTER}),
    "VolumeBinding": frozenset({_PRE_FILTER, _FILTER, _PRE_SCORE, _SCORE, _RESERVE, _PRE_BIND}),
    "VolumeZone": frozenset({_PRE_FILTER, _FILTER}),
    "PodTopologySpread": frozenset({_PRE_FILTER, _FILTER, _PRE_SCORE, _SCORE}),
    "InterPodAffinity": frozenset({_PRE_FILTER, _FILTER, _PRE_SCORE, _SCORE}),
    "DynamicResources": frozenset({_PRE_ENQUEUE, _PRE_FILTER, _FILTER, _POST_FILTER, _RESERVE, _PRE_BIND}),
    "DefaultPreemption": frozenset({_PRE_ENQUEUE, _POST_FILTER}),
    "NodeResourcesBalancedAllocation": frozenset({_PRE_SCORE, _SCORE}),
    "ImageLocality": frozenset({_SCORE}),
    "DefaultBinder": frozenset({ExtensionPoint.BIND}),
}
_PLUGINS: Final = (
    ("SchedulingGates", 0, None),
    ("PrioritySort", 0, None),
    ("NodeUnschedulable", 0, None),
    ("NodeName", 0, None),
    ("TaintToleration", 3, None),
    ("NodeAffinity", 2, None),
    ("NodePorts", 0, None),
    ("NodeResourcesFit", 1, None),
    ("VolumeRestrictions", 0, None),
    ("NodeVolumeLimits", 0, None),
    ("VolumeBinding", 0, None),
    ("VolumeZone", 0, None),
    ("PodTopologySpread", 2, None),
    ("InterPodAffinity", 2, None),
    ("DynamicResources", 0, None),
    ("DefaultPreemption", 0, None),
    ("NodeResourcesBalancedAllocation", 1, None),
    ("ImageLocality", 1, None),
    ("DefaultBinder", 0, None),
)


def _weighing(name: str, weight: int) -> tuple[DefaultPlugin, ...]:
    """The default plugins, with another weight for one of them."""
    return tuple((name, weight, None) if plugin[0] == name else plugin for plugin in _PLUGINS)


def _ahead(name: str, other: str, plugins: Sequence[DefaultPlugin]) -> tuple[DefaultPlugin, ...]:
    """The plugins with one of them put ahead of another."""
    (moved,) = (plugin for plugin in plugins if plugin[0] == name)
    rest = [plugin for plugin in plugins if plugin[0] != name]
    place = [plugin[0] for plugin in rest].index(other)
    return (*rest[:place], moved, *rest[place:])


def _brought_by(name: str, gate: Gate, plugins: Sequence[DefaultPlugin]) -> tuple[DefaultPlugin, ...]:
    """The plugins with another gate that brings one of them."""
    return tuple((plugin[0], plugin[1], gate) if plugin[0] == name else plugin for plugin in plugins)


def _inserted(plugin: DefaultPlugin, before: str, plugins: Sequence[DefaultPlugin]) -> tuple[DefaultPlugin, ...]:
    """The plugins with another one ahead of one of them."""
    place = [each[0] for each in plugins].index(before)
    return (*plugins[:place], plugin, *plugins[place:])


_V1_34: Final = Release(
    minor="1.34",
    compared="v1.34.1",
    points=_POINTS,
    plugins=_PLUGINS,
    removed=dict.fromkeys(("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"), "NodeVolumeLimits"),
    rules=Rules(),
    device_rules=DeviceRules(),
    known_gates=DEFAULTS["1.34"],
    gates=DEFAULTS["1.34"],
    configuration=ConfigurationRules(),
    patches=(Patch(2, rules={"names_taints": False}, compared="v1.34.9"),),
)
_V1_35: Final = replace(
    _V1_34,
    minor="1.35",
    compared="v1.35.4",
    points={
        **_POINTS,
        "DynamicResources": _POINTS["DynamicResources"] | {_SCORE},
        "NodeDeclaredFeatures": frozenset({_PRE_FILTER, _FILTER}),
        "GangScheduling": frozenset({_PRE_ENQUEUE, _RESERVE, _PERMIT}),
    },
    plugins=(
        *_weighing("DynamicResources", 2),
        ("NodeDeclaredFeatures", 0, Gate.NODE_DECLARED_FEATURES),
        ("GangScheduling", 0, Gate.GANG_SCHEDULING),
    ),
    rules=replace(
        _V1_34.rules,
        features=frozenset({"RestartAllContainersOnContainerExits"}),
        names_taints=False,
        counts_label_bytes=True,
        scores_claims_by_position=True,
        asks_drivers_to_prevent=False,
        tells_nodes_by_name=False,
        takes_first_found=True,
        requeues_for_classes=True,
    ),
    device_rules=DeviceRules(
        presumes_gates=False,
        sees_whole_pools=True,
        shares_counters_by_name=True,
        has_both_names_of_classes=True,
        reads_every_effect=False,
        selects_by_class=False,
        knows_distinct_attributes=False,
    ),
    known_gates=DEFAULTS["1.35"],
    gates=DEFAULTS["1.35"],
    configuration=ConfigurationRules(
        arguments={"DynamicResources": ("bindingTimeout",)}, in_tree=frozenset({"GangScheduling"})
    ),
    patches=(Patch(6, rules={"scores_claims_by_position": False}),),
)
_V1_36: Final = replace(
    _V1_35,
    minor="1.36",
    compared="v1.36.3",
    points={**_V1_35.points, "GangScheduling": frozenset({_PRE_ENQUEUE, _PERMIT})},
    rules=replace(
        _V1_35.rules,
        features=_V1_35.rules.features | {"UserNamespacesHostNetworkSupport"},
        balances_by_improvement=True,
        scores_image_volumes=True,
        asks_nodes_about_portworx=False,
        asks_drivers_to_prevent=True,
        scores_claims_by_position=False,
        names_groups_in_workloads=False,
    ),
    device_rules=replace(_V1_35.device_rules, gives_everything_back=True, knows_owning_groups=True),
    known_gates=DEFAULTS["1.36"],
    gates=DEFAULTS["1.36"],
    configuration=replace(
        _V1_35.configuration,
        plugin_sets=("placementGenerate", "placementScore"),
        forbids_idle_ratio=True,
        in_tree=_V1_35.configuration.in_tree | {"TopologyPlacementGenerator", "PodGroupPodsCount"},
    ),
    patches=(
        Patch(4, device_rules={"shares_counters_by_name": False}),
        Patch(5, device_rules={"counts_by_request": True}),
    ),
)
_V1_37: Final = replace(
    _V1_36,
    minor="1.37",
    compared="v1.37.2",
    points={
        **_V1_36.points,
        "NodeName": frozenset({_PRE_FILTER, _FILTER}),
        "NodeUnschedulable": frozenset({_PRE_FILTER, _FILTER}),
        "TaintToleration": _POINTS["TaintToleration"] | {_PRE_FILTER},
        "DeferredPodScheduling": frozenset({_PRE_FILTER, _FILTER, _PERMIT}),
    },
    plugins=_inserted(
        ("DeferredPodScheduling", 0, Gate.RESIZE_PREEMPTION),
        "NodeResourcesFit",
        _brought_by("GangScheduling", Gate.GENERIC_WORKLOAD, _ahead("NodeName", "NodeUnschedulable", _V1_36.plugins)),
    ),
    rules=replace(
        _V1_36.rules,
        features=_V1_36.rules.features | {"VolumeBindMountOptions"},
        compares_unnamed_namespaces=False,
        counts_image_volumes=True,
        counts_whole_pods=True,
        completes_pods_after_admission=True,
        evaluates_groups_first=True,
        names_preemptions=True,
        looks_at_victims_once=True,
        says_what_devices_lack=False,
        requeues_for_deleted_claims=True,
    ),
    device_rules=replace(
        _V1_36.device_rules,
        includes_counter_slices=False,
        shares_counters_by_name=False,
        counts_by_request=True,
        explains_errors=True,
        types_attributes_freely=True,
        counts_every_share=True,
        refuses_uncountable=True,
        taints_without_selector=False,
        takes_of_nodes=True,
    ),
    known_gates=DEFAULTS["1.37"],
    gates=DEFAULTS["1.37"],
    configuration=replace(
        _V1_36.configuration,
        plugin_sets=(*_V1_36.configuration.plugin_sets, "podGroupPostFilter"),
    ),
    patches=(),
)

RELEASES: Final[Mapping[str, Release]] = {each.minor: each for each in (_V1_34, _V1_35, _V1_36, _V1_37)}
NEWEST: Final = _V1_37
# What nothing says the minor of is answered as.
ASSUMED: Final = _V1_34
