"""The sentences about workloads: how their pods lie, what would refuse more of them, and what their controllers do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.amounts import counted, grouped
from clusters.wording.spread.keys import domains_name

if TYPE_CHECKING:
    from clusters.engine.disruption import BudgetState
    from clusters.engine.spreading.groups import SpreadGroup
    from clusters.engine.workloads.pod_template import Workload
    from clusters.services.workloads import ClusterWorkloads, WorkloadState

# A distribution such as 5–3–0 is read at a glance up to here.
MOST_ZONES = 8
NO_ZONE = "no zone"
BARE = "Pod"
STATIC = "Node"


def full_name(workload: Workload) -> str:
    """Name a workload by namespace and name."""
    return f"{workload.namespace}/{workload.name}"


def kind_text(workload: Workload) -> str:
    """Name what makes the pods."""
    return {BARE: "no controller", STATIC: "static pods of a node"}.get(workload.kind, workload.kind)


def skew_text(group: SpreadGroup) -> str:
    """Say how far the domains of a group are apart, and over what."""
    many = domains_name(group.constraint.topology_key)
    allowed = "allowed" if group.blocks else "preferred"
    return f"{grouped(group.largest_skew)} over {many}, {allowed} {grouped(group.constraint.max_skew)}"


def cluster_sentence(found: ClusterWorkloads) -> str:
    """Say how many workloads there are, and how many of their pods have a place."""
    summary = found.summary
    placed = counted(summary.placed, "pod", "pods")
    said = f"{counted(len(found.states), 'workload', 'workloads')}, {placed} on nodes"
    if not summary.pending:
        return f"{said}, none waiting."
    waiting = counted(summary.pending, "pod", "pods")
    return f"{said}; {waiting} of {counted(summary.with_pending, 'workload', 'workloads')} waiting."


def worst_sentence(state: WorkloadState, group: SpreadGroup) -> str:
    """Say which workload has the worst skew: ``state``, by its group."""
    name = f"{state.workload.kind} {full_name(state.workload)}"
    if group.violation:
        return (
            f"The worst skew is that of {name}: {skew_text(group)}, which is {grouped(group.violation)} over maxSkew."
        )
    return f"No workload is over its maxSkew. The worst skew is that of {name}: {skew_text(group)}."


def zones_text(state: WorkloadState, zones: tuple[str, ...]) -> str:
    """Write how many pods lie in each zone, in order of name; of many zones how many hold any."""
    named = state.zones[:-1]
    if not any(state.zones):
        return "–"
    if len(zones) - 1 > MOST_ZONES:
        return f"{grouped(sum(1 for pods in named if pods))} of {grouped(len(named))} zones"
    said = "–".join(map(grouped, named)) if any(named) else ""
    if not state.zones[-1]:
        return said
    aside = f"{grouped(state.zones[-1])} in {NO_ZONE}"
    return f"{said}, {aside}" if said else aside


def sentence(state: WorkloadState, zones: tuple[str, ...], group: SpreadGroup | None) -> str:
    """Say how many of a workload's pods lie where, and what is wrong with that."""
    if not state.placed + state.pending:
        wanted = f", though {grouped(state.desired)} are wanted" if state.desired else ""
        return f"It has no pods{wanted}."
    parts = [_placed(state)]
    if state.placed:
        parts.append(_lies(state, zones))
    said = f"{', '.join(parts)}."
    if state.pending:
        said += f" {counted(state.pending, 'pod waits', 'pods wait')} for a node."
    if group is not None and group.violation:
        said += f" Its skew is {skew_text(group)}: {grouped(group.violation)} over maxSkew."
    elif group is not None:
        said += f" Its skew is {skew_text(group)}."
    return said


def _placed(state: WorkloadState) -> str:
    of = state.placed + state.pending if state.desired is None else state.desired
    if not state.placed:
        return "Its one pod lies on no node" if of == 1 else f"None of its {counted(of, 'pod', 'pods')} lies on a node"
    if state.placed == state.ready == of:
        return "Its one pod lies on a node and is ready" if of == 1 else f"All {grouped(of)} pods are placed and ready"
    ready = f"{grouped(state.ready)} {'is' if state.ready == 1 else 'are'} ready"
    return f"{grouped(state.placed)} of {counted(of, 'pod', 'pods')} {'lies' if of == 1 else 'lie'} on nodes, {ready}"


def _lies(state: WorkloadState, zones: tuple[str, ...]) -> str:
    nodes = counted(state.nodes, "node", "nodes")
    named = [pods for pods in state.zones[:-1] if pods]
    if len(zones) == 1 or not named:
        return f"on {nodes}"
    if len(named) == 1 and len(zones) > 2:
        only = next(zone for zone, pods in zip(zones, state.zones, strict=True) if pods)
        return f"on {nodes}, all in {only}"
    return f"on {nodes}, {zones_text(state, zones)}{' over zones' if len(zones) - 1 <= MOST_ZONES else ''}"


def budget_text(states: list[BudgetState]) -> tuple[str, str]:
    """Say what a workload's budgets let go now, and the kind of badge that says it."""
    if not states:
        return "none", ""
    if len(states) > 1:
        return f"{grouped(len(states))} budgets", "bad"
    (state,) = states
    allowed = state.budget.grants
    if state.cause is None:
        return f"{grouped(allowed)} may go", "good"
    return ("none may go, ever" if state.cause.lasts else "none may go now"), ("bad" if state.cause.lasts else "warn")


def badges(state: WorkloadState, group: SpreadGroup | None, budgets: list[BudgetState]) -> tuple[tuple[str, str], ...]:
    """Return what is to be known about a workload at a glance: pairs of text and kind."""
    found = []
    if state.pending:
        found.append((f"{counted(state.pending, 'pod waits', 'pods wait')}", "warn"))
    if state.desired is not None and state.placed + state.pending < state.desired:
        missing = state.desired - state.placed - state.pending
        found.append((f"{counted(missing, 'pod is', 'pods are')} not created", "warn"))
    if state.terminating:
        found.append((f"{grouped(state.terminating)} being deleted", ""))
    if group is not None and group.violation:
        found.append((f"{grouped(group.violation)} over maxSkew", "bad" if group.blocks else "warn"))
    text, kind = budget_text(budgets)
    found.append((f"Budget: {text}", kind))
    return tuple(found)


def no_more(state: WorkloadState) -> str:
    """Say why it makes no sense to ask where more pods would go; empty where it does."""
    if state.workload.kind == "DaemonSet":
        wants = "" if state.desired is None else f" It wants {grouped(state.desired)} now."
        return (
            "A DaemonSet has no replicas to raise: its controller makes one pod for each node that its pods may run on."
            f"{wants} More nodes mean more pods."
        )
    if state.workload.kind == STATIC:
        return "A kubelet reads these pods from files of its node; no scheduler places them."
    return ""


def more_hint(state: WorkloadState) -> str:
    """Say what a pod more stands for."""
    if state.workload.kind in ("Job", "CronJob"):
        return "As if the parallelism were so much higher."
    if state.workload.kind == BARE:
        return "Copies of the pod, as nothing controls it."
    if state.workload.kind == "StatefulSet":
        return "Pods with the next ordinals, each with claims of its own."
    return "Pods like the newest one, placed one after another by the scheduler's rules; nobody is preempted."
