"""One recorded decision: what the cluster decided, whether the explanation agrees, and the parts of its document."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct

from clusters.documents.explanation import (
    ExplanationDocument,
    GroupDocument,
    NodeDocument,
    RejectionDocument,
    StatusDocument,
    reasons_of,
)
from clusters.engine.conclusion import Conclusion
from clusters.engine.status import Code, Rejection, Status
from clusters.models import Decision
from clusters.wording import counts
from clusters.wording.amounts import grouped, percent, signed
from clusters.wording.decisions.nodes import REJECTS, verdict_word
from clusters.wording.decisions.verdict import PLUGIN_POINTS
from clusters.wording.evaluation import SAMPLED
from clusters.wording.journal import decisions as document_words, judgement as judgement_words
from clusters.wording.lists import listed
from clusters.wording.plugins.reasons import reason_phrases
from dashboard.presenters.decisions.page import verdict_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


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


def answer(decision: Decision, document: ExplanationDocument | None) -> dict[str, Any]:
    """Present what the cluster said and how it compares with the journal document.

    The head of a decision's page; ``verdict`` is one of the verdict tokens, ``basis`` says which state it is about.
    ``search`` says which nodes were looked at, where that was not all of them.
    """
    verdict = Verdict(decision.verdict)
    return {
        "verdict": _SHAPES[verdict],
        "word": str(judgement_words.HEADLINES[verdict]),
        "said": said(decision),
        "judged": judged(decision, document),
        "basis": _basis(decision),
        "search": search(decision),
    }


def said(decision: Decision) -> str:
    """Say what the cluster decided."""
    pod, node = f"{decision.namespace}/{decision.name}", decision.node_name
    match Kind(decision.kind):
        case Kind.BOUND:
            return judgement_words.BOUND(pod=pod, node=node)
        case Kind.UNSCHEDULABLE:
            if decision.attempts == 1:
                return judgement_words.UNSCHEDULABLE(pod=pod)
            return judgement_words.UNSCHEDULABLE_AGAIN(pod=pod, attempts=decision.attempts)
        case Kind.NOMINATED:
            return judgement_words.NOMINATED(pod=pod, node=node)
        case Kind.GATED:
            return judgement_words.GATED(pod=pod)
        case Kind.PREEMPTED:
            by = f"{decision.preemptor_namespace}/{decision.preemptor_name}" if decision.preemptor_name else ""
            preemptor = by or decision.preemptor_uid
            if not preemptor:
                return judgement_words.PREEMPTED(pod=pod, node=node)
            return judgement_words.PREEMPTED_FOR(pod=pod, node=node, preemptor=preemptor)
        case Kind.EVICTED:
            return judgement_words.EVICTED(pod=pod, node=node)


def judged(decision: Decision, document: ExplanationDocument | None) -> str:
    """Say whether the explanation agrees, with the numbers that decide it."""
    if decision.verdict == Verdict.WAITING:
        return str(judgement_words.WAITING)
    if decision.verdict == Verdict.UNJUDGED:
        return str(judgement_words.UNJUDGED.get(decision.reason, judgement_words.NOT_COMPARED))
    if document is None:
        return ""
    match Kind(decision.kind):
        case Kind.UNSCHEDULABLE:
            compared = _unschedulable(decision, document)
        case Kind.NOMINATED:
            compared = _nomination(decision, document)
        case _:
            compared = _bound(decision, document)
    qualified = judgement_words.QUALIFIED.get(decision.reason)
    return f"{compared} {qualified}" if qualified else compared


# -- bound -------------------------------------------------------------------------------------------------------------


def _bound(decision: Decision, document: ExplanationDocument) -> str:
    node, best = decision.node_name, document.choice
    chosen = document.nodes.get(node)
    if chosen is None or best is None or chosen.total is None:
        return _misplaced(node, document)
    compared = judgement_words.SCORES_LOWER(best=best.examples[0], node=node, best_total=best.total, total=chosen.total)
    if decision.reason == Reason.SEARCH:
        return f"{compared} {judgement_words.BY_SEARCH(node=node, wanted=document.sampling.wanted)}"
    if decision.verdict == Verdict.AGREES:
        if document.feasible_count == 1:
            return judgement_words.ONLY_NODE(nodes=document.node_count)
        if chosen.rank == 1:
            return _elsewhere(document, node)
        return judgement_words.NOMINATED_HAS_ROOM(node=node)
    if decision.verdict == Verdict.SAMPLED:
        fits = judgement_words.FITS_ON(feasible=document.feasible_count, nodes=document.node_count)
        return f"{fits} {compared} {judgement_words.WITHIN_SAMPLING(wanted=document.sampling.wanted, node=node)}"
    if chosen.rank == 1:
        return str(judgement_words.ANOTHER_NOMINATED)
    return " ".join(filter(None, (compared, _difference(best.examples[0], document, chosen))))


def _misplaced(node: str, document: ExplanationDocument) -> str:
    """Say why a pod should not be on the node that it was bound to."""
    chosen = document.nodes.get(node)
    if chosen is not None and chosen.total is None:
        reasons = _rejections(chosen)
        if reasons:
            return f"{REJECTS(who=node, reasons=reasons)} {_elsewhere(document)}"
        return f"{judgement_words.NODE_REJECTS(node=node)} {_elsewhere(document)}"
    if chosen is None and node:
        return f"{judgement_words.NODE_UNKNOWN(node=node)} {_elsewhere(document)}"
    return str(judgement_words.SCORING_FAILS)


def _rejections(chosen: NodeDocument) -> str:
    reasons = [reason for status in chosen.filters.values() for reason in reasons_of(status)]
    if not reasons and chosen.verdict is not None:
        reasons = list(reasons_of(chosen.verdict))
    return reason_phrases(reasons)


def _elsewhere(document: ExplanationDocument, node: str = "") -> str:
    """Say on how many nodes the pod fits, and which is the best; of several that is ``node``."""
    if document.conclusion is Conclusion.UNSCHEDULABLE:
        return judgement_words.FITS_ON(feasible=0, nodes=document.node_count)
    fits = judgement_words.PASSES_ON if document.conclusion is Conclusion.UNCERTAIN else judgement_words.FITS_ON
    said = fits(feasible=document.feasible_count, nodes=document.node_count)
    best = document.choice
    if best is None:
        return said
    node = node or best.examples[0]
    if best.count == 1:
        return f"{said} {judgement_words.BEST(node=node, total=best.total)}"
    return f"{said} {judgement_words.BEST_OF_SEVERAL(node=node, total=best.total, others=best.count - 1)}"


def _difference(best_node: str, document: ExplanationDocument, chosen: NodeDocument) -> str:
    """Say which plugins make the best node better than the chosen one, the largest differences first."""
    scores = {plugin: score.weighted for plugin, score in chosen.scores.items()}
    best = document.ranking[0].scores
    points = {plugin: score.weighted - scores.get(plugin, 0) for plugin, score in best.items()}
    changed = sorted((plugin for plugin in points if points[plugin]), key=lambda plugin: -abs(points[plugin]))
    if not changed:
        return ""
    named = [PLUGIN_POINTS(points=signed(points[plugin]), plugin=plugin) for plugin in changed[:_MOST_PLUGINS]]
    if rest := sum(points[plugin] for plugin in changed[_MOST_PLUGINS:]):
        named.append(judgement_words.OTHER_PLUGINS(points=signed(rest)))
    return judgement_words.DIFFERENCE(best=best_node, points=listed(named))


# -- unschedulable, nominated ------------------------------------------------------------------------------------------


def _unschedulable(decision: Decision, document: ExplanationDocument) -> str:
    if decision.verdict == Verdict.DISAGREES:
        if document.conclusion is not Conclusion.UNSCHEDULABLE:
            return _elsewhere(document)
        return str(judgement_words.OTHER_REASONS)
    if decision.verdict == Verdict.SAMPLED:
        return judgement_words.REFUSAL_WITHIN_SAMPLING(nodes=document.node_count)
    return judgement_words.SAME_MESSAGE(nodes=document.node_count)


def _nomination(decision: Decision, document: ExplanationDocument) -> str:
    node, preemption = decision.node_name, document.preemption
    if document.conclusion is not Conclusion.UNSCHEDULABLE and decision.verdict in (Verdict.AGREES, Verdict.SAMPLED):
        return _bound(decision, document)
    if document.conclusion is not Conclusion.UNSCHEDULABLE:
        return f"{judgement_words.NO_PREEMPTION_NEEDED!s} {_elsewhere(document)}"
    selected = None if preemption is None else preemption.selected
    if preemption is None or selected is None:
        message = "" if preemption is None else preemption.message or ""
        return judgement_words.PREEMPTION_NOT_HELPFUL(message=message).strip()
    best, victims = selected.node, counts.PODS(number=selected.victim_count)
    if decision.verdict == Verdict.AGREES:
        return judgement_words.NOMINATION_AGREES(victims=victims, node=best)
    if decision.verdict == Verdict.SAMPLED:
        return judgement_words.NOMINATION_WITHIN_SAMPLING(best=best, victims=victims, node=node, nodes=preemption.count)
    if decision.reason == Reason.INFEASIBLE:
        return judgement_words.NOMINATION_INFEASIBLE(node=node, victims=victims, best=best)
    return judgement_words.NOMINATION_NOT_PREFERRED(victims=victims, best=best, node=node)


# -- on which state ----------------------------------------------------------------------------------------------------


def _basis(decision: Decision) -> str:
    basis = decision.basis
    if not basis:
        return ""
    if basis.get("state") != "nearby":
        return str(judgement_words.JUST_BEFORE)
    behind, ahead, away = (int(basis.get(name) or 0) for name in ("behind", "ahead", "milliseconds"))
    return judgement_words.NEARBY(behind=behind, ahead=ahead, milliseconds=away)


# -- which nodes the search looked at ----------------------------------------------------------------------------------


def search(decision: Decision) -> str:
    """Say which nodes the scheduler looked at, as far as that is known; empty where it looked at all of them."""
    found = (decision.basis or {}).get("search")
    if found is None:
        return ""
    places, nodes, looked_at = found["places"], found["nodes"], found["looked_at"]
    if places == nodes:
        return str(judgement_words.FROM_ANYWHERE)
    if not found["is_followed"]:
        return str(judgement_words.IN_NO_PROVED_ORDER)
    if looked_at is None:
        return judgement_words.FROM_ELSEWHERE(places=places, nodes=nodes)
    first, last, likely, possibly = (looked_at[name] for name in ("first", "last", "likely", "possibly"))
    if first == last:
        began = judgement_words.BEGAN_AT(node=first)
    else:
        began = judgement_words.BEGAN_BETWEEN(places=places, nodes=nodes, first=first, last=last)
    if first == last and likely == possibly:
        return f"{began} {judgement_words.LOOKED_AT(likely=likely, nodes=nodes)}"
    return f"{began} {judgement_words.LOOKED_AT_LIKELY(likely=likely, possibly=possibly, nodes=nodes)}"


# Messages are compared entry by entry; longer ones than this are only shown.
_MOST_COMPARED = 20_000
_ENTRY = re.compile(r"(?<=, )|(?<=[.:] )")


class Said(Struct, frozen=True):
    """A message in pieces, each with whether the other message lacks it."""

    pieces: tuple[tuple[str, bool], ...]


def side_by_side(theirs: str, ours: str) -> tuple[Said, Said]:
    """Mark in both messages what is not in the other one."""
    if len(theirs) + len(ours) > _MOST_COMPARED:
        return Said(((theirs, False),)), Said(((ours, False),))
    left, right = _ENTRY.split(theirs), _ENTRY.split(ours)
    # An entry ends with a comma or a full stop, according to what follows it.
    matcher = SequenceMatcher(None, [_core(entry) for entry in left], [_core(entry) for entry in right], autojunk=False)
    mine: list[tuple[str, bool]] = []
    other: list[tuple[str, bool]] = []
    for tag, start, end, begin, stop in matcher.get_opcodes():
        mine += [("".join(left[start:end]), tag != "equal")] if end > start else []
        other += [("".join(right[begin:stop]), tag != "equal")] if stop > begin else []
    return Said(tuple(mine)), Said(tuple(other))


def _core(entry: str) -> str:
    return entry.rstrip(" ,.:")


class JournalGroup(Struct, frozen=True):
    """Nodes about which everything said the same; `verdict` is a word of the verdict tokens."""

    count: str
    share: str
    fill: float
    verdict: str
    verdict_text: str
    reported: tuple[str, Status] | None
    everything: tuple[tuple[str, Status], ...]
    examples: tuple[tuple[str, str], ...]
    more: str


class RankedNode(Struct, frozen=True):
    """One node of the ranking; `cells` are the plugins' scores in the order of the columns: weighted, and how."""

    rank: str
    node: str
    url: str
    total: str
    cells: tuple[tuple[str, str, str], ...]
    is_chosen: bool
    is_best: bool


class JournalPreemption(Struct, frozen=True):
    """What removing pods would do; `victims` are namespace and name."""

    sentence: str
    message: str
    node: str
    victims: tuple[tuple[str, str], ...]
    more: str


# -- nodes -------------------------------------------------------------------------------------------------------------


def nodes_of(document: ExplanationDocument) -> set[str]:
    """Return the nodes that the page of a decision names."""
    return {*(name for group in document.groups for name in group.examples), *(row.node for row in document.ranking)}


def groups(document: ExplanationDocument, nodes: Mapping[str, str]) -> list[JournalGroup]:
    """Present the nodes by identical verdict; ``nodes``: the pages of those that the cluster still has."""
    return [_group(group, document.node_count, nodes) for group in document.groups]


def other_groups(document: ExplanationDocument) -> str:
    """Say how many nodes are in groups that the journal does not list; empty where all are listed."""
    others = document.other_groups
    if others is None:
        return ""
    return document_words.GROUPS_NOT_LISTED(groups=others.groups, nodes=counts.NODES(number=others.nodes))


def _group(group: GroupDocument, nodes: int, links: Mapping[str, str]) -> JournalGroup:
    found = rejection(group.verdict)
    return JournalGroup(
        count=counts.NODES(number=group.count),
        share=percent(group.count, nodes),
        fill=round(100 * group.count / nodes, 2) if nodes else 0,
        verdict=verdict_token(found),
        verdict_text=verdict_word(found),
        reported=None if found is None else (found.plugin or "PreFilter", found.status),
        everything=_statuses(group.filters),
        examples=tuple((name, links.get(name, "")) for name in group.examples),
        more=document_words.AND_MORE(number=group.count - len(group.examples))
        if 0 < len(group.examples) < group.count
        else "",
    )


def rejection(verdict: RejectionDocument | None) -> Rejection | None:
    """Return a rejection as the engine has it; None for none."""
    if verdict is None:
        return None
    return Rejection(verdict.plugin, Status(verdict.code, reasons_of(verdict)))


def _statuses(filters: Mapping[str, StatusDocument]) -> tuple[tuple[str, Status], ...]:
    """The rejections by plugin; whether removing pods could help is said of the recorded one only."""
    return tuple((plugin, Status(Code.UNRESOLVABLE, reasons_of(status))) for plugin, status in filters.items())


def result_sentence(document: ExplanationDocument) -> str:
    """Say what the attempt came to."""
    return _ranking_sentence(document) if document.ranking else document_words.NO_NODE(nodes=document.node_count)


class KeptNode(Struct, frozen=True):
    """What the journal keeps of one node: its verdict, and its scores or what the groups say that it may be in."""

    name: str
    verdict: str
    verdict_text: str
    total: str
    scores: tuple[tuple[str, str], ...]
    groups: tuple[tuple[str, tuple[tuple[str, Status], ...]], ...]


def kept_node(document: ExplanationDocument, name: str) -> KeptNode | None:
    """Present a node by name; None where the document does not name it."""
    pools = () if document.pools is UNSET else document.pools
    said = next((pool.nodes[name] for pool in pools if pool.nodes is not UNSET and name in pool.nodes), None)
    if said is None:
        return None
    scored = document.scored(name) or next((row for row in document.ranking if row.node == name), None)
    alike = [group for group in document.groups if _may_hold(group, name, said)]
    verdict = rejection(alike[0].verdict) if alike else None
    return KeptNode(
        name=name,
        verdict="fits" if isinstance(said, int) else verdict_token(verdict) if verdict else "rejected",
        verdict_text=verdict_word(verdict if isinstance(said, str) else None),
        total=counts.POINTS(number=said) if isinstance(said, int) else "",
        scores=() if scored is None else tuple((name, grouped(each.weighted)) for name, each in scored.scores.items()),
        groups=tuple((counts.NODES(number=group.count), _statuses(group.filters)) for group in alike)
        if isinstance(said, str)
        else (),
    )


def _may_hold(group: GroupDocument, name: str, said: int | str) -> bool:
    """Whether a node may be of a group: its examples are, and of groups that list fewer those of the same verdict."""
    if isinstance(said, int):
        return group.verdict is None
    return group.verdict is not None and (
        name in group.examples
        or (group.verdict.plugin == (said or group.verdict.plugin) and len(group.examples) < group.count)
    )


# -- scores ------------------------------------------------------------------------------------------------------------


def ranking(document: ExplanationDocument, decided: str, nodes: Mapping[str, str]) -> dict[str, Any] | None:
    """Present the best nodes, and the one decided for where it is not among them; None where none is feasible.

    ``nodes``: the pages of those that the cluster still has.
    """
    if not document.ranking:
        return None
    plugins = tuple(document.ranking[0].scores)
    rows = list(document.ranking)
    chosen = document.scored(decided)
    if chosen is not None and not any(row.node == decided for row in rows):
        rows.append(chosen)
    best = rows[0].total
    ranked = tuple(
        RankedNode(
            rank=grouped(row.rank),
            node=row.node,
            url=nodes.get(row.node, ""),
            total=grouped(row.total),
            cells=tuple(
                (
                    plugin,
                    grouped(score.weighted),
                    "" if score.raw == score.normalised else f"{grouped(score.raw)} → {grouped(score.normalised)}",
                )
                for plugin in plugins
                for score in (row.scores[plugin],)
            ),
            is_chosen=row.node == decided,
            is_best=row.total == best,
        )
        for row in rows
    )
    return {
        "plugins": plugins,
        "rows": ranked,
        "sentence": _ranking_sentence(document),
        "notes": tuple(_ranking_notes(document)),
    }


def _ranking_sentence(document: ExplanationDocument) -> str:
    feasible, best = document.feasible_count, document.choice
    fits = judgement_words.FITS_ON(feasible=feasible, nodes=document.node_count)
    if best is None:
        return f"{fits} {document_words.ENDS_IN_ERROR()}"
    if feasible == 1:
        return f"{fits} {document_words.NOTHING_TO_COMPARE()}"
    return f"{fits} {document_words.HIGHEST_TOTAL(tied=best.count, total=best.total)}"


def _ranking_notes(document: ExplanationDocument) -> Iterable[str]:
    sampling = document.sampling
    if not sampling.complete:
        yield SAMPLED(wanted=sampling.wanted, nodes=sampling.nodes)
    if document.error is not None:
        yield f"{document_words.ERROR_OF(plugin=document.error.plugin)} {document.error.message or ''}".strip()
    if document.choice is not None and document.choice.by == "nomination":
        yield str(document_words.TAKES_NOMINATED)


# -- preemption, and what is missing -----------------------------------------------------------------------------------


def preemption(document: ExplanationDocument) -> JournalPreemption | None:
    """Present what preemption would have done; None for a pod that fits, or a profile that does not preempt."""
    found = document.preemption
    if found is None:
        return None
    if not found.eligible:
        return JournalPreemption(str(document_words.PREEMPTION_NOT_TRIED), found.message or "", "", (), "")
    selected = found.selected
    if selected is None:
        return JournalPreemption(str(document_words.PREEMPTION_NOT_HELPFUL), found.message or "", "", (), "")
    hidden = selected.victim_count - len(selected.victims)
    namespaces = [victim.partition("/") for victim in selected.victims]
    said = [document_words.MAKES_ROOM(victims=selected.victim_count, node=selected.node)]
    if selected.pdb_violations:
        said.append(document_words.VIOLATIONS(victims=selected.pdb_violations))
    if found.count > 1:
        said.append(document_words.HELPS_ELSEWHERE(nodes=found.count - 1))
    return JournalPreemption(
        sentence=" ".join(said),
        message="",
        node=selected.node,
        victims=tuple((namespace, name) for namespace, _, name in namespaces),
        more=document_words.AND_MORE(number=hidden) if hidden else "",
    )


def dropped(document: ExplanationDocument) -> str:
    """Say what the journal had no room for; empty where it holds all that it usually does."""
    parts = [str(document_words.DROPPED[each]) for each in document.dropped]
    return document_words.DROPPED_PARTS(parts=listed(parts)) if parts else ""
