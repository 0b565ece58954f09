"""What each Kubernetes minor brings: which in-tree plugins there are, where they take part, and the default profile.

Upstream: the plugins' interfaces in ``pkg/scheduler/framework/plugins`` and the default set in
``pkg/scheduler/apis/config/v1/default_plugins.go``, with the feature gates at the defaults of that minor.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

# Every plugin by name: the list of plugins, with their extension points, order and weights.
# The only version that kube-scheduler v1.34 serves (apis/config/scheme); ``legacy`` translates earlier ones to it.
API_VERSION: Final = "kubescheduler.config.k8s.io/v1"


class ExtensionPoint(StrEnum):
    """Where plugins take part in scheduling, by the name of the field in a configuration."""

    PRE_ENQUEUE = "preEnqueue"
    QUEUE_SORT = "queueSort"
    PRE_FILTER = "preFilter"
    FILTER = "filter"
    POST_FILTER = "postFilter"
    PRE_SCORE = "preScore"
    SCORE = "score"
    RESERVE = "reserve"
    PERMIT = "permit"
    PRE_BIND = "preBind"
    BIND = "bind"
    POST_BIND = "postBind"


_PRE_ENQUEUE = ExtensionPoint.PRE_ENQUEUE
_PRE_FILTER = ExtensionPoint.PRE_FILTER
_FILTER = ExtensionPoint.FILTER
_POST_FILTER = ExtensionPoint.POST_FILTER
_PRE_SCORE = ExtensionPoint.PRE_SCORE
_SCORE = ExtensionPoint.SCORE
_RESERVE = ExtensionPoint.RESERVE
_PRE_BIND = ExtensionPoint.PRE_BIND


@dataclass(frozen=True, slots=True)
class Release:
    """One Kubernetes minor.

    ``points``: the extension points of every in-tree plugin. ``multi_point``: the default plugins in their order, with
    their weights (0: none given). ``removed``: plugins of earlier minors, refused by name, and their successors.
    """

    minor: str
    points: Mapping[str, frozenset[ExtensionPoint]]
    multi_point: tuple[tuple[str, int], ...]
    removed: Mapping[str, str]


_V1_34: Final = Release(
    minor="1.34",
    points={
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
    },
    multi_point=(
        ("SchedulingGates", 0),
        ("PrioritySort", 0),
        ("NodeUnschedulable", 0),
        ("NodeName", 0),
        ("TaintToleration", 3),
        ("NodeAffinity", 2),
        ("NodePorts", 0),
        ("NodeResourcesFit", 1),
        ("VolumeRestrictions", 0),
        ("NodeVolumeLimits", 0),
        ("VolumeBinding", 0),
        ("VolumeZone", 0),
        ("PodTopologySpread", 2),
        ("InterPodAffinity", 2),
        ("DynamicResources", 0),
        ("DefaultPreemption", 0),
        ("NodeResourcesBalancedAllocation", 1),
        ("ImageLocality", 1),
        ("DefaultBinder", 0),
    ),
    removed=dict.fromkeys(("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"), "NodeVolumeLimits"),
)

RELEASES: Final[Mapping[str, Release]] = {_V1_34.minor: _V1_34}
LATEST: Final = _V1_34
