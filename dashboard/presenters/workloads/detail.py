"""Workloads: rows of the list, and the page of one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct

from clusters.engine.disruption import BudgetState, DisruptionBudget, eviction_answer
from clusters.engine.objects import Document, Pod
from clusters.engine.spreading import ZONE, SpreadGroup
from clusters.engine.workloads import IndexGroup, IndexState, JobProgress
from clusters.services.workloads.failing import UnreadableScheduleError, start_of
from clusters.services.workloads.listing import MOST_PODS
from clusters.wording import (
    amounts,
    budgets as budgets_words,
    counts,
    refusals,
    workload_failures as failure_words,
    workloads as workloads_words,
)
from clusters.wording.amounts import grouped
from clusters.wording.drains import evicting
from clusters.wording.lists import TO
from clusters.wording.nodes import NO_ZONE
from clusters.wording.pending import AT_LEAST_PENDING_FOR, PENDING_BECAUSE, PENDING_FOR, cause_name
from clusters.wording.pods import WITHOUT_CONTROLLER
from clusters.wording.spread import OVER_MAX_SKEW, domains_name
from clusters.wording.workload_failures import headline, quoted
from dashboard.pictures.tokens import ZONE_COLOURS
from dashboard.presenters import pending as pending_rows, spread as spread_groups
from dashboard.presenters.shared.page import later
from dashboard.presenters.spread import figure as spread_figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.analysis import Cause
    from clusters.engine.owners import Workload
    from clusters.services.pending.pods import CauseGroup, ClusterPending
    from clusters.services.workloads import ClusterWorkloads, PendingPod, WorkloadState


# -- One workload -----------------------------------------------------------------------------------------------------


def cron_sentence(cron_job: Document, now: datetime) -> str:
    """Say what a CronJob's controller does now; empty for one whose schedule is not mirrored."""
    try:
        start = start_of(cron_job, now)
    except UnreadableScheduleError as error:
        return workloads_words.UNREADABLE(schedule=error.schedule)
    if start is None:
        return ""
    said = workloads_words.start(start.found, due=start.due, following=start.following)
    scheduled = workloads_words.SCHEDULED(schedule=start.schedule, zone=start.zone or workloads_words.UNKNOWN_ZONE)
    return " ".join(filter(None, (scheduled, said, workloads_words.missed(start.found))))


# Rows of a table of indexes: each has its own number of failures, or its own time.
GROUPS_SHOWN: Final = 20
# Of indexes in one cell: intervals beyond are left out.
_INTERVALS_SHOWN: Final = 30
_NONE: Final = "–"


class JobView(NamedTuple):
    """A Job on the page of its workload."""

    progress: JobProgress
    most_pods: int = MOST_PODS

    @property
    def _groups(self) -> tuple[IndexGroup, ...]:
        return () if self.progress.indexes is None or self.progress.managed_by else self.progress.indexes.groups

    @property
    def rows(self) -> list[tuple[str, str, int, int | None, int | None, str]]:
        """Its indexes, those that are alike together: state, indexes, how many, failures, retries left, next pod."""
        return [_row(group) for group in self._groups[:GROUPS_SHOWN]]

    @property
    def more(self) -> int:
        """How many rows are left out."""
        return max(0, len(self._groups) - GROUPS_SHOWN)

    @property
    def has_limits(self) -> bool:
        """Whether its indexes have a limit of failures of their own."""
        return self.progress.indexes is not None and self.progress.indexes.limit is not None

    @property
    def delay(self) -> str:
        """How long after the last failure its next pod comes."""
        return amounts.age(timedelta(seconds=self.progress.delay))

    @property
    def next_at(self) -> datetime | None:
        """When its next pod comes; None where it waits for none."""
        job = self.progress
        return later(job.last_failed, job.delay) if job.in_a_row and job.last_failed else None

    @property
    def ends_at(self) -> datetime | None:
        """When its deadline ends it; None without one, or for one beyond the calendar."""
        job = self.progress
        return later(job.started, job.deadline) if job.deadline is not None and job.started else None


def _row(group: IndexGroup) -> tuple[str, str, int, int | None, int | None, str]:
    next_pod = ""
    if group.state is IndexState.NEXT:
        next_pod = str(workloads_words.AT_ONCE)
        if group.last_failed and (at := later(group.last_failed, group.delay)) is not None:
            next_pod = f"{at:%Y-%m-%d %H:%M:%S %Z}"
    return (
        str(workloads_words.INDEX_STATES[group.state]),
        _shortened(str(group.indexes)),
        group.indexes.count,
        group.failures,
        group.left,
        next_pod,
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
    return " ".join(filter(None, (f"{title(pods=own(most), cause=pending_rows.name(most))}.", pending_rows.way(most))))


# A distribution such as 5–3–0 is read at a glance up to here.
MOST_ZONES = 8
BARE = "Pod"
STATIC = "Node"


def full_name(workload: Workload) -> str:
    """Name a workload by namespace and name."""
    return f"{workload.namespace}/{workload.name}"


def kind_text(workload: Workload) -> str:
    """Name what makes the pods."""
    named = {BARE: WITHOUT_CONTROLLER, STATIC: workloads_words.STATIC_PODS}
    return str(named.get(workload.kind, workload.kind))


def skew_text(group: SpreadGroup) -> str:
    """Say how far the domains of a group are apart, and over what."""
    said = workloads_words.SKEW if group.blocks else workloads_words.PREFERRED_SKEW
    return said(
        skew=group.largest_skew,
        max_skew=group.constraint.max_skew,
        domains=domains_name(group.constraint.topology_key),
    )


def cluster_sentence(found: ClusterWorkloads) -> str:
    """Say how many workloads there are, and how many of their pods have a node."""
    summary = found.summary
    workloads = counts.WORKLOADS(number=len(found.states))
    said = [workloads_words.SCHEDULED_PODS(workloads=workloads, pods=counts.PODS(number=summary.placed))]
    if summary.astray:
        said.append(workloads_words.PODS_ASTRAY(pods=counts.PODS(number=summary.astray)))
    if summary.pending:
        workloads = counts.WORKLOADS(number=summary.with_pending)
        said.append(workloads_words.PENDING_PODS(pods=counts.PENDING_PODS(number=summary.pending), workloads=workloads))
    return " ".join(said)


def zones_text(state: WorkloadState, zones: tuple[str, ...]) -> str:
    """Write how many pods each zone has, in order of name; of many zones how many have any."""
    *named, aside = state.zones
    if not any(state.zones):
        return "–"
    if len(zones) - 1 > MOST_ZONES:
        return workloads_words.SOME_ZONES(held=sum(1 for pods in named if pods), zones=len(named))
    said = ["–".join(map(grouped, named))] if any(named) else []
    return ", ".join([*said, workloads_words.WITHOUT_ZONE(pods=aside)] if aside else said)


def budget_text(states: list[BudgetState]) -> tuple[str, str]:
    """Say what a workload's budgets allow now, and the kind of badge that says it."""
    if not states:
        return str(workloads_words.NO_BUDGET), ""
    if len(states) > 1:
        return counts.BUDGETS(number=len(states)), "bad"
    (state,) = states
    if state.cause is None:
        return workloads_words.ALLOWS(disruptions=state.grants), "good"
    if state.cause.lasts:
        return str(workloads_words.ALLOWS_NONE), "bad"
    return str(workloads_words.ALLOWS_NONE_NOW), "warn"


def badges(state: WorkloadState, group: SpreadGroup | None, budgets: list[BudgetState]) -> tuple[tuple[str, str], ...]:
    """Return what is to be known about a workload at a glance: pairs of text and kind."""
    found = []
    if state.pending:
        found.append((counts.PENDING_PODS(number=state.pending), "warn"))
    if state.desired is not None and state.placed + state.pending < state.desired:
        found.append((workloads_words.NOT_CREATED(pods=state.desired - state.placed - state.pending), "warn"))
    if state.terminating:
        found.append((workloads_words.TERMINATING(pods=state.terminating), ""))
    if group is not None and group.violation:
        found.append((OVER_MAX_SKEW(pods=group.violation), "bad" if group.blocks else "warn"))
    text, kind = budget_text(budgets)
    found.append((workloads_words.BUDGET_BADGE(state=text), kind))
    return tuple(found)


class FailureView(Struct, frozen=True):
    """What the workload's controller reports: a sentence, why and whether still, its own words, what to do.

    Of what is not refused by the API server, why is empty.
    """

    sentence: str
    because: str
    quote: str
    remedy: str


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
        (workloads_words.DESIRED, str(workloads_words.NOT_KNOWN) if state.desired is None else grouped(state.desired)),
        (workloads_words.ON_NODES, grouped(state.placed)),
        (workloads_words.READY, grouped(state.ready)),
        (workloads_words.PENDING, grouped(state.pending)),
        (workloads_words.NODES, grouped(state.nodes)),
        (workloads_words.CPU, amounts.cpu(state.cpu_milli)),
        (workloads_words.MEMORY, amounts.size(state.memory_bytes)),
        (workloads_words.PRIORITY, priority_text(state)),
    ]
    return [(str(term), value) for term, value in found if value != "–"]


def zone_views(found: ClusterWorkloads, state: WorkloadState) -> list[tuple[str, int, float, int]]:
    """Present every zone of the cluster, and the nodes without one where pods run on them.

    Each with its pods, how long its bar is in percent, and the number of its colour's token, 0 for no zone.
    """
    full = max(1, *state.zones)
    return [
        (zone or str(NO_ZONE), pods, 100 * pods / full, number % ZONE_COLOURS + 1 if zone else 0)
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


def node_views(snapshot: Snapshot, nodes: Sequence[tuple[int, int, int]]) -> list[tuple[str, str, int, int]]:
    """Present some nodes: name, zone, pods and ready pods."""
    return [(snapshot.nodes.names[row], zone_of(snapshot, row), pods, ready) for row, pods, ready in nodes]


def zone_of(snapshot: Snapshot, row: int) -> str:
    """Return the zone of a node, empty without one."""
    column = snapshot.nodes.label(ZONE)
    return column.values[int(column.codes[row])] if column.present[row] else ""


def spread_views(found: ClusterWorkloads, state: WorkloadState) -> list[dict[str, Any]]:
    """Present the workload's spread groups, the most violated first."""
    return [
        {
            "identity": identity,
            "sentence": spread_groups.sentence(group),
            "badges": spread_groups.badges(group),
            "figure": spread_figure(group, name=f"spread-{identity}", with_numbers=False),
        }
        for identity in state.groups
        for group in (found.groups[identity],)
    ]


def budget_views(found: ClusterWorkloads, state: WorkloadState) -> list[tuple[DisruptionBudget, str, str]]:
    """Present the budgets that select pods of the workload: each with what it requires, and how it is."""
    return [
        (each.budget, budgets_words.bound(each.budget), budgets_words.sentence(each, found.snapshot))
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


def pending_views(pods: Sequence[PendingPod], causes: Mapping[tuple[str, str], Cause]) -> list[tuple[PendingPod, str]]:
    """Present pending pods, each with the cause; empty where that is not known."""
    found = [causes.get((pod.namespace, pod.name)) for pod in pods]
    return [
        (pod, "" if cause is None else PENDING_BECAUSE(cause=cause_name(cause)))
        for pod, cause in zip(pods, found, strict=True)
    ]


def budgets_of(found: ClusterWorkloads, state: WorkloadState) -> list[BudgetState]:
    """Return the budgets that select pods of a workload."""
    return [found.budgets[key] for key in state.budgets]


def priority_text(state: WorkloadState) -> str:
    """Write the priority of a workload's pods, from the lowest to the highest where they differ."""
    if state.priorities is None:
        return "–"
    lowest, highest = state.priorities
    return grouped(lowest) if lowest == highest else TO(first=lowest, last=highest)


# -- Workloads as rows of a table -------------------------------------------------------------------------------------


class WorkloadRow(NamedTuple):
    """One workload of the list."""

    found: ClusterWorkloads
    state: WorkloadState

    @property
    def workload(self) -> Workload:
        """What it is called."""
        return self.state.workload

    @property
    def kind(self) -> str:
        """What makes the pods."""
        return kind_text(self.workload)

    @property
    def desired(self) -> int:
        """How many pods there should be."""
        return self.state.placed + self.state.pending if self.state.desired is None else self.state.desired

    @property
    def failing(self) -> str:
        """What its controller cannot do."""
        return ", ".join(map(headline, self.found.failures.get(self.workload, ())))

    @property
    def failures(self) -> str:
        """What its controller reports of that."""
        return "; ".join(filter(None, map(quoted, self.found.failures.get(self.workload, ()))))

    @property
    def bar(self) -> tuple[tuple[int, float, float], ...]:
        """Its pods by zone, as a bar."""
        return zone_bar(self.state)

    @property
    def zones(self) -> str:
        """Its pods by zone, as numbers."""
        return zones_text(self.state, self.found.zones)

    @property
    def zones_title(self) -> str:
        """Its pods by zone, with the names of the zones."""
        return ", ".join(_zone_titles(self.found, self.state))

    @property
    def group(self) -> SpreadGroup | None:
        """Its pods that are spread least evenly."""
        return self.found.worst_group(self.state)

    @property
    def skew(self) -> str:
        """How far their domains are apart."""
        return "–" if self.group is None or not self.state.placed else skew_text(self.group)

    @property
    def budgets(self) -> list[BudgetState]:
        """The budgets that select its pods."""
        return budgets_of(self.found, self.state)

    @property
    def budget(self) -> tuple[str, str]:
        """What they allow: text and kind of a badge."""
        return budget_text(self.budgets)

    @property
    def allowed(self) -> tuple[int, int]:
        """The order by what they let go: nothing first, then little, then pods without a budget."""
        if not self.budgets:
            return 1, 0
        return 0, self.budgets[0].grants if len(self.budgets) == 1 else 0


def zone_bar(state: WorkloadState) -> tuple[tuple[int, float, float], ...]:
    """Divide a bar by the zones that hold pods; nodes without a zone have the last colour."""
    full = sum(state.zones)
    parts, start = [], 0.0
    for number, pods in enumerate(state.zones):
        if pods:
            is_named = number < len(state.zones) - 1
            width = 100 * pods / full
            parts.append((number % ZONE_COLOURS + 1 if is_named else 0, start, width))
            start += width
    return tuple(parts)


def zone_keys(found: ClusterWorkloads) -> list[tuple[int, str]]:
    """Return what the colours of the bars stand for, in the order of the numbers beside them; none of many zones."""
    if len(found.zones) - 1 > MOST_ZONES:
        return []
    return [(number % ZONE_COLOURS + 1, zone) for number, zone in enumerate(found.zones[:-1])]


def _zone_titles(found: ClusterWorkloads, state: WorkloadState) -> Iterator[str]:
    for zone, pods in zip(found.zones, state.zones, strict=True):
        if zone or pods:
            yield f"{zone or str(NO_ZONE)}: {grouped(pods)}"
