"""Workloads as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording import amounts, counts
from clusters.wording.amounts import grouped
from clusters.wording.nodes.states import NO_ZONE
from clusters.wording.workload_failures import headline, quoted
from clusters.wording.workloads import summary as words
from dashboard.pictures.tokens import ZONE_COLOURS
from dashboard.presenters.workloads import summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.disruption import BudgetState
    from clusters.services.workloads import ClusterWorkloads, WorkloadState


@dataclass(frozen=True, slots=True)
class ZonePart:
    """A zone's share of a bar, in percent of its width; `colour` numbers the zone tokens from 1."""

    colour: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class WorkloadRow:
    """One workload of the list; `skew_kind` and `budget_kind` are kinds of badges."""

    namespace: str
    kind: str
    name: str
    kind_text: str
    pods: str
    ready: str
    waiting: str
    failing: str
    is_short: bool
    bar: tuple[ZonePart, ...]
    zones: str
    zones_title: str
    skew: str
    skew_kind: str
    budget: str
    budget_kind: str
    cpu: str
    memory: str
    priority: str


def budgets_of(found: ClusterWorkloads, state: WorkloadState) -> list[BudgetState]:
    """Return the budgets that select pods of a workload."""
    return [found.budgets[key] for key in state.budgets]


def workload_row(found: ClusterWorkloads, state: WorkloadState) -> WorkloadRow:
    """Present a workload."""
    group = found.worst_group(state)
    budget, budget_kind = summary.budget_text(budgets_of(found, state))
    desired = state.placed + state.pending if state.desired is None else state.desired
    return WorkloadRow(
        namespace=state.workload.namespace,
        kind=state.workload.kind,
        name=state.workload.name,
        kind_text=summary.kind_text(state.workload),
        pods=words.OF_DESIRED(placed=state.placed, desired=desired),
        ready=words.ready(state.ready),
        waiting=counts.pending_pods(state.pending) if state.pending else "",
        failing=", ".join(map(headline, found.failures.get(state.workload, ()))),
        is_short=state.ready < desired,
        bar=zone_bar(state),
        zones=summary.zones_text(state, found.zones),
        zones_title=", ".join(_zone_titles(found, state)),
        skew="–" if group is None or not state.placed else summary.skew_text(group),
        skew_kind="" if group is None or not group.violation else "bad" if group.blocks else "warn",
        budget=budget,
        budget_kind=budget_kind,
        cpu=amounts.cpu(state.cpu_milli),
        memory=amounts.size(state.memory_bytes),
        priority=priority_text(state),
    )


def priority_text(state: WorkloadState) -> str:
    """Write the priority of a workload's pods, from the lowest to the highest where they differ."""
    if state.priorities is None:
        return "–"
    lowest, highest = state.priorities
    return grouped(lowest) if lowest == highest else words.PRIORITIES(lowest=lowest, highest=highest)


def zone_bar(state: WorkloadState) -> tuple[ZonePart, ...]:
    """Divide a bar by the zones that hold pods; nodes without a zone have the last colour."""
    full = sum(state.zones)
    parts, start = [], 0.0
    for number, pods in enumerate(state.zones):
        if pods:
            is_named = number < len(state.zones) - 1
            width = 100 * pods / full
            parts.append(ZonePart(number % ZONE_COLOURS + 1 if is_named else 0, start, width))
            start += width
    return tuple(parts)


def zone_keys(found: ClusterWorkloads) -> list[tuple[int, str]]:
    """Return what the colours of the bars stand for, in the order of the numbers beside them; none of many zones."""
    if len(found.zones) - 1 > summary.MOST_ZONES:
        return []
    return [(number % ZONE_COLOURS + 1, zone) for number, zone in enumerate(found.zones[:-1])]


def _zone_titles(found: ClusterWorkloads, state: WorkloadState) -> Iterator[str]:
    for zone, pods in zip(found.zones, state.zones, strict=True):
        if zone or pods:
            yield words.IN_ZONE(zone=zone or str(NO_ZONE), pods=pods)


def cells(found: ClusterWorkloads, states: Iterable[WorkloadState]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each workload, as plain values for a file; what is not known stays empty."""
    for state in states:
        group, budgets = found.worst_group(state), budgets_of(found, state)
        skew: tuple[str | int, ...] = ("", "", "", "")
        if group is not None:
            constraint = group.constraint
            skew = (group.largest_skew, constraint.max_skew, constraint.topology_key, group.violation)
        yield (
            state.workload.namespace,
            state.workload.kind,
            state.workload.name,
            "" if state.desired is None else state.desired,
            state.placed,
            state.ready,
            state.pending,
            state.terminating,
            state.nodes,
            *skew,
            " ".join(budget.budget.key for budget in budgets),
            budgets[0].budget.grants if len(budgets) == 1 else "",
            state.cpu_milli,
            state.memory_bytes,
            *(state.priorities or ("", "")),
            "; ".join(filter(None, map(quoted, found.failures.get(state.workload, ())))),
        )
