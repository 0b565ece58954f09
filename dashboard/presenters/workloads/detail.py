"""One workload: where its pods run, what constrains them, what guards them, and why some are pending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.disruption import eviction_answer
from clusters.engine.objects import Pod
from clusters.engine.spreading import ZONE
from clusters.wording import amounts, counts, refusals
from clusters.wording import workload_failures as failure_words
from clusters.wording.amounts import grouped
from clusters.wording.budgets import states as budget_states
from clusters.wording.drains.pods import evicting
from clusters.wording.nodes.states import NO_ZONE
from clusters.wording.pending.names import cause_name
from clusters.wording.pending.page import PENDING_BECAUSE
from clusters.wording.workloads import summary as words
from dashboard.pictures.tokens import ZONE_COLOURS
from dashboard.presenters.budgets.page import badges as budget_badges
from dashboard.presenters.spread import groups as spread_groups
from dashboard.presenters.spread.picture import figure as spread_figure
from dashboard.presenters.workloads.listing import budgets_of, priority_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.analysis import Cause
    from clusters.engine.objects import Document
    from clusters.services.workloads import ClusterWorkloads, PendingPod, WorkloadState
    from dashboard.pictures.figure import Figure


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
        (words.DESIRED, str(words.NOT_KNOWN) if state.desired is None else grouped(state.desired)),
        (words.ON_NODES, grouped(state.placed)),
        (words.READY, grouped(state.ready)),
        (words.PENDING, grouped(state.pending)),
        (words.NODES, grouped(state.nodes)),
        (words.CPU, amounts.cpu(state.cpu_milli)),
        (words.MEMORY, amounts.size(state.memory_bytes)),
        (words.PRIORITY, priority_text(state)),
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
