"""The cards of a cluster's overview about pending pods: why, and after which change most of them would fit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.analysis import Kind
from clusters.engine.plugin import Effort
from clusters.engine.registry import effort_of
from clusters.services.pending.pods import CauseGroup
from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.evaluation import AT_LEAST, counted, still
from clusters.wording.lists import first_of
from clusters.wording.overview import pending as words
from clusters.wording.pending.names import KIND_WORDS, cause_name
from clusters.wording.pending.page import NOT_COMPUTED
from dashboard.presenters.overview.cards import NAMED, Card, Line, lacks, page, unknown_card
from dashboard.presenters.pending import causes
from dashboard.presenters.shared.evaluations import earlier_sentence

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clusters.engine.analysis import SuggestedChange
    from clusters.models import Cluster
    from clusters.services.pending.pods import ClusterPending, WaitingPod

# So many causes and pods are named on a card; the page that it leads to has the rest.
SHOWN = 3


def pending_card(cluster: Cluster, pending: ClusterPending) -> Card:
    """Answer which pods are pending, and why: unschedulable ones first, then the causes of most pods."""
    if not pending.total and (cluster.is_unread or lacks(cluster, "Pod")):
        return unknown_card(cluster, "pending", str(words.NO_PODS))
    groups = sorted(pending.groups.values(), key=lambda group: (not group.is_unschedulable, -len(group.pods)))
    unschedulable = pending.counts.unschedulable
    badge = (states.PENDING, "info") if pending.total else (words.BADGE_NONE, "good")
    if pending.evaluating:
        badge = (states.EVALUATING, "info")
    elif unschedulable:
        badge = (states.UNSCHEDULABLE, "bad")
    return Card(
        key="pending",
        title=str(states.PENDING),
        url=page("pending", cluster),
        number=AT_LEAST(number=unschedulable) if pending.evaluating else grouped(unschedulable or pending.total),
        unit=words.OF_PENDING(pods=pending.total)
        if unschedulable or pending.evaluating
        else words.pending_only(pending.total),
        badge=(str(badge[0]), badge[1]),
        sentence=" ".join((still(pending.evaluating), earlier_sentence(pending.earlier))).strip()
        if pending.evaluating
        else ""
        if pending.total
        else str(words.NOTHING_PENDING),
        lines=tuple(
            Line(
                causes.title(group),
                page("pending", cluster, f"cause={group.identity}"),
                causes.way(group) or str(KIND_WORDS[group.cause.kind]),
            )
            for group in groups[:SHOWN]
        ),
        links=(
            *(Line(rest, page("pending", cluster)) for rest in _rest(groups[SHOWN:])),
            *_failures(cluster, groups),
            Line(str(words.QUEUE_ORDER), page("queue", cluster)),
        ),
    )


def _failures(cluster: Cluster, groups: Sequence[CauseGroup]) -> tuple[Line, ...]:
    """Count the pods that could not be computed, wherever their cause is named."""
    failed = [group for group in groups if group.cause.kind is Kind.NOT_COMPUTED]
    pods = sum(len(group.pods) for group in failed)
    return (Line(NOT_COMPUTED(pods=pods), page("pending", cluster)),) if failed else ()


def _rest(groups: Sequence[CauseGroup]) -> list[str]:
    """Count the causes that are not named, and the pods that are not unschedulable."""
    unschedulable = sum(group.is_unschedulable for group in groups)
    others = sum(len(group.pods) for group in groups if not group.is_unschedulable)
    more = [words.MORE_CAUSES(causes=unschedulable)] if unschedulable else []
    return [*more, words.OTHER_PODS(pods=others)] if others else more


def change_card(cluster: Cluster, pending: ClusterPending) -> Card | None:
    """Answer after which single change the most unschedulable pods would fit.

    None where none is unschedulable, and while pods are still being evaluated.
    """
    groups = [group for group in pending.groups.values() if group.is_unschedulable]
    pods = tuple(pod for group in groups for pod in group.pods)
    if not pods or pending.evaluating:
        return None
    way = pending.way
    if way is None:
        badge, unit = (str(words.BADGE_NO_CHANGE), "warn"), words.NO_CHANGE_HELPS(pods=len(pods))
        return Card("change", str(words.CHANGE), page("pending", cluster), str(words.NOBODY), unit, badge)

    key = way.change.key

    def freed(pods: Sequence[WaitingPod]) -> list[tuple[WaitingPod, SuggestedChange]]:
        return [
            (pod, change)
            for pod in pods
            for change in pod.finding.changes
            if change.key == key and (change.more is None or pod.key in way.placed)
        ]

    most = max(groups, key=lambda group: len(freed(group.pods)))
    everything = CauseGroup(most.identity, most.cause, pods, way)
    others = sum(1 for group in groups if group is not most and freed(group.pods))
    where = page("pending", cluster, f"cause={most.identity}")
    note = words.AND_OTHER_CAUSES(causes=others) if others else ""
    helped = freed(pods)
    scope = _scope(helped)
    more = len(helped) - SHOWN
    return Card(
        key="change",
        title=str(words.CHANGE),
        url=where,
        number=counted(way.frees, is_whole=way.is_whole),
        unit=_unit(scope, len(pods), is_pair=len(way.change.lifted) > 1),
        badge=(_badge(scope, is_pair=len(way.change.lifted) > 1), "info"),
        sentence=" ".join(filter(None, (causes.way(everything), _nodes(scope)))),
        lines=tuple(
            Line(
                f"{pod.namespace}/{pod.name}",
                page("decision", cluster, namespace=pod.namespace, name=pod.name),
                cause_name(pod.finding.cause) if others else "",
            )
            for pod, _ in helped[:SHOWN]
        ),
        links=(
            *((Line(words.MORE_PODS(pods=more), ""),) if more > 0 else ()),
            Line(words.ALL_PENDING_FOR(cause=cause_name(most.cause)), where, note),
        ),
    )


class _Scope(NamedTuple):
    """Where a change has to be made: at ``nodes`` by name, or to a number of ``workloads``; neither: at one place."""

    nodes: tuple[str, ...] = ()
    workloads: int = 0


def _scope(helped: Sequence[tuple[WaitingPod, SuggestedChange]]) -> _Scope:
    change = helped[0][1]
    if any(effort_of(constraint) is Effort.NODE for constraint in change.lifted):
        return _Scope(nodes=tuple(_nodes_for([each.nodes for _, each in helped])))
    if change.remedy or change.more:
        return _Scope()
    # Pods that nothing controls are changed one by one.
    makers = {pod.workload if pod.workload.name else pod.uid for pod, _ in helped}
    return _Scope(workloads=len(makers))


def _unit(scope: _Scope, pods: int, *, is_pair: bool) -> str:
    if len(scope.nodes) > 1:
        return words.FIT_AFTER_SAME_ON_NODES(pods=pods, nodes=len(scope.nodes))
    if scope.workloads > 1:
        return words.FIT_AFTER_SAME_TO_WORKLOADS(pods=pods, workloads=scope.workloads)
    return words.FIT_AFTER_TWO(pods=pods) if is_pair else words.FIT_AFTER_ONE(pods=pods)


def _badge(scope: _Scope, *, is_pair: bool) -> str:
    if len(scope.nodes) > 1 or scope.workloads > 1:
        return str(words.BADGE_SAME_CHANGE)
    return str(words.BADGE_TWO_CHANGES if is_pair else words.BADGE_ONE_CHANGE)


def _nodes(scope: _Scope) -> str:
    """Name the nodes at which a change has to be made; empty where it is made elsewhere."""
    return words.AT_NODES(names=first_of(scope.nodes, most=NAMED), nodes=len(scope.nodes)) if scope.nodes else ""


def _nodes_for(choices: Sequence[Collection[str]]) -> list[str]:
    """Return few nodes of which every pod would fit on one: always that next on which the most others would."""
    left, found = [set(nodes) for nodes in choices], []
    while left:
        counts = Counter(node for nodes in left for node in sorted(nodes))
        best = min(counts, key=lambda node: (-counts[node], node))
        found.append(best)
        left = [nodes for nodes in left if best not in nodes]
    return sorted(found)
