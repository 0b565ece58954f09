"""What plugins compared of nodes: their names, labels, taints and features, and whether they are cordoned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.engine.plugins.deferred_pod_scheduling import ResizeComparison
from clusters.engine.plugins.node_affinity import (
    PreferredTerm,
    RequirementComparison,
    SelectorComparison,
    TermsComparison,
)
from clusters.engine.plugins.node_declared_features import FeatureComparison
from clusters.engine.plugins.node_name import NodeNameComparison
from clusters.engine.plugins.node_unschedulable import CordonComparison
from clusters.engine.plugins.taint_toleration import (
    TaintComparison,
    UntoleratedTaints,
)
from clusters.wording.amounts import grouped
from clusters.wording.evidence import (
    EvidenceView,
    FactView,
    ScoreView,
    comparison_view,
    count_fact,
    node_value,
    requirements,
    sum_line,
    words_score,
    yes_no,
)
from clusters.wording.messages import plural
from clusters.wording.resources import requirement_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.evidence import NodeTerm


@comparison_view.register(NodeNameComparison)
def requested_name(compared: NodeNameComparison) -> EvidenceView:
    """Word the node that a pod names."""
    return EvidenceView(
        label="spec.nodeName",
        facts=(FactView(_("requested node"), compared.requested), FactView(_("this node"), compared.node)),
        holds=compared.holds,
        missing="" if compared.holds else _("the pod names the node %(node)s") % {"node": compared.requested},
    )


@comparison_view.register(CordonComparison)
def cordon(compared: CordonComparison) -> EvidenceView:
    """Word whether a node is cordoned."""
    return EvidenceView(
        label="spec.unschedulable",
        facts=(
            FactView(_("node is cordoned"), yes_no(compared.unschedulable)),
            FactView(_("pod tolerates it"), yes_no(compared.tolerated)),
        ),
        holds=compared.holds,
        missing="" if compared.holds else _("the node is unschedulable (cordoned)"),
    )


@comparison_view.register(FeatureComparison)
def declared_feature(compared: FeatureComparison) -> EvidenceView:
    """Word a feature that the pod needs and whether the node declares it."""
    return EvidenceView(
        label=compared.feature,
        facts=(FactView(_("declared"), yes_no(compared.declared)),),
        holds=compared.holds,
        missing="" if compared.holds else _("the kubelet does not declare %(feature)s") % {"feature": compared.feature},
    )


@comparison_view.register(ResizeComparison)
def resize_preemption(compared: ResizeComparison) -> EvidenceView:
    """Word whether a node makes room for a pod that is resized on it."""
    if compared.pod_node != compared.node:
        missing = _("the pod runs on %(node)s") % {"node": compared.pod_node}
    else:
        missing = "" if compared.holds else _("the node does not preempt pods for resized ones")
    return EvidenceView(
        label="spec.podPreemptionPolicy",
        facts=(
            FactView(_("node of the pod"), compared.pod_node),
            FactView(_("this node"), compared.node),
            FactView(_("preempts for resized pods"), yes_no(compared.allows_preemption)),
        ),
        holds=compared.holds,
        missing=missing,
    )


@comparison_view.register(SelectorComparison)
def selector(compared: SelectorComparison) -> EvidenceView:
    """Word a label of the node selector."""
    wanted = f"{compared.key}={compared.value}"
    return EvidenceView(
        label=_("nodeSelector %(label)s") % {"label": wanted},
        facts=(FactView(_("node has"), node_value(compared.node_value)),),
        holds=compared.holds,
        missing="" if compared.holds else _unmet(wanted, compared.key, compared.node_value),
    )


@comparison_view.register(RequirementComparison)
def node_requirement(compared: RequirementComparison) -> EvidenceView:
    """Word a requirement of the node affinity."""
    found = compared.requirement
    return EvidenceView(
        label=requirement_text(found),
        facts=(FactView(_("node has"), node_value(found.node_value)),),
        holds=compared.holds,
        missing="" if compared.holds else _unmet(requirement_text(found), found.key, found.node_value),
    )


def _unmet(wanted: str, key: str, value: str | None) -> str:
    if value is None:
        return _("%(requirement)s is required; the node has no label %(key)s") % {"requirement": wanted, "key": key}
    return _("%(requirement)s is required; the node has %(value)s") % {
        "requirement": wanted,
        "value": node_value(value),
    }


@comparison_view.register(TermsComparison)
def terms(compared: TermsComparison) -> EvidenceView:
    """Word terms of which one must match."""
    return EvidenceView(
        label=_terms_label(compared),
        facts=tuple(_term_fact(number, each) for number, each in enumerate(compared.terms, 1)),
        holds=compared.holds,
        missing="" if compared.holds else _NO_TERM_MATCHES(count=len(compared.terms)),
    )


def _terms_label(compared: TermsComparison) -> str:
    if compared.added_by_profile:
        return _("addedAffinity of the profile")
    count = len(compared.terms)
    return ngettext("any of %(count)s term", "any of %(count)s terms", count) % {"count": grouped(count)}


_NO_TERM_MATCHES = plural(
    "the %(count)s term of the node affinity does not match",
    "none of the %(count)s terms of the node affinity matches",
    by="count",
)


def _term_fact(number: int, term: NodeTerm) -> FactView:
    wanted = requirements(term)
    if term.matches:
        said = _("%(requirements)s (matches)") % {"requirements": wanted}
    else:
        said = _("%(requirements)s (does not match)") % {"requirements": wanted}
    return FactView(_("term %(number)s") % {"number": grouped(number)}, said)


@words_score(PreferredTerm)
def preferred_terms(parts: Sequence[PreferredTerm], raw: int) -> ScoreView:
    """Word preferred terms: each adds its weight where it matches."""
    added = [part.weight if part.term.matches else 0 for part in parts]
    views = tuple(
        EvidenceView(
            label=requirements(part.term),
            facts=(count_fact(_("weight"), part.weight), FactView(_("matches"), yes_no(part.term.matches))),
            formula=_("weight where it matches"),
            worked=str(number),
        )
        for part, number in zip(parts, added, strict=True)
    )
    return ScoreView(views, sum_line(added, raw))


@comparison_view.register(TaintComparison)
def taint(compared: TaintComparison) -> EvidenceView:
    """Word a taint and whether the pod tolerates it."""
    return EvidenceView(
        label=str(compared.taint),
        facts=(FactView(_("effect"), compared.taint.effect), FactView(_("tolerated"), yes_no(compared.tolerated))),
        holds=compared.holds,
        missing="" if compared.holds else _("untolerated taint %(taint)s") % {"taint": str(compared.taint)},
    )


@words_score(UntoleratedTaints)
def untolerated_taints(parts: Sequence[UntoleratedTaints], raw: int) -> ScoreView:
    """Word the taints that dissuade; each counts one."""
    return ScoreView(
        tuple(
            EvidenceView(
                label=_("PreferNoSchedule taints"),
                facts=(*(FactView(_("untolerated"), str(each)) for each in part.taints),),
                formula=_("number of untolerated taints"),
                worked=str(raw),
            )
            for part in parts
        )
    )
