"""What allocated devices take of their node's own resources, such as CPU and memory, for the pod that has them.

Upstream: ``nodeallocatabledynamicresources.go`` of ``plugins/dynamicresources`` v1.37.2. The scheduler writes it into
the status of the pod, ``nodeAllocatableResourceClaimStatuses``, by which the pod counts from then on.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.engine.devices.capacity import exact, quantity_text
from clusters.engine.devices.requests import ClaimFault
from clusters.engine.resources.quantity import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.devices.inventory import Device
    from clusters.engine.objects import Document, Pod


class NodeResource(NamedTuple):
    """What a device takes of one resource of its node.

    ``is_mapped``: the device is that resource itself, so that pods cannot share its claim: it takes ``of_capacity``
    times what is consumed of its ``capacity``, where it names one, or else ``of_device``. ``per_pod`` and
    ``per_container`` come on top for each pod and each of its containers that has the claim.
    """

    resource: str
    is_mapped: bool = False
    capacity: str = ""
    of_capacity: Fraction = Fraction(1)
    of_device: Fraction | None = None
    per_pod: Fraction | None = None
    per_container: Fraction | None = None

    @classmethod
    def from_dict(cls, resource: str, fields: Mapping[str, Any]) -> NodeResource:
        """Read an entry of ``nodeAllocatableResources``. Raises QuantityError."""
        mapping, overhead = fields.get("mapping"), fields.get("overhead") or {}
        held = mapping or {}
        return cls(
            resource,
            mapping is not None,
            str(held.get("capacityKey") or ""),
            _amount(held, "capacityMultiplier") or Fraction(1),
            _amount(held, "deviceMultiplier"),
            _amount(overhead, "perPod"),
            _amount(overhead, "perContainer"),
        )


class TakenDevice(NamedTuple):
    """A device that a claim has, with what the claim consumes of its capacities; None: it has all of the device."""

    name: str
    device: Device
    consumed: Mapping[str, Fraction] | None


def claim_status(pod: Pod, claim: str, entries: Iterable[str], taken: Sequence[TakenDevice]) -> Document | None:
    """What a claim's devices take, as the pod's status says it; None: nothing.

    ``claim``: its name with the namespace; ``entries``: its names in the pod's spec. Raises ClaimFault with the
    scheduler's error.
    """
    mapped: dict[str, Fraction] = {}
    overheads: dict[str, dict[str, Fraction]] = {}
    for each in taken:
        for held in each.device.node_resources:
            amount = _mapped(claim, each, held) if held.is_mapped else None
            if amount is not None:
                mapped[held.resource] = mapped.get(held.resource, Fraction()) + amount
            for field, more in (("perPod", held.per_pod), ("perContainer", held.per_container)):
                if more is not None:
                    sums = overheads.setdefault(held.resource, {})
                    sums[field] = sums.get(field, Fraction()) + more
    if not mapped and not overheads:
        return None
    names = set(entries)
    return {
        "resourceClaimName": claim.partition("/")[2],
        "containers": [
            str(container.get("name"))
            for kind in ("initContainers", "containers")
            for container in pod.spec.get(kind) or ()
            for entry in (container.get("resources") or {}).get("claims") or ()
            if entry.get("name") in names
        ],
        "mapping": [{"name": name, "quantity": quantity_text(amount)} for name, amount in sorted(mapped.items())],
        "overhead": [
            {"name": name, **{field: quantity_text(amount) for field, amount in sums.items()}}
            for name, sums in sorted(overheads.items())
        ],
    }


def _mapped(claim: str, each: TakenDevice, held: NodeResource) -> Fraction | None:
    if not held.capacity:
        return held.of_device
    if each.consumed is None:
        raise ClaimFault(
            f"claim {claim}, device {each.name}: ConsumedCapacity is nil, but Capacity key '{held.capacity}' is set in "
            f"NodeAllocatableResources for resource {held.resource}"
        )
    consumed = each.consumed.get(held.capacity)
    return None if consumed is None else consumed * held.of_capacity


def _amount(fields: Mapping[str, Any], name: str) -> Fraction | None:
    return None if fields.get(name) is None else exact(parsed(fields[name]))
