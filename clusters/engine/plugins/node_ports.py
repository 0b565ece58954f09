"""NodePorts: two pods on a node cannot hold the same host port.

Upstream: ``pkg/scheduler/framework/plugins/nodeports`` v1.34.1. As there, a port is either used or not: when one of
two pods that hold it leaves, it counts as free.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.edits import without_port
from clusters.engine.evidence import Evidence, text
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    Constraint,
    Plugin,
    PreFilter,
    nominated_here,
)
from clusters.engine.status import Mask, Outcome, unschedulable

if TYPE_CHECKING:
    from clusters.engine.objects import HostPort
    from clusters.engine.world import World

REASON = "node(s) didn't have free ports for the requested pod ports"


class NodePorts(Plugin):
    """Filters by free host ports."""

    name = "NodePorts"
    reads_pods = True
    unprepared = 'reading "PreFilterNodePorts" from cycleState: not found'

    def pre_filter(self) -> PreFilter:
        return PROCEED if self.pod.host_ports else SKIP_FILTER

    @cached_property
    def _wanted(self) -> tuple[HostPort, ...]:
        return tuple(dict.fromkeys(self.pod.host_ports))

    def _conflicting_sets(self, port: HostPort) -> list[int]:
        """Port sets of placed pods that collide with one wanted port."""
        return [
            number
            for number in self.snapshot.pods.by_ports
            if any(port.conflicts(used) for used in self.snapshot.pods.port_sets[number])
        ]

    def _taken(self, port: HostPort, world: World | None) -> Mask:
        pods = self.snapshot.pods
        mask = np.zeros(len(self.snapshot.nodes), np.bool_)
        slots = pods.by_ports.slots_of(self._conflicting_sets(port))
        if world is None:
            mask[pods.node[slots]] = True
            return mask
        used: dict[int, set[HostPort]] = {}
        for slot in slots.tolist():
            used.setdefault(int(pods.node[slot]), set()).update(self._ports(slot))
        leaving = np.concatenate([world.slots[world.signs < 0], world.returned])
        joining = world.slots[world.signs > 0]
        for slot in leaving[pods.ports[leaving] > 0].tolist():
            used.get(int(pods.node[slot]), set()).difference_update(self._ports(slot))
        for slot in world.returned[pods.ports[world.returned] > 0].tolist():
            used.setdefault(int(pods.node[slot]), set()).update(self._ports(slot))
        for slot in joining[pods.ports[joining] > 0].tolist():
            used.setdefault(int(pods.nominated[slot]), set()).update(self._ports(slot))
        for row, ports in used.items():
            mask[row] = any(port.conflicts(other) for other in ports)
        return mask

    def _ports(self, slot: int) -> tuple[HostPort, ...]:
        return self.snapshot.pods.port_sets[int(self.snapshot.pods.ports[slot])]

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> Outcome:
        taken = np.zeros(len(self.snapshot.nodes), np.bool_)
        for number, port in enumerate(self._wanted):
            if number not in lifted:
                taken |= self._taken(port, world)
        return Outcome.first_of((taken, unschedulable(REASON)))

    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(Constraint(self.name, str(port), edit=without_port(port)) for port in self._wanted)

    def evidence(self, row: int, world: World | None = None) -> tuple[Evidence, ...]:
        pods = self.snapshot.pods
        found = []
        for port in self._wanted:
            slots = pods.by_ports.slots_of(self._conflicting_sets(port))
            holders = [pods.keys[slot] for slot in slots if pods.node[slot] == row]
            holders += [
                nominated_here(pods.keys[slot])
                for slot in self.joining(row, world)
                if any(port.conflicts(other) for other in self._ports(slot))
            ]
            facts = tuple(text("held by", holder) for holder in sorted(holders))
            found.append(Evidence(str(port), facts, holds=not holders))
        return tuple(found)
