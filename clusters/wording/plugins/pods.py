"""What plugins compared and scored of the pods around: affinity between pods, spreading and host ports."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.engine.plugins.inter_pod_affinity import (
    ByRange,
    PodTerm,
    PreferenceSource,
    TermComparison,
    TermScore,
    TermSource,
)
from clusters.engine.plugins.node_ports import PortComparison
from clusters.engine.plugins.pod_topology_spread import (
    ByDistance,
    DomainComparison,
    DomainScore,
)
from clusters.wording.amounts import decimal as ratio, grouped
from clusters.wording.evidence import (
    EvidenceView,
    FactView,
    ScoreView,
    comparison_view,
    count_fact,
    decimal,
    minus,
    node_value,
    normalisation_view,
    pod_facts,
    pod_list,
    precision,
    rounded,
    sum_line,
    term,
    words_score,
)
from clusters.wording.resources import selector_text

if TYPE_CHECKING:
    from collections.abc import Sequence


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
        return _("the node has no label %(key)s") % {"key": key}
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


@comparison_view.register(DomainComparison)
def domain(compared: DomainComparison) -> EvidenceView:
    """Word a DoNotSchedule constraint on the node's domain."""
    key, max_skew = compared.topology_key, grouped(compared.max_skew)
    label = _("%(key)s, maxSkew %(max_skew)s") % {"key": key, "max_skew": max_skew}
    in_domain = FactView(_("domain"), node_value(compared.value))
    if compared.skew is None:
        unlabelled = _("the node has no label %(key)s") % {"key": key}
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
        lines = (_("Without all topology labels a node scores 0."),)
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


@comparison_view.register(PortComparison)
def host_port(compared: PortComparison) -> EvidenceView:
    """Word a host port and who holds it."""
    port = str(compared.port)
    return EvidenceView(
        label=_("host port %(port)s") % {"port": port},
        facts=pod_facts(_("held by"), compared.holders),
        holds=compared.holds,
        missing=""
        if compared.holds
        else _("host port %(port)s is held by %(pods)s") % {"port": port, "pods": pod_list(compared.holders)},
    )
