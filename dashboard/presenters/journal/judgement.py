"""Presents one decision: what the cluster decided, whether the explanation agrees, and if not, why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.conclusion import Conclusion
from clusters.models import Decision
from clusters.wording.decisions.scores import plugin_points, signed
from clusters.wording.journal import judgement as words
from clusters.wording.journal import searches
from clusters.wording.lists import listed
from clusters.wording.reasons import reason_phrases

if TYPE_CHECKING:
    from clusters.documents.explanation import ExplanationDocument, NodeDocument

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason

# Of each verdict, in the tokens of the design system.
_SHAPES = {
    Verdict.WAITING: "unknown",
    Verdict.AGREES: "fits",
    Verdict.SAMPLED: "fits",
    Verdict.DISAGREES: "rejected",
    Verdict.UNJUDGED: "unknown",
}
_MOST_PLUGINS = 4


@dataclass(frozen=True, slots=True)
class JudgementView:
    """The head of a decision's page; `verdict` is one of the verdict tokens, `basis` says which state it is about.

    `search` says which nodes were looked at, where that was not all of them.
    """

    verdict: str
    word: str
    said: str
    judged: str
    basis: str
    search: str


def answer(decision: Decision, document: ExplanationDocument | None) -> JudgementView:
    """Present what the cluster said and how it compares with the journal document."""
    verdict = Verdict(decision.verdict)
    return JudgementView(
        _SHAPES[verdict],
        str(words.HEADLINES[verdict]),
        said(decision),
        judged(decision, document),
        _basis(decision),
        search(decision),
    )


def said(decision: Decision) -> str:
    """Say what the cluster decided."""
    pod, node = f"{decision.namespace}/{decision.name}", decision.node_name
    match Kind(decision.kind):
        case Kind.BOUND:
            return words.BOUND(pod=pod, node=node)
        case Kind.UNSCHEDULABLE:
            return words.unschedulable(pod, decision.attempts)
        case Kind.NOMINATED:
            return words.NOMINATED(pod=pod, node=node)
        case Kind.GATED:
            return words.GATED(pod=pod)
        case Kind.PREEMPTED:
            by = f"{decision.preemptor_namespace}/{decision.preemptor_name}" if decision.preemptor_name else ""
            return words.preempted(pod, node, by=by, uid=decision.preemptor_uid)
        case Kind.EVICTED:
            return words.EVICTED(pod=pod, node=node)


def judged(decision: Decision, document: ExplanationDocument | None) -> str:
    """Say whether the explanation agrees, with the numbers that decide it."""
    if decision.verdict == Verdict.WAITING:
        return str(words.WAITING)
    if decision.verdict == Verdict.UNJUDGED:
        return str(words.UNJUDGED.get(decision.reason, words.NOT_COMPARED))
    if document is None:
        return ""
    match Kind(decision.kind):
        case Kind.UNSCHEDULABLE:
            compared = _unschedulable(decision, document)
        case Kind.NOMINATED:
            compared = _nomination(decision, document)
        case _:
            compared = _bound(decision, document)
    qualified = words.QUALIFIED.get(decision.reason)
    return f"{compared} {qualified}" if qualified else compared


# -- bound -------------------------------------------------------------------------------------------------------------


def _bound(decision: Decision, document: ExplanationDocument) -> str:
    node, best = decision.node_name, document.choice
    chosen = document.nodes.get(node)
    if chosen is None or best is None or chosen.total is None:
        return _misplaced(node, document)
    if decision.reason == Reason.SEARCH:
        return searches.AGREES_BY_SEARCH(
            best=best.examples[0], node=node, best_total=best.total, total=chosen.total, wanted=document.sampling.wanted
        )
    if decision.verdict == Verdict.AGREES:
        if document.feasible_count == 1:
            return words.AGREES_ON_THE_ONLY_NODE(nodes=document.node_count, node=node)
        if chosen.rank == 1:
            return words.agrees_on_the_best(
                node, feasible=document.feasible_count, total=best.total, tied=best.count - 1
            )
        return words.AGREES_ON_THE_NOMINATED(node=node)
    if decision.verdict == Verdict.SAMPLED:
        found = words.AGREES_WITHIN_SAMPLING(
            best=best.examples[0], node=node, best_total=best.total, total=chosen.total, wanted=document.sampling.wanted
        )
        return f"{words.fits_on(document.feasible_count, document.node_count)} {found}"
    if chosen.rank == 1:
        return str(words.DISAGREES_FOR_THE_NOMINATED)
    compared = words.DISAGREES_BY_SCORE(best=best.examples[0], node=node, best_total=best.total, total=chosen.total)
    return " ".join(filter(None, (compared, _difference(best.examples[0], document, chosen))))


def _misplaced(node: str, document: ExplanationDocument) -> str:
    """Say why a pod should not be on the node that it was bound to."""
    chosen = document.nodes.get(node)
    if chosen is not None and chosen.total is None:
        return f"{words.node_rejects(node, _rejections(chosen))} {_elsewhere(document)}"
    if chosen is None and node:
        return f"{words.NODE_UNKNOWN(node=node)} {_elsewhere(document)}"
    return str(words.SCORING_FAILS)


def _rejections(chosen: NodeDocument) -> str:
    reasons = [reason for status in chosen.filters.values() for reason in status.reasons]
    if not reasons and chosen.verdict is not None:
        reasons = list(chosen.verdict.reasons)
    return reason_phrases(reasons)


def _elsewhere(document: ExplanationDocument) -> str:
    if document.conclusion is Conclusion.UNSCHEDULABLE:
        return words.fits_on(0, document.node_count)
    fits = words.passes_on if document.conclusion is Conclusion.UNCERTAIN else words.fits_on
    said = fits(document.feasible_count, document.node_count)
    best = document.choice
    if best is None:
        return said
    return f"{said} {words.best(best.examples[0], total=best.total, tied=best.count - 1)}"


def _difference(best_node: str, document: ExplanationDocument, chosen: NodeDocument) -> str:
    """Say which plugins make the best node better than the chosen one, the largest differences first."""
    scores = {plugin: score.weighted for plugin, score in chosen.scores.items()}
    best = document.ranking[0].scores
    points = {plugin: score.weighted - scores.get(plugin, 0) for plugin, score in best.items()}
    changed = sorted((plugin for plugin in points if points[plugin]), key=lambda plugin: -abs(points[plugin]))
    if not changed:
        return ""
    named = [plugin_points(plugin, points[plugin]) for plugin in changed[:_MOST_PLUGINS]]
    if rest := sum(points[plugin] for plugin in changed[_MOST_PLUGINS:]):
        named.append(words.OTHER_PLUGINS(points=signed(rest)))
    return words.DIFFERENCE(best=best_node, points=listed(named))


# -- unschedulable, nominated ------------------------------------------------------------------------------------------


def _unschedulable(decision: Decision, document: ExplanationDocument) -> str:
    if decision.verdict == Verdict.DISAGREES:
        if document.conclusion is not Conclusion.UNSCHEDULABLE:
            return f"{words.DISAGREES} {_elsewhere(document)}"
        return str(words.OTHER_REASONS)
    if decision.verdict == Verdict.SAMPLED:
        return words.REFUSAL_WITHIN_SAMPLING(nodes=document.node_count)
    return words.AGREES_ON_NONE(nodes=document.node_count)


def _nomination(decision: Decision, document: ExplanationDocument) -> str:
    node, preemption = decision.node_name, document.preemption
    if document.conclusion is not Conclusion.UNSCHEDULABLE and decision.verdict in (Verdict.AGREES, Verdict.SAMPLED):
        return _bound(decision, document)
    if document.conclusion is not Conclusion.UNSCHEDULABLE:
        return f"{words.NO_PREEMPTION_NEEDED!s} {_elsewhere(document)}"
    selected = None if preemption is None else preemption.selected
    if preemption is None or selected is None:
        return words.preemption_not_helpful("" if preemption is None else preemption.message or "")
    best, victims = selected.node, selected.victim_count
    if decision.verdict == Verdict.AGREES:
        return words.AGREES_ON_NOMINATION(victims=victims, node=best)
    if decision.verdict == Verdict.SAMPLED:
        return words.NOMINATION_WITHIN_SAMPLING(best=best, victims=victims, node=node, nodes=preemption.count)
    if decision.reason == Reason.INFEASIBLE:
        return words.NOMINATION_INFEASIBLE(node=node, victims=victims, best=best)
    return words.NOMINATION_NOT_PREFERRED(victims=victims, best=best, node=node)


# -- on which state ----------------------------------------------------------------------------------------------------


def _basis(decision: Decision) -> str:
    basis = decision.basis
    if not basis:
        return ""
    if basis.get("state") != "nearby":
        return str(words.JUST_BEFORE)
    behind, ahead, away = (int(basis.get(name) or 0) for name in ("behind", "ahead", "milliseconds"))
    return words.on_nearby_state(behind=behind, ahead=ahead, milliseconds=away)


# -- which nodes the search looked at ----------------------------------------------------------------------------------


def search(decision: Decision) -> str:
    """Say which nodes the scheduler looked at, as far as that is known; empty where it looked at all of them."""
    found = (decision.basis or {}).get("search")
    if found is None:
        return ""
    places, nodes, looked_at = found["places"], found["nodes"], found["looked_at"]
    if places == nodes:
        return searches.FROM_ANYWHERE(nodes=nodes)
    if not found["is_followed"]:
        return searches.IN_NO_PROVED_ORDER(nodes=nodes)
    if looked_at is None:
        return searches.FROM_ELSEWHERE(places=places, nodes=nodes)
    first, last, likely, possibly = (looked_at[name] for name in ("first", "last", "likely", "possibly"))
    if first == last:
        return searches.began_at(first, likely=likely, possibly=possibly, nodes=nodes)
    return searches.BEGAN_BETWEEN(places=places, nodes=nodes, first=first, last=last, likely=likely, possibly=possibly)
