"""Whether a pod fits a node with what its devices take of the node's own resources, once they are chosen.

Upstream: ``calculateAndCheckNodeAllocatableResources`` and ``validateNodeAllocatableDRAClaimSharing`` of
``plugins/dynamicresources`` v1.37.2: of the devices that a node would give the first solution is looked at, no other.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine.devices.capacity import exact
from clusters.engine.devices.node_resources import TakenDevice, claim_status
from clusters.engine.devices.pod_claims import CLASS, SLICE, TAINT_RULE, device_of, entries_of, results_of
from clusters.engine.devices.pools import reach_rows, slices_of
from clusters.engine.devices.requests import ClaimFault
from clusters.engine.objects import key_of, name_of
from clusters.engine.plugins.dynamic_resources.evidence import NodeResourceComparison
from clusters.engine.plugins.dynamic_resources.pod_level import uncovered_resource
from clusters.engine.resources.node_amounts import NodeAmounts
from clusters.engine.resources.quantity import parsed
from clusters.engine.resources.requests import (
    CPU,
    EPHEMERAL_STORAGE,
    HUGE_PAGES,
    MEMORY,
    Amounts,
    pod_amounts,
    scheduled_amounts,
)
from clusters.engine.status import Code, Status, unresolvable, unschedulable
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.devices.inventory import Device, DeviceId, DeviceSlice, Reach
    from clusters.engine.devices.pod_claims import PodClaim
    from clusters.engine.devices.taking import Allocated
    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Mask
    from clusters.engine.world import World

    # The claims of a pod that have devices, each with the nodes that reach them, None: all.
    Held = Sequence[tuple[PodClaim, Mask | None]]
    # The devices that its other claims would get on a node, by claim.
    Given = Mapping[str, Sequence[Allocated]]

NOT_SHARED = "node allocatable resource claim "
INSUFFICIENT = "Insufficient "
_COMPARED = (CPU, MEMORY, EPHEMERAL_STORAGE)


def counts_node_resources(snapshot: Snapshot) -> bool:
    """Whether devices take of their nodes' resources, as the scheduler sees it."""
    is_counted = snapshot.release.enables(Gate.DRA_NODE_RESOURCES) and snapshot.release.device_rules.takes_of_nodes
    return is_counted and bool(snapshot.derived(_taking_devices, SLICE, TAINT_RULE, CLASS))


class NodeResources:
    """The demand of one pod on each node, by the devices that it has or would get there."""

    def __init__(self, snapshot: Snapshot, pod: Pod) -> None:
        self._snapshot = snapshot
        self._pod = pod
        self._rows: dict[Reach, frozenset[int]] = {}
        self._amounts = NodeAmounts(snapshot)

    def judge(
        self,
        index: Index,
        statuses: list[Status],
        held: Held,
        given: Sequence[Given],
        world: World | None,
    ) -> None:
        """Reject nodes that lack what the pod's devices take of them, and those that a claim is not to be shared on.

        ``index``: shape (N,), which of ``statuses`` each node has: none of the first two is about missing devices.
        ``given``: by row; empty where nothing is to be allocated.
        """
        for row in np.flatnonzero(index <= 1).tolist():
            try:
                rejected = self._rejection(row, self.statuses(row, held, given[row] if given else {}), world)
            except ClaimFault as fault:
                rejected = Status(Code.ERROR, (str(fault),))
            if rejected is not None:
                index[row] = len(statuses)
                statuses.append(rejected)
        for claim, mask in held:
            refused = self._refused_sharing(claim)
            if refused is not None:
                index[slice(None) if mask is None else mask] = len(statuses)
                statuses.append(refused)

    def evidence(self, row: int, held: Held, given: Given, world: World | None) -> Iterator[NodeResourceComparison]:
        """What is compared on a node of its own resources; nothing where devices take none of them."""
        try:
            statuses = self.statuses(row, held, given)
        except ClaimFault:
            return
        if statuses:
            for each in self._compared(row, self._demand(statuses), world):
                yield NodeResourceComparison(*each)

    def _refused_sharing(self, claim: PodClaim) -> Status | None:
        """Why a pod cannot have a claim that others have reserved: its devices are resources of the node."""
        reserved = (claim.document.get("status") or {}).get("reservedFor") or ()
        if not reserved or any(each.get("uid") == self._pod.owner_uid for each in reserved):
            return None
        taking = self._snapshot.derived(_taking_devices, SLICE, TAINT_RULE, CLASS)
        devices = (device for result in results_of(claim.document) for device in taking.get(device_of(result), ()))
        if not any(held.is_mapped for _, device in devices for held in device.node_resources):
            return None
        name = name_of(claim.document)
        return unresolvable(
            f"node allocatable resource claim {name} has a mapped device and cannot be shared across pods"
        )

    def statuses(self, row: int, held: Held, given: Given) -> tuple[Document, ...]:
        """What claims would say in the pod's status on a node: those that have devices, and what others are ``given``.

        Raises ClaimFault.
        """
        taken = [(key_of(claim.document), list(self._held(row, claim))) for claim, _ in held]
        taken += [(key, [_taken(each) for each in devices]) for key, devices in given.items()]
        found = (claim_status(self._pod, key, self._entries.get(key, ()), devices) for key, devices in taken)
        return tuple(sorted((each for each in found if each), key=lambda each: str(each["resourceClaimName"])))

    def _demand(self, statuses: Sequence[Document]) -> Amounts:
        """What the pod requests with these statuses of its claims."""
        document = with_statuses(self._pod.document, statuses)
        return scheduled_amounts(pod_amounts(document, use_status=False, adds_devices=True))

    def _rejection(self, row: int, statuses: Sequence[Document], world: World | None) -> Status | None:
        """Why the pod does not fit a node with its devices; None: it does."""
        if not statuses:
            return None
        uncovered = uncovered_resource(with_statuses(self._pod.document, statuses))
        if uncovered is not None:
            return unresolvable(uncovered)
        short = [
            (resource, amount > allocatable)
            for resource, amount, allocatable, used in self._compared(row, self._demand(statuses), world)
            if amount > allocatable - used
        ]
        if not short:
            return None
        reasons = [f"{INSUFFICIENT}{resource}" for resource, _ in short]
        return unresolvable(*reasons) if any(hopeless for _, hopeless in short) else unschedulable(*reasons)

    def _compared(self, row: int, amounts: Amounts, world: World | None) -> Iterator[tuple[str, int, int, int]]:
        """Each resource that is compared: what the pod requests, what the node has, and what is requested of it."""
        pages = sorted(resource for resource in amounts if resource.startswith(HUGE_PAGES))
        for resource in (*_COMPARED, *pages):
            amount = amounts.get(resource, 0)
            if amount > 0 or resource in pages:
                allocatable = int(self._amounts.allocatable(resource)[row])
                yield resource, amount, allocatable, int(self._amounts.requested(resource, world)[row])

    @cached_property
    def _entries(self) -> dict[str, list[str]]:
        """The names that the pod's spec has for each claim."""
        found: dict[str, list[str]] = {}
        for entry, claim in entries_of(self._snapshot, self._pod):
            if claim is not None:
                found.setdefault(key_of(claim), []).append(entry)
        return found

    def _held(self, row: int, claim: PodClaim) -> Iterator[TakenDevice]:
        """The devices that a claim has; none where the node reaches none that takes of it. Raises ClaimFault."""
        results = [(result, self._device(device_of(result), row)) for result in results_of(claim.document)]
        if not any(device is not None and device.node_resources for _, device in results):
            return
        for result, device in results:
            name = device_of(result)
            if device is None:
                raise ClaimFault(
                    f"claim {key_of(claim.document)}, device {name.device}, driver {name.driver}: "
                    f"device {name.device} not found in pool {name.pool} for driver {name.driver}"
                )
            consumed = result.get("consumedCapacity")
            amounts = None if consumed is None else {str(key): exact(parsed(each)) for key, each in consumed.items()}
            yield TakenDevice(name.device, device, amounts)

    def _device(self, name: DeviceId, row: int) -> Device | None:
        for each, device in self._snapshot.derived(_devices, SLICE, TAINT_RULE, CLASS).get(name, ()):
            reach = device.reach if each.has_reach_by_device else each.reach
            if reach not in self._rows:
                self._rows[reach] = frozenset(reach_rows(self._snapshot.nodes, reach))
            if row in self._rows[reach]:
                return device
        return None


def with_statuses(pod: Document, statuses: Sequence[Document]) -> Document:
    """A pod whose status says what its devices take of the node."""
    if not statuses:
        return pod
    status: dict[str, Any] = {**(pod.get("status") or {}), "nodeAllocatableResourceClaimStatuses": list(statuses)}
    return {**pod, "status": status}


def _taken(each: Allocated) -> TakenDevice:
    device = each.candidate.device
    return TakenDevice(device.name, device, dict(each.consumed) if each.is_share else None)


def _devices(snapshot: Snapshot) -> dict[DeviceId, list[tuple[DeviceSlice, Device]]]:
    found: dict[DeviceId, list[tuple[DeviceSlice, Device]]] = {}
    for each in slices_of(snapshot):
        for device, name in zip(each.devices, each.ids, strict=True):
            found.setdefault(name, []).append((each, device))
    return found


def _taking_devices(snapshot: Snapshot) -> dict[DeviceId, list[tuple[DeviceSlice, Device]]]:
    """The devices that take of their nodes' resources."""
    every = snapshot.derived(_devices, SLICE, TAINT_RULE, CLASS).items()
    return {name: found for name, found in every if any(device.node_resources for _, device in found)}
