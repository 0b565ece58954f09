"""One workload: where its pods run, what constrains and guards them, and why some are pending."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.disruption import BudgetState, eviction_answer
from clusters.engine.objects import Document, Pod
from clusters.engine.spreading import ZONE, SpreadGroup
from clusters.engine.workloads import IndexGroup, IndexState, JobProgress
from clusters.services.workloads.cron_jobs import UnreadableScheduleError, start_of
from clusters.services.workloads.listing import MOST_PODS
from clusters.wording import amounts, counts, refusals, workload_failures as failure_words
from clusters.wording.amounts import grouped
from clusters.wording.budgets import states as budget_states
from clusters.wording.drains.pods import evicting
from clusters.wording.nodes.states import NO_ZONE
from clusters.wording.pending.names import cause_name
from clusters.wording.pending.page import AT_LEAST_PENDING_FOR, PENDING_BECAUSE, PENDING_FOR
from clusters.wording.pods.listing import NO_CONTROLLER
from clusters.wording.spread.groups import OVER_MAX_SKEW
from clusters.wording.spread.keys import domains_name
from clusters.wording.workloads import (
    cron_jobs as cron_jobs_words,
    growth as growth_words,
    jobs as jobs_words,
    summary as summary_words,
)
from dashboard.pictures.tokens import ZONE_COLOURS
from dashboard.presenters import spread as spread_groups
from dashboard.presenters.budgets import badges as budget_badges
from dashboard.presenters.pending import causes
from dashboard.presenters.shared.page import later
from dashboard.presenters.spread import figure as spread_figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.analysis import Cause
    from clusters.engine.owners import Workload
    from clusters.services.pending.pods import CauseGroup, ClusterPending
    from clusters.services.workloads import ClusterWorkloads, PendingPod, WorkloadState
    from dashboard.pictures.figure import Figure


def cron_sentence(cron_job: Document, now: datetime) -> str:
    """Say what a CronJob's controller does now; empty for one whose schedule is not mirrored."""
    try:
        start = start_of(cron_job, now)
    except UnreadableScheduleError as error:
        return cron_jobs_words.UNREADABLE(schedule=error.schedule)
    if start is None:
        return ""
    said = cron_jobs_words.start(start.found, due=start.due, following=start.following)
    scheduled = cron_jobs_words.scheduled(schedule=start.schedule, zone=start.zone)
    return " ".join(filter(None, (scheduled, said, cron_jobs_words.missed(start.found))))


# Rows of a table of indexes: each has its own number of failures, or its own time.
GROUPS_SHOWN: Final = 20
# Of indexes in one cell: intervals beyond are left out.
_INTERVALS_SHOWN: Final = 30
_NONE: Final = "–"


@dataclass(frozen=True, slots=True)
class IndexRow:
    """Indexes of a Job that are alike, as a row shows them."""

    state: str
    indexes: str
    number: str
    failures: str
    left: str
    next_pod: str


@dataclass(frozen=True, slots=True)
class JobView:
    """A Job on the page of its workload; ``has_limits``: whether its indexes have a limit of failures of their own."""

    name: str
    sentence: str
    rows: tuple[IndexRow, ...] = ()
    has_limits: bool = False
    more: str = ""


def job_view(job: JobProgress) -> JobView:
    """Present how far a Job is."""
    groups = () if job.indexes is None or job.managed_by else job.indexes.groups
    more = len(groups) - GROUPS_SHOWN
    return JobView(
        name=job.name,
        sentence=job_sentence(job),
        rows=tuple(_row(group) for group in groups[:GROUPS_SHOWN]),
        has_limits=job.indexes is not None and job.indexes.limit is not None,
        more=jobs_words.MORE_GROUPS(more=more) if more > 0 else "",
    )


def job_sentence(job: JobProgress) -> str:
    """Say how far a Job is, what ends it, and when its next pod comes."""
    if job.managed_by:
        return jobs_words.managed_by(job)
    if job.is_suspended:
        return jobs_words.counted(job)
    said = [jobs_words.counted(job)]
    if job.ending is not None:
        return " ".join((*said, jobs_words.ending(job.ending)))
    said += [jobs_words.left(job), *_about_indexes(job)]
    if job.policy is not None:
        said.append(jobs_words.failure_policy(job.policy))
    if job.waits_for_ended:
        said.append(str(jobs_words.WAITS_FOR_ENDED))
    if job.in_a_row and job.last_failed and (at := later(job.last_failed, job.delay)) is not None:
        said.append(jobs_words.next_pod(job, delay=timedelta(seconds=job.delay), at=at))
    # A deadline beyond the calendar ends nothing.
    if job.deadline is not None and job.started and (at := later(job.started, job.deadline)) is not None:
        said.append(jobs_words.deadline(at))
    return " ".join(filter(None, said))


def _about_indexes(job: JobProgress) -> list[str]:
    if job.indexes is None:
        return []
    said = [jobs_words.index_limit(job.indexes), *map(jobs_words.success_rule, job.indexes.success)]
    return said if job.indexes.is_whole else [*said, jobs_words.PARTLY_KNOWN(pods=MOST_PODS)]


def _row(group: IndexGroup) -> IndexRow:
    next_pod = ""
    if group.state is IndexState.NEXT:
        next_pod = str(jobs_words.AT_ONCE)
        if group.last_failed and (at := later(group.last_failed, group.delay)) is not None:
            next_pod = jobs_words.not_before(at)
    return IndexRow(
        state=jobs_words.index_state(group.state),
        indexes=_shortened(str(group.indexes)),
        number=grouped(group.indexes.count),
        failures=_NONE if group.failures is None else grouped(group.failures),
        left=_NONE if group.left is None else grouped(group.left),
        next_pod=next_pod,
    )


def _shortened(indexes: str) -> str:
    parts = indexes.split(",")
    return ", ".join(parts[:_INTERVALS_SHOWN]) + (" …" if len(parts) > _INTERVALS_SHOWN else "")


def waiting_sentence(pending: ClusterPending, state: WorkloadState) -> str:
    """Name the cause of most of a workload's pending pods with what would help; empty where none is pending now."""

    def own(group: CauseGroup) -> int:
        return sum(pod.workload == state.workload for pod in group.pods)

    most = max(pending.groups.values(), key=own, default=None)
    if most is None or not own(most):
        return ""
    title = PENDING_FOR if most.is_whole else AT_LEAST_PENDING_FOR
    return " ".join(filter(None, (f"{title(pods=own(most), cause=causes.name(most))}.", causes.way(most))))


# A distribution such as 5–3–0 is read at a glance up to here.
MOST_ZONES = 8
BARE = "Pod"
STATIC = "Node"


def full_name(workload: Workload) -> str:
    """Name a workload by namespace and name."""
    return f"{workload.namespace}/{workload.name}"


def kind_text(workload: Workload) -> str:
    """Name what makes the pods."""
    named = {BARE: NO_CONTROLLER, STATIC: summary_words.STATIC_PODS}
    return str(named.get(workload.kind, workload.kind))


def skew_text(group: SpreadGroup) -> str:
    """Say how far the domains of a group are apart, and over what."""
    return summary_words.skew_cell(
        skew=group.largest_skew,
        max_skew=group.constraint.max_skew,
        domains=domains_name(group.constraint.topology_key),
        blocks=group.blocks,
    )


def cluster_sentence(found: ClusterWorkloads) -> str:
    """Say how many workloads there are, and how many of their pods have a node."""
    summary = found.summary
    pending = (
        summary_words.PENDING_PODS(pods=summary.pending, workloads=counts.workloads(summary.with_pending))
        if summary.pending
        else str(summary_words.NO_PENDING)
    )
    scheduled = summary_words.SCHEDULED_PODS(
        workloads=counts.workloads(len(found.states)), pods=counts.pods(summary.placed)
    )
    astray = summary_words.PODS_ASTRAY(pods=summary.astray) if summary.astray else ""
    return " ".join(filter(None, (scheduled, astray, pending)))


def zones_text(state: WorkloadState, zones: tuple[str, ...]) -> str:
    """Write how many pods each zone has, in order of name; of many zones how many have any."""
    *named, aside = state.zones
    if not any(state.zones):
        return "–"
    if len(zones) - 1 > MOST_ZONES:
        return summary_words.SOME_ZONES(held=sum(1 for pods in named if pods), zones=len(named))
    said = ["–".join(map(grouped, named))] if any(named) else []
    return ", ".join([*said, summary_words.WITHOUT_ZONE(pods=aside)] if aside else said)


def sentence(state: WorkloadState, zones: tuple[str, ...], group: SpreadGroup | None) -> str:
    """Say how many of a workload's pods run where, and what is wrong with that."""
    if not state.placed + state.pending:
        return summary_words.NO_PODS_OF(desired=state.desired) if state.desired else str(summary_words.NO_PODS)
    desired = state.placed + state.pending if state.desired is None else state.desired
    said = [summary_words.SCHEDULED(placed=state.placed, desired=desired, ready=state.ready)]
    if state.placed:
        said += _where(state, zones)
    if state.pending:
        said.append(summary_words.ARE_PENDING(pods=state.pending))
    if group is not None:
        skew = summary_words.skew_exceeds if group.violation else summary_words.skew_within
        said.append(
            skew(
                skew=group.largest_skew,
                max_skew=group.constraint.max_skew,
                domains=domains_name(group.constraint.topology_key),
            )
        )
    return " ".join(said)


def _where(state: WorkloadState, zones: tuple[str, ...]) -> list[str]:
    nodes = counts.nodes(state.nodes)
    *named, aside = state.zones
    held = [zone for zone, pods in zip(zones, named, strict=False) if pods]
    if not held:
        return [summary_words.RUNS_ON(nodes=nodes)]
    if len(held) == 1 and not aside and len(zones) > 2:
        return [summary_words.RUNS_IN_ONE_ZONE(nodes=nodes, zone=held[0])]
    return [summary_words.RUNS_ON(nodes=nodes), summary_words.BY_ZONE(pods=zones_text(state, zones))]


def budget_text(states: list[BudgetState]) -> tuple[str, str]:
    """Say what a workload's budgets allow now, and the kind of badge that says it."""
    if not states:
        return str(summary_words.NO_BUDGET), ""
    if len(states) > 1:
        return counts.budgets(len(states)), "bad"
    (state,) = states
    if state.cause is None:
        return summary_words.ALLOWS(disruptions=state.budget.grants), "good"
    if state.cause.lasts:
        return str(summary_words.ALLOWS_NONE), "bad"
    return str(summary_words.ALLOWS_NONE_NOW), "warn"


def badges(state: WorkloadState, group: SpreadGroup | None, budgets: list[BudgetState]) -> tuple[tuple[str, str], ...]:
    """Return what is to be known about a workload at a glance: pairs of text and kind."""
    found = []
    if state.pending:
        found.append((counts.pending_pods(state.pending), "warn"))
    if state.desired is not None and state.placed + state.pending < state.desired:
        found.append((summary_words.NOT_CREATED(pods=state.desired - state.placed - state.pending), "warn"))
    if state.terminating:
        found.append((summary_words.TERMINATING(pods=state.terminating), ""))
    if group is not None and group.violation:
        found.append((OVER_MAX_SKEW(pods=group.violation), "bad" if group.blocks else "warn"))
    text, kind = budget_text(budgets)
    found.append((summary_words.BUDGET_BADGE(state=text), kind))
    return tuple(found)


def no_more(state: WorkloadState) -> str:
    """Say why it makes no sense to ask where more pods would go; empty where it does."""
    if state.workload.kind == "DaemonSet":
        return growth_words.daemon_set(state.desired)
    if state.workload.kind == STATIC:
        return str(growth_words.STATIC_PODS)
    return ""


def more_hint(state: WorkloadState) -> str:
    """Say what a pod more stands for."""
    hints = {
        "Job": growth_words.HINT_JOB,
        "CronJob": growth_words.HINT_JOB,
        BARE: growth_words.HINT_BARE,
        "StatefulSet": growth_words.HINT_STATEFUL_SET,
    }
    return str(hints.get(state.workload.kind, growth_words.HINT))


@dataclass(frozen=True, slots=True)
class FailureView:
    """What the workload's controller reports: a sentence, why and whether still, its own words, what to do.

    Of what is not refused by the API server, why is empty.
    """

    sentence: str
    because: str
    quote: str
    remedy: str


@dataclass(frozen=True, slots=True)
class WorkloadZone:
    """A zone as a bar; `fill` is a percentage of the width, `colour` the number of its token, 0 for no zone."""

    zone: str
    text: str
    fill: float
    colour: int


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node and the workload's pods on it."""

    name: str
    zone: str
    pods: str
    ready: str


@dataclass(frozen=True, slots=True)
class SpreadView:
    """One spread group of the workload, with its picture, None where it has no domain."""

    identity: str
    sentence: str
    badges: tuple[tuple[str, str], ...]
    figure: Figure | None


@dataclass(frozen=True, slots=True)
class BudgetView:
    """One budget that selects pods of the workload."""

    namespace: str
    name: str
    bound: str
    sentence: str
    badges: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PendingView:
    """A pending pod; `because` says of what, empty where that is not known."""

    namespace: str
    name: str
    because: str


def failure_views(found: ClusterWorkloads, state: WorkloadState) -> list[FailureView]:
    """Present what fails, the gravest first."""
    failures = found.failures.get(state.workload, ())
    return [
        FailureView(
            failure_words.sentence(each),
            " ".join(filter(None, (refusals.because(each), refusals.outlook(each)))),
            failure_words.quoted(each),
            failure_words.remedy(each, failures),
        )
        for each in failures
    ]


def tiles(state: WorkloadState) -> list[tuple[str, str]]:
    """Return the workload's numbers."""
    found = [
        (summary_words.DESIRED, str(summary_words.NOT_KNOWN) if state.desired is None else grouped(state.desired)),
        (summary_words.ON_NODES, grouped(state.placed)),
        (summary_words.READY, grouped(state.ready)),
        (summary_words.PENDING, grouped(state.pending)),
        (summary_words.NODES, grouped(state.nodes)),
        (summary_words.CPU, amounts.cpu(state.cpu_milli)),
        (summary_words.MEMORY, amounts.size(state.memory_bytes)),
        (summary_words.PRIORITY, priority_text(state)),
    ]
    return [(str(term), value) for term, value in found if value != "–"]


def zone_views(found: ClusterWorkloads, state: WorkloadState) -> list[WorkloadZone]:
    """Present every zone of the cluster, and the nodes without one where pods run on them."""
    full = max(1, *state.zones)
    return [
        WorkloadZone(
            zone or str(NO_ZONE),
            counts.pods(pods),
            100 * pods / full,
            number % ZONE_COLOURS + 1 if zone else 0,
        )
        for number, (zone, pods) in enumerate(zip(found.zones, state.zones, strict=True))
        if zone or pods
    ]


def node_order(found: ClusterWorkloads, state: WorkloadState) -> list[tuple[int, int, int]]:
    """Return the nodes that hold pods of the workload: row, pods and ready pods; the fullest first, then by name."""
    pods = found.snapshot.pods
    slots = found.slots(state.workload)
    slots = slots[pods.node[slots] >= 0]
    rows, place, held = np.unique(pods.node[slots], return_inverse=True, return_counts=True)
    is_ready = pods.ready[slots] & ~pods.terminating[slots]
    ready = np.bincount(place, weights=is_ready, minlength=len(rows)).astype(np.int64)
    order = np.lexsort((rows, -held))
    return [(int(rows[at]), int(held[at]), int(ready[at])) for at in order.tolist()]


def node_views(snapshot: Snapshot, nodes: Sequence[tuple[int, int, int]]) -> list[NodeView]:
    """Present some nodes."""
    return [
        NodeView(snapshot.nodes.names[row], zone_of(snapshot, row), grouped(pods), grouped(ready))
        for row, pods, ready in nodes
    ]


def zone_of(snapshot: Snapshot, row: int) -> str:
    """Return the zone of a node, empty without one."""
    column = snapshot.nodes.label(ZONE)
    return column.values[int(column.codes[row])] if column.present[row] else ""


def spread_views(found: ClusterWorkloads, state: WorkloadState) -> list[SpreadView]:
    """Present the workload's spread groups, the most violated first."""
    return [
        SpreadView(
            identity,
            spread_groups.sentence(group),
            spread_groups.badges(group),
            spread_figure(group, name=f"spread-{identity}", with_numbers=False),
        )
        for identity in state.groups
        for group in (found.groups[identity],)
    ]


def budget_views(found: ClusterWorkloads, state: WorkloadState) -> list[BudgetView]:
    """Present the budgets that select pods of the workload."""
    return [
        BudgetView(
            each.budget.namespace,
            each.budget.name,
            budget_states.bound(each.budget),
            budget_states.sentence(each, found.snapshot),
            budget_badges(each),
        )
        for each in budgets_of(found, state)
    ]


def eviction_sentence(snapshot: Snapshot, pod: Document | None) -> str:
    """Say what evicting one of the workload's ready pods would be answered now; empty where there is none."""
    if pod is None:
        return ""
    answer = eviction_answer(snapshot, pod)
    return evicting(answer, Pod(pod).namespace)


def ready_pod(found: ClusterWorkloads, state: WorkloadState) -> str:
    """Return the name of a ready pod of the workload, empty where there is none."""
    pods, slots = found.snapshot.pods, found.slots(state.workload)
    ready = slots[pods.ready[slots] & ~pods.terminating[slots]]
    return pods.name(int(ready[0])) if len(ready) else ""


def pending_views(pods: Sequence[PendingPod], causes: Mapping[tuple[str, str], Cause]) -> list[PendingView]:
    """Present pending pods."""
    views = []
    for pod in pods:
        cause = causes.get((pod.namespace, pod.name))
        views.append(
            PendingView(pod.namespace, pod.name, "" if cause is None else PENDING_BECAUSE(cause=cause_name(cause)))
        )
    return views


def budgets_of(found: ClusterWorkloads, state: WorkloadState) -> list[BudgetState]:
    """Return the budgets that select pods of a workload."""
    return [found.budgets[key] for key in state.budgets]


def priority_text(state: WorkloadState) -> str:
    """Write the priority of a workload's pods, from the lowest to the highest where they differ."""
    if state.priorities is None:
        return "–"
    lowest, highest = state.priorities
    return grouped(lowest) if lowest == highest else summary_words.PRIORITIES(lowest=lowest, highest=highest)
