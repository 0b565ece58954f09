"""What DynamicResources compares on a node, and what of it could be lifted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from clusters.engine.devices.exclusions import DeviceExclusion  # noqa: TC001 - documents read the types of fields
from clusters.engine.evidence import Comparison, NodeTerm, ScorePart
from clusters.engine.subjects import Subject

# So many alternatives a request may have; the first counts as many points, each later one a point less.
MOST_ALTERNATIVES: Final = 8


@dataclass(frozen=True, slots=True)
class TakenAlternative(ScorePart):
    """An alternative of ``firstAvailable`` that the node gives: its place among all of them, from 0, and its points."""

    kind = "taken-alternative"

    claim: str
    request: str
    place: int
    alternatives: int
    points: int


@dataclass(frozen=True, slots=True)
class DeviceComparison(Comparison):
    """One device and one request (or alternative) of a claim.

    ``by`` is what excludes the device: the claim that holds it, the expression, the capacity, the counter, the taint,
    the attribute. ``owner`` is the class or claim that has the expression. ``requested`` and ``available`` are amounts
    of the capacity or counter. ``allocated``: the search found a solution, and took this device, for whose
    ``conditions`` binding then waits.
    """

    kind = "device"

    claim: str
    request: str
    device: str
    exclusion: DeviceExclusion | None = None
    by: str = ""
    owner: str = ""
    requested: str = ""
    available: str = ""
    allocated: bool = False
    conditions: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.exclusion is None


@dataclass(frozen=True, slots=True)
class DeviceRequestComparison(Comparison):
    """How many devices of a node a request could have, by itself, and how many it is for.

    ``wanted`` is None for a request for all devices. ``device_class`` is what it names. ``reached`` counts the devices
    of pools that the node reaches.
    """

    kind = "device-request"

    claim: str
    request: str
    device_class: str
    wanted: int | None
    available: int
    reached: int

    @property
    def holds(self) -> bool:
        return self.available >= (1 if self.wanted is None else self.wanted)


@dataclass(frozen=True, slots=True)
class AllocatedClaimComparison(Comparison):
    """A claim that was allocated before, and the nodes from which its devices can be used; no terms: from all.

    ``lacking``: the feature that the node's kubelet would have to declare for these devices, and does not.
    """

    kind = "allocated-claim"

    claim: str
    terms: tuple[NodeTerm, ...]
    lacking: str = ""

    @property
    def holds(self) -> bool:
        return not self.lacking and (not self.terms or any(term.matches for term in self.terms))


@dataclass(frozen=True, slots=True)
class BindingConditionsComparison(Comparison):
    """The conditions of an allocated device: those that binding waits for, and those that say that it failed."""

    kind = "binding-conditions"

    claim: str
    device: str
    pending: tuple[str, ...]
    failed: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.failed


@dataclass(frozen=True, slots=True)
class DevicesTogetherComparison(Comparison):
    """Whether devices can be had for all requests of all claims at once; ``fault`` is the scheduler's error.

    ``gave_up``: the search was ended before that was known.
    """

    kind = "devices-together"

    claims: tuple[str, ...]
    found: bool
    gave_up: bool = False
    fault: str = ""

    @property
    def holds(self) -> bool:
        return self.found or self.gave_up


@dataclass(frozen=True, slots=True)
class ExtendedResourceComparison(Comparison):
    """How a node has an extended resource that the pod requests.

    ``device_class``: the DeviceClass of the devices that it gives instead. ``is_offered``: a device plugin offers the
    resource, so that amounts are compared instead.
    """

    kind = "extended-resource"

    resource: str
    requested: int
    device_class: str
    is_offered: bool

    @property
    def holds(self) -> bool:
        return self.is_offered or bool(self.device_class)


@dataclass(frozen=True, slots=True)
class NodeResourceComparison(Comparison):
    """What the pod requests of a resource together with its devices, and what of it the node has, in base units.

    ``used`` is what the node's pods request.
    """

    kind = "node-resource"

    resource: str
    requested: int
    allocatable: int
    used: int

    @property
    def holds(self) -> bool:
        return self.requested <= self.allocatable - self.used


@dataclass(frozen=True, slots=True)
class LeftBehindClaimComparison(Comparison):
    """The scheduler's own claim of an earlier try to bind the pod: it is deleted before the pod is tried again."""

    kind = "left-behind-claim"

    claim: str

    @property
    def holds(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class DeviceSelectorSubject(Subject):
    """A CEL expression of a request, or of its class (``device_class``)."""

    kind: ClassVar[str] = "device-selector"

    claim: str
    request: str
    device_class: str
    expression: str


@dataclass(frozen=True, slots=True)
class DeviceTaintSubject(Subject):
    """A taint of devices, written as kubectl writes taints."""

    kind: ClassVar[str] = "device-taint"

    taint: str


@dataclass(frozen=True, slots=True)
class DeviceCountSubject(Subject):
    """The number of devices that a request is for, beyond the first."""

    kind: ClassVar[str] = "device-count"

    claim: str
    request: str
    count: int


@dataclass(frozen=True, slots=True)
class MatchAttributeSubject(Subject):
    """The attribute in which devices of a claim have to match."""

    kind: ClassVar[str] = "match-attribute"

    claim: str
    attribute: str


@dataclass(frozen=True, slots=True)
class DistinctAttributeSubject(Subject):
    """The attribute in which devices of a claim have to differ."""

    kind: ClassVar[str] = "distinct-attribute"

    claim: str
    attribute: str


@dataclass(frozen=True, slots=True)
class DeviceCapacitySubject(Subject):
    """The amounts of a device's capacity that a request is for."""

    kind: ClassVar[str] = "device-capacity"

    claim: str
    request: str


@dataclass(frozen=True, slots=True)
class ResourceClaimSubject(Subject):
    """A whole claim: all devices that it requests, or the nodes of those that it has."""

    kind: ClassVar[str] = "resource-claim"

    claim: str


@dataclass(frozen=True, slots=True)
class ExtendedResourceSubject(Subject):
    """An extended resource that nodes give as devices of a DeviceClass."""

    kind: ClassVar[str] = "extended-resource"

    resource: str
    device_class: str
