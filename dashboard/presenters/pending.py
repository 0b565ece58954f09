"""Pending pods: what keeps each, what would help, the queue and its attempts."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from clusters.documents.problems import worded_gap
from clusters.engine.analysis import Cause, Kind, PendingFinding, PreemptionOutcome, SuggestedChange
from clusters.engine.batch_groups import AnyGroupState, BatchGroupState
from clusters.engine.configuration import LONGEST_WAIT, LOOKED_UP_EVERY, Backoff, tried_again_by
from clusters.engine.group_states import GroupPhase
from clusters.engine.queueing import QueuePlace, Standing
from clusters.engine.quotas import QuotaExceeded, QuotaUnspecified
from clusters.engine.volumes import ClaimProblem
from clusters.engine.workloads import Failures, RefusedGroup, WorkloadFailure, refused_groups
from clusters.wording import (
    amounts,
    batch_groups,
    pending as pending_words,
    pod_groups as pod_groups_words,
    pods as pods_words,
    refusals,
    workload_failures as failure_words,
)
from clusters.wording.advice import liftings, lower_requests
from clusters.wording.evaluation import counted
from clusters.wording.lists import begun
from clusters.wording.pending import KIND_WORDS, where
from clusters.wording.plugins.reasons import nodes_by_reason
from clusters.wording.pod_groups import SEE_GROUP, cause_in_group
from clusters.wording.remedies import remedy_sentence
from clusters.wording.requeues import Requeue, cause_reason, requeues_of
from clusters.wording.resources import resource_names
from dashboard.presenters.decisions.observed import compared
from dashboard.presenters.shared import page
from dashboard.presenters.shared.page import not_computed_sentence

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from django.utils.functional import _StrOrPromise

    from clusters.engine.problems import Problem
    from clusters.engine.scheduling import Candidate
    from clusters.engine.versions import Release
    from clusters.models import Cluster
    from clusters.services.pending.pods import Attempts, CauseGroup, WaitingPod, Way
    from clusters.services.pending.queue import (
        ClusterPreemptors,
        PendingPreemptor,
        QueuedPod,
        QueuedPodState,
        WorkloadRisk,
    )
    from dashboard.lists.columns import TableRows


# -- What keeps pods pending, what would make them schedulable, and what requeues them --------------------------------


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
    def reported(self) -> tuple[str, str]:
        """What another system reports of its group in which the cause lies, and its message."""
        state = self.group.pod_group
        return batch_groups.reported(state) if isinstance(state, BatchGroupState) else ("", "")

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
        return pending_words.NOT_COMPUTED(pods=len(group.pods))
    pending = pending_words.PENDING_FOR if group.is_whole else pending_words.AT_LEAST_PENDING_FOR
    return pending(pods=len(group.pods), cause=name(group))


def name(group: CauseGroup) -> str:
    """Name what keeps the pods of a group pending."""
    return cause_in_group(group.cause, group.pod_group)


def name_of(pod: WaitingPod) -> str:
    """Name what keeps one pod pending."""
    return cause_in_group(pod.finding.cause, pod.group_of_cause)


def way(group: CauseGroup) -> str:
    """Say which single change would free the most pods; empty where nothing has to change, or more pods may come."""
    if group.cause.kind is Kind.NOMINATED:
        return _awaited(group)
    if group.pod_group is not None:
        # What another system reports says more than where its group is.
        is_reported = isinstance(group.pod_group, BatchGroupState) and batch_groups.reported(group.pod_group)[0]
        return remedy(group.pod_group) or ("" if is_reported else str(SEE_GROUP))
    if not group.is_unschedulable or not group.is_whole:
        return ""
    found = group.way
    if found is None:
        return str(pending_words.NO_SINGLE_CHANGE)
    return _enough(found, len(group.pods))


def _awaited(group: CauseGroup) -> str:
    """Say which node nominated pods wait for; nothing about them has to change."""
    nodes = list(dict.fromkeys(found.node for found, _ in group.findings))
    leaving = list(dict.fromkeys(pod for found, _ in group.findings for pod in found.leaving))
    if len(group.pods) == 1:
        return pending_words.await_nomination(nodes[0], leaving)
    return pending_words.await_nominations(nodes, leaving)


def _enough(found: Way, pods: int) -> str:
    change = found.change
    if change.remedy is not None:
        remedy = remedy_sentence(change.remedy)
        return remedy if pods == 1 else f"{remedy} {pending_words.THEN_FIT(fitting=found.frees, pods=pods)}"
    if change.more is not None:
        added = begun(pending_words.add_node(change.more.like, change.more.pool))
        return pending_words.takes(added, found.frees, pods, is_whole=found.is_whole)
    if change.reduced:
        return pending_words.frees(begun(_lower(change, is_alike=found.is_alike)), found.frees, pods, None)
    nodes = change.gained if found.is_alike else None
    return pending_words.frees(begun(liftings(change.lifted)), found.frees, pods, nodes)


def _lower(change: SuggestedChange, *, is_alike: bool) -> str:
    if is_alike:
        return lower_requests(change.reduced)
    return pending_words.REQUEST_LESS(resources=resource_names(each.resource for each in change.reduced))


def remedy(state: AnyGroupState) -> str:
    """Say what a group of pods needs before its pods enter the queue; empty where it is complete, or not known."""
    if isinstance(state, BatchGroupState):
        return batch_groups.remedy(state)
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


# -- When the scheduler tries a pending pod next, as far as it is known when it last did ------------------------------


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class NextAttempt(NamedTuple):
    """When the scheduler may try a pod next: in words, and the time that they end with, if any.

    `earliest` and `latest` are what was computed, None where that is not known.
    """

    text: _StrOrPromise
    at: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None


def next_attempt(finding: PendingFinding, attempts: Attempts | None, backoff: Backoff, now: datetime) -> NextAttempt:
    """Say when a pod is tried next by what was found of it and by its last attempt."""
    kind = finding.cause.kind
    if kind is Kind.GATED:
        return NextAttempt(pending_words.WITH_GROUP if finding.cause.plugins else pending_words.WITHOUT_GATES)
    if kind is Kind.OTHER_SCHEDULER or attempts is None or attempts.last_at is None:
        return NextAttempt(pending_words.NOT_KNOWN)
    earliest, latest = retry_times(attempts.last_at, attempts.count, backoff)
    if now < earliest:
        return NextAttempt(pending_words.NOT_BEFORE, earliest, earliest, latest)
    if now < latest:
        text = pending_words.EXPECTED if kind is Kind.FITS else pending_words.REQUEUED_OR
        return NextAttempt(text, latest, earliest, latest)
    return NextAttempt(pending_words.TRIED_SINCE, None, earliest, latest)


def retry_times(last_at: datetime, failures: int, backoff: Backoff) -> tuple[datetime, datetime]:
    """Return when the backoff after a failed attempt ends, and by when a pod is tried that no event requeues."""
    failed_at = (last_at - _EPOCH) // timedelta(microseconds=1) * 1000
    return _moment(backoff.over_at(failed_at, failures)), _moment(tried_again_by(failed_at))


def _moment(nanoseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=nanoseconds // 1000)


# -- Pending pods as rows of their causes -----------------------------------------------------------------------------


# Nothing was computed for these that a report could be compared with.
_INCOMPARABLE = frozenset({Kind.OTHER_SCHEDULER, Kind.EVALUATING, Kind.UNCERTAIN, Kind.NOT_COMPUTED})
# So many pods of a group are named that share a row.
_MOST_NAMED = 20
# A badge's text and kind for what a comparison comes to.
_COMPARED = {"success": (pending_words.AGREES, "good"), "warning": (pending_words.DIFFERS, "warn")}


class PendingRow(Struct, frozen=True):
    """A pending pod of a cause; `others` are those of its pod group that share the row, as the same holds for them."""

    cause: CauseFacts
    pod: WaitingPod
    attempts: Attempts | None
    next_attempt: NextAttempt
    others: tuple[WaitingPod, ...] = ()

    @property
    def finding(self) -> PendingFinding:
        """What was found of the pod."""
        return self.pod.finding

    @property
    def where(self) -> str:
        """Which nodes the cause is about; empty where its name says all."""
        return where(self.finding)

    @property
    def pod_group(self) -> GroupPlace | None:
        """The place of the group of pods that it names."""
        return place_of(self.pod.pod_group)

    @property
    def message(self) -> str:
        """The scheduler's own message: the condition in full, or else the latest event, which may be cut off."""
        return self.pod.reported or (self.attempts.message if self.attempts else "")

    @property
    def report(self) -> tuple[_StrOrPromise, str]:
        """How that compares with what is computed: a badge's text and kind, which is good where both agree."""
        if not self.message:
            return pending_words.NOTHING_REPORTED, ""
        if self.finding.cause.kind in _INCOMPARABLE:
            return pending_words.REPORTED, ""
        return _COMPARED.get(compared(self.message, self.finding)[0], (pending_words.REPORTED, "info"))

    @property
    def named(self) -> tuple[WaitingPod, ...]:
        """The others that are named."""
        return self.others[:_MOST_NAMED]

    @property
    def unnamed(self) -> int:
        """How many others are not named."""
        return len(self.others) - len(self.named)


class CauseRow(Struct, frozen=True):
    """Pods pending for one cause, of which `found` pass the filter and `pods` have a row.

    `most` is how many pods the largest cause has that is listed beside it; `is_alone` tells that this cause alone was
    asked for, with all of its pods.
    """

    cause: CauseFacts
    release: Release
    found: int
    most: int
    pods: TableRows[PendingRow]
    is_alone: bool

    @property
    def share(self) -> int:
        """How many pods these are of those of the largest cause, 0 to 100."""
        return share_of_largest(len(self.cause.group.pods), self.most)

    @property
    def hidden(self) -> int:
        """How many of the pods the filters hide."""
        return len(self.cause.group.pods) - self.found

    @property
    def is_cut(self) -> bool:
        """Whether more pods pass the filter than have a row."""
        return not self.is_alone and self.found > sum(1 + len(row.others) for row in self.pods)

    @property
    def pod_group(self) -> GroupPlace | None:
        """The place of the group of pods in which the cause lies."""
        return place_of(self.cause.group.pod_group)

    @property
    def requeues(self) -> list[str]:
        """Which events requeue the pods; each is a clause."""
        return requeues(self.cause.group.cause, self.release)


def gap_lines(cluster: Cluster) -> list[str]:
    """Say what the source lacks that may keep some pod pending."""
    return [f"{gap.label}: {gap.why} {gap.affects}" for gap in map(worded_gap, cluster.gaps) if gap.felt]


def alike_pods(pods: Iterable[WaitingPod]) -> list[list[WaitingPod]]:
    """Put together the pods of one pod group of which the same was found; others stay alone."""
    rows: dict[Hashable, list[WaitingPod]] = {}
    for pod in pods:
        alike = pod.uid if pod.pod_group is None else (pod.pod_group.key, id(pod.finding), pod.workload)
        rows.setdefault(alike, []).append(pod)
    return list(rows.values())


def pod_rows(
    cause: CauseFacts,
    alike: Iterable[Sequence[WaitingPod]],
    attempts: Mapping[str, Attempts],
    backoff: Backoff,
    now: datetime,
) -> list[PendingRow]:
    """Return rows of pods of a cause; alike ones share one where the scheduler's attempts are the same too."""
    rows: list[PendingRow] = []
    for pods in alike:
        shared: dict[Hashable, list[WaitingPod]] = {}
        for pod in pods:
            shared.setdefault((pod.reported, attempts.get(pod.uid)), []).append(pod)
        for first, *others in shared.values():
            tried = attempts.get(first.uid)
            look = next_attempt(first.finding, tried, backoff, now)
            rows.append(PendingRow(cause, first, tried, look, tuple(others)))
    return rows


class GroupPlace(NamedTuple):
    """Namespace and name of a group of pods, as its page is found, and what it is called beside other systems."""

    namespace: str
    name: str
    of_system: str


def place_of(state: AnyGroupState | None) -> GroupPlace | None:
    """Return where a group of pods is; None without one."""
    if state is None:
        return None
    namespace, _, name = str(state.key).partition("/")
    return GroupPlace(namespace, name, batch_groups.name(state) if isinstance(state, BatchGroupState) else "")


def share_of_largest(number: int, largest: int) -> int:
    """Return a number's share of the largest beside it, 0 to 100; what is not nothing is at least 1."""
    return max(1, round(100 * number / largest)) if number else 0


# -- Pending pods as the scheduler's queue has them -------------------------------------------------------------------


PLACE_BADGES = {
    QueuePlace.ACTIVE: "good",
    QueuePlace.BACKOFF: "warn",
    QueuePlace.UNSCHEDULABLE: "bad",
    QueuePlace.BINDING: "info",
    QueuePlace.GATED: "info",
    QueuePlace.OTHER_SCHEDULER: "",
    QueuePlace.EVALUATING: "info",
}


class QueueRow(NamedTuple):
    """One pod of the queue."""

    queued: QueuedPod
    standing: Standing
    next_attempt: NextAttempt
    release: Release

    @property
    def pod(self) -> WaitingPod:
        """The pod."""
        return self.queued.pod

    @property
    def badge(self) -> tuple[str, str]:
        """The part of the queue: a badge's text and kind."""
        return str(pending_words.PLACES[self.standing.place]), PLACE_BADGES[self.standing.place]

    @property
    def pod_group(self) -> GroupPlace | None:
        """The place of the group of pods that it names."""
        return place_of(self.pod.pod_group)

    @property
    def cause(self) -> str:
        """What keeps the pod pending, where no plugin that rejects it says so."""
        cause, place = self.pod.finding.cause, self.standing.place
        if cause.kind is Kind.NOT_COMPUTED:
            return not_computed_sentence(cause.reference)
        is_said = (
            place is QueuePlace.UNSCHEDULABLE and self.pod.group_of_cause is None and cause.kind is not Kind.UNCERTAIN
        )
        is_inside = place in (QueuePlace.ACTIVE, QueuePlace.BACKOFF, QueuePlace.BINDING, QueuePlace.EVALUATING)
        return "" if is_said or is_inside else begun(name_of(self.pod))

    @property
    def fits_now(self) -> bool:
        """Whether the pod was rejected before, and fits now."""
        return self.standing.place in (QueuePlace.ACTIVE, QueuePlace.BACKOFF) and (
            self.pod.finding.cause.kind is Kind.FITS and self.queued.waiting.was_tried
        )

    @property
    def rejected_by(self) -> list[str]:
        """The plugins that reject a pod which is unschedulable, first the one that keeps it pending."""
        finding = self.pod.finding
        if self.standing.place is not QueuePlace.UNSCHEDULABLE:
            return []
        return sorted(finding.rejected_by, key=lambda plugin: plugin not in finding.cause.plugins[:1])


class PluginRequeues(NamedTuple):
    """A plugin, how many unschedulable pods it rejects, and what requeues those."""

    plugin: str
    pods: int
    requeues: tuple[Requeue, ...]


def part_tiles(placed: Iterable[QueuedPodState], address: str) -> list[tuple[str, str, str]]:
    """Return for each part of the queue its name, how many pods it has, and the address that shows those alone."""
    pods = Counter(each.standing.place for each in placed)
    evaluating = pods[QueuePlace.EVALUATING]
    return [
        (
            str(pending_words.PLACES[place]),
            counted(pods[place], is_whole=place is QueuePlace.EVALUATING or not evaluating),
            f"{address}?state={place}" if pods[place] else "",
        )
        for place in QueuePlace
        if pods[place] or place in (QueuePlace.ACTIVE, QueuePlace.BACKOFF, QueuePlace.UNSCHEDULABLE)
    ]


def queue_rows(
    placed: Iterable[QueuedPodState], backoff: Backoff, release: Release, now: datetime
) -> Iterable[QueueRow]:
    """Yield the rows of pods as of a moment."""
    for queued, standing in placed:
        yield QueueRow(queued, standing, _next_attempt(queued, standing.place, backoff, now), release)


def _next_attempt(queued: QueuedPod, place: QueuePlace, backoff: Backoff, now: datetime) -> NextAttempt:
    """Say when the scheduler tries a pod next, as far as it is known when it last did."""
    attempts = queued.attempts
    match place:
        case QueuePlace.BINDING:
            return NextAttempt(pending_words.BOUND_FIRST)
        case QueuePlace.ACTIVE:
            return NextAttempt(pending_words.IN_ORDER)
        case QueuePlace.UNSCHEDULABLE if attempts is None or attempts.last_at is None:
            longest = amounts.age(timedelta(seconds=LONGEST_WAIT + LOOKED_UP_EVERY))
            return NextAttempt(pending_words.REQUEUED_WITHIN(age=longest))
        case QueuePlace.BACKOFF if attempts is not None and attempts.last_at is not None:
            earliest, _ = retry_times(attempts.last_at, attempts.count, backoff)
            return NextAttempt(pending_words.NOT_BEFORE, earliest, earliest)
    return next_attempt(queued.pod.finding, attempts, backoff, now)


def plugin_requeues(placed: Sequence[QueuedPodState], release: Release) -> list[PluginRequeues]:
    """Return what requeues unschedulable pods in a release, the plugin that rejects most of them first."""
    pods: Counter[str] = Counter()
    for each in placed:
        if each.standing.place is QueuePlace.UNSCHEDULABLE:
            pods.update(each.queued.pod.finding.rejected_by)
    return [PluginRequeues(plugin, number, requeues_of(plugin, release)) for plugin, number in pods.most_common()]


# -- Preemption in a cluster ------------------------------------------------------------------------------------------


# So many of a workload's pods, and of those that preempt them, have a link.
_NAMED = 5


class RiskRow(NamedTuple):
    """A workload that would lose pods; at least so many, unless ``is_whole``."""

    risk: WorkloadRisk
    is_whole: bool

    @property
    def title(self) -> str:
        """The workload's name."""
        return pods_words.workload(self.risk.workload)

    @property
    def selected(self) -> str:
        """How many pods would be removed now."""
        return counted(len(self.risk.selected), is_whole=self.is_whole)

    @property
    def possible(self) -> str:
        """How many pods are victims on any candidate node."""
        return counted(self.risk.possible, is_whole=self.is_whole)

    @property
    def pods(self) -> list[tuple[str, str]]:
        """Namespace and name of the pods that are named."""
        return [(namespace, name) for namespace, _, name in (key.partition("/") for key in self.risk.selected[:_NAMED])]

    @property
    def more_pods(self) -> int:
        """How many pods are not named."""
        return len(self.risk.selected[_NAMED:])

    @property
    def preemptors(self) -> list[tuple[PendingPreemptor, Candidate]]:
        """Pending pods that would remove them, each with the node that the scheduler would select."""
        return [(each, each.found.candidates[each.found.selected]) for each in self.risk.preemptors[:_NAMED]]

    @property
    def more_preemptors(self) -> int:
        """How many pending pods are not named."""
        return sum(each.number for each in self.risk.preemptors[_NAMED:])


def others(found: ClusterPreemptors) -> list[tuple[str, int]]:
    """Count the pending pods that preempt none, by why."""
    counts = Counter[PreemptionOutcome]()
    for each in found.preemptors:
        if each.found.outcome is not PreemptionOutcome.MAKES_ROOM:
            counts[each.found.outcome] += each.number
    return [(str(pods_words.OTHERS[outcome]), number) for outcome, number in counts.most_common()]


# -- Workloads whose pods the API server refuses to create, by cause --------------------------------------------------


CAUSES = 10
WORKLOADS_PER_CAUSE = 5


class RefusedWorkload(NamedTuple):
    """A workload that fails for the cause, and all of its failures, the gravest first."""

    failure: WorkloadFailure
    among: tuple[WorkloadFailure, ...]

    @property
    def since(self) -> datetime | None:
        """Since when it fails."""
        return _since(self.failure.since)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why the API server refuses its pods."""
        return self.failure.refusal.problems if self.failure.refusal is not None else ()

    @property
    def remedy(self) -> str:
        """What to do about it alone."""
        return failure_words.remedy(self.failure, self.among)


class RefusedCause(NamedTuple):
    """The workloads of one cause; ``most`` pods are missing for the cause for which most are."""

    group: RefusedGroup
    failures: Failures
    most: int

    @property
    def because(self) -> str:
        """Why the pods are refused; of what fails otherwise, how many workloads do."""
        return refusals.because(self.group.failures[0]) or failure_words.CANNOT_CREATE(
            workloads=len(self.group.failures)
        )

    @property
    def share(self) -> int:
        """How many pods are missing, of those of the largest cause, 0 to 100."""
        return share_of_largest(self.group.missing, self.most)

    @property
    def since(self) -> datetime | None:
        """Since when the first of them fails."""
        return _since(self.group.since)

    @property
    def remedy(self) -> str:
        """What to do about all of them together."""
        return refusals.remedy(self.group.failures)

    @property
    def is_of_quota(self) -> bool:
        """Whether the page of quotas shows what it is about."""
        problems = next(self.workloads()).problems
        return any(isinstance(each, QuotaExceeded | QuotaUnspecified) for each in problems)

    @property
    def unlisted(self) -> int:
        """How many workloads have no row."""
        return max(0, len(self.group.failures) - WORKLOADS_PER_CAUSE)

    def workloads(self) -> Iterator[RefusedWorkload]:
        """Yield the workloads, those that lack most pods first."""
        for failure in self.group.failures:
            yield RefusedWorkload(failure, self.failures[failure.workload])


def refused_causes(failures: Failures) -> list[RefusedCause]:
    """Return the causes, that for which most pods are missing first."""
    groups = refused_groups(failures)
    most = max((group.missing for group in groups), default=0)
    return [RefusedCause(group, failures, most) for group in groups]


def _since(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
