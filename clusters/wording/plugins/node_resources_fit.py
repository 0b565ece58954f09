"""How Berth speaks of NodeResourcesFit."""

from __future__ import annotations

import re
from math import floor
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.evidence import Rounding
from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.node_resources_fit import (
    PODS,
    TOO_MANY_PODS,
    LeastAllocated,
    MostAllocated,
    RequestedToCapacityRatio,
    ResourceComparison,
    ResourceScore,
    ResourceSubject,
    reason_of,
)
from clusters.wording.amounts import at_least, grouped, percent, quantity
from clusters.wording.evidence.exact import resource_amounts
from clusters.wording.evidence.registry import comparison_view, words_score
from clusters.wording.evidence.values import count_fact, resource_fact
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView
from clusters.wording.lists import listed
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue
from clusters.wording.resources import resource_name, resource_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.evidence import Subject
    from clusters.engine.plugins.node_resources_fit import Strategy

_INSUFFICIENT = re.compile(re.escape(reason_of("")) + r"(?P<resource>\S+)")


class Wording(PluginWording):
    """Words for NodeResourcesFit."""

    def decides(self) -> str:
        return _("free resources for what the pod requests")

    def requires(self) -> str:
        return _("node pod limits")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == TOO_MANY_PODS:
            return Reason(
                phrase=_("node pod limit reached"),
                counted=ngettext(
                    "%(nodes)s node has reached its pod limit", "%(nodes)s nodes have reached their pod limit", nodes
                )
                % {"nodes": grouped(nodes)},
                cause=_("node pod limit reached"),
            )
        if match := _INSUFFICIENT.fullmatch(reason):
            values = {"resource": resource_name(match["resource"]), "nodes": grouped(nodes)}
            return Reason(
                phrase=_("insufficient %(resource)s") % values,
                counted=ngettext(
                    "%(nodes)s node has insufficient %(resource)s",
                    "%(nodes)s nodes have insufficient %(resource)s",
                    nodes,
                )
                % values,
                cause=_("insufficient %(resource)s") % values,
            )
        return None

    def phrases(self, reasons: Sequence[str]) -> list[str]:
        lacking = [match["resource"] for match in map(_INSUFFICIENT.fullmatch, reasons) if match]
        phrases = super().phrases([reason for reason in reasons if not _INSUFFICIENT.fullmatch(reason)])
        if lacking:
            phrases.append(_("insufficient %(resources)s") % {"resources": resource_names(lacking)})
        return phrases

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a pod is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(_("a pod requests less"), (ClusterEvent.POD_SCALE_DOWN,)),
            Requeue(_("a node is added that is large enough"), (ClusterEvent.NODE_ADD,)),
            Requeue(_("the allocatable resources of a node change"), (ClusterEvent.NODE_ALLOCATABLE,)),
            Requeue(
                _("a device class is added or changes that stands for a resource that it requests"),
                (ClusterEvent.DEVICE_CLASS_ADD, ClusterEvent.DEVICE_CLASS_UPDATE),
            ),
            Requeue(
                _("it runs, its resize is deferred, and it or another pod of its node requests more"),
                (ClusterEvent.POD_SCALE_UP,),
            ),
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


@comparison_view.register(ResourceComparison)
def resource(compared: ResourceComparison) -> EvidenceView:
    """Word what is requested of a resource and what there is of it."""
    name = compared.resource
    facts = [
        resource_fact(_("request"), name, compared.requested),
        resource_fact(_("allocatable"), name, compared.allocatable),
        resource_fact(_("requested"), name, compared.used),
    ]
    terms = [compared.requested, compared.allocatable, compared.used]
    formula = _("request ≤ allocatable − requested")
    if compared.nominated:
        facts.append(resource_fact(_("requested by nominated pods"), name, compared.reserved))
        facts += [FactView(_("nominated for this node"), each.pod) for each in compared.nominated]
        terms.append(compared.reserved)
        formula = _("request ≤ allocatable − requested − requested by nominated pods")
    if compared.holds:
        facts.append(resource_fact(_("left"), name, compared.free - compared.requested))
    else:
        facts.append(resource_fact(_("missing"), name, compared.missing))
    request, *others = (quantity(name, number) for number in terms)
    return EvidenceView(
        label=name,
        facts=tuple(facts),
        holds=compared.holds,
        formula=formula,
        worked=f"{request} ≤ {' − '.join(others)}",
        missing="" if compared.holds else _insufficient(compared),
    )


def _insufficient(compared: ResourceComparison) -> str:
    name = compared.resource
    if name == PODS:
        return _("node pod limit of %(limit)s reached") % {"limit": quantity(name, compared.allocatable)}
    missing = at_least(name, compared.missing)
    if not compared.nominated:
        return _("insufficient %(resource)s: %(missing)s missing") % {"resource": name, "missing": missing}
    return _("insufficient %(resource)s: %(missing)s missing (%(reserved)s requested by %(pods)s, nominated here)") % {
        "resource": name,
        "missing": missing,
        "reserved": quantity(name, compared.reserved),
        "pods": listed([each.pod for each in compared.nominated]),
    }


@words_score(ResourceScore)
def resource_scores(parts: Sequence[ResourceScore], raw: int) -> ScoreView:
    """Word how full a node would be, resource by resource, and their mean."""
    views = tuple(
        EvidenceView(
            label=part.resource,
            facts=(
                resource_fact(_("requested with this pod"), part.resource, part.requested),
                resource_fact(_("allocatable"), part.resource, part.allocatable),
                *_shape(part.strategy),
                count_fact(_("resource score"), part.score),
                count_fact(_("weight"), part.weight),
            ),
            formula=_formula(part.strategy),
            worked=_worked(part),
        )
        for part in parts
    )
    return ScoreView(views, (_mean(parts, raw),))


def _formula(strategy: Strategy) -> str:
    match strategy:
        case LeastAllocated():
            return _("⌊100 × (allocatable − requested with this pod) ÷ allocatable⌋")
        case MostAllocated():
            return _("⌊100 × requested with this pod ÷ allocatable⌋")
        case RequestedToCapacityRatio():
            return _("shape(⌊100 × requested with this pod ÷ allocatable⌋)")


def _shape(strategy: Strategy) -> tuple[FactView, ...]:
    """Show the points of a shape."""
    if not isinstance(strategy, RequestedToCapacityRatio):
        return ()
    points = ", ".join(f"{percent(point.utilisation, 100)} → {point.score}" for point in strategy.shape)
    return (FactView(_("shape"), points),)


def _worked(part: ResourceScore) -> str:
    requested, allocatable, score = part.requested, part.allocatable, part.score
    is_overcommitted = requested > allocatable
    match part.strategy:
        case RequestedToCapacityRatio() if is_overcommitted:
            return _("shape(100) = %(score)s") % {"score": score}
        case RequestedToCapacityRatio():
            use = 100 * requested // allocatable
            some, all_of_it = resource_amounts(
                part.resource, (requested, allocatable), lambda both: floor(100 * both[0] / both[1]) == use
            )
            return _("shape(⌊100 × %(requested)s ÷ %(allocatable)s⌋) = shape(%(use)s) = %(score)s") % {
                "requested": some,
                "allocatable": all_of_it,
                "use": use,
                "score": score,
            }
        case _ if is_overcommitted:
            # The most counts as full, the least as nothing.
            return f"{score}"
        case MostAllocated():
            some, all_of_it = resource_amounts(
                part.resource, (requested, allocatable), lambda both: floor(100 * both[0] / both[1]) == score
            )
            return f"⌊100 × {some} ÷ {all_of_it}⌋ = {score}"
        case LeastAllocated():
            some, all_of_it = resource_amounts(
                part.resource,
                (requested, allocatable),
                lambda both: floor(100 * (both[1] - both[0]) / both[1]) == score,
            )
            return f"⌊100 × ({all_of_it} − {some}) ÷ {all_of_it}⌋ = {score}"


def _mean(parts: Sequence[ResourceScore], raw: int) -> str:
    """Write the mean of the resources that count; a shape leaves out those that score 0."""
    strategy = parts[0].strategy
    counted = [part for part in parts if part.score > 0 or not isinstance(strategy, RequestedToCapacityRatio)]
    if not counted:
        return f"0 = {raw}"
    total = " + ".join(f"{part.score} × {part.weight}" for part in counted)
    weights = " + ".join(f"{part.weight}" for part in counted)
    mean = f"({total}) ÷ ({weights})" if len(counted) > 1 else f"{total} ÷ {weights}"
    return f"round({mean}) = {raw}" if strategy.rounding is Rounding.NEAREST else f"⌊{mean}⌋ = {raw}"
