"""How Berth words what DynamicResources compares on a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.engine.devices import DeviceExclusion

# DynamicResources by name: these are the words of what it compares.
from clusters.engine.plugins.dynamic_resources import (
    AllocatedClaimComparison,
    BindingConditionsComparison,
    DeviceComparison,
    DeviceRequestComparison,
    DevicesTogetherComparison,
    ExtendedResourceComparison,
    LeftBehindClaimComparison,
    NodeResourceComparison,
    TakenAlternative,
)
from clusters.wording.amounts import at_least, grouped, quantity
from clusters.wording.evidence import (
    EvidenceView,
    FactView,
    ScoreView,
    comparison_view,
    count_fact,
    requirements,
    resource_fact,
    words_score,
)
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Sequence


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
        missing = _("the request %(request)s is for all devices, of which none can be allocated") % {
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
        else _("the device %(device)s of the claim %(claim)s failed before binding: %(conditions)s")
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


@comparison_view.register(NodeResourceComparison)
def node_resource(compared: NodeResourceComparison) -> EvidenceView:
    """Word what a pod requests of a resource of the node together with its devices."""
    name = compared.resource
    terms = (compared.requested, compared.allocatable, compared.used)
    request, *others = (quantity(name, number) for number in terms)
    left = compared.allocatable - compared.used - compared.requested
    return EvidenceView(
        label=_("%(resource)s of the node, with devices") % {"resource": name},
        facts=(
            resource_fact(_("request with devices"), name, compared.requested),
            resource_fact(_("allocatable"), name, compared.allocatable),
            resource_fact(_("requested"), name, compared.used),
            resource_fact(_("left") if compared.holds else _("missing"), name, abs(left)),
        ),
        holds=compared.holds,
        formula=_("request ≤ allocatable − requested"),
        worked=f"{request} ≤ {' − '.join(others)}",
        missing=""
        if compared.holds
        else _("insufficient %(resource)s: %(missing)s missing") % {"resource": name, "missing": at_least(name, -left)},
    )
