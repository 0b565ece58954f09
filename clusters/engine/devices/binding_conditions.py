"""Conditions that drivers set on allocated devices before pods are bound, and whether those of a claim hold.

Upstream: ``isClaimReadyForBinding`` and ``isClaimTimeout`` of ``plugins/dynamicresources`` v1.34.1 to v1.37.2. In
PreBind the scheduler waits until all hold, and ends the attempt with an error where one of the conditions of failure
does, or after ten minutes unless its ``bindingTimeout`` says otherwise.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.engine.devices.pod_claims import allocation_of, device_of, results_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.devices.inventory import DeviceId
    from clusters.engine.objects import Document


class Readiness(enum.Enum):
    """Whether the devices of a claim are ready for pods to be bound, as the scheduler finds out."""

    READY = enum.auto()
    WAITING = enum.auto()
    """Some conditions do not hold yet: the claim is given up once it has waited too long."""
    FAILED = enum.auto()
    """A condition of failure holds: the claim is given up."""


class DeviceConditions(NamedTuple):
    """The binding conditions of an allocated device that do not hold yet, and its conditions of failure that do."""

    device: DeviceId
    pending: tuple[str, ...]
    failed: tuple[str, ...]


def readiness_of(claim: Document) -> Readiness:
    """Whether a claim's devices are ready: the first device that is not decides."""
    for result in results_of(claim):
        if not result.get("bindingConditions"):
            continue
        held = _held_conditions(claim, result)
        if held is None:
            return Readiness.WAITING
        if not held.isdisjoint(result.get("bindingFailureConditions") or ()):
            return Readiness.FAILED
        if not held.issuperset(result["bindingConditions"]):
            return Readiness.WAITING
    return Readiness.READY


def may_have_waited_too_long(claim: Document) -> bool:
    """Whether a claim has waited for its devices for a time that depends on when the scheduler looks."""
    is_timed = bool((allocation_of(claim) or {}).get("allocationTimestamp"))
    return is_timed and readiness_of(claim) is Readiness.WAITING


def has_conditions(claim: Document) -> bool:
    """Whether any device of a claim has binding conditions."""
    return any(result.get("bindingConditions") for result in results_of(claim))


def device_conditions(claim: Document) -> Iterator[DeviceConditions]:
    """What is missing for each device of a claim that has binding conditions."""
    for result in results_of(claim):
        wanted = tuple(map(str, result.get("bindingConditions") or ()))
        if wanted:
            held = _held_conditions(claim, result) or frozenset()
            failing = (str(each) for each in result.get("bindingFailureConditions") or ())
            pending = tuple(each for each in wanted if each not in held)
            yield DeviceConditions(device_of(result), pending, tuple(each for each in failing if each in held))


def _held_conditions(claim: Document, result: Mapping[str, Any]) -> frozenset[str] | None:
    """The conditions of a device that are true; None where the driver has said nothing of it yet."""
    for each in (claim.get("status") or {}).get("devices") or ():
        if device_of(each) == device_of(result):
            conditions = each.get("conditions") or ()
            return frozenset(str(held.get("type")) for held in conditions if held.get("status") == "True")
    return None
