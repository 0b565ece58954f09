"""Requests against what pods use, and which nodes could go once workloads have the recommended requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.owners import Workload
from clusters.engine.resources import CPU, MEMORY, base_amount
from clusters.engine.usage import ResourceSizing, Sizing, UsedAmounts, WorkloadSizing, with_requests
from clusters.services.reports import subject as tables
from clusters.services.usage.sizings import ClusterSizing, right_sized, sizing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.services.reports.subject import Row, Subject

_COUNTED = {"over": Sizing.OVER, "under": Sizing.UNDER, "not_requested": Sizing.NOT_REQUESTED}
_RESOURCES = (CPU, MEMORY)


def usage(subject: Subject, alive: Callable[[], object]) -> Row:
    """What is requested, used and recommended, and the containers whose requests are off, largest effect first."""
    found = sizing_of(cluster=subject.cluster)
    columns = [
        *map(tables.name, ("namespace", "kind", "name")),
        tables.number("pods"),
        tables.name("container"),
        *(tables.resource(each, measure) for each in _RESOURCES for measure in ("requested", "used", "recommended")),
        tables.text("outlook"),
    ]
    rows = [] if found is None else [row for each in found.workloads for row in _rows(each)]
    facts: Row = {"usage": None if found is None else _facts(subject, found, alive)}
    return tables.section("usage", facts, [tables.table("usage", columns, rows)])


def _facts(subject: Subject, found: ClusterSizing, alive: Callable[[], object]) -> Row:
    nodes: Sequence[str] = subject.snapshot.nodes.names
    now = subject.removable
    alive()
    resized = _right_sized(found, subject, subject.placed_on(nodes))
    snapshot = subject.snapshot.copy()
    for pod in resized:
        snapshot.upsert({**pod, "kind": "Pod"})
    then = subject.removable_with(snapshot, resized)
    return {
        "hours": len(found.usage.totals),
        "source": str(found.usage.source),
        "sampled_at": tables.moment(found.usage.sampled_at),
        "workloads": len(found.workloads),
        "without": found.without,
        **{name: sum(each.has(sizing) for each in found.workloads) for name, sizing in _COUNTED.items()},
        "requested": _amounts(found.requested),
        "used": _amounts(found.usage.high),
        "allocatable": _amounts(found.allocatable),
        "freed": _amounts(found.freed),
        "nodes": len(nodes),
        "removable_now": len(now.removed),
        "removable_now_is_whole": now.is_whole,
        "removable": len(then.removed),
        "removable_is_whole": then.is_whole,
    }


def _right_sized(found: ClusterSizing, subject: Subject, pods: Sequence[Document]) -> list[Document]:
    """The pods as they would be with recommended requests, on the nodes that they are on."""
    requests: dict[Workload, Mapping[str, Mapping[str, int]]] = {
        Workload(each["namespace"], each["kind"], each["name"]): {
            container: {resource: base_amount(resource, given) for resource, given in amounts.items()}
            for container, amounts in each["containers"].items()
        }
        for each in right_sized(found)
    }
    return [with_requests(pod, requests.get(subject.workload_of(pod), {})) for pod in pods]


def _rows(sizing: WorkloadSizing) -> list[Row]:
    return [
        {
            "namespace": sizing.workload.namespace,
            "kind": sizing.workload.kind,
            "name": sizing.workload.name,
            "pods": sizing.pods,
            "container": container.name,
            **_resource(container.cpu),
            **_resource(container.memory),
            "outlook": _worst(container.cpu.sizing, container.memory.sizing).value,
        }
        for container in sizing.containers
        if {container.cpu.sizing, container.memory.sizing} != {Sizing.FITTING}
    ]


def _worst(*sizings: Sizing) -> Sizing:
    order = (Sizing.UNDER, Sizing.NOT_REQUESTED, Sizing.OVER, Sizing.FITTING)
    return min(sizings, key=order.index)


def _resource(sizing: ResourceSizing) -> dict[str, Any]:
    return {
        f"{sizing.resource}_requested": sizing.requested or 0,
        f"{sizing.resource}_used": sizing.used,
        f"{sizing.resource}_recommended": sizing.recommended,
        f"{sizing.resource}_capped": sizing.is_capped,
    }


def _amounts(amounts: UsedAmounts) -> dict[str, int]:
    return {CPU: amounts.cpu_milli, MEMORY: amounts.memory_bytes}
