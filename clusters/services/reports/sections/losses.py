"""How many more pods fit, now and after losing a node or a zone, and how pods are spread."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine import UnknownScheduler
from clusters.engine.owners import Workload
from clusters.engine.resources import CPU, MEMORY, pod_amounts
from clusters.engine.scheduling import Failure
from clusters.engine.simulation import Headroom, Loss, Losses, Portion, WorkloadEffect, headroom, named_workload
from clusters.engine.spreading import ZONE, SpreadGroup, first_of_each, spreading_of
from clusters.services.decisions.explain import attempted
from clusters.services.reports import subject as tables
from clusters.services.reports.subject import MOST_PLAYED, Row, Subject
from clusters.services.runs.summary import affected_document, effect_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.services.reports.order import Shape


# So many workloads are named in sentences; the table has all that are not recreated in full.
MOST_NAMED = 10
# Pods that have to be placed one by one are counted up to here.
MOST_PODS = 2_000


def headroom_section(subject: Subject, shapes: Sequence[Shape], alive: Callable[[], object]) -> Row:
    """Count each shape now, and once more for each loss; a workload that has no pod leaves its numbers open.

    So does one whose numbers cannot be computed.
    """
    pods = {shape.name: _document(subject, shape, number) for number, shape in enumerate(shapes)}
    now: dict[str, Headroom] = {}
    for name, pod in pods.items():
        alive()
        if pod is not None and _is_ours(subject, pod):
            count = partial(headroom, subject.snapshot, subject.configuration, [Portion(pod)], most=MOST_PODS)
            counted = attempted(f"The headroom of {name}", count)
            if not isinstance(counted, Failure):
                now[name] = counted
    asked = {name: pod for name, pod in pods.items() if pod is not None and name in now}
    # Where there is nothing to count, nothing is played through.
    played = subject.losses_for(list(asked.values()), MOST_PODS) if asked else None
    rows = _lost(asked, played)
    found = [_row(shape, pods[shape.name], now.get(shape.name), rows) for shape in shapes]
    resources = tables.in_order({CPU, MEMORY, *(name for row in found for name in row.pop("resources"))})
    for row in found:
        for resource in resources:
            row.setdefault(f"{resource}_requested", 0)
    losses_of_zones = _losses_of_zones(played)
    zone_tables = _zone_tables(subject, losses_of_zones)
    facts = {
        "worst_zone": _worst(losses_of_zones, zone_tables[0]["rows"]),
        "shapes": len(shapes),
        "uncounted": len(shapes) - len(now),
        "nodes": len(subject.snapshot.nodes),
        "is_played": played is not None,
        "nodes_played": 0 if played is None else played.played,
        "kinds_of_nodes": 0 if played is None else played.kinds,
        "zones": 0 if played is None or len(played.zones) < 2 else len(played.zones),
        "most_pods": MOST_PODS,
        "most_played": MOST_PLAYED,
    }
    return tables.section(
        "headroom",
        facts,
        [
            *zone_tables,
            *_tables(
                found,
                resources,
                rows,
                [
                    {"shape": name, "plugin": each.plugin, "reason": ", ".join(each.reasons), "nodes": each.nodes}
                    for name, count in now.items()
                    if count.stop is not None
                    for each in count.stop.reasons
                ],
            ),
        ],
    )


def _losses_of_zones(played: Losses | None) -> list[tuple[Loss, dict[str, Any]]]:
    """What the loss of each zone does to workloads and budgets, as simulations tell it: the worst zone first."""
    # The only zone is the whole cluster.
    zones = () if played is None or len(played.zones) < 2 else played.zones
    ordered = sorted(zones, key=lambda loss: (-len(loss.newly_pending), loss.name))
    return [(loss, affected_document(loss.affected)) for loss in ordered]


def _worst(told: Sequence[tuple[Loss, dict[str, Any]]], rows: Sequence[Row]) -> Row | None:
    """The row of the worst zone, and what its loss does in full."""
    if not told:
        return None
    found = told[0][1]
    return {**rows[0], "affected": {**found, "first": found["first"][:MOST_NAMED]}}


def _zone_tables(subject: Subject, told: Sequence[tuple[Loss, dict[str, Any]]]) -> list[Row]:
    lost = _by_zone(subject) if told else {}
    effects = [
        {
            "zone": loss.name,
            "nodes": loss.nodes,
            "displaced": loss.displaced,
            "newly_pending": len(loss.newly_pending),
            "workloads": found["workloads"],
            "fewer": found["fewer"],
            "quorums": found["quorum_lost"] + found["quorum_interrupted"],
            "budgets_broken": found["budgets"],
        }
        for loss, found in told
    ]
    workloads = [
        {
            "zone": loss.name,
            "workload": f"{each['kind']} {each['namespace']}/{each['name']}",
            "before": each["before"],
            "pods_lost": lost[loss.name][each["kind"], each["namespace"], each["name"]],
            "after": each["after"],
            "newly_pending": each["pending"],
            "effect": str(effect_of(each)),
        }
        for loss, found in told
        for each in found["first"]
        if effect_of(each) is not WorkloadEffect.RECREATED
    ]
    budgets = [
        {
            "zone": loss.name,
            "budget": each["budget"],
            "desired": each["desired"],
            **{key: each[key] for key in ("before", "after")},
        }
        for loss, found in told
        for each in found["broken_budgets"]
    ]
    named = [tables.name("zone"), tables.name("workload")]
    numbers = ("nodes", "displaced", "newly_pending", "workloads", "fewer", "quorums", "budgets_broken")
    of_workloads = [*map(tables.number, ("before", "pods_lost", "after", "newly_pending")), tables.text("effect")]
    of_budgets = [tables.name("budget"), *map(tables.number, ("desired", "before", "after"))]
    return [
        tables.table("zone_effects", [named[0], *map(tables.number, numbers)], effects),
        tables.table("zone_workloads", [*named, *of_workloads], workloads),
        tables.table("zone_budgets", [named[0], *of_budgets], budgets),
    ]


def _by_zone(subject: Subject) -> dict[str, Counter[tuple[str, str, str]]]:
    """How many pods of each workload are on nodes of each zone, as the pages on spread and workloads count them."""
    snapshot = subject.snapshot
    pods, nodes = snapshot.pods, snapshot.nodes.nodes
    rows, templates = pods.node.tolist(), pods.template.tolist()
    found: defaultdict[str, Counter[tuple[str, str, str]]] = defaultdict(Counter)
    for key, slot in pods.slot_of.items():
        if rows[slot] >= 0:
            workload = named_workload(key, pods.templates[templates[slot]].workload)
            zone = nodes[rows[slot]].labels.get(ZONE, "")
            found[zone][workload.kind, workload.namespace, workload.name] += 1
    return found


def _lost(asked: Mapping[str, Document], played: Losses | None) -> list[Row]:
    """The worst loss of a node and the loss of each zone, for each shape."""
    if played is None:
        return []
    rows = []
    for number, (shape, worst) in enumerate(zip(asked, played.worst_nodes, strict=True)):
        # The only zone is the whole cluster.
        zones = played.zones if len(played.zones) > 1 else ()
        for kind, loss in (("node", worst), *(("zone", zone) for zone in zones)):
            if loss is not None:
                rows.append(
                    {
                        "shape": shape,
                        "lost": kind,
                        "name": loss.name,
                        "fits": loss.counts[number],
                        "is_capped": loss.capped[number],
                        "displaced": loss.displaced,
                        "newly_pending": len(loss.newly_pending),
                    }
                )
    return rows


def _tables(found: list[Row], resources: list[str], rows: list[Row], stops: list[Row]) -> list[Row]:
    columns = [
        tables.name("shape"),
        tables.text("like"),
        *(tables.resource(resource, "requested") for resource in resources),
        tables.number("now"),
        tables.yes("is_capped"),
        tables.number("on_nodes"),
        tables.number("after_node"),
        tables.name("worst_node"),
        tables.number("after_zone"),
        tables.name("worst_zone"),
    ]
    numbers = [tables.number("fits"), tables.yes("is_capped"), *map(tables.number, ("displaced", "newly_pending"))]
    lost = [tables.name("shape"), tables.text("lost"), tables.name("name"), *numbers]
    stopped = [tables.name("shape"), tables.text("plugin"), tables.text("reason"), tables.number("nodes")]
    return [
        tables.table("shapes", columns, found),
        tables.table("losses", lost, rows),
        tables.table("shape_stops", stopped, stops),
    ]


def _row(shape: Shape, pod: Document | None, now: Headroom | None, lost: Sequence[Row]) -> Row:
    row: Row = {
        "shape": shape.name,
        "like": "" if shape.like is None else "{} {}/{}".format(*shape.like),
        "resources": [],
        "now": None if now is None else now.count,
        "is_capped": now is not None and now.stop is None,
        "on_nodes": None if now is None else len(now.nodes),
    }
    if pod is not None:
        requests = pod_amounts(pod, use_status=False)
        row["resources"] = list(requests)
        row |= {f"{resource}_requested": number for resource, number in requests.items()}
    for kind in ("node", "zone"):
        mine = [loss for loss in lost if (loss["shape"], loss["lost"]) == (shape.name, kind)]
        worst = min(mine, key=lambda loss: (loss["fits"], loss["name"]), default=None)
        row[f"after_{kind}"] = None if worst is None else worst["fits"]
        row[f"worst_{kind}"] = "" if worst is None else worst["name"]
        row[f"after_{kind}_is_capped"] = worst is not None and worst["is_capped"]
    return row


def _is_ours(subject: Subject, pod: Document) -> bool:
    """Whether a profile of the configuration places such pods."""
    try:
        subject.configuration.profile_for(pod)
    except UnknownScheduler:
        return False
    return True


def _document(subject: Subject, shape: Shape, number: int) -> Document | None:
    if shape.like is not None:
        return _like(subject, shape.like)
    requests = {name: f"{amount}m" if name == CPU else str(amount) for name, amount in shape.requests.items()}
    return {
        "kind": "Pod",
        "metadata": {"namespace": "default", "name": f"shape-{number}"},
        "spec": {"containers": [{"name": "main", "resources": {"requests": requests}}]},
    }


def _like(subject: Subject, like: tuple[str, str, str]) -> Document | None:
    """A pod of a workload: the first by name of those that have a node, or else of those that are pending."""
    kind, namespace, name = like
    wanted = Workload(namespace, kind, name)
    pods = subject.snapshot.pods
    templates = [number for number, template in enumerate(pods.templates) if template.workload == wanted]
    slots = np.flatnonzero(np.isin(pods.template, templates) & (pods.node >= 0))
    first = min((pods.keys[slot] for slot in slots.tolist()), default="")
    found = subject.base.read_pods([first]).get(first) if first else None
    return found or next((pod for pod in subject.waiting if subject.workload_of(pod) == wanted), None)


# Of a constraint the fullest domains are listed: there may be as many as nodes.
MOST_DOMAINS = 50
# So many of the workloads of which a zone's loss takes most are listed.
MOST_LOSSES = 10


def spread(subject: Subject) -> Row:
    """Every constraint whose fullest domain holds more than maxSkew allows, and what a zone's loss takes most of."""
    found = spreading_of(subject.snapshot, subject.configuration.profiles, subject.waiting)
    violated = [group for group in found.groups if group.violation]
    rows, domains = [], []
    for number, group in enumerate(violated, start=1):
        constraint = group.constraint
        rows.append(
            {
                "number": number,
                "namespace": group.namespace,
                "workloads": _workloads(group),
                "topology_key": constraint.topology_key,
                "action": group.action,
                "source": str(group.source),
                "max_skew": constraint.max_skew,
                "skew": group.largest_skew,
                "excess": group.violation,
            }
        )
        domains += [
            {"number": number, "domain": each.value, "pods": each.pods, "skew": each.skew, "excess": each.excess}
            for each in group.domains(MOST_DOMAINS)
            if each.is_eligible
        ]
    first = [group for _, group in first_of_each((group.identity, group) for group in found.groups)]
    losses = [
        {
            "namespace": group.namespace,
            "workloads": _workloads(group),
            "zone": group.zone_loss.zone or group.zone_loss.node,
            "pods_lost": group.zone_loss.pods,
            "pods": group.zone_loss.of,
        }
        for group in first[:MOST_LOSSES]
        if group.zone_loss.share
    ]
    facts = {
        "groups": len(found.groups),
        "violated": len(violated),
        "blocking": sum(group.blocks for group in violated),
        "unreadable": len(found.unreadable),
    }
    columns = [
        tables.number("number"),
        tables.name("namespace"),
        tables.names("workloads"),
        tables.name("topology_key"),
        tables.text("action"),
        tables.text("source"),
        *map(tables.number, ("max_skew", "skew", "excess")),
    ]
    of_domains = [tables.number("number"), tables.name("domain"), *map(tables.number, ("pods", "skew", "excess"))]
    of_losses = [
        *(tables.name("namespace"), tables.names("workloads"), tables.name("zone")),
        *map(tables.number, ("pods_lost", "pods")),
    ]
    return tables.section(
        "spread",
        facts,
        [
            tables.table("zone_losses", of_losses, losses),
            tables.table("violations", columns, rows),
            tables.table("domains", of_domains, domains),
        ],
    )


def _workloads(group: SpreadGroup) -> list[str]:
    return [f"{each.kind} {each.name}".strip() for each in group.workloads]
