"""Nodes as rows of a table and as a page of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dashboard.presenters import amounts
from dashboard.presenters.meter import Meter, meter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.models import Node

COLUMNS = (
    "name",
    "zone",
    "region",
    "instance_type",
    "ready",
    "unschedulable",
    "cpu_milli",
    "memory_bytes",
    "pods_allocatable",
    "taint_count",
    "kubelet_version",
    "created_at",
)


@dataclass(frozen=True, slots=True)
class Requested:
    """What the unfinished pods of a node ask for: milli-CPU, bytes, number of pods."""

    cpu_milli: int = 0
    memory_bytes: int = 0
    pods: int = 0


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One node of a list; `badges` are pairs of text and kind."""

    name: str
    zone: str
    instance_type: str
    badges: tuple[tuple[str, str], ...]
    cpu: Meter
    memory: Meter
    pods: Meter


@dataclass(frozen=True, slots=True)
class Taint:
    """A taint as kubectl writes it, and what its effect means."""

    text: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition as the kubelet reported it; `kind` is the badge's kind."""

    type: str
    status: str
    kind: str
    reason: str
    message: str


EFFECTS = {
    "NoSchedule": "no new pod without a toleration",
    "PreferNoSchedule": "new pods rather elsewhere",
    "NoExecute": "no pod without a toleration, running ones leave",
}


def badges(node: Node) -> tuple[tuple[str, str], ...]:
    """Return what is unusual about the node."""
    found = []
    if node.ready is False:
        found.append(("Not ready", "bad"))
    if node.ready is None:
        found.append(("Readiness not known", "warn"))
    if node.unschedulable:
        found.append(("Cordoned", "warn"))
    if node.taint_count:
        found.append((amounts.counted(node.taint_count, "taint", "taints"), ""))
    return tuple(found)


def node_row(node: Node, requested: Requested) -> NodeRow:
    """Present a node with what its pods ask of it."""
    return NodeRow(
        name=node.name,
        zone=node.zone,
        instance_type=node.instance_type,
        badges=badges(node),
        cpu=meter("CPU requested", requested.cpu_milli, node.cpu_milli, amounts.cpu),
        memory=meter("Memory requested", requested.memory_bytes, node.memory_bytes, amounts.size),
        pods=meter("Pods", requested.pods, node.pods_allocatable, amounts.grouped),
    )


def taints(node: Mapping[str, Any]) -> list[Taint]:
    """Present the taints of a pruned Node object."""
    found = []
    for taint in node.get("spec", {}).get("taints") or ():
        effect = str(taint.get("effect", ""))
        key_value = f"{taint.get('key', '')}={taint['value']}" if taint.get("value") else str(taint.get("key", ""))
        found.append(Taint(f"{key_value}:{effect}", EFFECTS.get(effect, "")))
    return found


def conditions(node: Mapping[str, Any]) -> list[Condition]:
    """Present the conditions of a pruned Node object; Ready is good when True, every other one when False."""
    found = []
    for condition in node.get("status", {}).get("conditions") or ():
        kind, status = str(condition.get("type", "")), str(condition.get("status", ""))
        good = "True" if kind == "Ready" else "False"
        badge = "good" if status == good else "warn" if status == "Unknown" else "bad"
        found.append(
            Condition(kind, status, badge, str(condition.get("reason", "")), str(condition.get("message", "")))
        )
    return found


def labels(node: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the labels in the order of their keys."""
    return sorted((node.get("metadata", {}).get("labels") or {}).items())


def other_allocatable(
    node: Mapping[str, Any], shown: Sequence[str] = ("cpu", "memory", "pods")
) -> list[tuple[str, str]]:
    """Return allocatable amounts that no meter shows, as the node wrote them."""
    allocatable = node.get("status", {}).get("allocatable") or {}
    return sorted((name, str(amount)) for name, amount in allocatable.items() if name not in shown)
