"""A cluster at a glance: cards that each answer one question and lead to the page that answers it in full."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.urls import NoReverseMatch, reverse

from clusters.engine.nodes.health import pressures
from clusters.engine.resources.requests import CPU, MEMORY, PODS
from clusters.wording import amounts
from clusters.wording.amounts import counted, grouped
from dashboard.pictures.meter import Meter, meter
from dashboard.presenters.budgets import words as budget_words
from dashboard.presenters.runs.links import simulate_url
from dashboard.presenters.spread import words as spread_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine.disruption import DisruptionBudget
    from clusters.engine.resources.utilisation import Stranded, ZoneUse
    from clusters.models import Cluster
    from clusters.services.disruption.budgets import ClusterBudgets
    from clusters.services.mirror.spread import ClusterSpread
    from clusters.services.mirror.utilisation import ClusterUtilisation

# So many of each are named on a card; the page that it leads to has the rest.
NAMED = 3
NO_ZONE = "No zone"
NO_NODES = "No node is mirrored."
# The cards that need more than is always known: their titles, and the views that they lead to.
_UNKNOWN = {
    "waiting": ("Stuck", "pending"),
    "spread": ("Spread", "spread"),
    "drains": ("Drains", "drain"),
    "nodes": ("Nodes", "nodes"),
    "waste": ("Stranded", "nodes"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing on a card: a link, if it has a page, what is to be known about it beside, and somebody's own words."""

    text: str
    url: str
    note: str = ""
    quote: str = ""


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
    """One zone of the table beside the picture; ``unwell``: nodes that take no new pods, empty for none.

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
    """Answer which spread constraints are violated, the worst first."""
    violated = [(identity, group) for identity, group in spread.groups.items() if group.violation]
    closest = sorted(spread.groups.items(), key=lambda each: each[1].constraint.max_skew - each[1].largest_skew)
    blocking = sum(group.blocks for _, group in violated)
    badge = ("Wrong", "bad") if blocking else ("At risk", "warn") if violated else ("As asked", "good")
    return Card(
        key="spread",
        title="Spread",
        url=page("spread", cluster, "state=violated" if violated else ""),
        number=grouped(len(violated)),
        unit=f"of {counted(len(spread.groups), 'spread constraint', 'spread constraints')} over maxSkew",
        badge=badge,
        sentence="" if violated else "The closest to it:" if spread.groups else "No pod asks to be spread.",
        lines=tuple(
            Line(
                spread_words.group_name(group),
                page("spread-group", cluster, identity=identity),
                f"skew {grouped(group.largest_skew)} over {spread_words.nouns(group.constraint.topology_key)[1]}, "
                f"maxSkew {grouped(group.constraint.max_skew)}, {group.action}",
            )
            for identity, group in (violated or closest)[:NAMED]
        ),
        links=(
            Line("Workloads", page("workloads", cluster)),
            Line("Workloads by zone", page("spread-workloads", cluster)),
        ),
    )


def unknown_card(cluster: Cluster, key: str, problem: str) -> Card:
    """Say why nothing is known of what a card would answer."""
    title, view = _UNKNOWN[key]
    return Card(key, title, page(view, cluster), "–", "not known", ("Not known", ""), problem)


def lacks(cluster: Cluster, kind: str) -> bool:
    """Tell whether the source of a cluster says nothing of a kind."""
    return any(gap["kind"] == kind for gap in cluster.gaps)


def drains_card(cluster: Cluster, budgets: ClusterBudgets) -> Card:
    """Answer which drains budgets block, and the budgets that block the most of them."""
    nodes, drains = len(budgets.snapshot.nodes), budgets.drains
    if not nodes:
        return unknown_card(cluster, "drains", NO_NODES)
    if not budgets.states and lacks(cluster, "PodDisruptionBudget"):
        source = "This cluster's budgets may not be read" if cluster.is_live else "The dump holds no budgets"
        return unknown_card(cluster, "drains", f"{source}, so there may be some that nothing here knows of.")
    lasting = sum(drain.lasts for drain in drains)
    for_now = len(drains) - lasting
    nothing = "" if budgets.states else "There are no disruption budgets."
    kept = [
        f"{grouped(number)} {how_long}"
        for number, how_long in ((lasting, "until a budget is changed"), (for_now, "for now"))
        if number
    ]
    blocks = Counter(refusal.budget.key for drain in drains for refusal in drain.refusals)
    lasts = Counter(refusal.budget.key for drain in drains for refusal in drain.refusals if refusal.lasts)
    most = sorted(blocks, key=lambda name: (-blocks[name], -lasts[name], name))
    return Card(
        key="drains",
        title="Drains",
        url=page("blocked-drains" if drains else "budgets", cluster),
        number=grouped(len(drains)),
        unit=f"of {counted(nodes, 'node', 'nodes')} cannot be drained at once because of budgets",
        badge=("At risk", "bad") if lasting else ("For now", "warn") if drains else ("Free to drain", "good"),
        sentence=f"{', '.join(kept)}." if kept else nothing,
        lines=tuple(
            _blocking_line(cluster, budgets.states[name].budget, blocks[name], lasts[name]) for name in most[:NAMED]
        ),
        links=(
            Line("Plan a drain", page("drain", cluster)),
            *(
                (Line(counted(len(most), "budget blocks", "budgets block"), page("budgets", cluster, "state=drains")),)
                if most
                else ()
            ),
        ),
    )


def _blocking_line(cluster: Cluster, budget: DisruptionBudget, blocks: int, lasts: int) -> Line:
    how_long = "until changed" if lasts == blocks else f"{grouped(lasts)} of them until changed" if lasts else "for now"
    return Line(
        budget.key,
        page("budget", cluster, namespace=budget.namespace, name=budget.name),
        f"{budget_words.bound_text(budget)}; blocks {counted(blocks, 'drain', 'drains')}"
        f"{',' if 0 < lasts < blocks else ''} {how_long}",
    )


# -- wrong and wasteful ---------------------------------------------------------------------------------------------


def nodes_card(cluster: Cluster, found: ClusterUtilisation) -> Card:
    """Answer which nodes take no new pods, and why."""
    if not len(found.snapshot.nodes):
        return unknown_card(cluster, "nodes", NO_NODES)
    health, names = found.health, found.snapshot.nodes
    away, ill = int((~health.usable).sum()), int((health.not_ready | health.pressure).sum())
    lines = []
    for mask, one, many, query in (
        (health.not_ready, "node is not ready", "nodes are not ready", "ready=no"),
        (health.unknown, "node does not say whether it is", "nodes do not say whether they are", "ready=unknown"),
        (health.cordoned, "node is cordoned", "nodes are cordoned", "scheduling=cordoned"),
    ):
        rows = np.flatnonzero(mask).tolist()
        if rows:
            text = counted(len(rows), one, many)
            lines.append(Line(text, page("nodes", cluster, query), named(rows, names.names)))
    pressed = np.flatnonzero(health.pressure).tolist()
    if len(pressed) > NAMED:
        text = f"{grouped(len(pressed))} nodes are under pressure"
        lines.append(Line(text, page("nodes", cluster, "health=pressure"), named(pressed, names.names)))
        pressed = []
    lines += [
        Line(
            f"{names.names[row]} is under pressure",
            page("node", cluster, name=names.names[row]),
            ", ".join(pressures(names.nodes[row])),
        )
        for row in pressed
    ]
    reserved = int(health.reserved.sum())
    return Card(
        key="nodes",
        title="Nodes",
        url=page("nodes", cluster, "health=closed" if away else ""),
        number=grouped(away),
        unit=f"of {counted(len(names), 'node', 'nodes')} {'takes' if away == 1 else 'take'} no new pods",
        badge=("Wrong", "bad") if ill else ("Cordoned", "warn") if away else ("All well", "good"),
        lines=tuple(lines),
        links=(
            # Which taints Kubernetes set by itself is no filter of the list, so the number leads nowhere.
            (
                Line(f"{grouped(reserved)} by taints for some pods only", ""),
                Line("Nodes with any taint", page("nodes", cluster, "taints=with")),
            )
            if reserved
            else ()
        ),
    )


def named(rows: Sequence[int], names: Sequence[str]) -> str:
    """Name the first few nodes, and count the others."""
    shown = ", ".join(names[row] for row in rows[:NAMED])
    return f"{shown} and {grouped(len(rows) - NAMED)} more" if len(rows) > NAMED else shown


_WORDS = {CPU: "CPU", MEMORY: "memory", PODS: "places for pods"}
_WRITE = {CPU: amounts.cpu, MEMORY: amounts.size}


def waste_card(cluster: Cluster, found: ClusterUtilisation) -> Card:
    """Answer how much is left where hardly any pod can use it."""
    if not len(found.snapshot.nodes):
        return unknown_card(cluster, "waste", NO_NODES)
    nodes = len({int(row) for each in found.stranded for row in each.rows})
    every = counted(len(found.snapshot.nodes), "node", "nodes")
    return Card(
        key="waste",
        title="Stranded",
        url=page("nodes", cluster, f"sort=-{found.stranded[0].for_lack[0][0]}" if found.stranded else ""),
        number=grouped(nodes),
        unit=f"of {every} {'has' if nodes == 1 else 'have'} room that hardly any pod can use",
        badge=("Wasteful", "warn") if nodes else ("None", "good"),
        sentence="" if nodes else "On no node is one resource nearly gone while half of another is free.",
        lines=tuple(_stranded_line(cluster, found, each) for each in found.stranded),
    )


def _stranded_line(cluster: Cluster, found: ClusterUtilisation, each: Stranded) -> Line:
    write, total = _WRITE[each.resource], int(found.amounts[each.resource].allocatable.sum())
    gone = " or ".join(_WORDS[name] for name, _ in each.for_lack)
    most = found.snapshot.nodes.names[int(each.rows[0])]
    return Line(
        f"{write(each.left)}{' of memory' * (each.resource == MEMORY)} on {counted(len(each.rows), 'node', 'nodes')}",
        page("nodes", cluster, f"sort=-{each.for_lack[0][0]}"),
        f"{amounts.percent(each.left, total)} of the cluster's; of {gone} more than 90 % is requested there. "
        f"Most is on {most}.",
    )


# -- zones ----------------------------------------------------------------------------------------------------------


def closed_text(nodes: int) -> str:
    """Say how many nodes take no new pods."""
    return counted(nodes, "takes no new pods", "take no new pods")


def zone_rows(cluster: Cluster, found: ClusterUtilisation) -> list[ZoneRow]:
    """Present what is requested of each zone."""
    return [_zone_row(cluster, found, zone) for zone in found.zones]


def _zone_row(cluster: Cluster, found: ClusterUtilisation, zone: ZoneUse) -> ZoneRow:
    name, unwell = zone.zone or NO_ZONE, int((~found.health.usable[zone.rows]).sum())

    def used(title: str, resource: str, write: Callable[[int], str]) -> Meter:
        return meter(f"{title} in {name}", zone.requested[resource], zone.allocatable[resource], write)

    lost = {"change": "lose-zone", "zone": zone.zone, "how": "gone"}
    return ZoneRow(
        name=name,
        url=page("nodes", cluster, f"zone={zone.zone or '-'}"),
        nodes=grouped(len(zone.rows)),
        unwell=closed_text(unwell) if unwell else "",
        cpu=used("CPU requested", CPU, amounts.cpu),
        memory=used("Memory requested", MEMORY, amounts.size),
        pods=used("Pods", PODS, amounts.grouped),
        lose_url=simulate_url(cluster.name, lost) if zone.zone else "",
    )


def capacity_sentence(found: ClusterUtilisation) -> str:
    """Say how much of the whole cluster is requested."""
    if not len(found.snapshot.nodes):
        return "No node is mirrored, so there is no capacity to show."
    said = []
    for name, write in ((CPU, amounts.cpu), (MEMORY, amounts.size)):
        requested = sum(zone.requested[name] for zone in found.zones)
        allocatable = sum(zone.allocatable[name] for zone in found.zones)
        share = amounts.percent(requested, allocatable)
        said.append(f"{write(requested)} of {write(allocatable)}{' of memory' * (name == MEMORY)} ({share})")
    nodes = counted(len(found.snapshot.nodes), "node", "nodes")
    return f"Pods request {said[0]} and {said[1]} on {nodes} in {counted(len(found.zones), 'zone', 'zones')}."
