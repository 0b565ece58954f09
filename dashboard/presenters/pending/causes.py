"""How many pods are pending for which cause, what would make them schedulable, and what requeues them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.analysis import Kind, is_of_group
from clusters.engine.group_states import GroupPhase
from clusters.engine.volumes import ClaimProblem
from clusters.wording import amounts
from clusters.wording.causes import cause_reason
from clusters.wording.evaluation import BY_WORKER, counted
from clusters.wording.lifts import liftings, lower_requests
from clusters.wording.lists import begun
from clusters.wording.pending import page as page_words
from clusters.wording.pending import ways
from clusters.wording.plugins import requeues_of
from clusters.wording.pod_groups import states as group_states
from clusters.wording.pod_groups.causes import SEE_GROUP, cause_in_group
from clusters.wording.reasons import nodes_by_reason
from clusters.wording.remedies import remedy_sentence
from dashboard.presenters.shared import failures

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clusters.engine.analysis import Cause, PendingFinding, SuggestedChange
    from clusters.engine.group_states import PodGroupState
    from clusters.engine.versions import Release
    from clusters.services.pending.pods import CauseGroup, ClusterPending, WaitingPod, Way

BADGES = {
    Kind.UNSCHEDULABLE: "bad",
    Kind.FITS: "good",
    Kind.PREEMPTS: "warn",
    Kind.NOMINATED: "warn",
    Kind.VOLUME: "bad",
    Kind.GATED: "info",
    Kind.ERROR: "bad",
    Kind.NOT_COMPUTED: "warn",
    Kind.UNCERTAIN: "uncertain",
}
# So many causes are told in the sentence; the rest is counted.
_TOLD = 4

_WHY = {
    Kind.GATED: page_words.GATED_SENTENCE,
    Kind.OTHER_SCHEDULER: page_words.FOREIGN_SENTENCE,
    Kind.EVALUATING: BY_WORKER,
    Kind.PREEMPTS: page_words.PREEMPTION_SENTENCE,
    Kind.NOMINATED: page_words.NOMINATED_SENTENCE,
    Kind.VOLUME: page_words.PROVISIONING_SENTENCE,
}


def sentence(pending: ClusterPending, now: datetime) -> str:
    """Say how many pods are pending, for which causes, and for how long the oldest has been."""
    counts: Counter[str] = Counter()
    partial = {name(group) for group in pending.groups.values() if not group.is_whole}
    failed = 0
    for group in pending.groups.values():
        counts[name(group)] += len(group.pods)
        failed += len(group.pods) * (group.cause.kind is Kind.NOT_COMPUTED)
    told = counts.most_common(_TOLD if len(counts) > _TOLD + 1 else None)
    named = [(cause, counted(number, is_whole=cause not in partial)) for cause, number in told]
    rest = pending.total - sum(number for _, number in told)
    if rest:
        named.append((page_words.other_causes(), counted(rest, is_whole=not partial)))
    said = [page_words.pending(pending.total), page_words.by_cause(named)]
    since = next(iter(pending.groups.values())).since
    if since is not None:
        said.append(page_words.oldest(amounts.age(now - since)))
    if failed:
        said.append(page_words.not_computed_sentence(failed))
    return " ".join(said)


def title(group: CauseGroup) -> str:
    """Name a group: how many pods are pending for which cause."""
    if group.cause.kind is Kind.NOT_COMPUTED:
        return page_words.not_computed(len(group.pods))
    said = page_words.pending_for if group.is_whole else page_words.at_least_pending_for
    return said(len(group.pods), name(group))


def name(group: CauseGroup) -> str:
    """Name what keeps the pods of a group pending."""
    return cause_in_group(group.cause, group.pod_group)


def name_of(pod: WaitingPod) -> str:
    """Name what keeps one pod pending."""
    cause = pod.finding.cause
    return cause_in_group(cause, pod.pod_group if is_of_group(cause) else None)


def why(group: CauseGroup) -> str:
    """Say in a sentence or two what was found, of the most pods that are alike."""
    findings, cause = group.findings, group.cause
    if group.pod_group is not None and cause.kind is Kind.GATED:
        return group_states.sentence(group.pod_group)
    finding, _ = findings[0]
    match cause.kind:
        case Kind.FITS:
            return f"{_fits([found for found, _ in findings])} {page_words.SCHEDULED_NEXT}"
        case Kind.NOT_COMPUTED:
            return f"{failures.what(cause.reference)} {failures.remedy(cause.reference)}"
        case Kind.ERROR:
            return page_words.always_error(cause_reason(cause))
        case Kind.UNCERTAIN if cause.has_no_nodes:
            return str(page_words.NO_NODES_SENTENCE)
        case Kind.UNCERTAIN:
            return page_words.unsettled(cause_reason(cause))
        case Kind.UNSCHEDULABLE if isinstance(cause.claim_problem, ClaimProblem):
            return page_words.rejected_before_nodes(", ".join(cause.plugins), cause_reason(cause))
        case Kind.UNSCHEDULABLE if finding.feasible:
            return page_words.group_refused(cause_reason(cause))
        case Kind.UNSCHEDULABLE:
            said = page_words.rejected_by_nodes(finding.node_count, nodes_by_reason(finding.reasons))
            return " ".join(filter(None, (said, _for_whom(group, finding))))
        case Kind.GATED if cause.plugins:
            return str(page_words.GROUP_SENTENCE)
        case _:
            return str(_WHY[cause.kind])


def _for_whom(group: CauseGroup, finding: PendingFinding) -> str:
    """Say for how many pods the numbers of a finding hold, unless they do for all."""
    alike = sum(number for found, number in group.findings if found.reasons == finding.reasons)
    return "" if alike == len(group.pods) else page_words.true_of(alike, len(group.pods))


def _fits(findings: Iterable[PendingFinding]) -> str:
    feasible = sorted(found.feasible for found in findings)
    nodes = next(iter(findings)).node_count
    if feasible[0] == feasible[-1]:
        return page_words.fits_on(feasible[0], nodes)
    return page_words.fit_on(feasible[0], feasible[-1], nodes)


def way(group: CauseGroup) -> str:
    """Say which single change would free the most pods; empty where nothing has to change, or more pods may come."""
    if group.cause.kind is Kind.NOMINATED:
        return _awaited(group)
    if group.pod_group is not None:
        return remedy(group.pod_group) or str(SEE_GROUP)
    if not group.is_unschedulable or not group.is_whole:
        return ""
    found = group.way
    if found is None:
        return str(ways.NO_SINGLE_CHANGE)
    return _enough(found, len(group.pods))


def like(group: CauseGroup) -> str:
    """Name the node of which one more would free the most pods; empty where another change is told."""
    more = group.way.change.more if group.way is not None and way(group) else None
    return "" if more is None else more.like


def _awaited(group: CauseGroup) -> str:
    """Say which node nominated pods wait for; nothing about them has to change."""
    nodes = list(dict.fromkeys(found.node for found, _ in group.findings))
    leaving = list(dict.fromkeys(pod for found, _ in group.findings for pod in found.leaving))
    if len(group.pods) == 1:
        return ways.await_nomination(nodes[0], leaving)
    return ways.await_nominations(nodes, leaving)


def _enough(found: Way, pods: int) -> str:
    change = found.change
    if change.remedy is not None:
        remedy = remedy_sentence(change.remedy)
        return remedy if pods == 1 else f"{remedy} {ways.then_fit(found.frees, pods)}"
    if change.more is not None:
        return ways.takes(
            begun(ways.add_node(change.more.like, change.more.pool)), found.frees, pods, is_whole=found.is_whole
        )
    if change.reduced:
        return _fit(begun(_lower(change, is_alike=found.is_alike)), found, pods, None)
    said = _fit(begun(liftings(change.lifted)), found, pods, change.gained if found.is_alike else None)
    return said if len(change.lifted) == 1 else f"{ways.TWO_TOGETHER} {said}"


def _fit(change: str, found: Way, pods: int, nodes: int | None) -> str:
    if pods == 1:
        return ways.fits(change, nodes)
    if found.frees == pods:
        return ways.all_fit(change, pods, nodes)
    return ways.some_fit(change, fitting=found.frees, pods=pods, nodes=nodes)


def _lower(change: SuggestedChange, *, is_alike: bool) -> str:
    return lower_requests(change.reduced) if is_alike else ways.request_less(each.resource for each in change.reduced)


def remedy(state: PodGroupState) -> str:
    """Say what a group of pods needs before its pods enter the queue; empty where it is complete."""
    match state.phase:
        case GroupPhase.NOT_FOUND:
            return str(group_states.CREATE_GROUP)
        case GroupPhase.WAITING_FOR_PODS:
            return group_states.create_pods(state.missing, " ".join(state.controller or ()))
        case _:
            return ""


def requeued_when(cause: Cause, release: Release) -> str:
    """Say which events requeue the pods of a group in a release; empty where that is not known."""
    if cause.kind is not Kind.UNSCHEDULABLE:
        return ""
    events = [each.when for plugin in cause.plugins for each in requeues_of(plugin, release)]
    return page_words.requeued_when(dict.fromkeys(events)) if events else ""
