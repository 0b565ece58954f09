"""Devices and their claims in words: states, evidence, and what the pages say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.devices import DeviceExclusion, DeviceState, ResourceClaimPhase
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
from clusters.wording.lists import OF, listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.devices import DeviceTaintStay, ExclusionCount


# -- What pages say of ResourceClaims, and of pods that a device's taint evicts ---------------------------------------


CLAIMS_SEARCH_HINT: Final = gettext_lazy("Part of a claim's or pod's name")

# Facts of a claim.
CONSTRAINT: Final = pgettext_lazy("fact of a resource claim", "Same value for all devices")
NODE_SELECTOR: Final = pgettext_lazy("fact of a resource claim", "Usable from nodes")
EVERY_NODE: Final = gettext_lazy("all nodes")
# By whether a pod that uses a claim has reserved it.
RESERVED: Final = {
    True: pgettext_lazy("pod of a resource claim", "reserved"),
    False: pgettext_lazy("pod of a resource claim", "not reserved"),
}
GONE: Final = gettext_lazy("reserved; no such pod")
NOT_A_POD: Final = gettext_lazy("reserved; not a pod")

ALLOCATED = plural("Allocated, and reserved for %(pods)s pod.", "Allocated, and reserved for %(pods)s pods.", by="pods")
BEING_DELETED: Final = gettext_lazy("Being deleted: no pod is scheduled with it any more.")
UNKNOWN: Final = gettext_lazy(
    "Pending. Not computed: an unsupported expression, devices allocated twice, or a search given up."
)
REFUSED: Final = gettext_lazy("Pending: kube-scheduler rejects every pod that uses it, whatever the node.")
FOUND = plural(
    "Pending: devices for all its requests are on %(nodes)s of %(every)s node.",
    "Pending: devices for all its requests are on %(nodes)s of %(every)s nodes.",
    by="every",
)
FAILS = plural(
    "Pending: the search for devices fails on %(nodes)s of %(every)s node:",
    "Pending: the search for devices fails on %(nodes)s of %(every)s nodes:",
    by="every",
)
WANTS = plural(
    "%(request)s: %(count)s device of class %(name)s", "%(request)s: %(count)s devices of class %(name)s", by="count"
)
WANTS_ALL = message("%(request)s: all devices of class %(name)s")
AVAILABLE = plural(
    "%(devices)s of %(every)s device can be allocated", "%(devices)s of %(every)s devices can be allocated", by="every"
)
# What excludes some of the devices.
_EXCLUDED: Final = {
    DeviceExclusion.HELD: message("held by claims: %(number)s"),
    DeviceExclusion.CONDITIONS: message("binding conditions not waited for, %(by)s: %(number)s"),
    DeviceExclusion.SELECTOR: message("not selected by %(by)s: %(number)s"),
    DeviceExclusion.OPERATIONS: message("kubelet has to leave out %(by)s: %(number)s"),
    DeviceExclusion.CAPACITY_ABSENT: message("no capacity %(by)s: %(number)s"),
    DeviceExclusion.CAPACITY_REFUSED: message("amount of %(by)s not admitted: %(number)s"),
    DeviceExclusion.CAPACITY_SHORT: message("insufficient capacity %(by)s: %(number)s"),
    DeviceExclusion.COUNTER: message("insufficient counter %(by)s: %(number)s"),
    DeviceExclusion.TAINT: message("taint %(by)s not tolerated: %(number)s"),
    DeviceExclusion.ATTRIBUTE: message("no attribute %(by)s: %(number)s"),
    DeviceExclusion.NODE: message("not usable from the node: %(number)s"),
}


def excluded(count: ExclusionCount) -> str:
    """Say how many devices are excluded, and by what."""
    return _EXCLUDED[count.exclusion](by=count.by, number=count.devices)


_AT_ONCE: Final = gettext_lazy("Deleted at once.")
_AFTER = message("Deleted after %(seconds)s s.")
_AT = message("Deleted at %(at)s.")
_DOES_NOT_TOLERATE = message("The allocation does not tolerate the taint %(taint)s of %(device)s (claim %(claim)s).")
_TOLERATES = message("The allocation tolerates the taint %(taint)s of %(device)s (claim %(claim)s) for %(seconds)s s.")


def deleted(stay: DeviceTaintStay, *, at: str) -> str:
    """Say for which taint of which device a pod is deleted, and when."""
    device, claim, taint = str(stay.device), stay.claim, str(stay.taint)
    if stay.seconds is None:
        return f"{_AT_ONCE} {_DOES_NOT_TOLERATE(device=device, claim=claim, taint=taint)}"
    tolerates = _TOLERATES(device=device, claim=claim, taint=taint, seconds=stay.seconds)
    return f"{_AT(at=at) if stay.added else _AFTER(seconds=stay.seconds)} {tolerates}"


# -- How Berth words what DynamicResources compares on a node ---------------------------------------------------------


# DynamicResources by name: these are the words of what it compares.


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
                    OF(part=part.place + 1, whole=part.alternatives),
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


# -- The states of devices, pools and ResourceClaims ------------------------------------------------------------------


DEVICE: Final = {
    DeviceState.FREE: pgettext_lazy("state of a device", "Free"),
    DeviceState.HELD: pgettext_lazy("state of a device", "Held"),
    DeviceState.SHARED: pgettext_lazy("state of a device", "Shared"),
    DeviceState.TAINTED: pgettext_lazy("state of a device", "Tainted"),
    DeviceState.COUNTERS_USED: pgettext_lazy("state of a device", "Counters used"),
}
CLAIM: Final = {
    ResourceClaimPhase.PENDING: pgettext_lazy("state of a resource claim", "pending"),
    ResourceClaimPhase.ALLOCATED: pgettext_lazy("state of a resource claim", "allocated"),
    ResourceClaimPhase.RESERVED: pgettext_lazy("state of a resource claim", "allocated,reserved"),
    ResourceClaimPhase.DELETED: pgettext_lazy("state of a resource claim", "deleted"),
    ResourceClaimPhase.DELETED_ALLOCATED: pgettext_lazy("state of a resource claim", "deleted,allocated"),
    ResourceClaimPhase.DELETED_RESERVED: pgettext_lazy("state of a resource claim", "deleted,allocated,reserved"),
}
INCOMPLETE: Final = pgettext_lazy("state of a pool of devices", "Incomplete")
INVALID: Final = pgettext_lazy("state of a pool of devices", "Invalid")
PARTLY_REACHED: Final = pgettext_lazy("state of a pool of devices", "Incomplete for some nodes")


# How many devices are in a state.
COUNTED: Final = {
    DeviceState.FREE: message("%(number)s free", context="devices"),
    DeviceState.SHARED: message("%(number)s shared", context="devices"),
    DeviceState.HELD: message("%(number)s held", context="devices"),
    DeviceState.TAINTED: message("%(number)s tainted", context="devices"),
    DeviceState.COUNTERS_USED: message("%(number)s with counters used", context="devices"),
}


RESOURCE_CLAIMS = plural("%(number)s resource claim", "%(number)s resource claims", by="number")


GENERATION = plural(
    "generation %(generation)s, %(slices)s of %(count)s slice",
    "generation %(generation)s, %(slices)s of %(count)s slices",
    by="count",
)
MISSING_SLICES = plural(
    "%(slices)s of %(count)s slice: requests with allocationMode All fail until all are published.",
    "%(slices)s of %(count)s slices: requests with allocationMode All fail until all are published.",
    by="count",
)
REACHED_IN_PART = plural(
    "%(nodes)s of %(every)s node does not reach all slices: allocationMode All fails there.",
    "%(nodes)s of %(every)s nodes do not reach all slices: allocationMode All fails there.",
    by="every",
)
DUPLICATE = message("Device %(device)s is listed twice: attempts that search the pool fail.")
OUTDATED = plural(
    "%(slices)s slice of an older generation is left out where a node reaches a newer one.",
    "%(slices)s slices of older generations are left out where a node reaches a newer one.",
    by="slices",
)
SHARED = plural(
    "%(devices)s device allows multiple allocations; sharing is unknown (DRAConsumableCapacity, default in %(minor)s: "
    "off).",
    "%(devices)s devices allow multiple allocations; sharing is unknown (DRAConsumableCapacity, default in %(minor)s: "
    "off).",
    by="devices",
)
CONDITIONAL = plural(
    "%(devices)s device has binding conditions: not allocated without DRADeviceBindingConditions (default in "
    "%(minor)s: off).",
    "%(devices)s devices have binding conditions: not allocated without DRADeviceBindingConditions (default in "
    "%(minor)s: off).",
    by="devices",
)
WAITED_FOR = plural(
    "%(devices)s device with binding conditions is allocated last; binding waits for them.",
    "%(devices)s devices with binding conditions are allocated last; binding waits for them.",
    by="devices",
)
NOT_REACHED: Final = gettext_lazy("No node reaches it.")


# -- What the page of devices says ------------------------------------------------------------------------------------


# Tiles.
NUMBER_OF_DEVICES: Final = pgettext_lazy("number of devices", "Devices")

# Filters of the pools.
SEARCH_HINT: Final = gettext_lazy("Part of a pool's or device's name")
DRIVER: Final = pgettext_lazy("label of a filter", "Driver")
WITH_FREE: Final = pgettext_lazy("filter of pools", "Free devices")
WITHOUT_FREE: Final = pgettext_lazy("filter of pools", "No free device")
WITH_TAINTS: Final = pgettext_lazy("filter of pools", "Tainted devices")
WITH_COUNTERS: Final = pgettext_lazy("filter of pools", "Shared counters")
UNUSUAL: Final = pgettext_lazy("filter of pools", "Incomplete or invalid")


def counts(number_by_state: Mapping[DeviceState, int]) -> str:
    """Put the numbers of devices by state beside each other; states that no device is in are left out."""
    return ", ".join(said(number=number) for state, said in COUNTED.items() if (number := number_by_state.get(state)))


NO_DEVICES: Final = gettext_lazy("No devices.")
HELD_BY = message("%(device)s: held by %(claim)s")


SHARED_BY = message("%(device)s: shared by %(claims)s")
SHARING = message("shared by %(claims)s")
CONSUMED = message("%(consumed)s of %(total)s %(name)s consumed")
UNUSUAL_POOLS = plural(
    "%(number)s pool is incomplete or invalid.",
    "%(number)s pools are incomplete or invalid.",
    by="number",
)
NONE_OF = message("No objects of these kinds: %(kinds)s.")
MAY_LACK: Final = gettext_lazy("If the cluster has any, this page is incomplete.")
WRITE_DUMP: Final = gettext_lazy("If the cluster has devices, write a dump by this command:")
LACKS_COUNTER = message("takes %(requested)s of the counter %(name)s, of which %(available)s is left")
