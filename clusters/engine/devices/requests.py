"""What claims request of devices: each request with its class, selectors, count and tolerations.

Upstream: ``ResourceClaim`` and ``DeviceClass`` of ``k8s.io/api/resource/v1`` v0.34.1.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.devices.capacity import exact
from clusters.engine.matching.taints import Toleration
from clusters.engine.objects import key_of
from clusters.engine.resources.quantity import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.devices.capacity import Amounts
    from clusters.engine.objects import Document
    from clusters.engine.resources.quantity import Quantity

# How many devices one claim may hold: AllocationResultsMaxSize.
MAX_RESULTS = 32


class AllocationMode(enum.StrEnum):
    """How many devices a request is for."""

    EXACT_COUNT = "ExactCount"
    ALL = "All"


class ClaimFault(Exception):  # noqa: N818 - the fault of a claim, not of a program
    """Something of a claim or class that the allocator refuses to work with; the message is the scheduler's."""


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """One request of a claim, or one alternative (``parent`` names the request) of its ``firstAvailable``.

    ``expressions`` are the claim's own CEL selectors; None stands for one of a kind that is not known.
    ``is_of_capacity``: it is for ``amounts`` of a device's capacity, beside other claims. ``names_admin_access``: it
    says whether it is for administrators. ``quantities``: the amounts as they are written.
    ``derives_attributes``: it computes attributes of devices from others.
    """

    name: str
    device_class: str
    mode: str
    count: int
    expressions: tuple[str | None, ...]
    tolerations: tuple[Toleration, ...]
    admin_access: bool
    parent: str = ""
    is_of_capacity: bool = False
    amounts: Amounts = ()
    names_admin_access: bool = False
    derives_attributes: bool = False
    quantities: tuple[Quantity, ...] = ()

    @property
    def full_name(self) -> str:
        """The name in results and in constraints: an alternative's follows its request's."""
        return f"{self.parent}/{self.name}" if self.parent else self.name

    @property
    def wants_all(self) -> bool:
        return self.mode == AllocationMode.ALL


@dataclass(frozen=True, slots=True)
class _AttributeRule:
    """A constraint of an attribute of the devices of some requests, of all where none is named."""

    attribute: str
    requests: frozenset[str]

    def concerns(self, request: DeviceRequest) -> bool:
        """Whether a request, or the one that it is an alternative of, is meant."""
        return not self.requests or not self.requests.isdisjoint({request.full_name, request.parent or request.name})


@dataclass(frozen=True, slots=True)
class MatchAttribute(_AttributeRule):
    """All devices of some requests have one value of an attribute."""


@dataclass(frozen=True, slots=True)
class DistinctAttribute(_AttributeRule):
    """The devices of some requests differ in an attribute; ``place`` is that among the claim's constraints."""

    place: int


AttributeRule = MatchAttribute | DistinctAttribute


@dataclass(frozen=True, slots=True)
class Claim:
    """What a claim requests: one tuple of alternatives for each request, of length 1 without ``firstAvailable``.

    ``unknown_constraint``: the place of the first that is of no known kind.
    """

    key: str
    requests: tuple[tuple[DeviceRequest, ...], ...]
    constraints: tuple[AttributeRule, ...]
    unknown_constraint: int | None = None

    @property
    def distinct(self) -> DistinctAttribute | None:
        """The first attribute in which devices have to differ."""
        return next((each for each in self.constraints if isinstance(each, DistinctAttribute)), None)

    @property
    def shares_capacity(self) -> bool:
        """Whether it has fields that the API server stores only with the feature gate DRAConsumableCapacity."""
        return self.distinct is not None or any(each.is_of_capacity for choices in self.requests for each in choices)

    @classmethod
    def from_dict(cls, document: Document) -> Claim:
        """Read a ResourceClaim of resource.k8s.io/v1."""
        devices = (document.get("spec") or {}).get("devices") or {}
        rules = [_rule(place, each) for place, each in enumerate(devices.get("constraints") or ())]
        return cls(
            key_of(document),
            tuple(tuple(_alternatives(request)) for request in devices.get("requests") or ()),
            tuple(rule for rule in rules if rule is not None),
            next((place for place, rule in enumerate(rules) if rule is None), None),
        )


def _rule(place: int, constraint: Mapping[str, Any]) -> AttributeRule | None:
    requests = frozenset(map(str, constraint.get("requests") or ()))
    if constraint.get("matchAttribute") is not None:
        return MatchAttribute(str(constraint["matchAttribute"]), requests)
    if constraint.get("distinctAttribute") is not None:
        return DistinctAttribute(str(constraint["distinctAttribute"]), requests, place)
    return None


def _alternatives(request: Mapping[str, Any]) -> Iterator[DeviceRequest]:
    name = str(request.get("name") or "")
    if request.get("exactly") is not None:
        yield _request(name, request["exactly"])
        return
    for alternative in request.get("firstAvailable") or ():
        yield _request(str(alternative.get("name") or ""), alternative, parent=name)


def _request(name: str, fields: Mapping[str, Any], parent: str = "") -> DeviceRequest:
    mode = str(fields.get("allocationMode") or AllocationMode.EXACT_COUNT)
    asked = sorted(((fields.get("capacity") or {}).get("requests") or {}).items())
    amounts = [(str(name), parsed(amount)) for name, amount in asked]
    return DeviceRequest(
        name,
        str(fields.get("deviceClassName") or ""),
        mode,
        int(fields.get("count") or (mode == AllocationMode.EXACT_COUNT)),
        expressions_of(fields),
        tuple(Toleration.from_dict(each) for each in fields.get("tolerations") or ()),
        bool(fields.get("adminAccess")) and not parent,
        parent,
        fields.get("capacity") is not None,
        tuple((name, exact(amount)) for name, amount in amounts),
        fields.get("adminAccess") is not None and not parent,
        bool(fields.get("derivedAttributes")),
        tuple(amount for _, amount in amounts),
    )


def expressions_of(fields: Mapping[str, Any]) -> tuple[str | None, ...]:
    """The CEL expressions of a list of selectors."""
    return tuple((each.get("cel") or {}).get("expression") for each in fields.get("selectors") or ())
