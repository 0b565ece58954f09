"""NodePorts: two pods on a node cannot hold the same host port.

Upstream: ``pkg/scheduler/framework/plugins/nodeports`` v1.34.1. As there, a port is either used or not: when one of
two pods that hold it leaves, it counts as free.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from clusters.engine.edits import RemoveHostPort, RemoveHostPorts
from clusters.engine.evidence import Comparison, CountedPod, Subject
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    ClusterEvent,
    Constraint,
    Plugin,
    PreFilter,
    Reads,
)
from clusters.engine.status import FilterAnswer, Mask, Reason, unschedulable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.columns import Slots
    from clusters.engine.objects import HostPort
    from clusters.engine.world import World


class PortTaken(Reason, frozen=True):
    """A host port of the pod is in use."""

    kind = "port-taken"
    plugin = "NodePorts"
    text = "node(s) didn't have free ports for the requested pod ports"


class HostPortSubject(Subject, frozen=True):
    """A host port that the pod takes."""

    kind: ClassVar[str] = "host-port"

    port: HostPort


class PortComparison(Comparison, frozen=True):
    """A host port that the pod requests, and the pods of the node that hold one which conflicts with it."""

    kind = "host-port"

    port: HostPort
    holders: tuple[CountedPod, ...]

    @property
    def holds(self) -> bool:
        return not self.holders


class NodePorts(Plugin):
    """Filters by free host ports."""

    name = "NodePorts"
    reads = Reads.PODS
    requeue_on = (ClusterEvent.POD_DELETE, ClusterEvent.NODE_ADD)
    colour = "copper"
    skips_for_good = True
    whole = (RemoveHostPorts(),)
    unprepared = 'reading "PreFilterNodePorts" from cycleState: not found'

    def pre_filter(self) -> PreFilter:
        return PROCEED if self.pod.host_ports else SKIP_FILTER

    @cached_property
    def _wanted(self) -> tuple[HostPort, ...]:
        return tuple(dict.fromkeys(self.pod.host_ports))

    @cached_property
    def _wanted_at(self) -> dict[tuple[str, int], list[int]]:
        """Numbers of the wanted ports by protocol and port, whatever their address."""
        found: dict[tuple[str, int], list[int]] = {}
        for number, port in enumerate(self._wanted):
            found.setdefault((port.protocol, port.port), []).append(number)
        return found

    def _colliding(self, used: HostPort) -> list[int]:
        """Numbers of the wanted ports that a port in use collides with."""
        numbers = self._wanted_at.get((used.protocol, used.port), ())
        return [number for number in numbers if self._wanted[number].conflicts(used)]

    @cached_property
    def _sets(self) -> list[list[int]]:
        """For each wanted port the port sets of placed pods that collide with it."""
        found: list[dict[int, None]] = [{} for _ in self._wanted]
        for group in self.snapshot.pods.by_ports:
            for used in self.snapshot.pods.port_sets[group]:
                for number in self._colliding(used):
                    found[number][group] = None
        return [list(groups) for groups in found]

    def _holders(self, numbers: Iterable[int]) -> Slots:
        """Bound pods that hold what collides with any of these wanted ports."""
        groups = dict.fromkeys(group for number in numbers for group in self._sets[number])
        return self.snapshot.pods.by_ports.slots_of(groups)

    def _used(self, world: World) -> dict[int, set[HostPort]]:
        """By row the ports in use in a world, of all pods that hold any port which collides with a wanted one."""
        pods = self.snapshot.pods
        used: dict[int, set[HostPort]] = {}
        for slot in self._holders(range(len(self._wanted))).tolist():
            used.setdefault(int(pods.node[slot]), set()).update(self._ports(slot))
        leaving = np.concatenate([world.slots[world.signs < 0], world.returned])
        joining = world.slots[world.signs > 0]
        for slot in leaving[pods.ports[leaving] > 0].tolist():
            used.get(int(pods.node[slot]), set()).difference_update(self._ports(slot))
        for slot in world.returned[pods.ports[world.returned] > 0].tolist():
            used.setdefault(int(pods.node[slot]), set()).update(self._ports(slot))
        for slot in joining[pods.ports[joining] > 0].tolist():
            used.setdefault(int(pods.nominated[slot]), set()).update(self._ports(slot))
        return used

    def _ports(self, slot: int) -> tuple[HostPort, ...]:
        return self.snapshot.pods.port_sets[int(self.snapshot.pods.ports[slot])]

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        taken = np.zeros(len(self.snapshot.nodes), np.bool_)
        if world is None:
            standing = (number for number in range(len(self._wanted)) if number not in lifted)
            taken[self.snapshot.pods.node[self._holders(standing)]] = True
        else:
            for row, ports in self._used(world).items():
                taken[row] = any(number not in lifted for port in ports for number in self._colliding(port))
        return FilterAnswer.first_of((taken, unschedulable(PortTaken())))

    def blocking(self, world: World | None = None) -> Iterator[Mask]:
        rows: list[list[int]] = [[] for _ in self._wanted]
        if world is not None:
            for row, ports in self._used(world).items():
                for number in (number for port in ports for number in self._colliding(port)):
                    rows[number].append(row)
        for number in range(len(self._wanted)):
            mask = np.zeros(len(self.snapshot.nodes), np.bool_)
            mask[rows[number] if world is not None else self.snapshot.pods.node[self._holders((number,))]] = True
            yield mask

    def constraints(self) -> tuple[Constraint, ...]:
        # On the host's network the container listens on the port whatever the manifest says.
        is_fixed = self.pod.spec.get("hostNetwork") is True
        return tuple(
            Constraint(self.name, HostPortSubject(port), RemoveHostPort(port), is_fixed=is_fixed)
            for port in self._wanted
        )

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        pods = self.snapshot.pods
        found = []
        for number, port in enumerate(self._wanted):
            slots = self._holders((number,))
            holders = [CountedPod(pods.keys[slot]) for slot in slots[pods.node[slots] == row].tolist()]
            holders += [
                CountedPod(pods.keys[slot], nominated=True)
                for slot in self.joining(row, world)
                if any(port.conflicts(other) for other in self._ports(slot))
            ]
            found.append(PortComparison(port, tuple(sorted(holders, key=lambda holder: holder.key))))
        return tuple(found)
