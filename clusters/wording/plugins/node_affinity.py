"""How Berth speaks of NodeAffinity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.node_affinity import (
    REASON_ENFORCED,
    REASON_POD,
    AddedAffinitySubject,
    PreferredTerm,
    RequirementComparison,
    RequirementSubject,
    SelectorComparison,
    SelectorSubject,
    TermsComparison,
    TermsSubject,
)
from clusters.wording.amounts import grouped
from clusters.wording.evidence.exact import sum_line
from clusters.wording.evidence.registry import comparison_view, words_score
from clusters.wording.evidence.values import count_fact, node_value, requirements, yes_no
from clusters.wording.evidence.views import EvidenceView, FactView, ScoreView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue
from clusters.wording.selectors import requirement_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.evidence import NodeTerm, Subject


class Wording(PluginWording):
    """Words for NodeAffinity."""

    def decides(self) -> str:
        return _("node selector and node affinity")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no node selector and no required node affinity.")

    def nothing_to_score(self) -> str:
        return _("Does not score: the pod has no preferred node affinity.")

    def requires(self) -> str:
        return _("node selectors or node affinity")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == REASON_POD:
            return Reason(
                phrase=_("no match for the pod's node selector or affinity"),
                counted=ngettext(
                    "%(nodes)s node does not match the pod's node selector or affinity",
                    "%(nodes)s nodes do not match the pod's node selector or affinity",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("node selector or node affinity"),
            )
        if reason == REASON_ENFORCED:
            return Reason(
                phrase=_("no match for the profile's added affinity"),
                counted=ngettext(
                    "%(nodes)s node does not match the profile's added affinity",
                    "%(nodes)s nodes do not match the profile's added affinity",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("addedAffinity of the profile"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(
                _("a node is added, or its labels change, so that it matches"),
                (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL),
            ),
        )

    def argument(self, field: str) -> str:
        if field != "addedAffinity":
            return ""
        return _("node affinity that every pod of the profile has in addition to its own")

    def lifting_all(self) -> str:
        return _("remove the node selector and the required node affinity")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case SelectorSubject(key, value):
                return _("remove the node selector %(key)s=%(value)s") % {"key": key, "value": value}
            case RequirementSubject(requirement=requirement):
                return _("remove the node affinity %(requirement)s") % {"requirement": requirement_text(requirement)}
            case TermsSubject():
                return _("remove the required node affinity")
            case AddedAffinitySubject():
                return _("remove addedAffinity from the profile")
            case _other:
                return super().lifting(subject)


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
        missing="" if compared.holds else _no_term_matches(len(compared.terms)),
    )


def _terms_label(compared: TermsComparison) -> str:
    if compared.added_by_profile:
        return _("addedAffinity of the profile")
    count = len(compared.terms)
    return ngettext("any of %(count)s term", "any of %(count)s terms", count) % {"count": grouped(count)}


def _no_term_matches(count: int) -> str:
    return ngettext(
        "the %(count)s term of the node affinity does not match",
        "none of the %(count)s terms of the node affinity matches",
        count,
    ) % {"count": grouped(count)}


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
