"""How Berth speaks of DynamicResources; the words of what it compares are with those of devices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.engine.devices import ResourceClaimProblem
from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.dynamic_resources import (
    CANNOT_ALLOCATE,
    CANNOT_FIT,
    INSUFFICIENT,
    LEFT_BEHIND,
    NOT_AVAILABLE,
    NOT_COVERED,
    NOT_SHARED,
    DeviceCapacitySubject,
    DeviceCountSubject,
    DeviceSelectorSubject,
    DeviceTaintSubject,
    DistinctAttributeSubject,
    ExtendedResourceSubject,
    MatchAttributeSubject,
    ResourceClaimSubject,
)
from clusters.wording.amounts import grouped
from clusters.wording.devices import evidence  # noqa: F401 - registers the words of what is compared
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.evidence import Subject


_INSUFFICIENT: Final = re.compile(re.escape(INSUFFICIENT) + r"(?P<resource>\S+)")
_PROBLEMS: Final = {problem.said: problem for problem in ResourceClaimProblem}
_CLAIMS: Final = {
    ResourceClaimProblem.NOT_CREATED: gettext_lazy("ResourceClaim not created yet"),
    ResourceClaimProblem.NOT_FOUND: gettext_lazy("ResourceClaim not found"),
    ResourceClaimProblem.BEING_DELETED: gettext_lazy("ResourceClaim being deleted"),
    ResourceClaimProblem.NOT_OWNED: gettext_lazy("ResourceClaim of another pod"),
    ResourceClaimProblem.NOT_OF_POD: gettext_lazy("ResourceClaim of another pod"),
    ResourceClaimProblem.NOT_OF_GROUP: gettext_lazy("ResourceClaim of another pod or group"),
    ResourceClaimProblem.UNSUPPORTED: gettext_lazy("resource claim of an unknown kind"),
    ResourceClaimProblem.CLASS_NOT_FOUND: gettext_lazy("DeviceClass not found"),
    ResourceClaimProblem.UNKNOWN_REQUEST: gettext_lazy("device request of an unknown kind"),
    ResourceClaimProblem.ALTERNATIVES_DISABLED: gettext_lazy("device request with alternatives, which are off"),
}


class Wording(PluginWording):
    """Words for DynamicResources."""

    def decides(self) -> str:
        return _("devices that the pod claims")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no resource claims.")

    def requires(self) -> str:
        return _("devices")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == CANNOT_ALLOCATE:
            return Reason(
                phrase=_("no devices for the claims"),
                counted=ngettext(
                    "%(nodes)s node does not have the devices that the claims request",
                    "%(nodes)s nodes do not have the devices that the claims request",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("devices of resource claims"),
            )
        if reason == NOT_AVAILABLE:
            return Reason(
                phrase=_("allocated devices out of reach"),
                counted=ngettext(
                    "%(nodes)s node cannot use the devices that a claim already has",
                    "%(nodes)s nodes cannot use the devices that a claim already has",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("allocated devices on other nodes"),
            )
        if reason == CANNOT_FIT:
            return Reason(
                phrase=_("no device plugin or DeviceClass for an extended resource"),
                counted=ngettext(
                    "%(nodes)s node has an extended resource neither from a device plugin nor as devices",
                    "%(nodes)s nodes have an extended resource neither from a device plugin nor as devices",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("extended resource without devices"),
            )
        if reason == LEFT_BEHIND:
            return Reason(
                phrase=_("ResourceClaim of an earlier try"),
                counted=ngettext(
                    "%(nodes)s node waits until the ResourceClaim of an earlier try is deleted",
                    "%(nodes)s nodes wait until the ResourceClaim of an earlier try is deleted",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("ResourceClaim of an earlier try to bind the pod"),
            )
        return _node_resource_reason(reason, nodes)

    def cause(self, reasons: Sequence[str]) -> str:
        problem = _PROBLEMS.get(", ".join(reasons))
        return super().cause(reasons) if problem is None else str(_CLAIMS[problem])

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(
                _("a resource claim is added or changes"),
                (
                    ClusterEvent.RESOURCE_CLAIM_ADD,
                    ClusterEvent.RESOURCE_CLAIM_UPDATE,
                    ClusterEvent.POD_GENERATED_RESOURCE_CLAIM,
                ),
            ),
            Requeue(_("a resource claim is deleted"), (ClusterEvent.RESOURCE_CLAIM_DELETE,)),
            Requeue(
                _("a device class or a driver's devices are added or change"),
                (
                    ClusterEvent.DEVICE_CLASS_ADD,
                    ClusterEvent.DEVICE_CLASS_UPDATE,
                    ClusterEvent.RESOURCE_SLICE_ADD,
                    ClusterEvent.RESOURCE_SLICE_UPDATE,
                ),
            ),
            Requeue(
                _("a node is added, or its labels or allocatable resources change"),
                (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL, ClusterEvent.NODE_ALLOCATABLE),
            ),
        )

    def argument(self, field: str) -> str:
        match field:
            case "filterTimeout":
                return _("how long finding devices on one node may take")
            case "bindingTimeout":
                return _("how long binding waits for conditions of devices")
        return ""

    def lifting_all(self) -> str:
        return _("remove the resource claims")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case DeviceSelectorSubject(claim=claim, request=request, device_class="", expression=expression):
                return _("remove the selector %(expression)s from the request %(request)s of the claim %(claim)s") % {
                    "expression": expression,
                    "request": request,
                    "claim": claim,
                }
            case DeviceSelectorSubject(device_class=device_class, expression=expression):
                return _("remove the selector %(expression)s from the device class %(class)s") % {
                    "expression": expression,
                    "class": device_class,
                }
            case DeviceTaintSubject(taint):
                return _("tolerate the device taint %(taint)s") % {"taint": taint}
            case DeviceCountSubject(claim, request, count):
                return _("request fewer than %(count)s devices in the request %(request)s of the claim %(claim)s") % {
                    "count": grouped(count),
                    "request": request,
                    "claim": claim,
                }
            case DeviceCapacitySubject(claim, request):
                return _("request less capacity in the request %(request)s of the claim %(claim)s") % {
                    "request": request,
                    "claim": claim,
                }
            case DistinctAttributeSubject(claim, attribute):
                return _("let the devices of the claim %(claim)s be alike in %(attribute)s") % {
                    "claim": claim,
                    "attribute": attribute,
                }
            case MatchAttributeSubject(claim, attribute):
                return _("let the devices of the claim %(claim)s differ in %(attribute)s") % {
                    "claim": claim,
                    "attribute": attribute,
                }
            case ResourceClaimSubject(claim):
                return _("remove the resource claim %(claim)s") % {"claim": claim}
            case ExtendedResourceSubject(resource, device_class):
                return _("request no %(resource)s, for which the device class %(class)s stands") % {
                    "resource": resource,
                    "class": device_class,
                }
            case _other:
                return super().lifting(subject)


def _node_resource_reason(reason: str, nodes: int) -> Reason | None:
    """Say what it means that devices take of the node's own resources; None for another reason."""
    if match := _INSUFFICIENT.fullmatch(reason):
        values = {"resource": resource_name(match["resource"]), "nodes": grouped(nodes)}
        return Reason(
            phrase=_("insufficient %(resource)s") % values,
            counted=ngettext(
                "%(nodes)s node has insufficient %(resource)s for the pod with its devices",
                "%(nodes)s nodes have insufficient %(resource)s for the pod with its devices",
                nodes,
            )
            % values,
            cause=_("insufficient %(resource)s") % values,
        )
    if reason.startswith(NOT_SHARED):
        return Reason(
            phrase=_("ResourceClaim that another pod uses"),
            counted=ngettext(
                "%(nodes)s node cannot share a ResourceClaim of its own resources between pods",
                "%(nodes)s nodes cannot share a ResourceClaim of their own resources between pods",
                nodes,
            )
            % {"nodes": grouped(nodes)},
            cause=_("ResourceClaim of node resources that another pod uses"),
        )
    if reason.startswith(NOT_COVERED):
        return Reason(
            phrase=_("requests or limits of the whole pod do not cover its devices"),
            counted=ngettext(
                "on %(nodes)s node the pod's own requests or limits do not cover its devices",
                "on %(nodes)s nodes the pod's own requests or limits do not cover its devices",
                nodes,
            )
            % {"nodes": grouped(nodes)},
            cause=_("requests or limits of the whole pod do not cover its devices"),
        )
    return None
