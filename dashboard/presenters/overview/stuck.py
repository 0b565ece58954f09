"""The cards of a cluster's overview about pods that wait: why, and which change frees the most of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.analysis.causes import Kind
from clusters.engine.relaxing.relaxations import Effort
from clusters.services.pending.pods import CauseGroup, best_way
from clusters.wording.amounts import counted, grouped
from dashboard.presenters.overview.cards import Card, Line, lacks, named, page, unknown_card
from dashboard.presenters.pending import words as pending_words

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clusters.engine.analysis.causes import Change
    from clusters.models import Cluster
    from clusters.services.pending.pods import ClusterPending, WaitingPod

# So many causes and pods are named on a card; the page that it leads to has the rest.
SHOWN = 3


def is_stuck(group: CauseGroup) -> bool:
    """Tell whether something has to change before the pods of a group can be placed."""
    return group.cause.kind in (Kind.UNSCHEDULABLE, Kind.VOLUME) and not group.cause.is_provisioning


def waiting_card(cluster: Cluster, pending: ClusterPending) -> Card:
    """Answer which pods are stuck, and why: causes for which something must change first, then those with more pods."""
    if not pending.total and (cluster.is_unread or lacks(cluster, "Pod")):
        return unknown_card(cluster, "waiting", "No pod is mirrored.")
    groups = sorted(pending.groups.values(), key=lambda group: (not is_stuck(group), -len(group.pods)))
    stuck = sum(len(group.pods) for group in groups if is_stuck(group))
    every = counted(pending.total, "pod", "pods")
    wait, none = "pod waits" if pending.total == 1 else "pods wait", ", none of them stuck" * bool(groups)
    return Card(
        key="waiting",
        title="Stuck",
        url=page("pending", cluster),
        number=grouped(stuck or pending.total),
        unit=f"of {every} without a node cannot be placed as things stand" if stuck else f"{wait} for a node{none}",
        badge=("Stuck", "bad") if stuck else ("Waiting", "info") if pending.total else ("Nothing waits", "good"),
        sentence="" if pending.total else "Every pod has a node, has finished, or is on its way out.",
        lines=tuple(
            Line(
                pending_words.title(group),
                page("pending", cluster, f"cause={group.identity}"),
                pending_words.way(group) or pending_words.KINDS[group.cause.kind],
            )
            for group in groups[:SHOWN]
        ),
        links=(
            *((Line(rest, page("pending", cluster)),) if (rest := _rest(groups[SHOWN:])) else ()),
            *_failures(cluster, groups),
            Line("In which order they are tried", page("queue", cluster)),
        ),
    )


def _failures(cluster: Cluster, groups: Sequence[CauseGroup]) -> tuple[Line, ...]:
    """Count the pods that could not be computed, wherever their cause is named."""
    failed = [group for group in groups if group.cause.kind is Kind.NOT_COMPUTED]
    pods = sum(len(group.pods) for group in failed)
    return (Line(pending_words.not_computed_words(pods), page("pending", cluster)),) if failed else ()


def _rest(groups: Sequence[CauseGroup]) -> str:
    """Count the causes that are not named, those of pods that are not stuck by themselves; empty for none."""
    stuck = sum(map(is_stuck, groups))
    others = len(groups) - stuck
    if not others:
        return counted(stuck, "more cause", "more causes") if stuck else ""
    not_stuck = f"{counted(others, 'cause', 'causes')} of pods that are not stuck"
    return f"{counted(stuck, 'more cause', 'more causes')}, and {not_stuck}" if stuck else not_stuck


def change_card(cluster: Cluster, pending: ClusterPending) -> Card | None:
    """Answer which single change frees the most of the pods that are stuck; None where none is."""
    groups = [group for group in pending.groups.values() if is_stuck(group)]
    pods = tuple(pod for group in groups for pod in group.pods)
    if not pods:
        return None
    title, way = "What frees the most", best_way(pods)
    if way is None:
        unit = f"of {counted(len(pods), 'pod', 'pods')} would be freed by any single change"
        return Card("change", title, page("pending", cluster), "None", unit, ("No single change", "warn"))
    key = way.change.key

    def freed(pods: Sequence[WaitingPod]) -> list[tuple[WaitingPod, Change]]:
        return [(pod, change) for pod in pods for change in pod.finding.changes if change.key == key]

    most = max(groups, key=lambda group: len(freed(group.pods)))
    everything = CauseGroup(most.identity, most.cause, pods, way)
    others = sum(1 for group in groups if group is not most and freed(group.pods))
    where = page("pending", cluster, f"cause={most.identity}")
    note = f"and {counted(others, 'other cause', 'other causes')}" if others else ""
    helped = freed(pods)
    times, places = _places(helped)
    number = "two changes" if len(way.change.lifted) > 1 else "one change"
    more = len(helped) - SHOWN
    return Card(
        key="change",
        title=title,
        url=where,
        number=grouped(way.frees),
        unit=f"of {counted(len(pods), 'stuck pod', 'stuck pods')} would be freed by {times or number}",
        badge=("The same change" if times else number.capitalize(), "info"),
        sentence=f"{pending_words.way(everything)}{places}",
        lines=tuple(
            Line(
                f"{pod.namespace}/{pod.name}",
                page("decision", cluster, namespace=pod.namespace, name=pod.name),
                f"waits {pending_words.phrase(pod.finding.cause)}" if others else "",
            )
            for pod, _ in helped[:SHOWN]
        ),
        links=(
            *((Line(f"and {counted(more, 'more pod', 'more pods')}", ""),) if more > 0 else ()),
            Line(f"All that wait {pending_words.phrase(most.cause)}", where, note),
        ),
    )


def _places(helped: Sequence[tuple[WaitingPod, Change]]) -> tuple[str, str]:
    """Say where the change has to be made, if at several places, and name the nodes; empty where it is one change."""
    change = helped[0][1]
    if any(Effort.of(constraint) is Effort.NODE for constraint in change.lifted):
        nodes = _nodes_for([each.nodes for _, each in helped])
        where = f" The {'node' if len(nodes) == 1 else 'nodes'}: {named(range(len(nodes)), nodes)}."
        return (f"the same change on {grouped(len(nodes))} nodes" if len(nodes) > 1 else "", where)
    if change.remedy:
        return "", ""
    # Pods that nothing controls are changed one by one.
    makers = {pod.workload if pod.workload.name else pod.uid for pod, _ in helped}
    return (f"the same change to {counted(len(makers), 'workload', 'workloads')}" if len(makers) > 1 else "", "")


def _nodes_for(choices: Sequence[Collection[str]]) -> list[str]:
    """Return few nodes of which every pod would fit on one: always that next on which the most others would."""
    left, found = [set(nodes) for nodes in choices], []
    while left:
        counts = Counter(node for nodes in left for node in sorted(nodes))
        best = min(counts, key=lambda node: (-counts[node], node))
        found.append(best)
        left = [nodes for nodes in left if best not in nodes]
    return sorted(found)
