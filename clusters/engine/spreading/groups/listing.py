"""Which pods a group's constraint counts, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.spreading.constraints import matching_slots

if TYPE_CHECKING:
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.spreading.groups.group import SpreadGroup


def counted_pods(snapshot: Snapshot, group: SpreadGroup, domain: str | None = None) -> list[str]:
    """The pods that a group of this snapshot counts, all or those of one domain, as sorted ``namespace/name``."""
    pods, eligibility = snapshot.pods, group.eligibility
    slots = matching_slots(snapshot, group.constraint, group.namespace)
    slots = slots[eligibility.mask[pods.node[slots]]]
    if domain is not None:
        known = {value: number for number, value in enumerate(group.values)}
        slots = slots[eligibility.column.codes[pods.node[slots]] == known.get(domain, len(known))]
    return sorted(pods.keys[slot] for slot in slots.tolist())
