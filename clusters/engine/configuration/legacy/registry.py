"""What predicates and priorities of a Policy are today, as data.

Upstream: ``pkg/scheduler/framework/plugins/legacy_registry.go``, v1.22.17, the last minor that read a Policy; names
that it no longer knew are those of v1.11 to v1.18.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.configuration.arguments import StrategyType
from clusters.engine.configuration.legacy.translation import LegacyNote

if TYPE_CHECKING:
    from collections.abc import Mapping

# Every plugin by name: what each predicate and priority became.
# In the order in which kube-scheduler asked predicates.
PREDICATES: Final[Mapping[str, tuple[str, ...]]] = {
    "CheckNodeUnschedulable": ("NodeUnschedulable",),
    "GeneralPredicates": ("NodeResourcesFit", "NodeName", "NodePorts", "NodeAffinity"),
    "HostName": ("NodeName",),
    "PodFitsHostPorts": ("NodePorts",),
    "MatchNodeSelector": ("NodeAffinity",),
    "PodFitsResources": ("NodeResourcesFit",),
    "NoDiskConflict": ("VolumeRestrictions",),
    "PodToleratesNodeTaints": ("TaintToleration",),
    "CheckNodeLabelPresence": (),
    "CheckServiceAffinity": (),
    "MaxEBSVolumeCount": ("NodeVolumeLimits",),
    "MaxGCEPDVolumeCount": ("NodeVolumeLimits",),
    "MaxCSIVolumeCountPred": ("NodeVolumeLimits",),
    "MaxAzureDiskVolumeCount": ("NodeVolumeLimits",),
    "MaxCinderVolumeCount": ("NodeVolumeLimits",),
    "CheckVolumeBinding": ("VolumeBinding",),
    "NoVolumeZoneConflict": ("VolumeZone",),
    "EvenPodsSpread": ("PodTopologySpread",),
    "MatchInterPodAffinity": ("InterPodAffinity",),
    "CheckNodeCondition": ("TaintToleration",),
    "CheckNodeMemoryPressure": ("TaintToleration",),
    "CheckNodeDiskPressure": ("TaintToleration",),
    "CheckNodePIDPressure": ("TaintToleration",),
}
PREDICATE_NOTES: Final[Mapping[str, LegacyNote]] = {
    **dict.fromkeys(
        ("MaxEBSVolumeCount", "MaxGCEPDVolumeCount", "MaxAzureDiskVolumeCount", "MaxCinderVolumeCount"),
        LegacyNote.COUNTS_ALL_DRIVERS,
    ),
    **dict.fromkeys(
        ("CheckNodeCondition", "CheckNodeMemoryPressure", "CheckNodeDiskPressure", "CheckNodePIDPressure"),
        LegacyNote.TAINTED_BY_CONDITION,
    ),
    "CheckNodeLabelPresence": LegacyNote.LABELS_NOT_READ,
    "CheckServiceAffinity": LegacyNote.SERVICE_AFFINITY_GONE,
}
MANDATORY_PREDICATES: Final = ("CheckNodeUnschedulable", "PodToleratesNodeTaints")
DEFAULT_PREDICATES: Final = (
    "CheckNodeUnschedulable",
    "GeneralPredicates",
    "NoDiskConflict",
    "PodToleratesNodeTaints",
    "MaxEBSVolumeCount",
    "MaxGCEPDVolumeCount",
    "MaxCSIVolumeCountPred",
    "MaxAzureDiskVolumeCount",
    "CheckVolumeBinding",
    "NoVolumeZoneConflict",
    "EvenPodsSpread",
    "MatchInterPodAffinity",
)

PRIORITIES: Final[Mapping[str, str]] = {
    "BalancedResourceAllocation": "NodeResourcesBalancedAllocation",
    "EqualPriority": "",
    "EvenPodsSpreadPriority": "PodTopologySpread",
    "ImageLocalityPriority": "ImageLocality",
    "InterPodAffinityPriority": "InterPodAffinity",
    "LeastRequestedPriority": "NodeResourcesFit",
    "MostRequestedPriority": "NodeResourcesFit",
    "NodeAffinityPriority": "NodeAffinity",
    "NodePreferAvoidPodsPriority": "",
    "ResourceLimitsPriority": "",
    "SelectorSpreadPriority": "PodTopologySpread",
    "TaintTolerationPriority": "TaintToleration",
}
PRIORITY_NOTES: Final[Mapping[str, LegacyNote]] = {
    "EqualPriority": LegacyNote.EQUAL_SCORES,
    "NodePreferAvoidPodsPriority": LegacyNote.AVOID_PODS_GONE,
    "ResourceLimitsPriority": LegacyNote.RESOURCE_LIMITS_GONE,
    "SelectorSpreadPriority": LegacyNote.SPREADS_BY_DEFAULT,
}
DEFAULT_PRIORITIES: Final[Mapping[str, int]] = {
    "SelectorSpreadPriority": 1,
    "InterPodAffinityPriority": 1,
    "LeastRequestedPriority": 1,
    "BalancedResourceAllocation": 1,
    "NodePreferAvoidPodsPriority": 10000,
    "NodeAffinityPriority": 1,
    "TaintTolerationPriority": 1,
    "ImageLocalityPriority": 1,
    "EvenPodsSpreadPriority": 2,
}
# The scoring of NodeResourcesFit: one strategy where there were three priorities, and as many plugins.
STRATEGIES: Final[Mapping[str, StrategyType]] = {
    "LeastRequestedPriority": StrategyType.LEAST_ALLOCATED,
    "MostRequestedPriority": StrategyType.MOST_ALLOCATED,
    "RequestedToCapacityRatio": StrategyType.REQUESTED_TO_CAPACITY_RATIO,
    "NodeResourcesLeastAllocated": StrategyType.LEAST_ALLOCATED,
    "NodeResourcesMostAllocated": StrategyType.MOST_ALLOCATED,
}
ALIASES: Final[Mapping[str, str]] = {
    "PodFitsPorts": "PodFitsHostPorts",
    "ServiceSpreadingPriority": "SelectorSpreadPriority",
}
# Neither predicate nor priority: a Policy always had them.
ALWAYS_ADDED: Final = ("PrioritySort", "DefaultPreemption", "DefaultBinder")
# Later than any Policy, for pods with gates and claims, which did not exist.
NEWER_PLUGINS: Final = ("SchedulingGates", "DynamicResources")
