"""How Berth speaks of InterPodAffinity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.inter_pod_affinity import (
    REASON_AFFINITY,
    REASON_ANTI_AFFINITY,
    REASON_EXISTING,
    AffinitySubject,
    AntiAffinitySubject,
    ByRange,
    ExistingAntiAffinitySubject,
    PreferenceSource,
    TermComparison,
    TermScore,
    TermSource,
)
from clusters.wording.amounts import grouped
from clusters.wording.evidence.exact import minus, sum_line, term
from clusters.wording.evidence.registry import comparison_view, normalisation_view, words_score
from clusters.wording.evidence.values import count_fact, node_value, pod_facts
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue
from clusters.wording.selectors import selector_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.evidence import Subject
    from clusters.engine.plugins.inter_pod_affinity import PodTerm


class Wording(PluginWording):
    """Words for InterPodAffinity."""

    def decides(self) -> str:
        return _("affinity and anti-affinity to other pods")

    def nothing_to_filter(self) -> str:
        return _(
            "Nothing to check: the pod has no required pod affinity or anti-affinity, and no existing pod has "
            "anti-affinity to it."
        )

    def nothing_to_score(self) -> str:
        return _("Does not score: neither the pod nor an existing pod prefers or avoids the other.")

    def requires(self) -> str:
        return _("pod affinity or anti-affinity")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == REASON_AFFINITY:
            return Reason(
                phrase=_("no match for the pod's pod affinity"),
                counted=ngettext(
                    "%(nodes)s node does not match the pod's pod affinity",
                    "%(nodes)s nodes do not match the pod's pod affinity",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("pod affinity"),
            )
        if reason == REASON_ANTI_AFFINITY:
            return Reason(
                phrase=_("conflict with the pod's anti-affinity"),
                counted=ngettext(
                    "%(nodes)s node conflicts with the pod's anti-affinity",
                    "%(nodes)s nodes conflict with the pod's anti-affinity",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("pod anti-affinity"),
            )
        if reason == REASON_EXISTING:
            return Reason(
                phrase=_("conflict with the anti-affinity of existing pods"),
                counted=ngettext(
                    "%(nodes)s node conflicts with the anti-affinity of existing pods",
                    "%(nodes)s nodes conflict with the anti-affinity of existing pods",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("anti-affinity of existing pods"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(
                _("a pod that its terms select is added, is deleted or changes its labels"),
                (ClusterEvent.POD_ADD, ClusterEvent.POD_DELETE, ClusterEvent.POD_LABEL),
            ),
            Requeue(_("a node is added or its labels change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL)),
        )

    def argument(self, field: str) -> str:
        match field:
            case "hardPodAffinityWeight":
                return _("points for meeting an existing pod's required affinity, 0 to 100")
            case "ignorePreferredTermsOfExistingPods":
                return _("whether preferences of existing pods are ignored")
            case _other:
                return ""

    def lifting_all(self) -> str:
        return _("remove all required affinity and anti-affinity between pods")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case AffinitySubject(term):
                return _("remove the pod affinity to %(pods)s per %(key)s") % {
                    "pods": selector_text(term.selector),
                    "key": term.topology_key,
                }
            case AntiAffinitySubject(term):
                return _("remove the pod anti-affinity to %(pods)s per %(key)s") % {
                    "pods": selector_text(term.selector),
                    "key": term.topology_key,
                }
            case ExistingAntiAffinitySubject(term):
                return _("remove the anti-affinity of existing pods to %(pods)s per %(key)s") % {
                    "pods": selector_text(term.selector),
                    "key": term.topology_key,
                }
            case _other:
                return super().lifting(subject)


@comparison_view.register(TermComparison)
def required_term(compared: TermComparison) -> EvidenceView:
    """Word a required term and the pods that it is about."""
    facts = [FactView(_("domain"), node_value(compared.value))]
    if compared.value is not None:
        facts += [count_fact(_("matching pods"), compared.count), *pod_facts(_("pod"), compared.pods)]
    if compared.first_of_group:
        facts.append(FactView(_("first of its group"), _("yes")))
    return EvidenceView(
        label=_label(compared.source, compared.term),
        facts=tuple(facts),
        holds=compared.holds,
        missing="" if compared.holds else _unmet(compared),
    )


def _label(source: TermSource | PreferenceSource, term: PodTerm) -> str:
    """Name a term by whose it is, which pods it means, and the topology key."""
    pods, key = selector_text(term.selector), term.topology_key
    match source:
        case TermSource.AFFINITY:
            return _("affinity: %(pods)s per %(key)s") % {"pods": pods, "key": key}
        case TermSource.ANTI_AFFINITY:
            return _("anti-affinity: %(pods)s per %(key)s") % {"pods": pods, "key": key}
        case TermSource.ANTI_AFFINITY_OF_PODS:
            return _("anti-affinity of other pods: %(pods)s per %(key)s") % {"pods": pods, "key": key}
        case PreferenceSource.AFFINITY:
            return _("preferred affinity: %(pods)s per %(key)s") % {"pods": pods, "key": key}
        case PreferenceSource.ANTI_AFFINITY:
            return _("preferred anti-affinity: %(pods)s per %(key)s") % {"pods": pods, "key": key}
        case PreferenceSource.PODS:
            return _("preferred by other pods: %(pods)s per %(key)s") % {"pods": pods, "key": key}


def _unmet(compared: TermComparison) -> str:
    """Say what a node's domain has, or lacks, against a term."""
    pods, key = selector_text(compared.term.selector), compared.term.topology_key
    value, count = compared.value, compared.count
    if value is None:
        return _("the node has no label %(key)s, which the affinity needs") % {"key": key}
    match compared.source:
        case TermSource.AFFINITY:
            return _("no pod in %(key)s=%(value)s matches the affinity %(pods)s") % {
                "key": key,
                "value": value,
                "pods": pods,
            }
        case TermSource.ANTI_AFFINITY:
            return ngettext(
                "%(count)s pod in %(key)s=%(value)s matches the anti-affinity %(pods)s",
                "%(count)s pods in %(key)s=%(value)s match the anti-affinity %(pods)s",
                count,
            ) % {"count": grouped(count), "key": key, "value": value, "pods": pods}
        case TermSource.ANTI_AFFINITY_OF_PODS:
            return ngettext(
                "the anti-affinity of %(count)s pod in %(key)s=%(value)s excludes this pod",
                "the anti-affinity of %(count)s pods in %(key)s=%(value)s excludes this pod",
                count,
            ) % {"count": grouped(count), "key": key, "value": value}


@words_score(TermScore)
def preferred_terms(parts: Sequence[TermScore], raw: int) -> ScoreView:
    """Word preferred terms: each adds its weight for each pod that it is about."""
    added = [part.count * part.weight for part in parts]
    views = tuple(
        EvidenceView(
            label=_label(part.source, part.term),
            facts=(
                FactView(_("domain"), node_value(part.value)),
                count_fact(_("matching pods"), part.count),
                FactView(_("weight"), minus(part.weight)),
            ),
            formula=_("matching pods × weight"),
            worked=f"{part.count} × {term(part.weight)} = {minus(number)}",
        )
        for part, number in zip(parts, added, strict=True)
    )
    return ScoreView(views, sum_line(added, raw))


@normalisation_view.register(ByRange)
def by_range(how: ByRange) -> EvidenceView:
    """Word how a score was scaled between the lowest and the highest."""
    facts = (
        FactView(_("raw"), minus(how.raw)),
        FactView(_("highest"), minus(how.highest)),
        FactView(_("lowest"), minus(how.lowest)),
    )
    label = _("over the feasible nodes")
    if how.highest == how.lowest:
        return EvidenceView(label, facts, formula=_("0 for every node"))
    raw, highest, lowest = (term(number) for number in (how.raw, how.highest, how.lowest))
    worked = f"⌊100 × (({raw} − {lowest}) ÷ ({highest} − {lowest}))⌋"
    part, whole = how.raw - how.lowest, how.highest - how.lowest
    if 100 * part // whole != how.normalised:
        # A 64-bit float falls short of the whole number.
        worked = f"{worked} = ⌊{100.0 * (part / whole)!r}⌋"
    return EvidenceView(
        label,
        facts,
        formula=_("⌊100 × ((raw − lowest) ÷ (highest − lowest))⌋"),
        worked=f"{worked} = {how.normalised}",
    )
