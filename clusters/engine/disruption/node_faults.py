"""What removes the pods of a node that fails, and when: the node is tainted, then each pod's toleration expires.

Upstream: ``pkg/controller/nodelifecycle`` and ``pkg/controller/tainteviction`` v1.34.1.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.disruption.taint_eviction import NO_EXECUTE, TaintStay, taint_stay
from clusters.engine.matching.taints import Taint
from clusters.engine.nodes.lifecycle import (
    NOT_READY_KEY,
    SECOND,
    UNREACHABLE_KEY,
    TaintChange,
    ZoneDisruption,
    grace_period,
    taint_events,
    zone_disruptions,
)
from clusters.engine.nodes.zones import zone_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


class NodeFault(enum.StrEnum):
    """How a node fails."""

    UNREACHABLE = "unreachable"
    """The kubelet stops reporting."""
    NOT_READY = "not-ready"
    """The kubelet reports that the node is not ready."""


_KEYS: Final = {NodeFault.UNREACHABLE: UNREACHABLE_KEY, NodeFault.NOT_READY: NOT_READY_KEY}


@dataclass(frozen=True, slots=True)
class FaultOutlook:
    """What the controller does about a node that fails now, alone.

    ``grace``: seconds until it knows. ``tainted_after``: seconds until the taint that evicts; None where its zone, or
    the whole cluster, is too disrupted. ``zone``: the node's zone with it; None where none of its nodes counts.
    """

    fault: NodeFault
    taint: Taint
    grace: int
    tainted_after: int | None
    zone: ZoneDisruption | None


@dataclass(frozen=True, slots=True)
class FaultRemoval:
    """When a pod is removed from a node that fails."""

    outlook: FaultOutlook
    stay: TaintStay

    @property
    def after(self) -> int | None:
        """Seconds from the fault until the pod is deleted; None for never."""
        if self.outlook.tainted_after is None or self.stay.seconds is None:
            return None
        return self.outlook.tainted_after + self.stay.seconds


def fault_outlooks(snapshot: Snapshot, node: str, minor: str) -> list[FaultOutlook]:
    """What follows from each fault of a node, by the defaults of a Kubernetes minor. Raises KeyError."""
    row = snapshot.nodes.index[node]
    zone = zone_disruptions(snapshot, {row}).get(zone_key(snapshot.nodes.nodes[row].labels))
    grace = grace_period(minor)
    found = []
    for fault, key in _KEYS.items():
        silent, ill = ([node], []) if fault is NodeFault.UNREACHABLE else ([], [node])
        at = next(
            (
                event.at // SECOND
                for event in taint_events(snapshot, silent, ill, grace=grace)
                if event.change is TaintChange.NO_EXECUTE
            ),
            None,
        )
        known_after = grace // SECOND if fault is NodeFault.UNREACHABLE else 0
        found.append(FaultOutlook(fault, Taint(key, "", NO_EXECUTE), known_after, at, zone))
    return found


def fault_removals(outlooks: Sequence[FaultOutlook], tolerations: Sequence[Document]) -> list[FaultRemoval]:
    """When a pod with these tolerations is removed after each fault."""
    return [FaultRemoval(outlook, taint_stay(outlook.taint, tolerations)) for outlook in outlooks]


def removals_on(
    snapshot: Snapshot, node: str, outlooks: Sequence[FaultOutlook]
) -> list[tuple[list[FaultRemoval], list[str]]]:
    """The pods of a node (``namespace/name``) by when they are removed after each fault, the earliest first."""
    pods = snapshot.pods
    slots = pods.on_node(snapshot.nodes.index[node]).tolist()
    templates = {int(pods.template[slot]) for slot in slots}
    removals = {each: fault_removals(outlooks, pods.templates[each].tolerations) for each in templates}
    groups: dict[tuple[int | None, ...], list[str]] = defaultdict(list)
    shown: dict[tuple[int | None, ...], list[FaultRemoval]] = {}
    for slot in slots:
        found = removals[int(pods.template[slot])]
        key = tuple(each.stay.seconds for each in found)
        groups[key].append(pods.keys[slot])
        shown.setdefault(key, found)
    never = float("inf")
    ordered = sorted(groups, key=lambda key: [never if seconds is None else seconds for seconds in key])
    return [(shown[key], sorted(groups[key])) for key in ordered]
