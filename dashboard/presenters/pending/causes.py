"""What keeps pods pending, what would make them schedulable, and what requeues them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from clusters.engine.analysis import Cause, Kind, PendingFinding, SuggestedChange, is_of_group
from clusters.engine.group_states import GroupPhase, PodGroupState
from clusters.engine.volumes import ClaimProblem
from clusters.wording import pending as words, pod_groups as pod_groups_words
from clusters.wording.causes import cause_reason
from clusters.wording.evaluation import counted
from clusters.wording.lifts import liftings, lower_requests
from clusters.wording.lists import begun
from clusters.wording.pending import KIND_WORDS
from clusters.wording.plugins.reasons import nodes_by_reason
from clusters.wording.pod_groups import SEE_GROUP, cause_in_group
from clusters.wording.remedies import remedy_sentence
from clusters.wording.requeues import requeues_of
from clusters.wording.resources import resource_names
from dashboard.presenters.shared import page

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

    from clusters.engine.versions import Release
    from clusters.services.pending.pods import CauseGroup, WaitingPod, Way

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


class CauseFacts:
    """What was found of the pods of a cause, most of which are alike: templates say it by the kind of the cause."""

    def __init__(self, group: CauseGroup) -> None:
        self.group = group

    @cached_property
    def finding(self) -> PendingFinding:
        """What holds for the most pods that are alike."""
        return self.group.findings[0][0]

    @property
    def alike(self) -> int:
        """How many pods the nodes are rejected for by the same reasons."""
        return sum(number for found, number in self.group.findings if found.reasons == self.finding.reasons)

    @property
    def fewest(self) -> int:
        """On how many nodes the pod fits that fits on fewest."""
        return min(found.feasible for found, _ in self.group.findings)

    @property
    def most(self) -> int:
        """On how many nodes the pod fits that fits on most."""
        return max(found.feasible for found, _ in self.group.findings)

    @property
    def is_before_nodes(self) -> bool:
        """Whether the pods are rejected before any node is evaluated, for a claim of theirs."""
        return isinstance(self.group.cause.claim_problem, ClaimProblem)

    @cached_property
    def name(self) -> str:
        """What keeps the pods pending."""
        return name(self.group)

    @property
    def count(self) -> str:
        """How many pods that are, or at least."""
        return counted(len(self.group.pods), is_whole=self.group.is_whole)

    @property
    def title(self) -> str:
        """How many pods are pending for which cause."""
        return title(self.group)

    @property
    def badge(self) -> tuple[_StrOrPromise, str]:
        """The pods' state: a badge's text and kind."""
        return KIND_WORDS[self.group.cause.kind], BADGES.get(self.group.cause.kind, "")

    @property
    def reason(self) -> str:
        """The scheduler's words, gates, or what is not computed."""
        return cause_reason(self.group.cause)

    @property
    def reasons(self) -> str:
        """How many nodes reject the pods for which reasons."""
        return begun(nodes_by_reason(self.finding.reasons))

    @property
    def plugins(self) -> str:
        """The plugins that reject the pods."""
        return ", ".join(self.group.cause.plugins)

    @property
    def group_state(self) -> str:
        """How the group of pods is in which the cause lies."""
        return pod_groups_words.sentence(self.group.pod_group) if self.group.pod_group else ""

    @property
    def failure(self) -> tuple[str, str]:
        """Of pods that could not be computed: what happened, and what to do."""
        reference = self.group.cause.reference
        return page.not_computed_sentence(reference), page.not_computed_remedy(reference)

    @cached_property
    def way(self) -> str:
        """Which single change would free the most pods; empty where nothing has to change, or more pods may come."""
        return way(self.group)

    @property
    def like(self) -> str:
        """The node of which one more would free the most pods; empty where another change is told."""
        more = self.group.way.change.more if self.group.way is not None and self.way else None
        return "" if more is None else more.like


def title(group: CauseGroup) -> str:
    """Name a group: how many pods are pending for which cause."""
    if group.cause.kind is Kind.NOT_COMPUTED:
        return words.NOT_COMPUTED(pods=len(group.pods))
    pending = words.PENDING_FOR if group.is_whole else words.AT_LEAST_PENDING_FOR
    return pending(pods=len(group.pods), cause=name(group))


def name(group: CauseGroup) -> str:
    """Name what keeps the pods of a group pending."""
    return cause_in_group(group.cause, group.pod_group)


def name_of(pod: WaitingPod) -> str:
    """Name what keeps one pod pending."""
    cause = pod.finding.cause
    return cause_in_group(cause, pod.pod_group if is_of_group(cause) else None)


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
        return str(words.NO_SINGLE_CHANGE)
    return _enough(found, len(group.pods))


def _awaited(group: CauseGroup) -> str:
    """Say which node nominated pods wait for; nothing about them has to change."""
    nodes = list(dict.fromkeys(found.node for found, _ in group.findings))
    leaving = list(dict.fromkeys(pod for found, _ in group.findings for pod in found.leaving))
    if len(group.pods) == 1:
        return words.await_nomination(nodes[0], leaving)
    return words.await_nominations(nodes, leaving)


def _enough(found: Way, pods: int) -> str:
    change = found.change
    if change.remedy is not None:
        remedy = remedy_sentence(change.remedy)
        return remedy if pods == 1 else f"{remedy} {words.THEN_FIT(fitting=found.frees, pods=pods)}"
    if change.more is not None:
        added = begun(words.add_node(change.more.like, change.more.pool))
        return words.takes(added, found.frees, pods, is_whole=found.is_whole)
    if change.reduced:
        return words.frees(begun(_lower(change, is_alike=found.is_alike)), found.frees, pods, None)
    nodes = change.gained if found.is_alike else None
    return words.frees(begun(liftings(change.lifted)), found.frees, pods, nodes)


def _lower(change: SuggestedChange, *, is_alike: bool) -> str:
    if is_alike:
        return lower_requests(change.reduced)
    return words.REQUEST_LESS(resources=resource_names(each.resource for each in change.reduced))


def remedy(state: PodGroupState) -> str:
    """Say what a group of pods needs before its pods enter the queue; empty where it is complete."""
    match state.phase:
        case GroupPhase.NOT_FOUND:
            return str(pod_groups_words.CREATE_GROUP)
        case GroupPhase.WAITING_FOR_PODS:
            return pod_groups_words.create_pods(state.missing, " ".join(state.controller or ()))
        case _:
            return ""


def requeues(cause: Cause, release: Release) -> list[str]:
    """Return which events requeue the pods of a cause in a release, as clauses; nothing where that is not known."""
    if cause.kind is not Kind.UNSCHEDULABLE:
        return []
    return list(dict.fromkeys(each.when() for plugin in cause.plugins for each in requeues_of(plugin, release)))
