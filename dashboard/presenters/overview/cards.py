"""A cluster at a glance: cards that each answer one question and lead to the page that answers it in full."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.urls import NoReverseMatch, reverse

from clusters.engine.nodes import pressures
from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.wording import amounts, columns, states
from clusters.wording.amounts import grouped
from clusters.wording.budgets.states import bound
from clusters.wording.decisions.side_by_side import and_more
from clusters.wording.overview import cards as words
from clusters.wording.overview.summary import UNDER_PRESSURE, not_ready
from clusters.wording.spread.groups import RANKING
from clusters.wording.spread.keys import domains_name
from dashboard.pictures.meter import Meter, meter
from dashboard.presenters.runs.links import simulate_url
from dashboard.presenters.spread import groups as spread_groups

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine.disruption import DisruptionBudget
    from clusters.engine.nodes import Stranded, ZoneUse
    from clusters.engine.spreading import SpreadGroup
    from clusters.models import Cluster
    from clusters.services.disruption import ClusterBudgets
    from clusters.services.mirror.state import ClusterSpread, ClusterUtilisation

# So many of each are named on a card; the page that it leads to has the rest.
NAMED = 3
# The cards that need more than is always known: their titles, and the views that they lead to.
_UNKNOWN = {
    "pending": (states.PENDING, "pending"),
    "spread": (words.SPREAD, "spread"),
    "drains": (words.DRAINS, "drain"),
    "nodes": (words.NODES, "nodes"),
    "waste": (words.STRANDED, "nodes"),
    "usage": (words.USAGE, "usage"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing on a card: a link, if it has a page, what is to be known about it beside, and somebody's own words.

    ``nodes`` are named before the note, each with its page.
    """

    text: str
    url: str
    note: str = ""
    quote: str = ""
    nodes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
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


@dataclass(frozen=True, slots=True)
class ZoneRow:
    """One zone of the table beside the picture; ``unwell``: nodes NotReady, cordoned or under pressure, or empty.

    ``lose_url``: where a simulation without it begins, empty for nodes without a zone.
    """

    name: str
    url: str
    nodes: str
    unwell: str
    cpu: Meter
    memory: Meter
    pods: Meter
    lose_url: str


def page(view: str, cluster: Cluster, query: str = "", **place: str) -> str:
    """Return the address of a page of the cluster; empty where an object's name is none that Kubernetes would take."""
    try:
        address = reverse(view, kwargs={"cluster": cluster.name, **place})
    except NoReverseMatch:
        return ""
    return f"{address}?{query}" if query else address


# -- at risk --------------------------------------------------------------------------------------------------------


def spread_card(cluster: Cluster, spread: ClusterSpread) -> Card:
    """Answer how many constraints are exceeded, and which workloads a zone's loss takes most of."""
    violated = [group for group in spread.groups.values() if group.violation]
    blocking = sum(group.blocks for group in violated)
    badge = (words.BLOCKING, "bad") if blocking else (words.EXCEEDED, "warn") if violated else (words.WITHIN, "good")
    return Card(
        key="spread",
        title=str(words.SPREAD),
        url=page("spread", cluster, "state=violated" if violated else ""),
        number=grouped(len(violated)),
        unit=words.OVER_MAX_SKEW(constraints=len(spread.groups)),
        badge=(str(badge[0]), badge[1]),
        sentence=str(RANKING if spread.groups else words.NOTHING_TO_SPREAD),
        lines=tuple(
            Line(
                spread_groups.group_name(group),
                page("spread-group", cluster, identity=identity),
                _spread_note(group),
            )
            for identity, group in spread.by_workloads()[:NAMED]
        ),
        links=(
            Line(str(words.WORKLOADS), page("workloads", cluster)),
            Line(str(words.WORKLOADS_BY_ZONE), page("spread-workloads", cluster)),
        ),
    )


def _spread_note(group: SpreadGroup) -> str:
    skew = words.SKEW(
        skew=group.largest_skew,
        domains=domains_name(group.constraint.topology_key),
        max_skew=group.constraint.max_skew,
        action=str(group.action),
    )
    loss = group.zone_loss
    return words.LOSS_AND_SKEW(pods=loss.pods, of=loss.of, zone=loss.zone or loss.node, skew=skew) if loss.of else skew


def unknown_card(cluster: Cluster, key: str, problem: str) -> Card:
    """Say why nothing is known of what a card would answer."""
    title, view = _UNKNOWN[key]
    return Card(
        key, str(title), page(view, cluster), "–", str(words.UNIT_NOT_KNOWN), (str(words.NOT_KNOWN), ""), problem
    )


def lacks(cluster: Cluster, kind: str) -> bool:
    """Tell whether the source of a cluster says nothing of a kind."""
    return any(gap["kind"] == kind for gap in cluster.gaps)


def drains_card(cluster: Cluster, budgets: ClusterBudgets) -> Card:
    """Answer which drains budgets block, and the budgets that block the most of them."""
    nodes, drains = len(budgets.snapshot.nodes), budgets.drains
    if not nodes:
        return unknown_card(cluster, "drains", str(words.NO_NODES))
    if not budgets.states and lacks(cluster, "PodDisruptionBudget"):
        problem = words.BUDGETS_NOT_READ if cluster.is_live else words.BUDGETS_NOT_DUMPED
        return unknown_card(cluster, "drains", str(problem))
    lasting = sum(drain.lasts for drain in drains)
    for_now = len(drains) - lasting
    sentence = (
        words.HOW_LONG(lasting=lasting, for_now=for_now) if drains else "" if budgets.states else str(words.NO_BUDGETS)
    )
    badge = (
        (words.BLOCKED, "bad") if lasting else (words.BLOCKED_FOR_NOW, "warn") if drains else (words.DRAINABLE, "good")
    )
    blocks = Counter(refusal.budget.key for drain in drains for refusal in drain.refusals)
    lasts = Counter(refusal.budget.key for drain in drains for refusal in drain.refusals if refusal.lasts)
    most = sorted(blocks, key=lambda name: (-blocks[name], -lasts[name], name))
    return Card(
        key="drains",
        title=str(words.DRAINS),
        url=page("blocked-drains" if drains else "budgets", cluster),
        number=grouped(len(drains)),
        unit=words.NOT_DRAINABLE(nodes=nodes),
        badge=(str(badge[0]), badge[1]),
        sentence=sentence,
        lines=tuple(
            _blocking_line(cluster, budgets.states[name].budget, blocks[name], lasts[name]) for name in most[:NAMED]
        ),
        links=(
            Line(str(words.PLAN_DRAIN), page("drain", cluster)),
            *(
                (Line(words.BLOCKING_BUDGETS(budgets=len(most)), page("budgets", cluster, "state=drains")),)
                if most
                else ()
            ),
        ),
    )


def _blocking_line(cluster: Cluster, budget: DisruptionBudget, blocks: int, lasts: int) -> Line:
    return Line(
        budget.key,
        page("budget", cluster, namespace=budget.namespace, name=budget.name),
        words.blocking_budget(bound(budget), drains=blocks, lasting=lasts),
    )


# -- wrong and wasteful ---------------------------------------------------------------------------------------------


def nodes_card(cluster: Cluster, found: ClusterUtilisation) -> Card:
    """Answer which nodes are NotReady, cordoned or under pressure."""
    if not len(found.snapshot.nodes):
        return unknown_card(cluster, "nodes", str(words.NO_NODES))
    health, names = found.health, found.snapshot.nodes
    away, ill = int((~health.usable).sum()), int((health.not_ready | health.pressure).sum())
    lines = []
    for mask, say, query in (
        (health.not_ready, not_ready, "ready=no"),
        (health.unknown, words.ready_unknown, "ready=unknown"),
        (health.cordoned, words.cordoned, "scheduling=cordoned"),
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
            words.ONE_UNDER_PRESSURE(node=names.names[row]),
            page("node", cluster, name=names.names[row]),
            ", ".join(pressures(names.nodes[row])),
        )
        for row in pressed
    ]
    reserved = int(health.reserved.sum())
    badge = (words.UNHEALTHY, "bad") if ill else (words.CORDONED, "warn") if away else (words.HEALTHY, "good")
    return Card(
        key="nodes",
        title=str(words.NODES),
        url=page("nodes", cluster, "health=closed" if away else ""),
        number=grouped(away),
        unit=words.OF_CLOSED(nodes=len(names)),
        badge=(str(badge[0]), badge[1]),
        lines=tuple(lines),
        links=(
            # Which taints Kubernetes set by itself is no filter of the list, so the number leads nowhere.
            (
                Line(words.RESERVED(nodes=reserved), ""),
                Line(str(words.TAINTED_NODES), page("nodes", cluster, "taints=with")),
            )
            if reserved
            else ()
        ),
    )


def _nodes_line(cluster: Cluster, said: str, query: str, names: Sequence[str]) -> Line:
    """Name the first few nodes, and count the others."""
    first = tuple((name, page("node", cluster, name=name)) for name in names[:NAMED])
    return Line(said, page("nodes", cluster, query), and_more(max(0, len(names) - NAMED)), nodes=first)


_WORDS = {CPU: words.CPU, MEMORY: words.MEMORY, PODS: words.PODS}
_WRITE = {CPU: amounts.cpu, MEMORY: amounts.size}


def waste_card(cluster: Cluster, found: ClusterUtilisation) -> Card:
    """Answer how much is left where hardly any pod can use it."""
    if not len(found.snapshot.nodes):
        return unknown_card(cluster, "waste", str(words.NO_NODES))
    nodes = len({int(row) for each in found.stranded for row in each.rows})
    return Card(
        key="waste",
        title=str(words.STRANDED),
        url=page("nodes", cluster, f"sort=-{found.stranded[0].for_lack[0][0]}" if found.stranded else ""),
        number=grouped(nodes),
        unit=words.OF_STRANDED(nodes=len(found.snapshot.nodes)),
        badge=(str(words.CAPACITY_STRANDED), "warn") if nodes else (str(words.NOTHING_STRANDED), "good"),
        sentence="" if nodes else str(words.NOT_STRANDED),
        lines=tuple(_stranded_line(cluster, found, each) for each in found.stranded),
        links=(
            Line(str(words.FREE_BY_SHAPE), page("free-capacity", cluster)),
            Line(str(words.BIN_PACKING), page("other-configuration", cluster, "preset=most-allocated")),
        ),
    )


def stranded_amount(each: Stranded) -> str:
    """Say how much of a resource is stranded."""
    amount = _WRITE[each.resource](each.left)
    return words.OF_MEMORY(amount=amount) if each.resource == MEMORY else amount


def _stranded_line(cluster: Cluster, found: ClusterUtilisation, each: Stranded) -> Line:
    total = int(found.amounts[each.resource].allocatable.sum())
    most = found.snapshot.nodes.names[int(each.rows[0])]
    return Line(
        words.stranded_on(stranded_amount(each), len(each.rows)),
        page("nodes", cluster, f"sort=-{each.for_lack[0][0]}"),
        words.stranded_for(
            share=amounts.percent(each.left, total),
            resource=str(_WORDS[each.resource]),
            used_up=[str(_WORDS[name]) for name, _ in each.for_lack],
            most=most,
        ),
    )


# -- zones ----------------------------------------------------------------------------------------------------------


def zone_rows(cluster: Cluster, found: ClusterUtilisation) -> list[ZoneRow]:
    """Present what is requested of each zone."""
    return [_zone_row(cluster, found, zone) for zone in found.zones]


def _zone_row(cluster: Cluster, found: ClusterUtilisation, zone: ZoneUse) -> ZoneRow:
    name, unwell = zone.zone or str(words.NO_ZONE), int((~found.health.usable[zone.rows]).sum())

    def used(title: str, resource: str, write: Callable[[int], str]) -> Meter:
        return meter(
            words.REQUESTED_IN(what=title, zone=name), zone.requested[resource], zone.allocatable[resource], write
        )

    lost = {"change": "lose-zone", "zone": zone.zone, "how": "gone"}
    return ZoneRow(
        name=name,
        url=page("nodes", cluster, f"zone={zone.zone or '-'}"),
        nodes=grouped(len(zone.rows)),
        unwell=words.CLOSED(nodes=unwell) if unwell else "",
        cpu=used(str(columns.CPU_REQUESTED), CPU, amounts.cpu),
        memory=used(str(columns.MEMORY_REQUESTED), MEMORY, amounts.size),
        pods=used(str(columns.PODS), PODS, amounts.grouped),
        lose_url=simulate_url(cluster.name, lost) if zone.zone else "",
    )


def capacity_sentence(found: ClusterUtilisation) -> str:
    """Say how much of the whole cluster is requested."""
    if not len(found.snapshot.nodes):
        return str(words.NO_CAPACITY)
    said = {}
    for name, write in ((CPU, amounts.cpu), (MEMORY, amounts.size)):
        requested = sum(zone.requested[name] for zone in found.zones)
        allocatable = sum(zone.allocatable[name] for zone in found.zones)
        whole = words.OF_MEMORY(amount=write(allocatable)) if name == MEMORY else write(allocatable)
        said[name] = words.REQUESTED_SHARE(
            requested=write(requested), allocatable=whole, share=amounts.percent(requested, allocatable)
        )
    return words.capacity(cpu=said[CPU], memory=said[MEMORY], nodes=len(found.snapshot.nodes), zones=len(found.zones))
