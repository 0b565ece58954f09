"""How Berth speaks of NodeResourcesFit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.node_resources_fit import PODS, ResourceSubject
from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from clusters.engine.subjects import Subject


class Wording(PluginWording):
    """Words for NodeResourcesFit."""

    def decides(self) -> str:
        return _("free resources for what the pod requests")

    def requires(self) -> str:
        return _("node pod limits")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a pod is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(_("a pod requests less"), (ClusterEvent.POD_SCALE_DOWN,)),
            Requeue(_("a node is added that is large enough"), (ClusterEvent.NODE_ADD,)),
            Requeue(_("the allocatable resources of a node change"), (ClusterEvent.NODE_ALLOCATABLE,)),
        )

    def argument(self, field: str) -> str:
        match field:
            case "scoringStrategy.type":
                return _("how requests against allocatable become a score")
            case "scoringStrategy.resources":
                return _("resources that the score looks at, and their weights")
            case "scoringStrategy.requestedToCapacityRatio.shape":
                return _("score (0 to 10) by utilisation")
            case "ignoredResources":
                return _("extended resources that the filter ignores")
            case "ignoredResourceGroups":
                return _("groups of extended resources that the filter ignores")
            case _other:
                return ""

    def argument_value(self, field: str, value: str) -> str:
        match field, value:
            case "scoringStrategy.type", "LeastAllocated":
                return _("LeastAllocated: the emptier, the better")
            case "scoringStrategy.type", "MostAllocated":
                return _("MostAllocated: the fuller, the better")
            case "scoringStrategy.type", "RequestedToCapacityRatio":
                return _("RequestedToCapacityRatio: by its shape")
            case _other:
                return value

    def lifting_all(self) -> str:
        return _("request nothing")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case ResourceSubject(resource) if resource == PODS:
                return _("raise the node pod limit")
            case ResourceSubject(resource):
                return _("request no %(resource)s") % {"resource": resource_name(resource)}
            case _other:
                return super().lifting(subject)
