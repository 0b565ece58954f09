"""Topology spread constraints that are violated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.spreading.groups import spreading_of
from clusters.services.reports import tables

if TYPE_CHECKING:
    from clusters.services.reports.subject import Subject
    from clusters.services.reports.tables import Row


# Of a constraint the fullest domains are listed: there may be as many as nodes.
MOST_DOMAINS = 50


def spread(subject: Subject) -> Row:
    """Every constraint whose fullest domain holds more than maxSkew allows, the worst first."""
    found = spreading_of(subject.snapshot, subject.configuration.profiles, subject.waiting)
    violated = [group for group in found.groups if group.violation]
    rows, domains = [], []
    for number, group in enumerate(violated, start=1):
        constraint = group.constraint
        rows.append(
            {
                "number": number,
                "namespace": group.namespace,
                "workloads": [f"{each.kind} {each.name}".strip() for each in group.workloads],
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
    return tables.section(
        "spread", facts, [tables.table("violations", columns, rows), tables.table("domains", of_domains, domains)]
    )
