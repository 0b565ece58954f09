"""What is said of workloads: how their pods are spread and guarded, and why some are not scaled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.pods.listing import NO_CONTROLLER
from clusters.wording.spread.groups import OVER_MAX_SKEW
from clusters.wording.spread.keys import domains_name
from clusters.wording.workloads import growth as growth_words
from clusters.wording.workloads import summary as words

if TYPE_CHECKING:
    from clusters.engine.disruption import BudgetState
    from clusters.engine.owners import Workload
    from clusters.engine.spreading import SpreadGroup
    from clusters.services.workloads import ClusterWorkloads, WorkloadState

# A distribution such as 5–3–0 is read at a glance up to here.
MOST_ZONES = 8
BARE = "Pod"
STATIC = "Node"


def full_name(workload: Workload) -> str:
    """Name a workload by namespace and name."""
    return f"{workload.namespace}/{workload.name}"


def kind_text(workload: Workload) -> str:
    """Name what makes the pods."""
    named = {BARE: NO_CONTROLLER, STATIC: words.STATIC_PODS}
    return str(named.get(workload.kind, workload.kind))


def skew_text(group: SpreadGroup) -> str:
    """Say how far the domains of a group are apart, and over what."""
    return words.skew_cell(
        skew=group.largest_skew,
        max_skew=group.constraint.max_skew,
        domains=domains_name(group.constraint.topology_key),
        blocks=group.blocks,
    )


def cluster_sentence(found: ClusterWorkloads) -> str:
    """Say how many workloads there are, and how many of their pods have a node."""
    summary = found.summary
    pending = (
        words.PENDING_PODS(pods=summary.pending, workloads=counts.workloads(summary.with_pending))
        if summary.pending
        else str(words.NO_PENDING)
    )
    scheduled = words.SCHEDULED_PODS(workloads=counts.workloads(len(found.states)), pods=counts.pods(summary.placed))
    astray = words.PODS_ASTRAY(pods=summary.astray) if summary.astray else ""
    return " ".join(filter(None, (scheduled, astray, pending)))


def zones_text(state: WorkloadState, zones: tuple[str, ...]) -> str:
    """Write how many pods each zone has, in order of name; of many zones how many have any."""
    *named, aside = state.zones
    if not any(state.zones):
        return "–"
    if len(zones) - 1 > MOST_ZONES:
        return words.SOME_ZONES(held=sum(1 for pods in named if pods), zones=len(named))
    said = ["–".join(map(grouped, named))] if any(named) else []
    return ", ".join([*said, words.WITHOUT_ZONE(pods=aside)] if aside else said)


def sentence(state: WorkloadState, zones: tuple[str, ...], group: SpreadGroup | None) -> str:
    """Say how many of a workload's pods run where, and what is wrong with that."""
    if not state.placed + state.pending:
        return words.NO_PODS_OF(desired=state.desired) if state.desired else str(words.NO_PODS)
    desired = state.placed + state.pending if state.desired is None else state.desired
    said = [words.SCHEDULED(placed=state.placed, desired=desired, ready=state.ready)]
    if state.placed:
        said += _where(state, zones)
    if state.pending:
        said.append(words.ARE_PENDING(pods=state.pending))
    if group is not None:
        skew = words.skew_exceeds if group.violation else words.skew_within
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
        return [words.RUNS_ON(nodes=nodes)]
    if len(held) == 1 and not aside and len(zones) > 2:
        return [words.RUNS_IN_ONE_ZONE(nodes=nodes, zone=held[0])]
    return [words.RUNS_ON(nodes=nodes), words.BY_ZONE(pods=zones_text(state, zones))]


def budget_text(states: list[BudgetState]) -> tuple[str, str]:
    """Say what a workload's budgets allow now, and the kind of badge that says it."""
    if not states:
        return str(words.NO_BUDGET), ""
    if len(states) > 1:
        return counts.budgets(len(states)), "bad"
    (state,) = states
    if state.cause is None:
        return words.ALLOWS(disruptions=state.budget.grants), "good"
    if state.cause.lasts:
        return str(words.ALLOWS_NONE), "bad"
    return str(words.ALLOWS_NONE_NOW), "warn"


def badges(state: WorkloadState, group: SpreadGroup | None, budgets: list[BudgetState]) -> tuple[tuple[str, str], ...]:
    """Return what is to be known about a workload at a glance: pairs of text and kind."""
    found = []
    if state.pending:
        found.append((counts.pending_pods(state.pending), "warn"))
    if state.desired is not None and state.placed + state.pending < state.desired:
        found.append((words.NOT_CREATED(pods=state.desired - state.placed - state.pending), "warn"))
    if state.terminating:
        found.append((words.TERMINATING(pods=state.terminating), ""))
    if group is not None and group.violation:
        found.append((OVER_MAX_SKEW(pods=group.violation), "bad" if group.blocks else "warn"))
    text, kind = budget_text(budgets)
    found.append((words.BUDGET_BADGE(state=text), kind))
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
