"""What a node keeps from pods: its capacity less what is allocatable, and whether a configuration explains it.

Upstream: ``GetNodeAllocatableReservation`` of ``pkg/kubelet/cm/node_container_manager_linux.go``,
``hardEvictionReservation`` of ``pkg/kubelet/cm/helpers.go`` and ``MachineInfo`` of
``pkg/kubelet/nodestatus/setters.go``, v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.kubelet.signals import Signal
from clusters.engine.resources.quantity import QuantityError
from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, HUGE_PAGES, MEMORY, amount

if TYPE_CHECKING:
    from clusters.engine.kubelet.settings import KubeletSettings
    from clusters.engine.objects import Document

# Of a float of 32 bits, between 0 and 1.
_ROUNDING = 24
_THRESHOLDS = {MEMORY: Signal.MEMORY, EPHEMERAL_STORAGE: Signal.NODE_FS}


@dataclass(frozen=True, slots=True)
class Reservation:
    """What of one resource is kept from pods, in base units.

    ``threshold``: the hard eviction threshold of the settings; ``reserved``: systemReserved and kubeReserved of them;
    ``huge_pages``: memory in preallocated huge pages.
    """

    resource: str
    capacity: int
    allocatable: int
    threshold: int
    reserved: int
    huge_pages: int

    @property
    def kept(self) -> int:
        """What pods cannot have."""
        return self.capacity - self.allocatable

    @property
    def expected(self) -> int:
        """What a kubelet with the settings has allocatable."""
        return max(0, max(0, self.capacity - self.reserved - self.threshold) - self.huge_pages)

    @property
    def beyond(self) -> int:
        """By how much more is kept than the settings explain; below 0 less than they demand.

        Less than the rounding of a percentage to 32 bits is nothing: manifests that people write have none.
        """
        beyond = self.expected - self.allocatable
        return beyond if abs(beyond) > self.capacity >> _ROUNDING else 0


def reservations(node: Document, settings: KubeletSettings) -> list[Reservation]:
    """What a node keeps of CPU, memory and ephemeral storage, as far as it reports its capacity."""
    found = []
    for resource in (CPU, MEMORY, EPHEMERAL_STORAGE):
        capacity, allocatable = (reported(node, kind, resource) for kind in ("capacity", "allocatable"))
        if capacity is None or allocatable is None:
            continue
        found.append(
            Reservation(
                resource,
                capacity,
                allocatable,
                threshold=_threshold(settings, resource, capacity),
                reserved=settings.system_reserved.get(resource, 0) + settings.kube_reserved.get(resource, 0),
                huge_pages=_huge_pages(node) if resource == MEMORY else 0,
            )
        )
    return found


def _threshold(settings: KubeletSettings, resource: str, capacity: int) -> int:
    # A soft threshold keeps nothing, whatever its grace period.
    amounts = (
        each.amount.of(capacity)
        for each in settings.thresholds
        if not each.is_of_soft and each.signal is _THRESHOLDS.get(resource)
    )
    return next(amounts, 0)


def _huge_pages(node: Document) -> int:
    capacity = (node.get("status") or {}).get("capacity") or {}
    return sum(reported(node, "capacity", name) or 0 for name in capacity if name.startswith(HUGE_PAGES))


def reported(node: Document, kind: str, resource: str) -> int | None:
    """The ``capacity`` or what is ``allocatable`` of a resource, in base units; None where the node reports none."""
    quantity = ((node.get("status") or {}).get(kind) or {}).get(resource)
    if quantity is None:
        return None
    try:
        return amount(resource, quantity)
    except QuantityError:
        return None
