"""How Berth speaks of DynamicResources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.engine.devices.claim_refusals import ResourceClaimProblem
from clusters.engine.devices.exclusions import DeviceExclusion
from clusters.engine.plugins.dynamic_resources.evidence import (
    AllocatedClaimComparison,
    BindingConditionsComparison,
    DeviceCapacitySubject,
    DeviceComparison,
    DeviceCountSubject,
    DeviceRequestComparison,
    DeviceSelectorSubject,
    DevicesTogetherComparison,
    DeviceTaintSubject,
    DistinctAttributeSubject,
    ExtendedResourceComparison,
    ExtendedResourceSubject,
    LeftBehindClaimComparison,
    MatchAttributeSubject,
    ResourceClaimSubject,
    TakenAlternative,
)
from clusters.engine.plugins.dynamic_resources.plugin import (
    CANNOT_ALLOCATE,
    CANNOT_FIT,
    LEFT_BEHIND,
    NOT_AVAILABLE,
)
from clusters.engine.traits import ClusterEvent
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view, words_score
from clusters.wording.evidence.values import count_fact, requirements
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView
from clusters.wording.lists import listed
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.subjects import Subject


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
        return None

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


@comparison_view.register(DeviceRequestComparison)
def device_request(compared: DeviceRequestComparison) -> EvidenceView:
    """Word how many devices a request could have."""
    wanted = compared.wanted
    facts = [
        FactView(_("device class"), compared.device_class),
        FactView(_("requested"), _("all") if wanted is None else grouped(wanted)),
        count_fact(_("can be allocated"), compared.available),
        count_fact(_("devices within reach"), compared.reached),
    ]
    missing = ""
    if not compared.holds and wanted is None:
        missing = _("the request %(request)s is for all devices, and none can be allocated") % {
            "request": compared.request
        }
    elif not compared.holds:
        missing = ngettext(
            "the request %(request)s is for %(wanted)s device; %(available)s of %(reached)s can be allocated",
            "the request %(request)s is for %(wanted)s devices; %(available)s of %(reached)s can be allocated",
            wanted or 0,
        ) % {
            "request": compared.request,
            "wanted": grouped(wanted or 0),
            "available": grouped(compared.available),
            "reached": grouped(compared.reached),
        }
    label = _("request %(request)s of %(claim)s") % {"request": compared.request, "claim": compared.claim}
    return EvidenceView(label=label, facts=tuple(facts), holds=compared.holds, missing=missing)


@comparison_view.register(DeviceComparison)
def device(compared: DeviceComparison) -> EvidenceView:
    """Word one device and what excludes it."""
    facts = [FactView(_("request"), f"{compared.claim} {compared.request}")]
    if compared.exclusion is None:
        facts.append(FactView(_("device"), _("allocated") if compared.allocated else _("free")))
        if compared.conditions:
            facts.append(FactView(_("binding waits for"), listed(compared.conditions)))
    else:
        facts += _exclusion_facts(compared)
    return EvidenceView(label=compared.device, facts=tuple(facts), holds=compared.holds)


def _exclusion_facts(compared: DeviceComparison) -> list[FactView]:
    match compared.exclusion:
        case DeviceExclusion.HELD:
            return [FactView(_("held by"), compared.by)]
        case DeviceExclusion.CONDITIONS:
            return [FactView(_("binding conditions that kube-scheduler does not wait for"), compared.by)]
        case DeviceExclusion.SELECTOR:
            selector = FactView(_("not selected by"), compared.by)
            return [selector, FactView(_("selector of"), compared.owner)]
        case DeviceExclusion.OPERATIONS:
            return [FactView(_("operations that the node's kubelet would have to leave out"), compared.by)]
        case DeviceExclusion.CAPACITY_ABSENT:
            return [FactView(_("lacks the capacity"), compared.by)]
        case DeviceExclusion.CAPACITY_REFUSED:
            return [
                FactView(_("capacity"), compared.by),
                FactView(_("amount that its policy does not admit"), compared.requested),
            ]
        case DeviceExclusion.CAPACITY_SHORT | DeviceExclusion.COUNTER:
            is_counter = compared.exclusion is DeviceExclusion.COUNTER
            return [
                FactView(_("counter") if is_counter else _("capacity"), compared.by),
                FactView(_("requested"), compared.requested),
                FactView(_("available"), compared.available),
            ]
        case DeviceExclusion.TAINT:
            return [FactView(_("taint without toleration"), compared.by)]
        case DeviceExclusion.ATTRIBUTE:
            return [FactView(_("lacks the attribute"), compared.by)]
        case _:
            return [FactView(_("device"), _("cannot be used from this node"))]


@comparison_view.register(AllocatedClaimComparison)
def allocated_claim(compared: AllocatedClaimComparison) -> EvidenceView:
    """Word from which nodes the devices of a claim can be used."""
    facts = [FactView(_("nodes"), requirements(term)) for term in compared.terms]
    missing = ""
    if compared.lacking:
        facts.append(FactView(_("feature that the node does not declare"), compared.lacking))
        missing = _(
            "the node does not declare the feature %(feature)s, which the devices of the claim %(claim)s need"
        ) % {"feature": compared.lacking, "claim": compared.claim}
    elif not compared.holds:
        missing = _("the devices of the claim %(claim)s cannot be used from this node") % {"claim": compared.claim}
    return EvidenceView(
        label=_("allocated claim %(claim)s") % {"claim": compared.claim},
        facts=tuple(facts),
        holds=compared.holds,
        missing=missing,
    )


@comparison_view.register(BindingConditionsComparison)
def binding_conditions(compared: BindingConditionsComparison) -> EvidenceView:
    """Word which conditions of an allocated device binding waits for."""
    facts = [FactView(_("resource claim"), compared.claim)]
    if compared.pending:
        facts.append(FactView(_("binding waits for"), listed(compared.pending)))
    if compared.failed:
        facts.append(FactView(_("failed"), listed(compared.failed)))
    if not (compared.pending or compared.failed):
        facts.append(FactView(_("binding conditions"), _("all hold")))
    return EvidenceView(
        label=compared.device,
        facts=tuple(facts),
        holds=compared.holds,
        missing=""
        if compared.holds
        else _("the device %(device)s of the claim %(claim)s failed before the pod was bound: %(conditions)s")
        % {"device": compared.device, "claim": compared.claim, "conditions": listed(compared.failed)},
    )


@comparison_view.register(ExtendedResourceComparison)
def extended_resource(compared: ExtendedResourceComparison) -> EvidenceView:
    """Word how a node has an extended resource."""
    if compared.device_class:
        source = FactView(_("devices of the class"), compared.device_class)
    else:
        source = FactView(_("device plugin"), _("yes") if compared.is_offered else _("no"))
    return EvidenceView(
        label=_("extended resource %(resource)s") % {"resource": compared.resource},
        facts=(count_fact(_("requested"), compared.requested), source),
        holds=compared.holds,
        missing=""
        if compared.holds
        else _("the node has no device plugin for %(resource)s, and no device class stands for it")
        % {"resource": compared.resource},
    )


@comparison_view.register(LeftBehindClaimComparison)
def left_behind_claim(compared: LeftBehindClaimComparison) -> EvidenceView:
    """Word the claim of an earlier try to bind the pod."""
    return EvidenceView(
        label=_("resource claim %(claim)s of an earlier try") % {"claim": compared.claim},
        facts=(FactView(_("resource claim"), compared.claim),),
        holds=False,
        missing=_("kube-scheduler deletes the claim %(claim)s before it tries the pod again")
        % {"claim": compared.claim},
    )


@comparison_view.register(DevicesTogetherComparison)
def devices_together(compared: DevicesTogetherComparison) -> EvidenceView:
    """Word whether all requests can be met at once."""
    if compared.gave_up:
        found = _("not known: the search was given up")
    elif compared.fault:
        found = compared.fault
    else:
        found = _("yes") if compared.found else _("no")
    return EvidenceView(
        label=_("all requests of %(claims)s at once") % {"claims": listed(compared.claims)},
        facts=(FactView(_("devices found"), found),),
        holds=compared.holds,
        missing="" if compared.holds else _("no devices for all requests at once"),
    )


@words_score(TakenAlternative)
def taken_alternatives(parts: Sequence[TakenAlternative], raw: int) -> ScoreView:
    """Word which alternatives of the claims a node gives: the first of a list counts most."""
    views = tuple(
        EvidenceView(
            label=part.request,
            facts=(
                FactView(_("resource claim"), part.claim),
                FactView(
                    _("alternative"),
                    _("%(place)s of %(all)s") % {"place": grouped(part.place + 1), "all": grouped(part.alternatives)},
                ),
            ),
            formula=_("8 for the first alternative, 1 less for each later one"),
            worked=grouped(part.points),
        )
        for part in parts
    )
    return ScoreView(
        views, (" + ".join(grouped(part.points) for part in parts) + f" = {raw}",) if len(parts) > 1 else ()
    )
