"""A cluster at a glance: cards that each answer one question, and what is wrong, at risk and wasteful."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct

from clusters.engine.analysis import Kind, SuggestedChange
from clusters.engine.nodes import Stranded, Unusable, ZoneUse, pressures
from clusters.engine.plugin import Effort
from clusters.engine.registry import effort_of
from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.engine.spreading import SpreadGroup, worst_of
from clusters.engine.workloads import Failures, WorkloadFailure, bare_pods, host_port_pods, late, refused
from clusters.services.pending.pods import CauseGroup, ClusterPending, WaitingPod
from clusters.wording import (
    amounts,
    columns,
    counts,
    overview as overview_words,
    pods as pods_words,
    states,
    usage as usage_words,
    workload_failures as failure_words,
    workload_failures as workload_failures_words,
)
from clusters.wording.amounts import grouped
from clusters.wording.budgets import SHARED_BADGE, bound
from clusters.wording.evaluation import AT_LEAST, STILL, counted
from clusters.wording.lists import IN, ON, alternatives, and_more, first_of, listed
from clusters.wording.nodes import why
from clusters.wording.overview import NODES_NOT_READY, UNDER_PRESSURE
from clusters.wording.pending import KIND_WORDS, NOT_COMPUTED, cause_name
from clusters.wording.resources import resource_amount
from clusters.wording.spread import domains_name
from dashboard.pictures.meter import Meter, meter
from dashboard.presenters import pending as pending_rows, spread as spread_groups
from dashboard.presenters.budgets import drains_sentence
from dashboard.presenters.runs.listing import asked_url
from dashboard.presenters.shared.page import earlier_sentence, page_url

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from clusters.engine.disruption import BudgetState
    from clusters.engine.usage import WorkloadSizing
    from clusters.models import Cluster
    from clusters.services.disruption import ClusterBudgets
    from clusters.services.mirror.state import ClusterSpread, ClusterUtilisation
    from clusters.services.usage.history import ClusterSizing
    from clusters.services.workloads.failing import PodTroubles

# So many of each are named on a card; the page that it leads to has the rest.
NAMED = 3
# The cards that need more than is always known: their titles, and the views that they lead to.
_UNKNOWN = {
    "pending": (states.PENDING, "pending"),
    "spread": (overview_words.SPREAD, "spread"),
    "drains": (overview_words.DRAINS, "drain"),
    "nodes": (overview_words.NODES, "nodes"),
    "waste": (overview_words.STRANDED, "nodes"),
    "usage": (overview_words.USAGE, "usage"),
}


class Line(Struct, frozen=True):
    """One thing on a card: a link, if it has a page, what is to be known about it beside, and somebody's own words.

    ``nodes`` are named before the note, each with its page.
    """

    text: str
    url: str
    note: str = ""
    quote: str = ""
    nodes: tuple[tuple[str, str], ...] = ()


class Card(Struct, frozen=True):
    """One question answered: a number with its unit, a badge (text and kind), what stands behind it, and where to go.

    ``links`` lead to the pages with the filter that shows what is counted; ``key`` tells the card from others.
    """

    key: str
    title: str
    url: str
    number: str
    unit: str
    badge: tuple[str, str]
    sentence: str = ""
    lines: tuple[Line, ...] = ()
    links: tuple[Line, ...] = ()


class ZoneRow(Struct, frozen=True):
    """One zone of the table beside the picture; ``unwell``: nodes NotReady, cordoned or under pressure, or empty.

    ``lose_url``: the map on which its loss is asked, empty for nodes without a zone.
    """

    name: str
    url: str
    nodes: str
    unwell: str
    cpu: Meter
    memory: Meter
    pods: Meter
    lose_url: str


# -- at risk --------------------------------------------------------------------------------------------------------


def spread_card(cluster: Cluster, spread: ClusterSpread) -> Card:
    """Answer how many constraints are exceeded, the worst first, and which workloads a zone's loss takes most of."""
    violated = [group for group in spread.groups.values() if group.violation]
    blocking = sum(group.blocks for group in violated)
    badge = (
        (overview_words.BLOCKING, "bad")
        if blocking
        else (overview_words.EXCEEDED, "warn")
        if violated
        else (overview_words.WITHIN, "good")
    )
    return Card(
        key="spread",
        title=str(overview_words.SPREAD),
        url=page_url("spread", cluster, "state=violated" if violated else ""),
        number=grouped(len(violated)),
        unit=overview_words.OVER_MAX_SKEW(constraints=len(spread.groups)),
        badge=(str(badge[0]), badge[1]),
        sentence="" if spread.groups else str(overview_words.NOTHING_TO_SPREAD),
        lines=tuple(
            Line(
                spread_groups.group_name(group),
                page_url("spread-group", cluster, identity=identity),
                _spread_note(group),
            )
            for identity, group in spread.by_workloads()[:NAMED]
        ),
        links=(
            Line(str(overview_words.WORKLOADS), page_url("workloads", cluster)),
            Line(str(overview_words.WORKLOADS_BY_ZONE), page_url("spread-workloads", cluster)),
        ),
    )


def _spread_note(group: SpreadGroup) -> str:
    skew = overview_words.SKEW(
        skew=group.largest_skew,
        domains=domains_name(group.constraint.topology_key),
        max_skew=group.constraint.max_skew,
        action=str(group.action),
    )
    loss = group.zone_loss
    return (
        overview_words.LOSS_AND_SKEW(pods=loss.pods, of=loss.of, zone=loss.zone or loss.node, skew=skew)
        if loss.of
        else skew
    )


def unknown_card(cluster: Cluster, key: str, problem: str) -> Card:
    """Say why nothing is known of what a card would answer."""
    title, view = _UNKNOWN[key]
    return Card(
        key,
        str(title),
        page_url(view, cluster),
        "–",
        str(overview_words.UNIT_NOT_KNOWN),
        (str(overview_words.NOT_KNOWN), ""),
        problem,
    )


def lacks(cluster: Cluster, kind: str) -> bool:
    """Tell whether the source of a cluster says nothing of a kind."""
    return any(gap["kind"] == kind for gap in cluster.gaps)


def drains_card(cluster: Cluster, budgets: ClusterBudgets) -> Card:
    """Answer which drains budgets block, and the budgets that block the most of them."""
    nodes, drains = len(budgets.snapshot.nodes), budgets.drains
    if not nodes:
        return unknown_card(cluster, "drains", str(overview_words.NO_NODES))
    if not budgets.states and lacks(cluster, "PodDisruptionBudget"):
        problem = overview_words.BUDGETS_NOT_READ if cluster.is_live else overview_words.BUDGETS_NOT_DUMPED
        return unknown_card(cluster, "drains", str(problem))
    lasting = sum(drain.lasts for drain in drains)
    sentence = drains_sentence(drains, nodes) if drains else "" if budgets.states else str(overview_words.NO_BUDGETS)
    badge = (
        (overview_words.BLOCKED, "bad")
        if lasting
        else (overview_words.BLOCKED_FOR_NOW, "warn")
        if drains
        else (overview_words.DRAINABLE, "good")
    )
    blocks = Counter(refusal.budget.key for drain in drains for refusal in drain.refusals)
    lasts = Counter(refusal.budget.key for drain in drains for refusal in drain.refusals if refusal.lasts)
    most = sorted(blocks, key=lambda name: (-blocks[name], -lasts[name], name))
    return Card(
        key="drains",
        title=str(overview_words.DRAINS),
        url=page_url("blocked-drains" if drains else "budgets", cluster),
        number=grouped(len(drains)),
        unit=overview_words.NOT_DRAINABLE(nodes=nodes),
        badge=(str(badge[0]), badge[1]),
        sentence=sentence,
        lines=tuple(_blocking_line(cluster, budgets.states[name], blocks[name], lasts[name]) for name in most[:NAMED]),
        links=(
            Line(str(overview_words.PLAN_DRAIN), page_url("drain", cluster)),
            *(
                (
                    Line(
                        overview_words.BLOCKING_BUDGETS(budgets=len(most)), page_url("budgets", cluster, "state=drains")
                    ),
                )
                if most
                else ()
            ),
        ),
    )


def _blocking_line(cluster: Cluster, state: BudgetState, blocks: int, lasts: int) -> Line:
    budget = state.budget
    # One that allows disruptions blocks by pods that another one selects too.
    why = SHARED_BADGE(pods=len(state.shared)) if state.shared else bound(budget)
    return Line(
        budget.key,
        page_url("budget", cluster, namespace=budget.namespace, name=budget.name),
        overview_words.BLOCKING_BUDGET(bound=why, drains=blocks, lasting=lasts),
    )


# -- wrong and wasteful ---------------------------------------------------------------------------------------------


def nodes_card(cluster: Cluster, found: ClusterUtilisation) -> Card:
    """Answer which nodes are NotReady, cordoned or under pressure."""
    if not len(found.snapshot.nodes):
        return unknown_card(cluster, "nodes", str(overview_words.NO_NODES))
    health, names = found.health, found.snapshot.nodes
    away, ill = int((~health.usable).sum()), int((health.not_ready | health.pressure).sum())
    lines = []
    for mask, say, query in (
        (health.not_ready, NODES_NOT_READY, "ready=no"),
        (health.unknown, overview_words.READY_UNKNOWN, "ready=unknown"),
        (health.cordoned, overview_words.NODES_CORDONED, "scheduling=cordoned"),
    ):
        rows = np.flatnonzero(mask).tolist()
        if rows:
            lines.append(_nodes_line(cluster, say(len(rows)), query, [names.names[row] for row in rows]))
    pressed = np.flatnonzero(health.pressure).tolist()
    if len(pressed) > NAMED:
        named = [names.names[row] for row in pressed]
        lines.append(_nodes_line(cluster, UNDER_PRESSURE(nodes=len(pressed)), "health=pressure", named))
        pressed = []
    lines += [
        Line(
            overview_words.ONE_UNDER_PRESSURE(node=names.names[row]),
            page_url("node", cluster, name=names.names[row]),
            ", ".join(pressures(names.nodes[row])),
        )
        for row in pressed
    ]
    reserved = int(health.reserved.sum())
    badge = (
        (overview_words.UNHEALTHY, "bad")
        if ill
        else (overview_words.CORDONED, "warn")
        if away
        else (overview_words.HEALTHY, "good")
    )
    return Card(
        key="nodes",
        title=str(overview_words.NODES),
        url=page_url("nodes", cluster, "health=closed" if away else ""),
        number=grouped(away),
        unit=overview_words.OF_CLOSED(nodes=len(names)),
        badge=(str(badge[0]), badge[1]),
        lines=tuple(lines),
        links=(
            # Which taints Kubernetes set by itself is no filter of the list, so the number leads nowhere.
            (
                Line(overview_words.RESERVED(nodes=reserved), ""),
                Line(str(overview_words.TAINTED_NODES), page_url("nodes", cluster, "taints=with")),
            )
            if reserved
            else ()
        ),
    )


def _nodes_line(cluster: Cluster, said: str, query: str, names: Sequence[str]) -> Line:
    """Name the first few nodes, and count the others."""
    first = tuple((name, page_url("node", cluster, name=name)) for name in names[:NAMED])
    return Line(said, page_url("nodes", cluster, query), and_more(len(names) - NAMED), nodes=first)


_WORDS = {CPU: overview_words.CPU, MEMORY: overview_words.MEMORY, PODS: overview_words.PODS}
_WRITE = {CPU: amounts.cpu, MEMORY: amounts.size}


def waste_card(cluster: Cluster, found: ClusterUtilisation) -> Card:
    """Answer how much is left where hardly any pod can use it."""
    if not len(found.snapshot.nodes):
        return unknown_card(cluster, "waste", str(overview_words.NO_NODES))
    nodes = len({int(row) for each in found.stranded for row in each.rows})
    return Card(
        key="waste",
        title=str(overview_words.STRANDED),
        url=page_url("nodes", cluster, f"sort=-{found.stranded[0].for_lack[0][0]}" if found.stranded else ""),
        number=grouped(nodes),
        unit=overview_words.OF_STRANDED(nodes=len(found.snapshot.nodes)),
        badge=(str(overview_words.CAPACITY_STRANDED), "warn")
        if nodes
        else (str(overview_words.NOTHING_STRANDED), "good"),
        lines=(*(_stranded_line(cluster, found, each) for each in found.stranded), *_closed_line(cluster, found)),
        links=(Line(str(overview_words.FREE_BY_SHAPE), page_url("free-capacity", cluster)),),
    )


def stranded_amount(each: Stranded) -> str:
    """Say how much of a resource is stranded."""
    amount = _WRITE[each.resource](each.left)
    return overview_words.OF_MEMORY(amount=amount) if each.resource == MEMORY else amount


def _closed_line(cluster: Cluster, found: ClusterUtilisation) -> Iterator[Line]:
    """Say how much is free on nodes that accept no pods, which does not count as stranded."""
    left = ((name, int(found.amounts[name].left[~found.health.usable].sum())) for name in (CPU, MEMORY))
    if free := [resource_amount(name, amount) for name, amount in left if amount]:
        yield Line(listed(free), page_url("free-capacity", cluster), why(Unusable.CLOSED, CPU))


def _stranded_line(cluster: Cluster, found: ClusterUtilisation, each: Stranded) -> Line:
    total = int(found.amounts[each.resource].allocatable.sum())
    most = found.snapshot.nodes.names[int(each.rows[0])]
    return Line(
        ON(what=stranded_amount(each), where=counts.NODES(number=len(each.rows))),
        page_url("nodes", cluster, f"sort=-{each.for_lack[0][0]}"),
        overview_words.STRANDED_FOR(
            share=amounts.percent(each.left, total),
            resource=str(_WORDS[each.resource]),
            used_up=alternatives([str(_WORDS[name]) for name, _ in each.for_lack]),
            most=most,
        ),
    )


# -- zones ----------------------------------------------------------------------------------------------------------


def zone_rows(cluster: Cluster, found: ClusterUtilisation) -> list[ZoneRow]:
    """Present what is requested of each zone."""
    return [_zone_row(cluster, found, zone) for zone in found.zones]


def _zone_row(cluster: Cluster, found: ClusterUtilisation, zone: ZoneUse) -> ZoneRow:
    name, unwell = zone.zone or str(overview_words.NO_ZONE), int((~found.health.usable[zone.rows]).sum())

    def used(title: str, resource: str, write: Callable[[int], str]) -> Meter:
        return meter(
            IN(what=title, where=name),
            zone.requested[resource],
            zone.allocatable[resource],
            write,
        )

    lost = {"change": "lose-zone", "zone": zone.zone, "how": "gone"}
    return ZoneRow(
        name=name,
        url=page_url("nodes", cluster, f"zone={zone.zone or '-'}"),
        nodes=grouped(len(zone.rows)),
        unwell=overview_words.CLOSED(nodes=unwell) if unwell else "",
        cpu=used(str(columns.CPU_REQUESTED), CPU, amounts.cpu),
        memory=used(str(columns.MEMORY_REQUESTED), MEMORY, amounts.size),
        pods=used(str(columns.PODS), PODS, amounts.grouped),
        lose_url=asked_url(cluster.name, lost) if zone.zone else "",
    )


def capacity_sentence(found: ClusterUtilisation) -> str:
    """Say how much of the whole cluster is requested."""
    if not len(found.snapshot.nodes):
        return str(overview_words.NO_CAPACITY)
    said = {}
    for name, write in ((CPU, amounts.cpu), (MEMORY, amounts.size)):
        requested = sum(zone.requested[name] for zone in found.zones)
        allocatable = sum(zone.allocatable[name] for zone in found.zones)
        whole = overview_words.OF_MEMORY(amount=write(allocatable)) if name == MEMORY else write(allocatable)
        said[name] = overview_words.REQUESTED_SHARE(
            requested=write(requested), allocatable=whole, share=amounts.percent(requested, allocatable)
        )
    return overview_words.CAPACITY(
        cpu=said[CPU],
        memory=said[MEMORY],
        nodes=counts.NODES(number=len(found.snapshot.nodes)),
        zones=counts.ZONES(number=len(found.zones)),
    )


def failing_card(cluster: Cluster, failures: Failures) -> Card | None:
    """Answer which workloads fail, and what to do; None where none does."""
    if not failures:
        return None
    every = page_url("workloads", cluster, "state=failing")
    creating = len(refused(failures))
    rest = len(failures) - NAMED
    lines = [_line(cluster, found) for found in list(failures.values())[:NAMED]]
    return Card(
        key="failing",
        title=str(overview_words.FAILING),
        url=every,
        number=grouped(creating or len(failures)),
        unit=workload_failures_words.counted(creating, len(failures) - creating, len(late(failures))),
        badge=(str(overview_words.BADGE_FAILING), "bad"),
        lines=tuple(lines),
        links=(Line(and_more(rest), every),) if rest > 0 else (),
    )


def _line(cluster: Cluster, found: Sequence[WorkloadFailure]) -> Line:
    failure, workload = found[0], found[0].workload
    return Line(
        workload_failures_words.sentence(failure),
        page_url("workload", cluster, kind=workload.kind, namespace=workload.namespace, name=workload.name),
        workload_failures_words.remedy(failure, found),
        workload_failures_words.quoted(failure),
    )


# So many causes and pods are named on a card; the page that it leads to has the rest.
SHOWN = 3


def pending_card(cluster: Cluster, pending: ClusterPending, *, beside: int = 0) -> Card:
    """Answer which pods are pending, and why: unschedulable ones first, then the causes of most pods.

    Where so many causes of unschedulable pods are named ``beside`` it, it names none.
    """
    if not pending.total and (cluster.is_unread or lacks(cluster, "Pod")):
        return unknown_card(cluster, "pending", str(overview_words.NO_PODS))
    groups = sorted(pending.groups.values(), key=lambda group: (not group.is_unschedulable, -len(group.pods)))
    unschedulable = pending.counts.unschedulable
    named = min(beside, sum(group.is_unschedulable for group in groups)) if beside else SHOWN
    badge = (states.PENDING, "info") if pending.total else (overview_words.BADGE_NONE, "good")
    if pending.evaluating:
        badge = (states.EVALUATING, "info")
    elif unschedulable:
        badge = (states.UNSCHEDULABLE, "bad")
    return Card(
        key="pending",
        title=str(states.PENDING),
        url=page_url("pending", cluster),
        number=AT_LEAST(number=unschedulable) if pending.evaluating else grouped(unschedulable or pending.total),
        unit=overview_words.OF_PENDING(pods=pending.total)
        if unschedulable or pending.evaluating
        else overview_words.PENDING_ONLY(pods=pending.total),
        badge=(str(badge[0]), badge[1]),
        sentence=" ".join((STILL(pods=pending.evaluating), earlier_sentence(pending.earlier))).strip()
        if pending.evaluating
        else ""
        if pending.total
        else str(overview_words.NOTHING_PENDING),
        lines=tuple(
            Line(
                pending_rows.title(group),
                page_url("pending", cluster, f"cause={group.identity}"),
                pending_rows.way(group) or str(KIND_WORDS[group.cause.kind]),
            )
            for group in ([] if beside else groups[:SHOWN])
        ),
        links=(
            *(Line(rest, page_url("pending", cluster)) for rest in _rest(groups[named:])),
            *_failures(cluster, groups),
            *(() if beside else (Line(str(overview_words.QUEUE_ORDER), page_url("queue", cluster)),)),
        ),
    )


def _failures(cluster: Cluster, groups: Sequence[CauseGroup]) -> tuple[Line, ...]:
    """Count the pods that could not be computed, wherever their cause is named."""
    failed = [group for group in groups if group.cause.kind is Kind.NOT_COMPUTED]
    pods = sum(len(group.pods) for group in failed)
    return (Line(NOT_COMPUTED(pods=pods), page_url("pending", cluster)),) if failed else ()


def _rest(groups: Sequence[CauseGroup]) -> list[str]:
    """Count the causes that are not named, and the pods that are not unschedulable."""
    unschedulable = sum(group.is_unschedulable for group in groups)
    others = sum(len(group.pods) for group in groups if not group.is_unschedulable)
    more = [overview_words.MORE_CAUSES(causes=unschedulable)] if unschedulable else []
    return [*more, overview_words.OTHER_PODS(pods=others)] if others else more


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
        badge, unit = (str(overview_words.BADGE_NO_CHANGE), "warn"), overview_words.FIT_AFTER_ONE(pods=len(pods))
        return Card(
            "change", str(overview_words.CHANGE), page_url("pending", cluster), str(overview_words.NOBODY), unit, badge
        )

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
    where = page_url("pending", cluster, f"cause={most.identity}")
    note = overview_words.AND_OTHER_CAUSES(causes=others) if others else ""
    helped = freed(pods)
    scope = _scope(helped)
    more = len(helped) - SHOWN
    return Card(
        key="change",
        title=str(overview_words.CHANGE),
        url=where,
        number=counted(way.frees, is_whole=way.is_whole),
        unit=_unit(scope, len(pods), is_pair=len(way.change.lifted) > 1),
        badge=(_badge(scope, is_pair=len(way.change.lifted) > 1), "info"),
        sentence=" ".join(filter(None, (pending_rows.way(everything), _nodes(scope)))),
        lines=tuple(
            Line(
                f"{pod.namespace}/{pod.name}",
                page_url("decision", cluster, namespace=pod.namespace, name=pod.name),
                cause_name(pod.finding.cause) if others else "",
            )
            for pod, _ in helped[:SHOWN]
        ),
        links=(
            *((Line(and_more(more), ""),) if more > 0 else ()),
            Line(overview_words.ALL_PENDING_FOR(cause=cause_name(most.cause)), where, note),
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
        return overview_words.FIT_AFTER_SAME(pods=pods, changed=counts.NODES(number=len(scope.nodes)))
    if scope.workloads > 1:
        return overview_words.FIT_AFTER_SAME(pods=pods, changed=counts.WORKLOADS(number=scope.workloads))
    return overview_words.FIT_AFTER_TWO(pods=pods) if is_pair else overview_words.FIT_AFTER_ONE(pods=pods)


def _badge(scope: _Scope, *, is_pair: bool) -> str:
    if len(scope.nodes) > 1 or scope.workloads > 1:
        return str(overview_words.BADGE_SAME_CHANGE)
    return str(overview_words.BADGE_TWO_CHANGES if is_pair else overview_words.BADGE_ONE_CHANGE)


def _nodes(scope: _Scope) -> str:
    """Name the nodes at which a change has to be made; empty where it is made elsewhere."""
    return (
        overview_words.AT_NODES(names=first_of(scope.nodes, most=NAMED), nodes=len(scope.nodes)) if scope.nodes else ""
    )


def _nodes_for(choices: Sequence[Collection[str]]) -> list[str]:
    """Return few nodes of which every pod would fit on one: always that next on which the most others would."""
    left, found = [set(nodes) for nodes in choices], []
    while left:
        counts = Counter(node for nodes in left for node in sorted(nodes))
        best = min(counts, key=lambda node: (-counts[node], node))
        found.append(best)
        left = [nodes for nodes in left if best not in nodes]
    return sorted(found)


def usage_card(cluster: Cluster, found: ClusterSizing | None) -> Card:
    """Answer which workloads request much more or less than they use, and what that would free."""
    if found is None:
        return unknown_card(cluster, "usage", str(overview_words.NO_USAGE))
    off = [each for each in found.workloads if each.changes]
    return Card(
        key="usage",
        title=str(overview_words.USAGE),
        url=page_url("usage", cluster, "state=changes" if off else ""),
        number=grouped(len(off)),
        unit=overview_words.OF_REQUESTS(workloads=len(found.workloads)),
        badge=(str(overview_words.REQUESTS_OFF), "warn") if off else (str(overview_words.REQUESTS_FIT), "good"),
        sentence=usage_words.freed(*found.freed) if off else str(usage_words.NOTHING_TO_CHANGE),
        lines=tuple(_sizing_line(cluster, each) for each in off[:NAMED]),
    )


def _sizing_line(cluster: Cluster, sizing: WorkloadSizing) -> Line:
    workload = sizing.workload
    place = {"kind": workload.kind, "namespace": workload.namespace, "name": workload.name}
    named = f"{workload.namespace}/{workload.name}"
    return Line(named, page_url("workload", cluster, **place), usage_words.freed_by_one(*sizing.freed))


class OverviewFinding(Struct, frozen=True):
    """One thing that is not as it should be, and the page that shows it."""

    text: str
    url: str


class OverviewFindings(Struct, frozen=True):
    """Findings of one sort, and how much they are about: ``label`` and ``about`` are empty for what is wrong now."""

    label: str
    findings: tuple[OverviewFinding, ...]
    about: tuple[str, ...]


def summary(
    cluster: Cluster,
    *,
    failures: Failures,
    pending: int,
    found: ClusterUtilisation,
    budgets: ClusterBudgets,
    spread: ClusterSpread | None,
    troubles: PodTroubles,
) -> list[OverviewFindings]:
    """Return what is wrong, at risk and wasteful, the most urgent first; empty where nothing is."""
    violated = [group for group in (spread.groups.values() if spread else ()) if group.violation]
    allowed = [group for group in violated if not group.blocks]
    not_ready, pressed = int(found.health.not_ready.sum()), int(found.health.pressure.sum())
    creating = len(refused(failures))
    missed, failing = len(late(failures)), page_url("workloads", cluster, "state=failing")
    others = len(failures) - creating - missed
    lasting = sum(drain.lasts for drain in budgets.drains)
    for_now = len(budgets.drains) - lasting
    bare, with_ports = bare_pods(found.snapshot), host_port_pods(found.snapshot)
    rows = {int(row) for each in found.stranded for row in each.rows}
    wrong = [
        creating
        and OverviewFinding(failure_words.CANNOT_CREATE(workloads=creating), f"{page_url('pending', cluster)}#refused"),
        others and OverviewFinding(failure_words.OTHERWISE_FAILING(workloads=others), failing),
        missed and OverviewFinding(failure_words.MISSED_STARTS(cron_jobs=missed), failing),
        not_ready
        and OverviewFinding(overview_words.NODES_NOT_READY(nodes=not_ready), page_url("nodes", cluster, "ready=no")),
        pending and OverviewFinding(overview_words.PENDING(pods=pending), page_url("pending", cluster)),
        *_troubles(cluster, troubles),
        pressed
        and OverviewFinding(
            overview_words.UNDER_PRESSURE(nodes=pressed), page_url("nodes", cluster, "health=pressure")
        ),
        _exceeded([group for group in violated if group.blocks], page_url("spread", cluster, "state=blocking")),
    ]
    at_risk = [
        lasting
        and OverviewFinding(
            overview_words.BLOCKED_UNTIL_CHANGED(nodes=lasting), page_url("drain", cluster, "state=lasting")
        ),
        for_now
        and OverviewFinding(overview_words.DRAINS_BLOCKED_FOR_NOW(nodes=for_now), page_url("blocked-drains", cluster)),
        _exceeded(allowed, page_url("spread", cluster, "state=violated")),
        len(bare)
        and OverviewFinding(overview_words.NOT_RECREATED(pods=len(bare)), page_url("workloads", cluster, "kind=Pod")),
        len(with_ports) and OverviewFinding(overview_words.HOST_PORTS(pods=len(with_ports)), page_url("pods", cluster)),
    ]
    left = [stranded_amount(each) for each in found.stranded]
    wasteful = [
        rows
        and OverviewFinding(
            overview_words.NODES_STRAND(nodes=len(rows), left=listed(left)),
            f"{page_url('cluster', cluster)}#card-waste",
        )
    ]
    about = (
        (counts.NODES, len(budgets.drains)),
        (counts.CONSTRAINTS, len(allowed)),
        (counts.PODS, len(bare) + int(np.isin(with_ports, bare, assume_unique=True, invert=True).sum())),
    )
    sorts = (
        ("", wrong, ()),
        (str(overview_words.AT_RISK), at_risk, about),
        (str(overview_words.WASTEFUL), wasteful, ((counts.NODES, len(rows)),)),
    )
    every = (
        OverviewFindings(
            label,
            tuple(each for each in some if isinstance(each, OverviewFinding)),
            tuple(say(number=number) for say, number in named if number),
        )
        for label, some, named in sorts
    )
    return [each for each in every if each.findings]


def _troubles(cluster: Cluster, found: PodTroubles) -> Iterator[OverviewFinding]:
    """Yield what is wrong with pods that have a node."""
    for pods, say, state in (
        (found.rejected, pods_words.REJECTED_PODS, "rejected"),
        (found.unstartable, pods_words.UNSTARTABLE_PODS, "Pending"),
        (found.stuck, pods_words.STUCK_PODS, "terminating"),
        (found.held, pods_words.HELD_PODS, "terminating"),
        (found.killed, pods_words.KILLED_PODS, "killed"),
    ):
        if pods:
            yield OverviewFinding(say(pods), page_url("pods", cluster, f"state={state}"))


def _exceeded(groups: list[SpreadGroup], url: str) -> OverviewFinding | None:
    worst = worst_of(groups)
    if worst is None:
        return None
    text = overview_words.CONSTRAINTS_EXCEEDED(
        constraints=len(groups),
        worst=spread_groups.group_name(worst),
        skew=worst.largest_skew,
        max_skew=worst.constraint.max_skew,
    )
    return OverviewFinding(text, url)
