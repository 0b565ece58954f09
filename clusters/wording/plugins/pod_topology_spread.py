"""How Berth speaks of PodTopologySpread."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.pod_topology_spread import (
    REASON_LABEL,
    REASON_SKEW,
    AdjustedSpreadSubject,
    ByDistance,
    DomainComparison,
    DomainScore,
    SpreadSubject,
)
from clusters.wording.amounts import decimal as ratio
from clusters.wording.amounts import grouped
from clusters.wording.evidence.exact import decimal, precision, rounded, term
from clusters.wording.evidence.registry import comparison_view, normalisation_view, words_score
from clusters.wording.evidence.values import count_fact, node_value
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue
from clusters.wording.selectors import selector_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.evidence import Subject
    from clusters.engine.spreading import SpreadConstraint


class Wording(PluginWording):
    """Words for PodTopologySpread."""

    def decides(self) -> str:
        return _("spread over topology domains")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no spread constraint with DoNotSchedule.")

    def nothing_to_score(self) -> str:
        return _(
            "Does not score: there is no spread constraint with ScheduleAnyway, neither its own nor a default one."
        )

    def requires(self) -> str:
        return _("spread constraints")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == REASON_SKEW:
            return Reason(
                phrase=_("maxSkew of a spread constraint exceeded"),
                counted=ngettext(
                    "%(nodes)s node would exceed maxSkew of a spread constraint",
                    "%(nodes)s nodes would exceed maxSkew of a spread constraint",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("spread constraints"),
            )
        if reason == REASON_LABEL:
            return Reason(
                phrase=_("topology label of a spread constraint missing"),
                counted=ngettext(
                    "%(nodes)s node has no topology label of a spread constraint",
                    "%(nodes)s nodes have no topology label of a spread constraint",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("missing topology label of a spread constraint"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(
                _("a pod of the same group is added, is deleted or changes its labels"),
                (ClusterEvent.POD_ADD, ClusterEvent.POD_DELETE, ClusterEvent.POD_LABEL),
            ),
            Requeue(
                _("a node is added, is deleted, or changes its labels or taints"),
                (ClusterEvent.NODE_ADD, ClusterEvent.NODE_DELETE, ClusterEvent.NODE_LABEL, ClusterEvent.NODE_TAINT),
            ),
            Requeue(_("the pod gets a toleration"), (ClusterEvent.POD_TOLERATION,)),
        )

    def argument(self, field: str) -> str:
        match field:
            case "defaultingType":
                return _("where constraints of pods without their own come from")
            case "defaultConstraints":
                return _("constraints of pods without their own")
            case _other:
                return ""

    def argument_value(self, field: str, value: str) -> str:
        match field, value:
            case "defaultingType", "System":
                return _("System: maxSkew 3 over hostnames and 5 over zones, ScheduleAnyway")
            case "defaultingType", "List":
                return _("List: defaultConstraints")
            case _other:
                return value

    def lifting_all(self) -> str:
        return _("remove all spread constraints")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case AdjustedSpreadSubject(spread, adjusted):
                return _adjusting(spread, adjusted)
            case SpreadSubject(spread):
                return _("remove the spread constraint %(key)s with maxSkew %(skew)s for %(pods)s") % {
                    "key": spread.topology_key,
                    "skew": spread.max_skew,
                    "pods": selector_text(spread.selector),
                }
            case _other:
                return super().lifting(subject)


def _adjusting(spread: SpreadConstraint, adjusted: SpreadConstraint) -> str:
    values = {
        "key": spread.topology_key,
        "pods": selector_text(spread.selector),
        "skew": spread.max_skew,
        "least": spread.min_domains,
        "fewer": adjusted.min_domains,
        "more": adjusted.max_skew,
    }
    if adjusted.honours_taints != spread.honours_taints:
        return _("set nodeTaintsPolicy: Honor in the spread constraint %(key)s for %(pods)s") % values
    if adjusted.honours_affinity != spread.honours_affinity:
        return _("set nodeAffinityPolicy: Honor in the spread constraint %(key)s for %(pods)s") % values
    if adjusted.min_domains != spread.min_domains:
        return _("lower minDomains from %(least)s to %(fewer)s in the spread constraint %(key)s for %(pods)s") % values
    return _("raise maxSkew from %(skew)s to %(more)s in the spread constraint %(key)s for %(pods)s") % values


@comparison_view.register(DomainComparison)
def domain(compared: DomainComparison) -> EvidenceView:
    """Word a DoNotSchedule constraint on the node's domain."""
    key, max_skew = compared.topology_key, grouped(compared.max_skew)
    label = _("%(key)s, maxSkew %(max_skew)s") % {"key": key, "max_skew": max_skew}
    in_domain = FactView(_("domain"), node_value(compared.value))
    if compared.skew is None:
        unlabelled = _("the node has no label %(key)s, which the spread constraint needs") % {"key": key}
        return EvidenceView(label, (in_domain,), holds=False, missing=unlabelled)
    itself = int(compared.matches_itself)
    facts = (
        in_domain,
        count_fact(_("matching pods"), compared.count),
        *(FactView(_("of these nominated for this node"), pod) for pod in compared.nominated),
        count_fact(_("this pod"), itself),
        count_fact(_("global minimum"), compared.minimum),
        count_fact(_("skew"), compared.skew),
        count_fact(_("maxSkew"), compared.max_skew),
        count_fact(_("eligible domains"), compared.eligible_domains),
        count_fact(_("minDomains"), compared.min_domains),
    )
    if not compared.eligible:
        facts = (*facts, FactView(_("pods on this node"), _("not counted, by the constraint's inclusion policies")))
    skew = grouped(compared.skew)
    exceeded = _("%(key)s: skew %(skew)s exceeds maxSkew %(max_skew)s") % {
        "key": key,
        "skew": skew,
        "max_skew": max_skew,
    }
    return EvidenceView(
        label,
        facts,
        holds=compared.holds,
        formula=_("matching pods + this pod − global minimum ≤ maxSkew"),
        worked=f"{compared.count} + {itself} − {compared.minimum} ≤ {compared.max_skew}",
        missing="" if compared.holds else exceeded,
    )


@words_score(DomainScore)
def domain_scores(parts: Sequence[DomainScore], raw: int) -> ScoreView:
    """Word ScheduleAnyway constraints: the fuller the node's domain, the higher the raw score."""
    if any(part.ignored for part in parts):
        lines = (_("A node without the topology labels of all constraints scores 0."),)
        return ScoreView(tuple(_domain_score(part, "") for part in parts), lines)
    present = [part for part in parts if part.value is not None]
    decimals = precision(lambda some: floor(sum(_crowd(part, some) for part in present) + Fraction(1, 2)) == raw)
    views = tuple(_domain_score(part, _worked(part, decimals)) for part in parts)
    total = " + ".join(decimal(_crowd(part, decimals), decimals) for part in present)
    return ScoreView(views, (f"round({total or '0'}) = {raw}",))


def _domain_score(part: DomainScore, worked: str) -> EvidenceView:
    return EvidenceView(
        label=part.topology_key,
        facts=(
            FactView(_("domain"), node_value(part.value)),
            count_fact(_("matching pods"), part.count),
            FactView(_("weight"), ratio(part.weight)),
            count_fact(_("maxSkew"), part.max_skew),
        ),
        formula=_("matching pods × weight + maxSkew − 1"),
        worked=worked,
    )


def _worked(part: DomainScore, decimals: int) -> str:
    if part.value is None:
        return ""
    weight, crowd = decimal(Fraction(part.weight), decimals), decimal(_crowd(part, decimals), decimals)
    return f"{part.count} × {weight} + {part.max_skew} − 1 = {crowd}"


def _crowd(part: DomainScore, decimals: int) -> Fraction:
    """What one constraint adds, with its weight as it is written down."""
    return part.count * rounded(Fraction(part.weight), decimals) + part.max_skew - 1


@normalisation_view.register(ByDistance)
def by_distance(how: ByDistance) -> EvidenceView:
    """Word how the fullest domain came to the lowest score."""
    label = _("over the feasible nodes")
    if how.ignored:
        return EvidenceView(label, formula=_("0, as the node lacks a topology label"))
    facts = (
        count_fact(_("raw"), how.raw),
        count_fact(_("highest"), how.highest),
        count_fact(_("lowest"), how.lowest),
    )
    if not how.highest:
        return EvidenceView(label, facts, formula=_("100 for every node"))
    highest, lowest, raw = (term(number) for number in (how.highest, how.lowest, how.raw))
    return EvidenceView(
        label,
        facts,
        formula=_("⌊100 × (highest + lowest − raw) ÷ highest⌋"),
        worked=f"⌊100 × ({highest} + {lowest} − {raw}) ÷ {highest}⌋ = {how.normalised}",
    )
