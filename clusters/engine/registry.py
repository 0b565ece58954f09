"""The in-tree plugins by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.plugins.dynamic_resources import DynamicResources
from clusters.engine.plugins.image_locality import ImageLocality
from clusters.engine.plugins.inter_pod_affinity import InterPodAffinity
from clusters.engine.plugins.node_affinity import NodeAffinity
from clusters.engine.plugins.node_name import NodeName
from clusters.engine.plugins.node_ports import NodePorts
from clusters.engine.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit
from clusters.engine.plugins.node_unschedulable import NodeUnschedulable
from clusters.engine.plugins.node_volume_limits import NodeVolumeLimits
from clusters.engine.plugins.pod_topology_spread import PodTopologySpread
from clusters.engine.plugins.taint_toleration import TaintToleration
from clusters.engine.plugins.volume_binding import VolumeBinding
from clusters.engine.plugins.volume_restrictions import VolumeRestrictions
from clusters.engine.plugins.volume_zone import VolumeZone

if TYPE_CHECKING:
    from clusters.engine.plugin import Plugin

PLUGINS: dict[str, type[Plugin]] = {
    plugin.name: plugin
    for plugin in (
        DynamicResources,
        ImageLocality,
        InterPodAffinity,
        NodeAffinity,
        NodeName,
        NodePorts,
        NodeResourcesBalancedAllocation,
        NodeResourcesFit,
        NodeUnschedulable,
        NodeVolumeLimits,
        PodTopologySpread,
        TaintToleration,
        VolumeBinding,
        VolumeRestrictions,
        VolumeZone,
    )
}
