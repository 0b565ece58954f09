"""What drivers offer and what claims request of it: devices slice by slice, pools, and the claims of a pod."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from clusters.engine.expressions import installed
from clusters.engine.matching import selector_mask
from clusters.engine.objects import Document, Pod, key_of, metadata, name_of
from clusters.engine.podgroups import API_GROUP, POD_GROUP, PodGroupKey, group_key_of
from clusters.engine.quantity import MAX_INT64, Quantity, canonical_text, parsed, wrapped
from clusters.engine.selectors import NodeSelector
from clusters.engine.status import Reason, Status, failure, unresolvable
from clusters.engine.taints import Taint, Toleration
from clusters.engine.versions import DeviceRules, Dialect, Gate, Release

if TYPE_CHECKING:
    from clusters.engine.columns import NodeTable
    from clusters.engine.devices.allocation import OfferedDevice
    from clusters.engine.snapshot import Snapshot

# How much of a device's capacity a request consumes, and whether that is left, where claims share devices.
#
# Upstream: ``consumable_capacity.go`` of ``structured/internal/experimental`` of ``k8s.io/dynamic-resource-
# allocation`` v0.34.1 and v0.35.4, of ``structured/internal/incubating`` v0.36.3 and v0.37.2, and of ``stable``
# v0.38.0-beta.0. Steps are counted in int64: until 1.36 what does not fit wraps around, so that a request may consume
# less than nothing; later that is an error.

# What drivers offer: devices with their attributes, capacities, counters and taints, slice by slice.
#
# Upstream: ``ResourceSlice`` of ``k8s.io/api/resource/v1`` v0.34.1. The API server does not store the fields of
# features that are turned off: where a slice has taints or counters, the scheduler of the cluster goes by them.

Amounts = tuple[tuple[str, Fraction], ...]
_MILLI: Final = 1000
_UNCOUNTABLE: Final = "capacity request cannot be represented in the device's range arithmetic"
_NEGATIVE: Final = "capacity value is negative"
NOTHING_CONSUMED: Final[Mapping[str, Fraction]] = MappingProxyType({})


class RequestPolicy(Struct, frozen=True):
    """What requests of one capacity may consume: one of ``values``, or what a range admits, by default ``default``.

    ``wholes``: the default, minimum and step in whole units, as int64; with a step of 0 there kube-scheduler crashes.
    """

    default: Fraction | None = None
    values: tuple[Fraction, ...] = ()
    minimum: Fraction | None = None
    maximum: Fraction | None = None
    step: Fraction | None = None
    wholes: tuple[int, int, int] = (0, 0, 0)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> RequestPolicy:
        """Read a ``requestPolicy``. Raises QuantityError."""
        limits = fields.get("validRange") or {}
        return cls(
            _amount(fields.get("default")),
            tuple(exact(parsed(each)) for each in fields.get("validValues") or ()),
            _amount(limits.get("min")),
            _amount(limits.get("max")),
            _amount(limits.get("step")),
            (whole(fields.get("default")), whole(limits.get("min")), whole(limits.get("step"))),
        )

    def rounded(self, requested: Fraction, in_units: int, *, in_thousandths: bool = False) -> Fraction:
        """The next amount that the policy admits; the request itself where that is too much.

        ``in_units``: the request in whole units, as int64.
        """
        if self.minimum is not None:
            if requested < self.minimum:
                return self.minimum
            if self.step is None or not self.wholes[2]:
                return requested
            if self._scale(in_thousandths=in_thousandths) == 1:
                _, least, step = self.wholes
                return Fraction(wrapped(least + step * _steps(wrapped(in_units - least), step)))
            least, step = ceil(self.minimum * _MILLI), ceil(self.step * _MILLI)
            return Fraction(least + step * _steps(ceil(requested * _MILLI) - least, step), _MILLI)
        return next((value for value in self.values if requested <= value), requested)

    def uncountable(self, requested: Fraction, text: str, *, in_thousandths: bool) -> str:
        """Why an amount cannot be rounded to the policy's steps; empty where it can."""
        if self.minimum is None or requested < self.minimum or self.step is None or not self.wholes[2]:
            return ""
        scale = self._scale(in_thousandths=in_thousandths)
        in_units, limit = scale == 1, "MaxInt64" if scale == 1 else "the milli-value range"
        if in_units and requested > MAX_INT64:
            return f"request {text} exceeds {limit}"
        if not in_units and not is_in_thousandths(requested):
            return f"request {text} is not a representable milli value"
        _, least, step = self.wholes
        if not in_units:
            least, step = ceil(self.minimum * scale), ceil(self.step * scale)
        steps = -(-(ceil(requested * scale) - least) // step)
        if (least >= 0 or not in_units) and steps > (MAX_INT64 - least) // step:
            return f"rounding request {text} up to the next step passes {limit}"
        return ""

    def refuses(self, consumed: Fraction, capacity: int, *, in_thousandths: bool = False) -> bool:
        """Whether an amount is none that the policy admits; ``capacity``: the whole one in whole units, as int64."""
        if consumed == self.default:
            return False
        if self.minimum is not None or self.maximum is not None or self.step:
            if self.maximum is not None and consumed > self.maximum:
                return True
            if self.step is None or not self.wholes[2]:
                return False
            if self._scale(in_thousandths=in_thousandths) == 1:
                default, least, step = self.wholes
                units = ceil(consumed)
                if units != wrapped(units):
                    units = {self.default: default, self.minimum: least}.get(consumed, capacity)
                return wrapped(units - least) % step != 0
            if not is_in_thousandths(consumed):
                return True
            return ceil((consumed - (self.minimum or Fraction())) * _MILLI) % ceil(self.step * _MILLI) != 0
        return bool(self.values) and consumed not in self.values

    @property
    def is_fractional(self) -> bool:
        """Whether a limit of its range is no whole number."""
        return any(each is not None and each.denominator != 1 for each in (self.minimum, self.maximum, self.step))

    def _scale(self, *, in_thousandths: bool) -> int:
        """Into how many parts steps divide a unit: one where thousandths are not counted, or do not fit int64."""
        limits = (each for each in (self.minimum, self.maximum, self.step) if each is not None)
        return _MILLI if in_thousandths and all(is_in_thousandths(each) for each in limits) else 1


def is_in_thousandths(amount: Fraction) -> bool:
    """Whether an amount can be counted in thousandths, in int64."""
    return (amount * _MILLI).denominator == 1 and amount * _MILLI <= MAX_INT64


def exact(quantity: Quantity) -> Fraction:
    """A quantity without any rounding, as counters and capacities are compared."""
    return quantity.unscaled * Fraction(10) ** quantity.exponent


def quantity_text(amount: Fraction) -> str:
    """Write an amount as a quantity: of thousand-millionths where it is no whole number, which is as exact as any."""
    return str(amount.numerator) if amount.denominator == 1 else f"{ceil(amount * 10**9)}n"


def whole(quantity: Any) -> int:
    """A quantity in whole units, as int64; 0 for none."""
    return 0 if quantity is None else parsed(quantity).scaled(0)


def _steps(distance: int, step: int) -> int:
    """How many steps reach so far, as Go counts them: it divides towards zero, and adds one where a rest is left."""
    steps = abs(distance) // abs(step) * (1 if (distance < 0) is (step < 0) else -1)
    return steps + (distance != steps * step)


def _amount(quantity: Any) -> Fraction | None:
    return None if quantity is None else exact(parsed(quantity))


class CapacityFault(Exception):  # noqa: N818 - the fault of a request, not of a program
    """An amount of a capacity that the allocator refuses to count with; the message is the scheduler's."""


class CapacityLack(enum.Enum):
    """Why a device's capacity is not enough for a request."""

    ABSENT = enum.auto()
    """The device has no capacity of that name."""
    REFUSED = enum.auto()
    """Its policy does not admit the amount."""
    SHORT = enum.auto()
    """Less is left than the request would consume."""


class CapacityShortage(NamedTuple):
    """The capacity that a device lacks: what a request would consume of it, and what is left."""

    lack: CapacityLack
    name: str
    requested: Fraction
    available: Fraction = Fraction()


def consumed_amounts(device: Device, request: DeviceRequest, *, in_thousandths: bool) -> dict[str, Fraction]:
    """What a request consumes of each capacity of a device: of one that it does not name, the default or all.

    ``in_thousandths``: policies count in these where they name some, not in whole units.
    """
    found: dict[str, Fraction] = {}
    wanted = _asked(device, request)
    for name, all_of_it in device.amounts.items():
        policy = device.policies.get(name)
        if name not in wanted:
            found[name] = all_of_it if policy is None or policy.default is None else policy.default
            continue
        amount, quantity = wanted[name]
        found[name] = (
            amount if policy is None else policy.rounded(amount, quantity.scaled(0), in_thousandths=in_thousandths)
        )
    return found


def _asked(device: Device, request: DeviceRequest) -> dict[str, tuple[Fraction, Quantity]]:
    """What a request asks for of the capacities of a device, by the names that these have here.

    Raises CapacityFault where it asks twice for one.
    """
    found: dict[str, tuple[Fraction, Quantity]] = {}
    for (name, amount), quantity in zip(request.amounts, request.quantities, strict=True):
        full = qualified(name, device.domain)
        own = full.rpartition("/")[2]
        if full in found:
            raise CapacityFault(f'capacity "{own}" requested both as "{name}" and as "{own if name == full else full}"')
        found[full] = amount, quantity
    return found


def qualified(name: str, domain: str) -> str:
    """The name of a capacity with the domain that counts where it has none itself; without one as it is."""
    return f"{domain}/{name}" if domain and "/" not in name else name


def _check(device: Device, request: DeviceRequest, *, in_thousandths: bool) -> None:
    """Refuse amounts that cannot be counted with, whatever else keeps the device out. Raises CapacityFault."""
    for name, (amount, quantity) in _asked(device, request).items():
        policy = device.policies.get(name)
        text = canonical_text(quantity.nano_units, quantity.format)
        if amount < 0 and device.domain:
            raise CapacityFault(f'capacity "{name}": {_NEGATIVE}: request {text}')
        problem = "" if policy is None else policy.uncountable(amount, text, in_thousandths=in_thousandths)
        if problem:
            raise CapacityFault(f'capacity "{name}": {_UNCOUNTABLE}: {problem}')
    for name, amount in consumed_amounts(device, request, in_thousandths=in_thousandths).items():
        if amount < 0:
            raise CapacityFault(f'capacity "{name}": {_NEGATIVE}')


def capacity_shortage(
    device: Device, request: DeviceRequest, *used: Mapping[str, Fraction], rules: DeviceRules
) -> CapacityShortage | None:
    """The first capacity that keeps a device from a request beside what is used of it; None where there is none.

    Raises CapacityFault.
    """
    requested, in_thousandths = request.amounts, rules.counts_in_thousandths
    is_whole = not requested and not device.policies and not any(used)
    if is_whole and not (rules.refuses_uncountable and any(amount < 0 for amount in device.amounts.values())):
        # It would be consumed whole, which is what there is.
        return None
    for name, amount in requested:
        if qualified(name, device.domain) not in device.capacity:
            return CapacityShortage(CapacityLack.ABSENT, name, amount)
    if rules.refuses_uncountable:
        _check(device, request, in_thousandths=in_thousandths)
    for name, amount in consumed_amounts(device, request, in_thousandths=in_thousandths).items():
        policy = device.policies.get(name)
        if policy is not None and policy.refuses(
            amount, device.capacity[name].scaled(0), in_thousandths=in_thousandths
        ):
            return CapacityShortage(CapacityLack.REFUSED, name, amount, device.amounts[name])
        left = device.amounts[name] - sum(each.get(name, Fraction()) for each in used)
        if amount > left:
            return CapacityShortage(CapacityLack.SHORT, name, amount, left)
    return None


# What claims request of devices: each request with its class, selectors, count and tolerations.
#
# Upstream: ``ResourceClaim`` and ``DeviceClass`` of ``k8s.io/api/resource/v1`` v0.34.1.

# How many devices one claim may hold: AllocationResultsMaxSize.
MAX_RESULTS = 32


class AllocationMode(enum.StrEnum):
    """How many devices a request is for."""

    EXACT_COUNT = "ExactCount"
    ALL = "All"


class ClaimFault(Exception):  # noqa: N818 - the fault of a claim, not of a program
    """Something of a claim or class that the allocator refuses to work with; the message is the scheduler's."""


class PoolFault(ClaimFault):
    """A pool of which a request cannot have all devices now."""


class DeviceRequest(Struct, frozen=True):
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


class _AttributeRule(Struct, frozen=True):
    """A constraint of an attribute of the devices of some requests, of all where none is named."""

    attribute: str
    requests: frozenset[str]

    def concerns(self, request: DeviceRequest) -> bool:
        """Whether a request, or the one that it is an alternative of, is meant."""
        return not self.requests or not self.requests.isdisjoint({request.full_name, request.parent or request.name})


class MatchAttribute(_AttributeRule, frozen=True):
    """All devices of some requests have one value of an attribute."""


class DistinctAttribute(_AttributeRule, frozen=True):
    """The devices of some requests differ in an attribute; ``place`` is that among the claim's constraints."""

    place: int


AttributeRule = MatchAttribute | DistinctAttribute


class Claim(Struct, frozen=True):
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


# What allocated devices take of their node's own resources, such as CPU and memory, for the pod that has them.
#
# Upstream: ``nodeallocatabledynamicresources.go`` of ``plugins/dynamicresources`` v1.37.2. The scheduler writes it
# into the status of the pod, ``nodeAllocatableResourceClaimStatuses``, by which the pod counts from then on.


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
            _node_resources_amount(held, "capacityMultiplier") or Fraction(1),
            _node_resources_amount(held, "deviceMultiplier"),
            _node_resources_amount(overhead, "perPod"),
            _node_resources_amount(overhead, "perContainer"),
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
            for name, more in (("perPod", held.per_pod), ("perContainer", held.per_container)):
                if more is not None:
                    sums = overheads.setdefault(held.resource, {})
                    sums[name] = sums.get(name, Fraction()) + more
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
            {"name": name, **{name: quantity_text(amount) for name, amount in sums.items()}}
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
    consumed = each.consumed.get(qualified(held.capacity, each.device.domain))
    return None if consumed is None else consumed * held.of_capacity


def _node_resources_amount(fields: Mapping[str, Any], name: str) -> Fraction | None:
    return None if fields.get(name) is None else exact(parsed(fields[name]))


# CEL expressions that select devices: what the engine needs of whoever evaluates them.
#
# The engine has no evaluator of its own. One is installed once, when the process starts; without it, and for
# expressions that it does not support, what a claim selects is not known.

# Kubernetes' units: as much as twenty evaluations at the bound, and less than a second.
MOST_TOGETHER: Final = 2_000_000


class CompileError(Exception):
    """An expression that cannot be compiled; the message is cel-go's, but where the expression is no CEL."""


class EvaluationError(Exception):
    """An expression that cannot be evaluated for a device; the message is cel-go's where that is known."""


class UnsupportedExpressionError(Exception):
    """An expression that Kubernetes can evaluate and the evaluator cannot; its argument names what it lacks."""


class CostlyExpressionError(UnsupportedExpressionError):
    """An expression that takes more time or memory than an evaluation may."""


class Allowance:
    """What costly evaluations may cost together, in the units of the evaluator; plain ones take nothing of it."""

    def __init__(self, left: int = MOST_TOGETHER) -> None:
        self.left = left


class Selector(Protocol):
    """A compiled expression."""

    def matches(self, driver: str, device: Device, allowance: Allowance | None = None) -> bool:
        """Whether a device of this driver is selected. Raises EvaluationError, UnsupportedExpressionError.

        Once the ``allowance`` is used up only plain evaluations are made.
        """


class Compiler(Protocol):
    """Compiles expressions; it may keep what it compiled."""

    def __call__(self, expression: str, dialect: Dialect) -> Selector:
        """Compile one expression. Raises CompileError, UnsupportedExpressionError."""


def compiled(expression: str, dialect: Dialect) -> Selector:
    """Compile an expression. Raises CompileError, UnsupportedExpressionError."""
    if not installed:
        raise UnsupportedExpressionError(expression)
    compiler: Compiler = installed[0]
    return compiler(expression, dialect)


class DeviceId(NamedTuple):
    """A device by the names of its driver and pool, and its own."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"


class AttributeType(enum.StrEnum):
    """The field in which an attribute holds its value."""

    INT = "int"
    BOOL = "bool"
    STRING = "string"
    VERSION = "version"


# The fields in which an attribute holds several values.
_LISTS: Final = ("ints", "bools", "strings", "versions")


class Attribute(Struct, frozen=True):
    """One attribute of a device; a version is a text as semver.org writes it."""

    type: AttributeType
    value: int | bool | str

    def __str__(self) -> str:
        return str(self.value).lower() if self.type is AttributeType.BOOL else str(self.value)


class CounterUse(Struct, frozen=True):
    """What a device takes of one counter of its slice while it is allocated."""

    counter_set: str
    counter: str
    amount: Fraction


class Reach(Struct, frozen=True):
    """From which nodes a slice or a device can be used: one by name, all, or those that a selector matches."""

    node_name: str = ""
    all_nodes: bool = False
    selector: NodeSelector | None = None

    @property
    def is_known(self) -> bool:
        """Whether anything is said of nodes at all."""
        return bool(self.node_name or self.all_nodes or self.selector is not None)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Reach:
        """Read the three fields that slices and devices have in common."""
        selector = fields.get("nodeSelector")
        return cls(
            str(fields.get("nodeName") or ""),
            bool(fields.get("allNodes")),
            None if selector is None else NodeSelector.from_dict(selector),
        )


class Device(Struct, frozen=True, dict=True):
    """One device of a slice; names of attributes and capacities as the driver writes them, with a domain or without.

    ``policies``: what requests of a capacity may consume, where the driver says so. ``taints_added`` says of each taint
    when it was added, in RFC 3339, empty where that is not told. ``is_shared``: it allows multiple allocations.
    Pods are bound only once its ``conditions`` hold, and not at all where one of ``failures`` does. ``binds_to_node``:
    once allocated it can be used from the node alone that it was allocated for. ``groups``: the compatibility groups
    that it names for each counter set from which it takes, without those that it names none for. ``lists``: attributes
    with several values, which are not in ``attributes``. ``is_ruled``: a DeviceTaintRule taints it.
    ``node_resources``: what it takes of its node's own resources; ``has_early_mappings``: it says so as in 1.36.
    ``domain``: where names of capacities have their domain, the one of names without; ``short_names``: those of its
    capacities that the driver writes without.
    """

    name: str
    attributes: Mapping[str, Attribute]
    capacity: Mapping[str, Quantity]
    taints: tuple[Taint, ...] = ()
    taints_added: tuple[str, ...] = ()
    uses: tuple[CounterUse, ...] = ()
    reach: Reach = Reach()
    is_shared: bool = False
    conditions: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    binds_to_node: bool = False
    policies: Mapping[str, RequestPolicy] = field(default_factory=dict)
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()
    is_ruled: bool = False
    node_resources: tuple[NodeResource, ...] = ()
    has_early_mappings: bool = False
    domain: str = ""
    short_names: frozenset[str] = frozenset()

    def as_written(self, capacity: str) -> str:
        """The name of a capacity as the driver writes it."""
        return capacity.rpartition("/")[2] if capacity in self.short_names else capacity

    @property
    def has_conditions(self) -> bool:
        """Whether binding waits for it."""
        return bool(self.conditions)

    @cached_property
    def amounts(self) -> Mapping[str, Fraction]:
        """Its capacities, exact."""
        return {name: exact(amount) for name, amount in self.capacity.items()}


class DeviceSlice(Struct, frozen=True, dict=True):
    """One ResourceSlice: part of a pool of devices. ``counters`` are what it offers of each, by counter set and name.

    ``has_reach_by_device``: each device says itself from which nodes it can be used. ``skipped_operations``: what
    kubelets leave out for its devices, if they know how.
    """

    name: str
    driver: str
    pool: str
    generation: int
    slice_count: int
    reach: Reach
    has_reach_by_device: bool
    devices: tuple[Device, ...]
    counters: Mapping[tuple[str, str], Fraction]
    skipped_operations: tuple[str, ...] = ()

    @property
    def has_groups(self) -> bool:
        """Whether any of its devices names compatibility groups."""
        return any(device.groups for device in self.devices)

    @cached_property
    def ids(self) -> tuple[DeviceId, ...]:
        """The names of the devices, in their order."""
        return tuple(self.id_of(device) for device in self.devices)

    def id_of(self, device: Device) -> DeviceId:
        """The names of a device."""
        return DeviceId(self.driver, self.pool, device.name)

    @classmethod
    def from_dict(cls, document: Document, *, qualifies: bool = False) -> DeviceSlice:
        """Read a ResourceSlice of resource.k8s.io/v1. Raises QuantityError, SelectorError.

        ``qualifies``: capacities get the domain of the driver where the slice leaves it out.
        """
        spec = document.get("spec") or {}
        pool = spec.get("pool") or {}
        return cls(
            name=name_of(document),
            driver=str(spec.get("driver") or ""),
            pool=str(pool.get("name") or ""),
            generation=int(pool.get("generation") or 0),
            slice_count=int(pool.get("resourceSliceCount") or 0),
            reach=Reach.from_dict(spec),
            has_reach_by_device=bool(spec.get("perDeviceNodeSelection")),
            devices=tuple(
                _device(each, str(spec.get("driver") or "") if qualifies else "") for each in spec.get("devices") or ()
            ),
            counters={
                (str(held.get("name")), str(counter)): exact(parsed((amount or {}).get("value", 0)))
                for held in spec.get("sharedCounters") or ()
                for counter, amount in (held.get("counters") or {}).items()
            },
            skipped_operations=tuple(map(str, spec.get("skipNodeOperations") or ())),
        )


def _device(fields: Mapping[str, Any], domain: str) -> Device:
    capacities: dict[str, Mapping[str, Any]] = {}
    short: set[str] = set()
    # Where one is there twice, the one whose domain is written out counts.
    for name, held in sorted((fields.get("capacity") or {}).items(), key=lambda item: "/" in item[0]):
        full = qualified(str(name), domain)
        capacities[full] = held or {}
        (short.discard if full == name else short.add)(full)
    return Device(
        name=str(fields.get("name") or ""),
        attributes={str(name): attribute for name, attribute in _attributes(fields.get("attributes") or {})},
        capacity={name: parsed(held.get("value", 0)) for name, held in capacities.items()},
        taints=tuple(Taint.from_dict(taint) for taint in fields.get("taints") or ()),
        taints_added=tuple(str(taint.get("timeAdded") or "") for taint in fields.get("taints") or ()),
        uses=tuple(
            CounterUse(str(use.get("counterSet")), str(counter), exact(parsed((amount or {}).get("value", 0))))
            for use in fields.get("consumesCounters") or ()
            for counter, amount in (use.get("counters") or {}).items()
        ),
        reach=Reach.from_dict(fields),
        is_shared=bool(fields.get("allowMultipleAllocations")),
        conditions=tuple(map(str, fields.get("bindingConditions") or ())),
        failures=tuple(map(str, fields.get("bindingFailureConditions") or ())),
        binds_to_node=bool(fields.get("bindsToNode")),
        policies={
            name: RequestPolicy.from_dict(held["requestPolicy"])
            for name, held in capacities.items()
            if held.get("requestPolicy")
        },
        groups={
            str(use.get("counterSet")): frozenset(map(str, use["compatibilityGroups"]))
            for use in fields.get("consumesCounters") or ()
            if use.get("compatibilityGroups")
        },
        node_resources=tuple(
            NodeResource.from_dict(str(name), held or {})
            for name, held in sorted((fields.get("nodeAllocatableResources") or {}).items())
        ),
        has_early_mappings=bool(fields.get("nodeAllocatableResourceMappings")),
        lists=frozenset(
            str(name)
            for name, held in (fields.get("attributes") or {}).items()
            if any((held or {}).get(kind) for kind in _LISTS)
        ),
        domain=domain,
        short_names=frozenset(short),
    )


def _attributes(fields: Mapping[str, Any]) -> Iterator[tuple[str, Attribute]]:
    for name, held in fields.items():
        for kind in AttributeType:
            value = (held or {}).get(kind.value)
            if value is not None:
                yield name, Attribute(kind, value)
                break


# ResourceClaims that the pods of a group share: one for each claim of the PodGroup, which owns and reserves it.
#
# Upstream: ``BindTo`` and ``IsForPod`` of ``k8s.io/dynamic-resource-allocation/resourceclaim`` v0.36.3 and v0.37.2. A
# pod finds the name of such a claim in its own status, as that of any other that is made from a template.

_ALIKE: Final = ("name", "resourceClaimName", "resourceClaimTemplateName")
_RESOURCE: Final = "podgroups"
_CLAIM: Final = "ResourceClaim"


def is_owned_by(claim: Document, group: PodGroupKey | None) -> bool:
    """Whether a claim was made for a group of pods; None: no group."""
    return group is not None and any(
        each.get("controller")
        and each.get("kind") == POD_GROUP
        and each.get("name") == group.name
        and str(each.get("apiVersion") or "").startswith(f"{API_GROUP}/")
        for each in metadata(claim).get("ownerReferences") or ()
    )


def open_group_of(snapshot: Snapshot, pod: Pod) -> str:
    """The group that owns one of the claims of a pod, where it is not known if the scheduler accepts that; else empty.

    Somebody has made the claim for the group, so that DRAWorkloadResourceClaims is on elsewhere in the cluster.
    """
    group = group_key_of(pod, snapshot.release)
    if group is None or snapshot.release.decides(Gate.DRA_WORKLOAD_CLAIMS):
        return ""
    statuses = pod.status.get("resourceClaimStatuses") or ()
    names = (str(each.get("resourceClaimName") or "") for each in statuses)
    held = (snapshot.object(_CLAIM, name, pod.namespace) for name in names if name)
    return group.name if any(each is not None and is_owned_by(each, group) for each in held) else ""


def shared_entries(snapshot: Snapshot, pod: Pod) -> frozenset[str]:
    """The entries of ``spec.resourceClaims`` that the pod has in common with its group, by name."""
    group = group_key_of(pod, snapshot.release)
    if group is None or not snapshot.release.enables(Gate.DRA_WORKLOAD_CLAIMS):
        return frozenset()
    held = snapshot.object(POD_GROUP, group.name, group.namespace) or {}
    common = [_key(each) for each in (held.get("spec") or {}).get("resourceClaims") or ()]
    return frozenset(
        str(each.get("name") or "") for each in pod.spec.get("resourceClaims") or () if _key(each) in common
    )


def claim_of_group(snapshot: Snapshot, group: PodGroupKey, entry: str) -> str:
    """The name of the claim that was made for an entry of a group; empty where none was yet."""
    held = snapshot.object(POD_GROUP, group.name, group.namespace) or {}
    statuses = (held.get("status") or {}).get("resourceClaimStatuses") or ()
    return next((str(each.get("resourceClaimName") or "") for each in statuses if each.get("name") == entry), "")


def group_as_consumer(snapshot: Snapshot, group: PodGroupKey) -> dict[str, Any]:
    """How a claim names the group that has reserved it."""
    held = snapshot.object(POD_GROUP, group.name, group.namespace) or {}
    uid = str(metadata(held).get("uid") or "") if held else ""
    return {"apiGroup": API_GROUP, "resource": _RESOURCE, "name": group.name, "uid": uid}


def is_of_group(consumer: Mapping[str, Any]) -> bool:
    """Whether it is a group of pods that has reserved a claim."""
    return consumer.get("resource") == _RESOURCE


def _key(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(entry.get(field) for field in _ALIKE)


# What can be wrong with the ResourceClaims of a pod before any node is looked at, and how the scheduler says so.
#
# Upstream: ``PreEnqueue`` and ``PreFilter`` of ``plugins/dynamicresources`` v1.34.1 and ``resourceclaim.Name`` and
# ``IsForPod`` of ``k8s.io/dynamic-resource-allocation`` v0.34.1; v0.36.3 of claims that groups of pods own.

_NAME: Final = "%s"


class ResourceClaimProblem(enum.StrEnum):
    """Why a pod is rejected for one of its ResourceClaims, whatever the node."""

    NOT_CREATED = "resource-claim-not-created"
    NOT_FOUND = "resource-claim-not-found"
    BEING_DELETED = "resource-claim-being-deleted"
    NOT_OWNED = "resource-claim-not-owned"
    NOT_OF_POD = "resource-claim-not-of-pod"
    NOT_OF_GROUP = "resource-claim-not-of-group"
    UNSUPPORTED = "resource-claim-unsupported"
    CLASS_NOT_FOUND = "device-class-not-found"
    UNKNOWN_REQUEST = "device-request-unknown"
    ALTERNATIVES_DISABLED = "device-alternatives-disabled"

    @property
    def said(self) -> str:
        """What the scheduler says, the names of objects left out, which differ from pod to pod."""
        text = _SAID[self].replace(f'"{_NAME}"', "").replace(_NAME, "")
        return " ".join(text.split()).replace(" :", ":").replace(" ,", ",")

    def refusal(self, *names: str) -> RefusedClaim:
        """The problem of objects of these names, as many as the scheduler mentions."""
        return RefusedClaim(unresolvable(ResourceClaimRefused(self, names)))


_SAID: Final[Mapping[ResourceClaimProblem, str]] = {
    ResourceClaimProblem.NOT_CREATED: 'pod "%s": ResourceClaim not created yet',
    ResourceClaimProblem.NOT_FOUND: 'could not find ResourceClaim "%s"',
    ResourceClaimProblem.BEING_DELETED: 'resourceclaim "%s" is being deleted',
    ResourceClaimProblem.NOT_OWNED: "ResourceClaim %s was not created for pod %s (pod is not owner)",
    ResourceClaimProblem.NOT_OF_POD: "ResourceClaim %s was not created for Pod %s (Pod is not owner)",
    ResourceClaimProblem.NOT_OF_GROUP: "ResourceClaim %s was not created for Pod %s (neither Pod nor PodGroup %s "
    "is the owner)",
    ResourceClaimProblem.UNSUPPORTED: 'pod "%s", spec.resourceClaim "%s": none of the supported fields are set',
    ResourceClaimProblem.CLASS_NOT_FOUND: "request %s: device class %s does not exist",
    ResourceClaimProblem.UNKNOWN_REQUEST: "resource claim %s, request %s: unknown request type",
    ResourceClaimProblem.ALTERNATIVES_DISABLED: "resource claim %s, request %s: has subrequests, but the "
    "DRAPrioritizedList feature is disabled",
}


class ResourceClaimRefused(Reason, frozen=True):
    """What is wrong with a ResourceClaim of the pod, whatever the node; without ``names`` where pods share it."""

    kind = "resource-claim-refused"
    # DynamicResources by name: the claims are read here for it, and for pages that show them.
    plugin = "DynamicResources"

    problem: ResourceClaimProblem
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return _SAID[self.problem] % self.names if self.names else self.problem.said


class RefusedClaim(Exception):  # noqa: N818 - the state of a claim, not of a program
    """A claim of the pod that no node can help with; ``status`` is what the scheduler reports."""

    def __init__(self, status: Status) -> None:
        super().__init__(*status.reasons)
        self.status = status


# The ResourceClaims of a pod, and what keeps it from being scheduled with them whatever the node.
#
# Upstream: ``foreachPodResourceClaim`` of ``plugins/dynamicresources`` v1.34.1 and ``resourceclaim.Name`` and
# ``IsForPod`` of ``k8s.io/dynamic-resource-allocation`` v0.34.1.

CLAIM: Final = "ResourceClaim"
CLASS: Final = "DeviceClass"
SLICE: Final = "ResourceSlice"
TAINT_RULE: Final = "DeviceTaintRule"


class PodClaim(Struct, frozen=True):
    """A ResourceClaim of a pod."""

    document: Document

    @property
    def allocation(self) -> Mapping[str, Any] | None:
        """What was allocated for the claim; None where nothing is yet."""
        return allocation_of(self.document)


def allocation_of(claim: Document) -> Mapping[str, Any] | None:
    """What was allocated for a claim; None where nothing is yet."""
    allocation: Mapping[str, Any] | None = (claim.get("status") or {}).get("allocation")
    return allocation


def results_of(claim: Document) -> Sequence[Mapping[str, Any]]:
    """What was allocated for a claim, device by device."""
    return ((allocation_of(claim) or {}).get("devices") or {}).get("results") or ()


def device_of(result: Mapping[str, Any]) -> DeviceId:
    """The device of a result of an allocation."""
    return DeviceId(str(result.get("driver")), str(result.get("pool")), str(result.get("device")))


def devices_of(claim: Document, *, held: bool = False) -> Iterator[DeviceId]:
    """The devices that a claim has; ``held``: those that it has for itself, as admin access and shares have none."""
    for result in results_of(claim):
        if not (held and (result.get("adminAccess") or result.get("shareID"))):
            yield device_of(result)


def shares_of(claim: Document) -> Iterator[tuple[DeviceId, dict[str, Fraction]]]:
    """The devices that a claim shares with others, with what it consumes of their capacities."""
    for result in results_of(claim):
        if result.get("shareID") and not result.get("adminAccess"):
            consumed = result.get("consumedCapacity") or {}
            yield device_of(result), {str(name): exact(parsed(amount)) for name, amount in consumed.items()}


def entries_of(snapshot: Snapshot, pod: Pod) -> Iterator[tuple[str, Document | None]]:
    """Yield each entry of ``spec.resourceClaims`` by name with its claim, None where there is none."""
    for entry in pod.spec.get("resourceClaims") or ():
        name = entry.get("resourceClaimName") or made_for(pod).get(str(entry.get("name") or ""))
        yield str(entry.get("name") or ""), snapshot.object(CLAIM, str(name), pod.namespace) if name else None


def made_for(pod: Pod) -> dict[str, str]:
    """The names of the claims that were made for a pod from templates, by entry."""
    statuses = pod.status.get("resourceClaimStatuses") or ()
    return {str(each.get("name")): str(each["resourceClaimName"]) for each in statuses if each.get("resourceClaimName")}


def claim_names(pod: Pod) -> Iterator[tuple[str, bool]]:
    """Yield the names of the claims that a pod uses, as far as they are made, and whether one was made for it.

    The scheduler's own one for extended resources comes last.
    """
    for entry in pod.spec.get("resourceClaims") or ():
        try:
            name, is_generated = _name_of(pod, entry)
        except RefusedClaim:
            continue
        if name is not None:
            yield name, is_generated
    for_resources = (pod.status.get("extendedResourceClaimStatus") or {}).get("resourceClaimName")
    if for_resources:
        yield str(for_resources), True


def claims_of(snapshot: Snapshot, pod: Pod) -> tuple[PodClaim, ...]:
    """The claims of a pod in the order of its spec; an entry that needs none has none. Raises RefusedClaim."""
    return tuple(_claims(snapshot, pod))


def refusal_of(snapshot: Snapshot, claim: Document) -> RefusedClaim | None:
    """Why a claim cannot be allocated whatever the node: for a request of no known kind, or of a class not held."""
    read = Claim.from_dict(claim)
    names = [str(each.get("name") or "") for each in _requests(claim)]
    for name, alternatives in zip(names, read.requests, strict=True):
        if not alternatives:
            return ResourceClaimProblem.UNKNOWN_REQUEST.refusal(read.key, name)
        if alternatives[0].parent and not snapshot.release.enables(Gate.DRA_PRIORITIZED_LIST):
            return ResourceClaimProblem.ALTERNATIVES_DISABLED.refusal(read.key, name)
        for request in alternatives:
            if not request.device_class:
                text = f"request {request.full_name}: unsupported request type"
                return RefusedClaim(failure(text))
            if snapshot.object(CLASS, request.device_class) is None:
                return ResourceClaimProblem.CLASS_NOT_FOUND.refusal(request.full_name, request.device_class)
    return None


def _requests(claim: Document) -> Sequence[Mapping[str, Any]]:
    return ((claim.get("spec") or {}).get("devices") or {}).get("requests") or ()


def _claims(snapshot: Snapshot, pod: Pod) -> Iterator[PodClaim]:
    for entry in pod.spec.get("resourceClaims") or ():
        name, is_generated = _name_of(pod, entry)
        if name is None:
            continue
        claim = snapshot.object(CLAIM, name, pod.namespace)
        if claim is None:
            raise ResourceClaimProblem.NOT_FOUND.refusal(f"{pod.namespace}/{name}")
        if metadata(claim).get("deletionTimestamp"):
            raise ResourceClaimProblem.BEING_DELETED.refusal(name)
        foreign = _foreign(snapshot, claim, pod) if is_generated else None
        if foreign is not None:
            raise foreign
        yield PodClaim(claim)


def _name_of(pod: Pod, entry: Mapping[str, Any]) -> tuple[str | None, bool]:
    """The name of an entry's claim, and whether it was made from a template; no name: none is needed."""
    label = str(entry.get("name") or "")
    if entry.get("resourceClaimName") is not None:
        return str(entry["resourceClaimName"]), False
    if entry.get("resourceClaimTemplateName") is None:
        raise ResourceClaimProblem.UNSUPPORTED.refusal(pod.key, label)
    for made in pod.status.get("resourceClaimStatuses") or ():
        if made.get("name") == label:
            name = made.get("resourceClaimName")
            return (None if name is None else str(name)), True
    raise ResourceClaimProblem.NOT_CREATED.refusal(pod.key)


def _foreign(snapshot: Snapshot, claim: Document, pod: Pod) -> RefusedClaim | None:
    """Why a claim that was made from a template is not for a pod; None where it is, or may be as its group's."""
    if is_made_for(claim, pod):
        return None
    release, group = snapshot.release, group_key_of(pod, snapshot.release)
    accepts_groups = release.enables(Gate.DRA_WORKLOAD_CLAIMS)
    if is_owned_by(claim, group) and (accepts_groups or not release.decides(Gate.DRA_WORKLOAD_CLAIMS)):
        return None
    if not release.device_rules.knows_owning_groups:
        return ResourceClaimProblem.NOT_OWNED.refusal(key_of(claim), pod.key)
    if accepts_groups and group is not None:
        return ResourceClaimProblem.NOT_OF_GROUP.refusal(key_of(claim), pod.key, group.name)
    return ResourceClaimProblem.NOT_OF_POD.refusal(key_of(claim), pod.key)


def is_made_for(claim: Document, pod: Pod) -> bool:
    """Whether a claim was made from a template for a pod."""
    owners = metadata(claim).get("ownerReferences") or ()
    return any(each.get("controller") and each.get("uid") == pod.owner_uid for each in owners)


# Pools of devices as one node sees them.
#
# Upstream: ``GatherPools`` of ``structured/internal/experimental`` and ``applyPatches`` of ``resourceslice/tracker``
# of ``k8s.io/dynamic-resource-allocation`` v0.34.1; of ``structured/internal/incubating`` v0.35.4 to v0.37.2 for
# whole pools. Until 1.35 the scheduler goes through pools, and through the slices of one, in no particular order;
# here they go by name, as they do since.

Counters = Mapping[tuple[str, str], Fraction]


class Pool(Struct, frozen=True):
    """The slices of one pool's newest generation that a node reaches.

    ``is_incomplete``: the driver is still publishing slices, or, where only these are looked at, some of them are for
    other nodes. ``duplicate`` names a device that the pool has twice, and ``counter_fault`` says what is wrong with
    counters: either makes it invalid; empty where there is none. ``others``: slices of the pool for other nodes alone;
    ``counters``: those of the whole pool. Both are empty where a release does not look at whole pools.
    """

    driver: str
    name: str
    slices: tuple[DeviceSlice, ...]
    is_incomplete: bool
    duplicate: str
    counter_fault: str = ""
    others: tuple[DeviceSlice, ...] = ()
    counters: Counters = field(default_factory=dict)

    @property
    def fault(self) -> str:
        """What makes the pool invalid, as the scheduler says it; empty where nothing does."""
        return f"duplicate device name {self.duplicate}" if self.duplicate else self.counter_fault

    @property
    def has_conditions(self) -> bool:
        """Whether devices of it have binding conditions: such pools come last."""
        return any(device.has_conditions for each in self.slices for device in each.devices)

    def __str__(self) -> str:
        return f"{self.driver}/{self.name}"


class Inventory:
    """All slices of a cluster, and from which nodes each is reached."""

    def __init__(self, slices: Sequence[DeviceSlice], nodes: NodeTable, rules: DeviceRules) -> None:
        self._nodes = nodes
        self._rules = rules
        self.slices = slices
        self._everywhere: list[int] = []
        self._by_node: dict[str, list[int]] = {}
        self._others: list[tuple[int, list[Reach]]] = []
        for place, each in enumerate(slices):
            if rules.passes_over_groups and each.has_groups:
                continue
            if rules.sees_whole_pools and (each.has_reach_by_device or each.counters) and not rules.reads_counters:
                continue
            if rules.sees_whole_pools and rules.includes_counter_slices and each.counters:
                self._everywhere.append(place)
                continue
            reaches = [each.reach]
            if not each.reach.is_known:
                reaches = [device.reach for device in each.devices] if each.has_reach_by_device else []
            names = {reach.node_name for reach in reaches if reach.node_name}
            for name in names:
                self._by_node.setdefault(name, []).append(place)
            others = [reach for reach in reaches if not reach.node_name and reach.is_known]
            if others:
                self._others.append((place, others))
        self._masks = [(place, self._reached(reaches)) for place, reaches in self._others]

    def _reached(self, reaches: Iterable[Reach]) -> frozenset[int]:
        """Rows of the nodes that one of these means."""
        rows: set[int] = set()
        for reach in dict.fromkeys(reaches):
            rows |= set(reach_rows(self._nodes, reach))
        return frozenset(rows)

    def places(self, row: int) -> tuple[int, ...]:
        """Which slices a node reaches, by their place in ``slices``."""
        found = set(self._by_node.get(self._nodes.names[row], ()))
        found.update(place for place, rows in self._masks if row in rows)
        found.update(self._everywhere)
        return tuple(sorted(found))

    def pools(self, places: Iterable[int]) -> tuple[Pool, ...]:
        """The pools that these slices belong to; slices of older generations are left out."""
        found: dict[tuple[str, str], list[DeviceSlice]] = {}
        for place in places:
            each = self.slices[place]
            held = found.setdefault((each.driver, each.pool), [])
            if held and each.generation < held[0].generation:
                continue
            if held and each.generation > held[0].generation:
                held.clear()
            held.append(each)
        if self._rules.sees_whole_pools:
            built = (self._whole(driver, name, held) for (driver, name), held in found.items())
            known = [pool for pool in built if pool is not None]
            return tuple(sorted(known, key=lambda pool: (pool.has_conditions, pool.driver, pool.name)))
        pools = (
            Pool(driver, name, tuple(held), len(held) != held[0].slice_count, duplicate_of(held))
            for (driver, name), held in found.items()
        )
        return tuple(sorted(pools, key=lambda pool: pool.has_conditions))

    def _whole(self, driver: str, name: str, held: Sequence[DeviceSlice]) -> Pool | None:
        """A pool of which a node reaches these slices; None where slices of a newer generation are for other nodes."""
        generation, others = held[0].generation, []
        if len(held) != held[0].slice_count:
            reached = {each.name for each in held}
            for each in self._by_pool.get((driver, name), ()):
                if each.generation > generation:
                    return None
                if each.generation == generation and each.name not in reached:
                    others.append(each)
            if len(held) + len(others) != held[0].slice_count:
                return Pool(driver, name, (), is_incomplete=True, duplicate="")
        if not self._rules.reads_counters:
            return Pool(driver, name, tuple(held), is_incomplete=False, duplicate=duplicate_of(held))
        offering = tuple(each for each in held if not each.counters)
        not_reached = tuple(each for each in others if not each.counters)
        counters: dict[tuple[str, str], Fraction] = {}
        sets: set[str] = set()
        fault = ""
        for each in (*held, *others):
            own = {counter_set for counter_set, _ in each.counters}
            fault = fault or next((f"duplicate counter set name {twice}" for twice in sorted(own & sets)), "")
            sets |= own
            counters |= each.counters
        fault = fault or _counter_fault(counters, sets, (*offering, *not_reached))
        return Pool(driver, name, offering, False, duplicate_of(offering), fault, others=not_reached, counters=counters)

    @cached_property
    def _by_pool(self) -> dict[tuple[str, str], list[DeviceSlice]]:
        found: dict[tuple[str, str], list[DeviceSlice]] = {}
        for each in self.slices:
            if not (self._rules.passes_over_groups and each.has_groups):
                found.setdefault((each.driver, each.pool), []).append(each)
        return found


def _counter_fault(counters: Counters, sets: Collection[str], slices: Iterable[DeviceSlice]) -> str:
    """What a device uses that its pool does not have, as the scheduler says it; empty where there is nothing."""
    for use in (use for each in slices for device in each.devices for use in device.uses):
        if use.counter_set not in sets:
            return f"counter set {use.counter_set} not found"
        if (use.counter_set, use.counter) not in counters:
            return f"counter {use.counter} not found in counter set {use.counter_set}"
    return ""


def reach_rows(nodes: NodeTable, reach: Reach) -> range | list[int]:
    """Rows of the nodes that a reach means."""
    if reach.node_name:
        row = nodes.index.get(reach.node_name)
        return [] if row is None else [row]
    if reach.all_nodes:
        return range(len(nodes))
    return [] if reach.selector is None else selector_mask(nodes, reach.selector).nonzero()[0].tolist()


def duplicate_of(slices: Iterable[DeviceSlice]) -> str:
    """Name the first device that slices of one pool have twice; empty where there is none."""
    names: set[str] = set()
    for device in (device for each in slices for device in each.devices):
        if device.name in names:
            return device.name
        names.add(device.name)
    return ""


# -- of a whole cluster --------------------------------------------------------------------------------------


def slices_of(snapshot: Snapshot) -> tuple[DeviceSlice, ...]:
    """All slices by name, with the taints that DeviceTaintRules add to their devices."""
    return snapshot.derived(_read_slices, SLICE, TAINT_RULE, CLASS).slices


def unknown_taint_rules(snapshot: Snapshot) -> frozenset[str]:
    """DeviceTaintRules of which it is not known what they select, for an expression that is not supported or no CEL."""
    return snapshot.derived(_read_slices, SLICE, TAINT_RULE, CLASS).unknown_rules


class _TaintedSlices(NamedTuple):
    slices: tuple[DeviceSlice, ...]
    unknown_rules: frozenset[str]


def may_read_taint_rules(release: Release) -> bool:
    """Whether DeviceTaintRules count, or may: of a gate that is off by default it is not known unless somebody says."""
    return release.devices.reads_taint_rules or not release.decides(Gate.DRA_DEVICE_TAINT_RULES)


def _read_slices(snapshot: Snapshot) -> _TaintedSlices:
    qualifies = snapshot.release.devices.qualifies_capacities
    found = [DeviceSlice.from_dict(each, qualifies=qualifies) for each in sorted(snapshot.objects(SLICE), key=name_of)]
    unknown, allowance = set(), Allowance()
    rules = snapshot.objects(TAINT_RULE) if may_read_taint_rules(snapshot.release) else ()
    for rule in sorted(rules, key=name_of):
        try:
            found = [_tainted(each, rule, snapshot, allowance) for each in found]
        except (CompileError, UnsupportedExpressionError):
            unknown.add(name_of(rule))
    return _TaintedSlices(tuple(found), frozenset(unknown))


def _tainted(each: DeviceSlice, rule: Document, snapshot: Snapshot, allowance: Allowance) -> DeviceSlice:
    """A slice with the taint of a rule on the devices that the rule selects."""
    spec, rules = rule.get("spec") or {}, snapshot.release.devices
    if spec.get("deviceSelector") is None and not rules.taints_without_selector:
        return each
    selector = spec.get("deviceSelector") or {}
    if not rules.selects_by_class:
        selector = {name: part for name, part in selector.items() if name in ("driver", "pool", "device")}
    if selector.get("driver") not in (None, each.driver) or selector.get("pool") not in (None, each.pool):
        return each
    expressions = list(expressions_of(selector))
    if selector.get("deviceClassName") is not None:
        found = snapshot.object(CLASS, str(selector["deviceClassName"]))
        if found is None:
            return each
        expressions = [*expressions_of(found.get("spec") or {}), *expressions]
    dialect = snapshot.release.dialect
    selectors = [compiled(expression, dialect) for expression in expressions if expression is not None]
    taint = Taint.from_dict(spec.get("taint") or {})
    added = str((spec.get("taint") or {}).get("timeAdded") or "")
    return replace(
        each,
        devices=tuple(
            replace(device, taints=(*device.taints, taint), taints_added=(*device.taints_added, added), is_ruled=True)
            if _is_selected(each, device, selector.get("device"), selectors, allowance)
            else device
            for device in each.devices
        ),
    )


def _is_selected(
    each: DeviceSlice, device: Device, name: str | None, selectors: Sequence[Selector], allowance: Allowance
) -> bool:
    if name not in (None, device.name):
        return False
    try:
        return all(one.matches(each.driver, device, allowance) for one in selectors)
    except EvaluationError:
        return False


# What devices that claims hold leave of the counters of a slice or of a whole pool.


def counter_owner(candidate: OfferedDevice, rules: DeviceRules) -> tuple[str, str]:
    """What a device's counters are kept by: its slice, or its pool."""
    if not rules.sees_whole_pools:
        return "", candidate.slice.name
    return "" if rules.shares_counters_by_name else candidate.pool.driver, candidate.pool.name


def pool_counters(pool: Pool, held: Collection[DeviceId]) -> dict[tuple[str, str], Fraction]:
    """What is left of a whole pool's counters beside the devices that claims hold; less than nothing is possible."""
    left = dict(pool.counters)
    for each in (*pool.slices, *pool.others):
        _take_held(left, each, held)
    return left


def available_counters(each: DeviceSlice, held: Collection[DeviceId]) -> dict[tuple[str, str], Fraction]:
    """What is left of a slice's counters beside the devices that claims hold; less than nothing is possible."""
    left = dict(each.counters)
    _take_held(left, each, held)
    return left


def _take_held(left: dict[tuple[str, str], Fraction], each: DeviceSlice, held: Collection[DeviceId]) -> None:
    """Take what the devices of a slice use that claims hold."""
    for device in each.devices:
        if device.uses and each.id_of(device) in held:
            for use in device.uses:
                key = use.counter_set, use.counter
                if key in left:
                    left[key] -= use.amount
