"""Edits of a pod's manifest that change what it requests."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from clusters.engine.relaxing.edits import Edit
from clusters.engine.relaxing.entries import containers, mapping
from clusters.engine.resources.quantity import QuantityError, milli_value
from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, MEMORY, pod_amounts

if TYPE_CHECKING:
    from collections.abc import Iterator


class _ScaleRequests(Edit):
    """An edit that multiplies every request."""

    __slots__ = ()

    factor: ClassVar[Fraction]

    def _make(self, spec: dict[str, Any]) -> None:
        for holder in _holders(spec):
            for resource in list(_requests(holder)):
                _scale(holder, resource, self.factor)


@dataclass(frozen=True, slots=True)
class DoubleRequests(_ScaleRequests):
    """Requests twice as much of every resource."""

    kind: ClassVar[str] = "double-requests"
    factor: ClassVar[Fraction] = Fraction(2)


@dataclass(frozen=True, slots=True)
class HalveRequests(_ScaleRequests):
    """Requests half as much of every resource."""

    kind: ClassVar[str] = "halve-requests"
    factor: ClassVar[Fraction] = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class LowerRequest(Edit):
    """Brings the whole pod's request for a resource, overhead included, down to an amount, all by the same factor.

    ``amount`` is in base units: milli-CPU, bytes, or a count.
    """

    kind: ClassVar[str] = "ask"

    resource: str
    amount: int

    def _make(self, spec: dict[str, Any]) -> None:
        per_unit = 1 if self.resource == CPU else 1000
        try:
            # What a RuntimeClass adds is not the pod's to change: the rest has to make up for it.
            overhead = milli_value(mapping(spec, "overhead").get(self.resource, 0))
            own = {key: part for key, part in spec.items() if key != "overhead"}
            asked = pod_amounts({"spec": own}, use_status=False)
        except (QuantityError, TypeError, AttributeError):
            return
        target = max(0, self.amount * per_unit - overhead)
        present = asked.get(self.resource, 0) * per_unit
        if present and target < present:
            for holder in _holders(spec):
                if self.resource in _requests(holder):
                    _scale(holder, self.resource, Fraction(target, present))


def _holders(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield all that has requests: containers, and the pod where it has some at its own level."""
    yield from containers(spec)
    if isinstance(spec.get("resources"), dict):
        yield spec


def _requests(holder: dict[str, Any]) -> dict[str, Any]:
    return mapping(mapping(holder, "resources"), "requests")


def _scale(holder: dict[str, Any], resource: str, factor: Fraction) -> None:
    """Multiply one request, rounded down, and keep its limit one that the API server takes.

    A limit below the request is raised along; of a resource that is never overcommitted the two are equal.
    """
    requests, limits = _requests(holder), mapping(mapping(holder, "resources"), "limits")
    may_differ = resource in (CPU, MEMORY, EPHEMERAL_STORAGE)
    try:
        thousandths = int(milli_value(requests[resource]) * factor)
        written = _written(resource, thousandths)
        if resource in limits and not (may_differ and milli_value(limits[resource]) >= thousandths):
            limits[resource] = written
    except QuantityError:
        return
    requests[resource] = written


def _written(resource: str, thousandths: int) -> str:
    if resource == CPU and thousandths % 1000:
        return f"{thousandths}m"
    whole = thousandths // 1000
    for unit, size in (("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10)):
        if resource != CPU and whole and whole % size == 0:
            return f"{whole // size}{unit}"
    return str(whole)
