"""Topology spread constraints that are violated, and the workloads with most of their pods in one zone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.spreading import SpreadGroup, first_of_each, spreading_of
from clusters.services.reports import subject as tables

if TYPE_CHECKING:
    from clusters.services.reports.subject import Row, Subject


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
