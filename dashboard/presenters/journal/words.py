"""One decision in sentences: what the cluster said, whether the explanation agrees, and if not, why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.conclusion import Conclusion
from clusters.models import Decision
from clusters.wording.amounts import counted, grouped
from clusters.wording.reasons import reason_phrases
from dashboard.presenters import wording

if TYPE_CHECKING:
    from clusters.documents.explanation import ChoiceDocument, ExplanationDocument, NodeDocument

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason

# The shape and the word of each verdict, in the tokens of the design system.
_VERDICTS = {
    Verdict.WAITING: ("unknown", "Not judged yet"),
    Verdict.AGREES: ("fits", "Berth agrees"),
    Verdict.SAMPLED: ("fits", "Berth agrees, within sampling"),
    Verdict.DISAGREES: ("rejected", "Berth disagrees"),
    Verdict.UNJUDGED: ("unknown", "Not judged"),
}
_UNJUDGED = {
    Reason.LAG: "changes that came at the same time leave it open which state the scheduler saw",
    Reason.EXTENDER: "an extender has a say in it, and what it answers cannot be known",
    Reason.OTHER_SCHEDULER: "another scheduler decides about this pod, and how it does is not known",
    Reason.UNKNOWN_PLUGIN: "a plugin decides about it that Berth does not compute",
    Reason.OTHER_RELEASE: "the cluster runs another Kubernetes minor than the one whose scheduler Berth computes",
    Reason.CONFIGURATION: "the scheduler's configuration cannot be read",
    Reason.GAP: "Berth did not see the state just before, because it was not following the cluster at that moment",
    Reason.ERROR: "judging it failed, which is a defect of Berth: please report what the watcher's log says of it",
    Reason.NO_DECISION: "there is nothing to compare it with, as this is not for the scheduler's rules to decide",
}
# What may excuse a disagreement.
_QUALIFIED = {
    Reason.LAG: "So much changed at that time that not every state which the scheduler may have seen was tried.",
    Reason.EXTENDER: "An extender has a say in it, and what it answers cannot be known.",
    Reason.UNKNOWN_PLUGIN: "A plugin decides about it that Berth does not compute.",
    Reason.OTHER_RELEASE: "The cluster runs another Kubernetes minor than the one whose scheduler Berth computes.",
}
_MOST_PLUGINS = 4
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Answer:
    """The head of a decision's page; `verdict` is one of the verdict tokens, `basis` says which state it is about."""

    verdict: str
    word: str
    said: str
    judged: str
    basis: str


def answer(decision: Decision, document: ExplanationDocument | None) -> Answer:
    """Present what the cluster said and how it compares with the journal document."""
    verdict, word = _VERDICTS[Verdict(decision.verdict)]
    return Answer(verdict, word, said(decision), judged(decision, document), _basis(decision))


def said(decision: Decision) -> str:
    """Say what the cluster decided."""
    pod, node = f"{decision.namespace}/{decision.name}", decision.node_name
    match Kind(decision.kind):
        case Kind.BOUND:
            return f"The scheduler placed {pod} on {node}."
        case Kind.UNSCHEDULABLE:
            times = f", {grouped(decision.attempts)} times in a row" if decision.attempts > 1 else ""
            return f"The scheduler found no node for {pod}{times}."
        case Kind.NOMINATED:
            return f"The scheduler nominated {node} for {pod}, which waits there for pods of lower priority to leave."
        case Kind.GATED:
            return f"Scheduling gates hold {pod} back; the scheduler does not look at it."
        case Kind.PREEMPTED:
            by = f"{decision.preemptor_namespace}/{decision.preemptor_name}" if decision.preemptor_name else ""
            by = by or (f"the pod with UID {decision.preemptor_uid}" if decision.preemptor_uid else "another pod")
            return f"{pod} had to leave {node} to make room for {by}."
        case Kind.EVICTED:
            return f"{pod} was evicted from {node}."


def judged(decision: Decision, document: ExplanationDocument | None) -> str:
    """Say whether the explanation agrees, with the numbers that decide it."""
    if decision.verdict == Verdict.WAITING:
        return "Berth has not compared it with its own answer yet; that takes a moment."
    if decision.verdict == Verdict.UNJUDGED:
        why = _UNJUDGED.get(Reason(decision.reason)) if decision.reason else None
        return f"Berth does not judge it: {why or 'it could not be compared'}."
    if document is None:
        return ""
    match Kind(decision.kind):
        case Kind.UNSCHEDULABLE:
            compared = _refusal(decision, document)
        case Kind.NOMINATED:
            compared = _nomination(decision, document)
        case _:
            compared = _placement(decision, document)
    qualified = _QUALIFIED.get(Reason(decision.reason)) if decision.reason else None
    return f"{compared} {qualified}" if qualified else compared


# -- placed ------------------------------------------------------------------------------------------------------------


def _placement(decision: Decision, document: ExplanationDocument) -> str:
    node, best = decision.node_name, document.choice
    chosen = document.nodes.get(node)
    if chosen is None or best is None or chosen.total is None:
        return _misplaced(decision, document)
    feasible = counted(document.feasible_count, "node", "nodes")
    if decision.verdict == Verdict.AGREES:
        if document.feasible_count == 1:
            return f"Berth agrees: of {_nodes(document)} it fits on this one only."
        if chosen.rank == 1:
            tied = f", which {counted(best.count - 1, 'other has', 'others have')} too" if best.count > 1 else ""
            total = f"the highest total, {grouped(best.total)}"
            return f"Berth agrees: of the {feasible} that it fits on, {node} has {total}{tied}."
        return f"Berth agrees: {node} was nominated for it before, and has room now, so no other node counts."
    best_node = _best_node(best)
    if decision.verdict == Verdict.SAMPLED:
        wanted = grouped(document.sampling.wanted)
        return (
            f"Of the {feasible} that it fits on, {best_node} would be better than {node} "
            f"(total {grouped(chosen.total)}). But the scheduler stops looking after {wanted} of them, "
            f"and {node} can be the best that such a search finds."
        )
    if chosen.rank == 1:
        return "Berth disagrees: another node was nominated for it, has room now, and is taken without another look."
    return f"There its total is {grouped(chosen.total)}; Berth finds {best_node} better{_difference(document, chosen)}."


def _misplaced(decision: Decision, document: ExplanationDocument) -> str:
    """Say why a pod should not be where it was placed."""
    node = decision.node_name
    chosen = document.nodes.get(node)
    if chosen is not None and chosen.total is None:
        return f"Berth finds that it does not fit on {node}: {_stands_against(chosen)}. {_elsewhere(document)}"
    if chosen is None and node:
        return f"Berth does not know {node}: the state that it judged by has no such node. {_elsewhere(document)}"
    return "Berth finds that scoring the nodes ends in an error, so that the pod would be placed nowhere."


def _stands_against(chosen: NodeDocument) -> str:
    reasons = [reason for status in chosen.filters.values() for reason in status.reasons]
    if not reasons and chosen.verdict is not None:
        reasons = list(chosen.verdict.reasons)
    return reason_phrases(reasons) or "rejected"


def _elsewhere(document: ExplanationDocument) -> str:
    if document.conclusion is Conclusion.DOES_NOT_FIT:
        return f"It fits on none of {_nodes(document)}."
    is_open = document.conclusion is Conclusion.UNCERTAIN
    fits = "It passes all that is computed on" if is_open else "It fits on"
    if document.choice is None:
        return f"{fits} {grouped(document.feasible_count)} of {_nodes(document)}."
    return f"{fits} {grouped(document.feasible_count)} of {_nodes(document)}; best is {_best_node(document.choice)}."


def _best_node(best: ChoiceDocument) -> str:
    others = f" and {counted(best.count - 1, 'other', 'others')}" if best.count > 1 else ""
    return f"{best.examples[0]}{others} (total {grouped(best.total)})"


def _difference(document: ExplanationDocument, chosen: NodeDocument) -> str:
    """Say which plugins make the best node better than the chosen one, the largest differences first."""
    scores = {plugin: score.weighted for plugin, score in chosen.scores.items()}
    best = document.ranking[0].scores
    points = {plugin: score.weighted - scores.get(plugin, 0) for plugin, score in best.items()}
    changed = sorted((plugin for plugin in points if points[plugin]), key=lambda plugin: -abs(points[plugin]))
    if not changed:
        return ""
    named = [f"{_signed(points[plugin])} from {plugin}" for plugin in changed[:_MOST_PLUGINS]]
    if rest := sum(points[plugin] for plugin in changed[_MOST_PLUGINS:]):
        named.append(f"{_signed(rest)} from others")
    return f": {wording.listed(named)}"


def _signed(points: int) -> str:
    return f"{_MINUS if points < 0 else '+'}{grouped(abs(points))}"


def _nodes(document: ExplanationDocument) -> str:
    return counted(document.node_count, "node", "nodes")


# -- refused, nominated ------------------------------------------------------------------------------------------------


def _refusal(decision: Decision, document: ExplanationDocument) -> str:
    if decision.verdict == Verdict.DISAGREES:
        if document.conclusion is not Conclusion.DOES_NOT_FIT:
            return f"Berth disagrees. {_elsewhere(document)}"
        return "Berth finds no node either, but for other reasons; the differences are marked below."
    return f"Berth agrees: it fits on none of {_nodes(document)}, for the same reasons, letter for letter."


def _nomination(decision: Decision, document: ExplanationDocument) -> str:
    node, preemption = decision.node_name, document.preemption
    if document.conclusion is not Conclusion.DOES_NOT_FIT:
        return f"Berth disagrees: nobody has to leave. {_elsewhere(document)}"
    selected = None if preemption is None else preemption.selected
    if preemption is None or selected is None:
        why = f" It says: {preemption.message}" if preemption is not None and preemption.message else ""
        return f"Berth disagrees: removing pods of lower priority makes room nowhere.{why}"
    victims = counted(selected.victim_count, "pod", "pods")
    best = f"removing {victims} from {selected.node} makes room"
    if decision.verdict == Verdict.AGREES:
        return f"Berth agrees: {best}, and no other node is preferred to that."
    if decision.verdict == Verdict.SAMPLED:
        return (
            f"Berth prefers {selected.node}, where {best}. But the scheduler tries only some of the nodes, from a "
            f"random one on, and {node} is among the {grouped(preemption.count)} where it helps."
        )
    if decision.reason == Reason.INFEASIBLE:
        return f"Berth disagrees: on {node} removing pods of lower priority would not make room, while {best}."
    return f"Berth disagrees: {best}, which is preferred to {node}."


# -- on which state ----------------------------------------------------------------------------------------------------


def _basis(decision: Decision) -> str:
    basis = decision.basis
    if not basis:
        return ""
    if basis.get("state") != "nearby":
        return "Judged on the cluster's state just before the decision."
    behind, ahead, away = (int(basis.get(name) or 0) for name in ("behind", "ahead", "milliseconds"))
    parts = []
    if behind:
        parts.append(f"without the last {counted(behind, 'change', 'changes')} before the decision")
    if ahead:
        parts.append(f"with {counted(ahead, 'change', 'changes')} from after it")
    return (
        f"Judged on a nearby state: the one just before, {wording.listed(parts) or 'slightly shifted'}, "
        f"{grouped(away)} ms away. The scheduler's own view can lag behind the cluster or run ahead of it that much; "
        "on the state just before, Berth's answer is another one."
    )
